import pytest
import torch

from lapis.agent import lstm as lstm_module
from lapis.agent.lstm import LSTM, FusedRecurrence, LSTMState, _Recurrence


def plain_step(lstm, input_SI, state):
    """One textbook step, gate by gate."""
    gates = lstm.input_projection(input_SI) + state.hidden_SH @ lstm.recurrent_weight_GH.t()
    enter, forget, output, candidate = gates.chunk(4, dim=1)
    cell = forget.sigmoid() * state.cell_SH + enter.sigmoid() * candidate.tanh()
    return LSTMState(output.sigmoid() * cell.tanh(), cell)


def plain_sequence(lstm, input_LSI, first_LS, state):
    outputs = []
    for step in range(len(input_LSI)):
        keep = (~first_LS[step]).to(input_LSI.dtype).unsqueeze(1)
        state = LSTMState(state.hidden_SH * keep, state.cell_SH * keep)
        state = plain_step(lstm, input_LSI[step], state)
        outputs.append(state.hidden_SH)
    return torch.stack(outputs), state


@pytest.fixture
def case():
    torch.manual_seed(3)
    lstm = LSTM(5, 4).double()
    input_LSI = torch.randn(7, 3, 5, dtype=torch.float64, requires_grad=True)
    first_LS = torch.rand(7, 3) < 0.3
    assert first_LS.any()
    assert not first_LS.all()
    state = LSTMState(*torch.randn(2, 3, 4, dtype=torch.float64))
    return lstm, input_LSI, first_LS, state


def test_sequence_equals_textbook_steps_with_cleared_states(case):
    lstm, input_LSI, first_LS, state = case
    hidden, end = lstm(input_LSI, first_LS, state)
    expected, expected_end = plain_sequence(lstm, input_LSI, first_LS, state)
    torch.testing.assert_close(hidden, expected, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(end.hidden_SH, expected_end.hidden_SH, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(end.cell_SH, expected_end.cell_SH, rtol=1e-12, atol=1e-12)


def test_written_gradient_equals_autograd(case):
    lstm, input_LSI, first_LS, state = case
    weight = torch.randn(7, 3, 4, dtype=torch.float64)
    inputs = (input_LSI, *lstm.parameters())
    ours = torch.autograd.grad((lstm(input_LSI, first_LS, state)[0] * weight).sum(), inputs)
    plain = plain_sequence(lstm, input_LSI, first_LS, state)[0]
    expected = torch.autograd.grad((plain * weight).sum(), inputs)
    for got, wanted in zip(ours, expected, strict=True):
        torch.testing.assert_close(got, wanted, rtol=1e-10, atol=1e-12)


def test_written_gradient_equals_finite_differences():
    torch.manual_seed(0)
    projected = torch.randn(3, 2, 8, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(8, 2, dtype=torch.float64, requires_grad=True)
    keep = torch.tensor([[1.0, 1.0], [0.0, 1.0], [1.0, 1.0]], dtype=torch.float64).unsqueeze(-1)
    hidden, cell = torch.randn(2, 2, 2, dtype=torch.float64)
    assert torch.autograd.gradcheck(
        lambda p, w: _Recurrence.apply(p, keep, hidden, cell, w)[0], (projected, weight)
    )


def test_equals_pytorchs_own_lstm_where_nothing_is_cleared():
    torch.manual_seed(1)
    lstm = LSTM(6, 5)
    reference = torch.nn.LSTM(6, 5)
    ours_to_theirs = [0, 1, 3, 2]  # PyTorch's order: input, forget, candidate, output

    def reorder(tensor):
        blocks = tensor.detach().chunk(4)
        return torch.cat([blocks[i] for i in ours_to_theirs])

    reference.load_state_dict(
        {
            "weight_ih_l0": reorder(lstm.input_projection.weight),
            "weight_hh_l0": reorder(lstm.recurrent_weight_GH),
            "bias_ih_l0": reorder(lstm.input_projection.bias),
            "bias_hh_l0": torch.zeros(20),
        }
    )
    input_LSI = torch.randn(9, 2, 6)
    hidden, _ = lstm(input_LSI, torch.zeros(9, 2, dtype=torch.bool), lstm.initial_state(2))
    # Two orders of the same float32 sums.
    torch.testing.assert_close(hidden, reference(input_LSI)[0], rtol=1e-5, atol=1e-6)


def test_sequence_equals_its_parts_chained_by_state(case):
    lstm, input_LSI, first_LS, state = case
    whole, end = lstm(input_LSI, first_LS, state)
    head, middle = lstm(input_LSI[:3], first_LS[:3], state)
    tail, chained_end = lstm(input_LSI[3:], first_LS[3:], middle)
    # A product over all steps at once may sum in another order than one over three.
    torch.testing.assert_close(torch.cat([head, tail]), whole, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(end.cell_SH, chained_end.cell_SH, rtol=1e-12, atol=1e-12)


def test_a_first_step_forgets_everything_before_it(case):
    lstm, input_LSI, _, state = case
    first_LS = torch.zeros(7, 3, dtype=torch.bool)
    first_LS[4, 1] = True
    changed = input_LSI.detach().clone()
    changed[:4] += 1.0
    before, _ = lstm(input_LSI, first_LS, state)
    after, _ = lstm(changed, first_LS, state)
    assert torch.equal(before[4:, 1], after[4:, 1])
    assert not torch.equal(before[4:, 0], after[4:, 0])


@pytest.mark.parametrize("step_count", [1, 2, 7])
def test_fused_steps_and_their_gradient_equal_those_of_single_kernels(monkeypatch, step_count):
    """The steps as they are, before they are compiled; what is compiled is tested on GPUs."""
    monkeypatch.setattr(lstm_module, "compiled_once", lambda function: function)
    torch.manual_seed(step_count)
    projected = torch.randn(step_count, 5, 12, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(12, 3, dtype=torch.float64, requires_grad=True)
    keep = (torch.rand(step_count, 5, 1) < 0.6).double()
    hidden, cell = torch.randn(2, 5, 3, dtype=torch.float64)
    target = torch.randn(step_count, 5, 3, dtype=torch.float64)
    results = []
    for recurrence in (_Recurrence, FusedRecurrence):
        out, end = recurrence.apply(projected, keep, hidden, cell, weight)
        results.append((out, end, *torch.autograd.grad((out * target).sum(), (projected, weight))))
    for expected, fused in zip(*results, strict=True):
        torch.testing.assert_close(fused, expected, rtol=1e-12, atol=1e-12)
