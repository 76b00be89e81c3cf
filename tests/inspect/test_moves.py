"""Entropy and divergence of moves, by hand."""

import math

import pytest
import torch

from lapis.agent.actions import choices
from lapis.inspect.moves import divergence, entropies, prior

SIZES = (3, 2)
EVERYTHING = torch.ones(5, dtype=torch.bool)


def of(*probabilities, mask=EVERYTHING):
    return choices(torch.tensor(probabilities).log(), mask, SIZES)


def test_entropy_is_that_of_each_component():
    found = entropies(of(0.5, 0.25, 0.25, 1.0, 1.0))
    assert found.tolist() == pytest.approx([1.5 * math.log(2), math.log(2)])


def test_what_is_not_allowed_has_no_part_in_the_entropy():
    mask = torch.tensor([True, True, False, True, False])
    assert entropies(of(1.0, 1.0, 9.0, 1.0, 1.0, mask=mask)).tolist() == pytest.approx(
        [math.log(2), 0.0]
    )


def test_divergence_is_that_of_each_component():
    found = divergence(of(0.25, 0.5, 0.25, 0.75, 0.25), of(0.25, 0.5, 0.25, 0.5, 0.5))
    by_hand = 0.75 * math.log(1.5) + 0.25 * math.log(0.5)
    assert found.tolist() == pytest.approx([0.0, by_hand], abs=1e-6)


def test_divergence_is_that_of_the_first_from_the_second():
    found = divergence(of(1.0, 1.0, 1.0, 0.5, 0.5), of(1.0, 1.0, 1.0, 0.75, 0.25))
    by_hand = 0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25)
    assert found[1].item() == pytest.approx(by_hand)


def test_a_choice_that_is_not_allowed_adds_nothing_to_the_divergence():
    mask = torch.tensor([True, True, False, True, True])
    first, second = of(1.0, 1.0, 100.0, 1.0, 1.0, mask=mask), of(1.0, 1.0, 0.01, 1, 1, mask=mask)
    assert divergence(first, second).tolist() == [0.0, 0.0]


def test_without_scores_the_prior_is_chance_among_what_is_allowed():
    mask = torch.tensor([[True, True, False, True, True]])
    first, second = prior(None, mask, SIZES)
    torch.testing.assert_close(first.probability, torch.tensor([[0.5, 0.5, 0.0]]))
    torch.testing.assert_close(second.probability, torch.tensor([[0.5, 0.5]]))


def test_with_scores_the_prior_has_their_weights():
    scores = torch.tensor([8.0, 1.0, 1.0, 3.0, 1.0]).log()
    first, second = prior(scores, EVERYTHING.unsqueeze(0), SIZES)
    torch.testing.assert_close(first.probability, torch.tensor([[0.8, 0.1, 0.1]]))
    torch.testing.assert_close(second.probability, torch.tensor([[0.75, 0.25]]))
