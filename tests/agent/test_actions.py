import math

import pytest
import torch

from lapis.agent import actions


def draw(components, seed):
    """Actions by the dice of a seed."""
    like = torch.cat([component.probability for component in components], dim=-1)
    return actions.sample(components, actions.uniform(like, torch.Generator().manual_seed(seed)))


@pytest.fixture
def two_components():
    logits = torch.tensor([[0.0, math.log(3.0), 5.0, 1.0, 1.0]], requires_grad=True)
    mask = torch.tensor([[True, True, False, True, True]])
    return logits, actions.choices(logits, mask, (3, 2))


def test_masked_choice_has_probability_zero_and_the_rest_share_it(two_components):
    _, components = two_components
    torch.testing.assert_close(components[0].probability, torch.tensor([[0.25, 0.75, 0.0]]))
    assert components[0].probability[0, 2] == 0.0
    torch.testing.assert_close(components[1].probability, torch.tensor([[0.5, 0.5]]))


def test_log_probability_is_the_sum_over_components(two_components):
    _, components = two_components
    value = actions.log_probability(components, torch.tensor([[1, 0]]))
    torch.testing.assert_close(value, torch.tensor([math.log(0.75) + math.log(0.5)]))


def test_entropy_counts_allowed_choices_only(two_components):
    _, components = two_components
    expected = -(0.25 * math.log(0.25) + 0.75 * math.log(0.75)) + math.log(2.0)
    torch.testing.assert_close(actions.entropy(components), torch.tensor([expected]))


def test_gradients_of_masked_choices_are_exactly_zero():
    torch.manual_seed(0)
    logits = torch.randn(64, 12, requires_grad=True)
    mask = torch.rand(64, 12) < 0.5
    mask[:, 0] = mask[:, 7] = True
    components = actions.choices(logits, mask, (7, 5))
    action = draw(components, 0)
    total = actions.log_probability(components, action) + 3.0 * actions.entropy(components)
    (gradient,) = torch.autograd.grad(total.sum(), logits)
    assert torch.all(gradient[~mask] == 0.0)
    assert torch.all(gradient[:, 1:7][mask[:, 1:7]] != 0.0)


def test_one_allowed_choice_is_certain_without_entropy():
    mask = torch.tensor([[False, True, False]])
    components = actions.choices(torch.tensor([[9.0, -9.0, 3.0]]), mask, (3,))
    assert components[0].probability.tolist() == [[0.0, 1.0, 0.0]]
    assert actions.entropy(components).item() == 0.0
    assert draw(components, 1).item() == 1


def test_samples_follow_the_probabilities_and_never_the_mask():
    count = 40_000
    logits = torch.tensor([0.0, 1.0, 7.0, -1.0]).expand(count, 4)
    mask = torch.tensor([True, True, False, True]).expand(count, 4)
    components = actions.choices(logits, mask, (4,))
    drawn = draw(components, 5)
    share = torch.bincount(drawn[:, 0], minlength=4) / count
    assert share[2] == 0.0
    # Four standard deviations of a binomial share at p = 0.5 are 0.01.
    torch.testing.assert_close(share, components[0].probability[0], rtol=0, atol=0.01)


def test_samples_depend_on_the_generator_alone():
    components = actions.choices(torch.zeros(100, 6), torch.ones(100, 6, dtype=torch.bool), (6,))
    first = draw(components, 2)
    torch.rand(10)
    again = draw(components, 2)
    assert torch.equal(first, again)
    assert not torch.equal(first, draw(components, 3))


def test_dice_fall_for_each_component_apart():
    count = 40_000
    components = actions.choices(
        torch.zeros(count, 4), torch.ones(count, 4, dtype=torch.bool), (2, 2)
    )
    drawn = draw(components, 6)
    # Four standard deviations of a binomial share at p = 0.25 are 0.0087.
    share = torch.bincount(drawn[:, 0] * 2 + drawn[:, 1], minlength=4) / count
    torch.testing.assert_close(share, torch.full((4,), 0.25), rtol=0, atol=0.0087)


def test_choosing_draws_and_tells_how_likely_that_was(two_components):
    logits, components = two_components
    mask = torch.tensor([[True, True, False, True, True]])
    dice = actions.uniform(logits, torch.Generator().manual_seed(4))
    action, log_probability = actions.choose(logits, mask, dice, (3, 2))
    assert torch.equal(action, actions.sample(components, dice))
    assert torch.equal(log_probability, actions.log_probability(components, action))
