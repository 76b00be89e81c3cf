"""An LSTM over sequences in which an episode may end and another begin at any step."""

# L = steps of a sequence, S = sequences, H = width, G = 4 H gates (input, forget, output, cell)
from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from lapis.agent.compiling import compiled_once


class LSTMState(NamedTuple):
    """What an LSTM carries from one step to the next, one row per sequence."""

    hidden_SH: Tensor
    cell_SH: Tensor


class LSTM(nn.Module):
    """An LSTM layer whose state is cleared where an episode starts.

    `torch.nn.LSTM` cannot clear its state inside a sequence. Here the input projection of all
    steps is one matrix product, so is the gradient of each weight, and only what truly depends on
    the previous step runs in a loop over the steps. With `compile`, on a GPU and in training mode,
    what a step computes between its matrix products is one kernel. Otherwise it is ten, most of
    whose time is their launch.
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

        A step that is the first of its episode (bool) starts from a cleared state, whatever came
        before. No gradient flows into the state before the first step.
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
    """The loop over steps, with its gradient written out (tests compare it with autograd's).

    A step is a few operations on small matrices, which cost their launch more than their
    arithmetic. So what does not depend on the previous step is done for all steps at once.
    """

    @staticmethod
    def forward(
        ctx: Any,
        projected_LSG: Tensor,
        keep_LS1: Tensor,
        hidden_SH: Tensor,
        cell_SH: Tensor,
        weight_GH: Tensor,
    ) -> tuple[Tensor, Tensor]:
        start = (hidden_SH, cell_SH)
        width = weight_GH.shape[1]
        gate_LSG = torch.empty_like(projected_LSG)
        shape = (*projected_LSG.shape[:2], width)
        cell_LSH, tanh_cell_LSH, hidden_LSH = (projected_LSG.new_empty(shape) for _ in range(3))
        steps = zip(
            _clears(keep_LS1),
            keep_LS1,
            projected_LSG,
            gate_LSG,
            gate_LSG[..., : 3 * width],
            *gate_LSG.split(width, dim=2),
            cell_LSH,
            tanh_cell_LSH,
            hidden_LSH,
            strict=True,
        )
        for (
            clears, keep_S1, projected_SG, gate_SG, open_SG, enter, forget, output, candidate,
            next_cell_SH, tanh_cell_SH, next_hidden_SH,
        ) in steps:  # fmt: skip
            if clears:
                hidden_SH, cell_SH = hidden_SH * keep_S1, cell_SH * keep_S1
            torch.addmm(projected_SG, hidden_SH, weight_GH.t(), out=gate_SG)
            open_SG.sigmoid_()
            candidate.tanh_()
            cell_SH = torch.mul(cell_SH, forget, out=next_cell_SH).addcmul_(enter, candidate)
            torch.tanh(cell_SH, out=tanh_cell_SH)
            hidden_SH = torch.mul(output, tanh_cell_SH, out=next_hidden_SH)
        ctx.save_for_backward(
            gate_LSG, cell_LSH, tanh_cell_LSH, hidden_LSH, keep_LS1, weight_GH, *start
        )
        cell_SH = cell_SH.clone()  # What is saved must not change with the state.
        ctx.mark_non_differentiable(cell_SH)
        return hidden_LSH, cell_SH

    @staticmethod
    @once_differentiable
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, *grad_outputs: Tensor
    ) -> tuple[Tensor | None, ...]:
        into_hidden_LSH, _ = grad_outputs
        (
            gate_LSG, cell_LSH, tanh_cell_LSH, hidden_LSH, keep_LS1, weight_GH,
            start_hidden_SH, start_cell_SH,
        ) = ctx.saved_tensors  # fmt: skip
        hidden_in_LSH = _entering(start_hidden_SH, hidden_LSH) * keep_LS1
        cell_in_LSH = _entering(start_cell_SH, cell_LSH) * keep_LS1
        gate_LS4H = gate_LSG.unflatten(2, (4, -1))
        into_cell_factor_LSH, into_gate_factor_LS4H = _factors(
            gate_LS4H, tanh_cell_LSH, cell_in_LSH
        )
        into_gate_LS4H = torch.empty_like(gate_LS4H)
        into_gate_LSG = into_gate_LS4H.flatten(2)
        into_hidden_SH = torch.zeros_like(start_hidden_SH)
        into_cell_SH = torch.zeros_like(into_hidden_SH)
        clears = _clears(keep_LS1)
        for step in reversed(range(len(gate_LSG))):
            into_hidden_SH += into_hidden_LSH[step]
            into_cell_SH.addcmul_(into_hidden_SH, into_cell_factor_LSH[step])
            factor_S4H, into_gate_S4H = into_gate_factor_LS4H[step], into_gate_LS4H[step]
            torch.mul(into_cell_SH.unsqueeze(1), factor_S4H, out=into_gate_S4H)
            torch.mul(into_hidden_SH, factor_S4H[:, _OUTPUT], out=into_gate_S4H[:, _OUTPUT])
            into_cell_SH *= gate_LS4H[step, :, _FORGET]
            torch.mm(into_gate_LSG[step], weight_GH, out=into_hidden_SH)
            if clears[step]:
                into_cell_SH *= keep_LS1[step]
                into_hidden_SH *= keep_LS1[step]
        into_weight_GH = into_gate_LSG.flatten(0, 1).t() @ hidden_in_LSH.flatten(0, 1)
        return into_gate_LSG, None, None, None, into_weight_GH


_ENTER, _FORGET, _OUTPUT, _CANDIDATE = range(4)
"""Places of the gates."""


def _clears(keep_LS1: Tensor) -> list[bool]:
    """In which steps an episode may start; on a GPU, which is not asked, in all."""
    if keep_LS1.is_cuda:
        return [True] * len(keep_LS1)
    return (keep_LS1.flatten(1).amin(dim=1) == 0.0).tolist()


def _entering(start_SH: Tensor, after_LSH: Tensor) -> Tensor:
    """What enters each step, from what each step leaves."""
    return torch.cat([start_SH.unsqueeze(0), after_LSH[:-1]])


def _factors(
    gate_LS4H: Tensor, tanh_cell_LSH: Tensor, cell_in_LSH: Tensor
) -> tuple[Tensor, Tensor]:
    """Derivatives of all steps that need nothing but what the steps left behind.

    What the gradient of a hidden state is multiplied with to become one of its cell, and what
    that of a cell (of a hidden state, for the output gate) becomes one of a gate's input with.
    """
    enter, _, output, candidate = gate_LS4H.unbind(2)
    into_cell_LSH = torch.addcmul(output, output * tanh_cell_LSH, tanh_cell_LSH, value=-1)
    into_gate_LS4H = torch.addcmul(gate_LS4H, gate_LS4H, gate_LS4H, value=-1)
    into_gate_LS4H[:, :, _ENTER] *= candidate
    into_gate_LS4H[:, :, _FORGET] *= cell_in_LSH
    into_gate_LS4H[:, :, _OUTPUT] *= tanh_cell_LSH
    torch.addcmul(
        enter, enter * candidate, candidate, value=-1, out=into_gate_LS4H[:, :, _CANDIDATE]
    )
    return into_cell_LSH, into_gate_LS4H


class FusedRecurrence(torch.autograd.Function):
    """What `_Recurrence` computes, for a GPU: two kernels per step, forward and backward."""

    @staticmethod
    def forward(
        ctx: Any,
        projected_LSG: Tensor,
        keep_LS1: Tensor,
        hidden_SH: Tensor,
        cell_SH: Tensor,
        weight_GH: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Hidden states after each step and the cell after the last one."""
        step_count, sequence_count, gate_count = projected_LSG.shape
        width = gate_count // 4
        gate_LSG = torch.empty_like(projected_LSG)
        hidden_in_LSH, tanh_cell_LSH, hidden_LSH = (
            projected_LSG.new_empty(step_count, sequence_count, width) for _ in range(3)
        )
        # Each in memory of its own: a compiled step reads one and writes the next.
        cell_in = [cell_SH * keep_LS1[0], *(torch.empty_like(cell_SH) for _ in keep_LS1[1:])]
        cell_SH = torch.empty_like(cell_SH)
        torch.mul(hidden_SH, keep_LS1[0], out=hidden_in_LSH[0])
        advance = compiled_once(_advance)
        for step in range(step_count):
            torch.addmm(projected_LSG[step], hidden_in_LSH[step], weight_GH.t(), out=gate_LSG[step])
            entering = None
            if (following := step + 1) < step_count:
                entering = (keep_LS1[following], hidden_in_LSH[following], cell_in[following])
            outputs = (tanh_cell_LSH[step], hidden_LSH[step], cell_SH)
            advance(gate_LSG[step], cell_in[step], *outputs, entering)
        ctx.save_for_backward(gate_LSG, tanh_cell_LSH, hidden_in_LSH, keep_LS1, weight_GH, *cell_in)
        ctx.mark_non_differentiable(cell_SH)
        return hidden_LSH, cell_SH

    @staticmethod
    @once_differentiable
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, *grad_outputs: Tensor
    ) -> tuple[Tensor | None, ...]:
        """Gradients of the gates' inputs and of the weights."""
        into_hidden_LSH, _ = grad_outputs
        gate_LSG, tanh_cell_LSH, hidden_in_LSH, keep_LS1, weight_GH, *cell_in = ctx.saved_tensors
        into_gate_LSG = torch.empty_like(gate_LSG)
        into_hidden_in_SH = torch.zeros_like(tanh_cell_LSH[0])
        into_cell_in_SH = torch.zeros_like(into_hidden_in_SH)
        retreat = compiled_once(_retreat)
        last = len(gate_LSG) - 1
        for step in range(last, -1, -1):
            retreat(
                gate_LSG[step],
                tanh_cell_LSH[step],
                cell_in[step],
                keep_LS1[min(step + 1, last)],
                into_hidden_LSH[step],
                into_hidden_in_SH,
                into_cell_in_SH,
                into_gate_LSG[step],
            )
            torch.mm(into_gate_LSG[step], weight_GH, out=into_hidden_in_SH)
        into_weight_GH = into_gate_LSG.flatten(0, 1).t() @ hidden_in_LSH.flatten(0, 1)
        return into_gate_LSG, None, None, None, into_weight_GH


def _advance(
    gate_SG: Tensor,
    cell_in_SH: Tensor,
    tanh_cell_SH: Tensor,
    hidden_SH: Tensor,
    cell_SH: Tensor,
    next_step: tuple[Tensor, Tensor, Tensor] | None,
) -> None:
    """One step. Reads the gates' inputs and the cell that enters, writes everything else.

    `gate_SG` becomes the outputs of the gates. `next_step`, where there is one, is 0 where an
    episode starts with it, else 1; and, written, the hidden state and the cell that enter it.
    """
    enter, forget, output, candidate = gate_SG.chunk(4, dim=1)
    enter, forget, output = enter.sigmoid(), forget.sigmoid(), output.sigmoid()
    candidate = candidate.tanh()
    cell = cell_in_SH * forget + enter * candidate
    tanh_cell = cell.tanh()
    hidden = output * tanh_cell
    gate_SG.copy_(torch.cat([enter, forget, output, candidate], dim=1))
    tanh_cell_SH.copy_(tanh_cell)
    hidden_SH.copy_(hidden)
    cell_SH.copy_(cell)
    if next_step is not None:
        keep_S1, hidden_next_SH, cell_next_SH = next_step
        hidden_next_SH.copy_(hidden * keep_S1)
        cell_next_SH.copy_(cell * keep_S1)


def _retreat(
    gate_SG: Tensor,
    tanh_cell_SH: Tensor,
    cell_in_SH: Tensor,
    keep_next_S1: Tensor,
    into_output_SH: Tensor,
    into_hidden_next_SH: Tensor,
    into_cell_SH: Tensor,
    into_gate_SG: Tensor,
) -> None:
    """The gradient of one step, from the last to the first. Writes the last two.

    Args:
        gate_SG: Outputs of the gates.
        tanh_cell_SH: As `_advance` wrote it.
        cell_in_SH: The cell that entered the step.
        keep_next_S1: 0 where an episode starts with the next step, 1 elsewhere.
        into_output_SH: Gradient of the hidden state as an output.
        into_hidden_next_SH: Gradient of the hidden state that enters the next step.
        into_cell_SH: That of the cell; becomes that of the cell that enters this step.
        into_gate_SG: Gradient of the gates' inputs.
    """
    enter, forget, output, candidate = gate_SG.chunk(4, dim=1)
    into_hidden = into_output_SH + into_hidden_next_SH * keep_next_S1
    into_cell = into_cell_SH * keep_next_S1 + into_hidden * output * (1 - tanh_cell_SH.square())
    into_gates = [
        into_cell * candidate * enter * (1 - enter),
        into_cell * cell_in_SH * forget * (1 - forget),
        into_hidden * tanh_cell_SH * output * (1 - output),
        into_cell * enter * (1 - candidate.square()),
    ]
    into_gate_SG.copy_(torch.cat(into_gates, dim=1))
    into_cell_SH.copy_(into_cell * forget)
