"""Chance is the documented function, on every device."""

import pytest
import torch

from lapis.simonsays.rng import Chance, Purpose, fmix32_, uniform
from tests.simonsays import twin


def test_fmix32_gives_the_published_values(device):
    # The finalizer is a bijection that keeps 0; 1 goes to 0x514E28B7 in MurmurHash3's own code.
    key = torch.tensor([0, 1], device=device)
    assert fmix32_(key, torch.empty_like(key)).tolist() == [0, 0x514E28B7]


def test_uniform_equals_its_plain_python_twin(device):
    generator = torch.Generator().manual_seed(1)
    words = torch.randint(0, 2**32, (3, 1000), generator=generator).to(device)
    words[:, :4] = torch.tensor([0, 1, 2**31, 2**32 - 1], device=device)
    for seed in (0, 1, 2**32 - 1):
        drawn = uniform(seed, *words, Purpose.GOAL)
        assert drawn.dtype == torch.float64
        rows = zip(*words.tolist(), strict=True)
        assert drawn.tolist() == [twin.uniform(seed, *row, Purpose.GOAL) for row in rows]


def test_uniform_is_pinned(device):
    zero = torch.zeros(1, dtype=torch.int64, device=device)
    drawn = [uniform(0, zero, zero, zero, purpose).item() for purpose in Purpose]
    assert drawn == [0.8806386590003967, 0.3511202931404114, 0.08114516735076904]


def test_chance_draws_what_uniform_says(device):
    chance = Chance(seed=3, first_world=50, world_count=4, device=torch.device(device))
    world = torch.arange(50, 54, device=device)
    restarts = [[1, 1, 1, 1], [0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 1], [0, 0, 0, 0]]
    episodes = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 1], [1, 1, 0, 1]]
    steps = [[0, 0, 0, 0], [1, 1, 1, 1], [2, 0, 2, 2], [0, 1, 3, 0], [1, 2, 4, 1]]
    for restarted, episode, step in zip(restarts, episodes, steps, strict=True):
        chance.advance(torch.tensor(restarted, dtype=torch.bool, device=device))
        assert chance.episode_W.tolist() == episode
        assert chance.step_W.tolist() == step
        words = (world, torch.tensor(episode, device=device), torch.tensor(step, device=device))
        assert torch.equal(chance.inherit_W, uniform(3, *words, Purpose.INHERIT))
        assert torch.equal(chance.goal_W, uniform(3, *words, Purpose.GOAL))


def test_neighboring_words_give_unrelated_numbers():
    world, episode, step = torch.meshgrid(
        torch.arange(20), torch.arange(20), torch.arange(50), indexing="ij"
    )
    drawn = uniform(0, world, episode, step, Purpose.GOAL)
    # 20000 uniform numbers: a mean's standard error is 0.002, a correlation's 0.007.
    assert drawn.mean().item() == pytest.approx(0.5, abs=0.01)
    assert drawn.var().item() == pytest.approx(1 / 12, abs=0.005)
    other = uniform(0, world, episode, step, Purpose.INHERIT)
    pairs = [(drawn, other), (drawn[1:], drawn[:-1]), (drawn[:, 1:], drawn[:, :-1])]
    pairs.append((drawn[..., 1:], drawn[..., :-1]))
    for left, right in pairs:
        both = torch.stack([left.flatten(), right.flatten()])
        assert abs(torch.corrcoef(both)[0, 1].item()) < 0.03


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seed_out_of_range_is_refused(seed):
    with pytest.raises(ValueError, match=f"seed must be between 0 and 4294967295, not {seed}"):
        Chance(seed=seed, first_world=0, world_count=1, device=torch.device("cpu"))
