"""An LSTM over sequences in which an episode may end and another begin at any step."""

# L = steps of a sequence, S = sequences, H = width, G = 4 H gates (input, forget, output, cell)
from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from lapis.agent.lstm_fused import FusedRecurrence


class LSTMState(NamedTuple):
    """What an LSTM carries from one step to the next, one row per sequence."""

    hidden_SH: Tensor
    cell_SH: Tensor


class LSTM(nn.Module):
    """An LSTM layer whose state is cleared where an episode starts.

    `torch.nn.LSTM` cannot clear its state inside a sequence. Here the input projection of all
    steps is one matrix product, so is the gradient of each weight, and only what truly depends on
    the previous step runs in a loop over the steps.

    Args:
        input_size: Features of the input.
        width: Size of the state.
        compile: On a GPU, in training mode: whether what a step computes between its matrix
            products is one kernel. Otherwise it is ten, most of whose time is their launch.
    """

    def __init__(self, input_size: int, width: int, *, compile: bool = False) -> None:
        super().__init__()
        self.width = width
        self.compile_steps = compile
        self.input_projection = nn.Linear(input_size, 4 * width)
        self.recurrent_weight_GH = nn.Parameter(torch.empty(4 * width, width))
        for gate in range(4):
            rows = slice(gate * width, (gate + 1) * width)
            nn.init.orthogonal_(self.input_projection.weight.data[rows])
            nn.init.orthogonal_(self.recurrent_weight_GH.data[rows])
        nn.init.zeros_(self.input_projection.bias)
        # A forget gate that starts open lets gradients reach back through time.
        nn.init.ones_(self.input_projection.bias.data[width : 2 * width])

    def initial_state(self, sequence_count: int) -> LSTMState:
        """The cleared state of an episode's start."""
        zero_SH = self.recurrent_weight_GH.new_zeros(sequence_count, self.width)
        return LSTMState(zero_SH, zero_SH.clone())

    def forward(
        self, input_LSI: Tensor, first_LS: Tensor, state: LSTMState
    ) -> tuple[Tensor, LSTMState]:
        """Runs all steps; returns the hidden states and the state after the last step.

        Args:
            input_LSI: Input of each step.
            first_LS: Whether a step is the first of its episode (bool): it starts from a cleared
                state, whatever came before.
            state: State before the first step; no gradient flows into it.
        """
        is_fused = self.compile_steps and self.training and input_LSI.is_cuda
        hidden_LSH, cell_SH = (FusedRecurrence if is_fused else _Recurrence).apply(
            self.input_projection(input_LSI),
            (~first_LS).to(input_LSI.dtype).unsqueeze(-1),
            state.hidden_SH,
            state.cell_SH,
            self.recurrent_weight_GH,
        )
        return hidden_LSH, LSTMState(hidden_LSH[-1].detach(), cell_SH)


class _Recurrence(torch.autograd.Function):
    """The loop over steps, with its gradient written out (tests compare it with autograd's)."""

    @staticmethod
    def forward(
        ctx: Any,
        projected_LSG: Tensor,
        keep_LS1: Tensor,
        hidden_SH: Tensor,
        cell_SH: Tensor,
        weight_GH: Tensor,
    ) -> tuple[Tensor, Tensor]:
        step_count, _, gate_count = projected_LSG.shape
        width = gate_count // 4
        gate_LSG = torch.empty_like(projected_LSG)
        shape = (*projected_LSG.shape[:2], width)
        hidden_in_LSH, cell_in_LSH, tanh_cell_LSH, hidden_LSH = (
            projected_LSG.new_empty(shape) for _ in range(4)
        )
        for step in range(step_count):
            torch.mul(hidden_SH, keep_LS1[step], out=hidden_in_LSH[step])
            torch.mul(cell_SH, keep_LS1[step], out=cell_in_LSH[step])
            gate_SG = gate_LSG[step]
            torch.addmm(projected_LSG[step], hidden_in_LSH[step], weight_GH.t(), out=gate_SG)
            gate_SG[:, : 3 * width].sigmoid_()
            gate_SG[:, 3 * width :].tanh_()
            enter, forget, output, candidate = gate_SG.split(width, dim=1)
            cell_SH = (cell_in_LSH[step] * forget).addcmul_(enter, candidate)
            torch.tanh(cell_SH, out=tanh_cell_LSH[step])
            hidden_SH = torch.mul(output, tanh_cell_LSH[step], out=hidden_LSH[step])
        ctx.save_for_backward(
            gate_LSG, tanh_cell_LSH, hidden_in_LSH, cell_in_LSH, keep_LS1, weight_GH
        )
        ctx.mark_non_differentiable(cell_SH)
        return hidden_LSH, cell_SH

    @staticmethod
    @once_differentiable
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, *grad_outputs: Tensor
    ) -> tuple[Tensor | None, ...]:
        into_hidden_LSH, _ = grad_outputs
        gate_LSG, tanh_cell_LSH, hidden_in_LSH, cell_in_LSH, keep_LS1, weight_GH = ctx.saved_tensors
        step_count, sequence_count, gate_count = gate_LSG.shape
        width = gate_count // 4
        into_gate_LSG = torch.empty_like(gate_LSG)
        into_hidden_SH = gate_LSG.new_zeros(sequence_count, width)
        into_cell_SH = torch.zeros_like(into_hidden_SH)
        for step in reversed(range(step_count)):
            into_hidden_SH += into_hidden_LSH[step]
            into_gate_SG = into_gate_LSG[step]
            _step_backward(
                gate_LSG[step],
                tanh_cell_LSH[step],
                cell_in_LSH[step],
                into_hidden_SH,
                into_cell_SH,
                into_gate_SG,
            )
            into_cell_SH.mul_(gate_LSG[step, :, width : 2 * width]).mul_(keep_LS1[step])
            torch.mm(into_gate_SG, weight_GH, out=into_hidden_SH).mul_(keep_LS1[step])
        into_weight_GH = into_gate_LSG.flatten(0, 1).t() @ hidden_in_LSH.flatten(0, 1)
        return into_gate_LSG, None, None, None, into_weight_GH


def _step_backward(
    gate_SG: Tensor,
    tanh_cell_SH: Tensor,
    cell_in_SH: Tensor,
    into_hidden_SH: Tensor,
    into_cell_SH: Tensor,
    into_gate_SG: Tensor,
) -> None:
    """Adds one step's gradient to `into_cell_SH` and writes the one of the gates' inputs."""
    width = tanh_cell_SH.shape[1]
    enter, forget, output, candidate = gate_SG.split(width, dim=1)
    into_enter, into_forget, into_output, into_candidate = into_gate_SG.split(width, dim=1)
    tanh_backward, sigmoid_backward = torch.ops.aten.tanh_backward, torch.ops.aten.sigmoid_backward
    into_cell_SH += tanh_backward(into_hidden_SH * output, tanh_cell_SH)
    sigmoid_backward.grad_input(into_cell_SH * candidate, enter, grad_input=into_enter)
    sigmoid_backward.grad_input(into_cell_SH * cell_in_SH, forget, grad_input=into_forget)
    sigmoid_backward.grad_input(into_hidden_SH * tanh_cell_SH, output, grad_input=into_output)
    tanh_backward.grad_input(into_cell_SH * enter, candidate, grad_input=into_candidate)
