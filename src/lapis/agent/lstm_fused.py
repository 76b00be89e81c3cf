"""The recurrence of the LSTM for a GPU: two kernels per step, forward and backward."""

# L = steps of a sequence, S = sequences, H = width, G = 4 H gates (input, forget, output, cell)
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from lapis.agent.compiling import compiled_once


class FusedRecurrence(torch.autograd.Function):
    """What `lapis.agent.lstm` computes, with all of a step but its matrix product in one kernel."""

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
