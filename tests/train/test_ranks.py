"""Ranks that train one run: against a process on its own, against each other, from a checkpoint."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from lapis.agent import ppo
from lapis.runs import RunError
from lapis.torchrun import launch
from lapis.train.loop import Trainer
from lapis.train.ranks import ALONE, Ranks
from lapis.train.state import joined, rank_count, rows
from tests.train.ranks_driver import PLAYED, WORLDS, small, torchrun_tells

ROOT = Path(__file__).parents[2]
ORDER = (2, 0, 4, 1)
"""Numbers of ranks; each loads the checkpoint of the one before it, too."""
TIMES = ("seconds", "frames_per_second")
MANY = pytest.mark.parametrize("count", [1, 2, 4])


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What each rank found, by the number of ranks; 0 is a process on its own."""
    place = tmp_path_factory.mktemp("ranks")
    command = [sys.executable, "-m", "tests.train.ranks_driver", str(place), *map(str, ORDER)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return {
        count: [
            torch.load(place / str(count) / f"rank-{rank}.pt", weights_only=False)
            for rank in range(max(1, count))
        ]
        for count in ORDER
    }


def bare(metrics):
    return {name: value for name, value in metrics.items() if name not in TIMES}


@MANY
def test_no_thread_of_the_group_is_left_that_could_abort_the_process_at_its_end(found, count):
    assert [each["threads_of_the_group"] for each in found[count]] == [[]] * count


@MANY
def test_with_the_same_dice_ranks_take_the_steps_of_one_process(found, count):
    (alone,) = (each["same_dice"] for each in found[0])
    first = found[count][0]["same_dice"]
    for update in range(PLAYED):
        expected, got = (each["gradients"][update] for each in (alone, first))
        # Sums of floats in another order: the last of 24 bits differ.
        assert (got - expected).norm() < 1e-6 * expected.norm()
        for name in ("attempts", "successes", "success", "probabilities", "frames", "discovered"):
            np.testing.assert_array_equal(
                first["logged"][update][name], alone["logged"][update][name], name
            )
    assert sum(each["attempts"].sum() for each in first["logged"]) > 8 * WORLDS
    assert sum(each["successes"].sum() for each in first["logged"]) > WORLDS


@MANY
def test_with_the_same_dice_the_ranks_play_the_worlds_of_one_process(found, count):
    (alone,) = (each["same_dice"]["episodes"] for each in found[0])
    together = torch.cat([each["same_dice"]["episodes"] for each in found[count]])
    assert torch.equal(together, alone)


@MANY
def test_updates_leave_all_ranks_with_the_same_bits(found, count):
    first, *others = (each["many_updates"] for each in found[count])
    assert len(others) == count - 1
    assert first["logged"]["update"] == (50 if count == 2 else 10)
    for other in others:
        for name, weight in first["weights"].items():
            assert torch.equal(weight, other["weights"][name]), name
        np.testing.assert_equal(other["curriculum"], first["curriculum"])
        np.testing.assert_equal(other["exploration"], first["exploration"])
        np.testing.assert_equal(bare(other["logged"]), bare(first["logged"]))


@MANY
def test_ranks_that_play_ahead_have_the_same_bits(found, count):
    first, *others = (each["played_ahead"] for each in found[count])
    for other in others:
        for name, weight in first["weights"].items():
            assert torch.equal(weight, other["weights"][name]), name
        for one, two in zip(first["logged"], other["logged"], strict=True):
            np.testing.assert_equal(bare(one), bare(two))


def test_ranks_draw_actions_of_their_own(found):
    first, second = (each["many_updates"]["actions"] for each in found[2])
    assert not torch.equal(first, second[:, : first.shape[1]])


@pytest.mark.parametrize("count", ORDER)
def test_ranks_go_on_from_a_checkpoint_bit_for_bit(found, count):
    for rank in found[count]:
        saver, loader = rank["saved_and_loaded"]
        for one, other in zip(saver, loader, strict=True):
            np.testing.assert_equal(bare(one), bare(other))


@MANY
def test_without_worlds_each_rank_begins_the_next_episode_of_its_own(found, count):
    for rank in found[count]:
        loaded = rank["loaded_without_worlds"]
        before, after = loaded["episodes"]
        assert torch.equal(after, before + 1)
        assert torch.equal(*loaded["draws"])
        first = found[count][0]["loaded_without_worlds"]["logged"]
        np.testing.assert_equal(bare(loaded["logged"]), bare(first))


@pytest.mark.parametrize("count", ORDER[1:])
def test_another_number_of_ranks_goes_on_with_new_worlds(found, count):
    loaded = [each["loaded_from_others"] for each in found[count]]
    assert all(bool(each["restarted"].all()) for each in loaded)
    assert sum(len(each["episodes"]) for each in loaded) == WORLDS
    assert all(bool((each["episodes"] > 0).all()) for each in loaded)  # None is played twice.
    for each in loaded:
        assert each["logged"]["update"] == 6
        assert each["logged"]["frames"] == 6 * 8 * WORLDS
        np.testing.assert_equal(bare(each["logged"]), bare(loaded[0]["logged"]))
        for name, weight in each["weights"].items():
            assert torch.equal(weight, loaded[0]["weights"][name])


@MANY
def test_what_is_not_finite_on_one_rank_stops_all(found, count):
    for rank in found[count]:
        failed = rank["one_rank_fails"]
        assert "update 1, minibatch 0: loss or gradient is not finite" in failed["error"]
        assert failed["is_unchanged"]


def test_shares_are_all_of_the_worlds_in_order():
    ranks = [Ranks(index, 4, is_joined=True) for index in range(4)]
    shares = [each.share(10) for each in ranks]
    assert [list(each) for each in shares] == [[0, 1], [2, 3, 4], [5, 6], [7, 8, 9]]
    assert ALONE.share(10) == range(10)


def test_fewer_worlds_or_sequences_than_ranks_are_refused():
    config = small(minibatch_sequences=2, sample_reuse=1.0)
    with pytest.raises(ValueError, match="world_count is 3; it must be at least 4, one for each"):
        Trainer(dataclasses.replace(config, world_count=3), ranks=Ranks(0, 4))
    # 18 sequences in 9 minibatches, but this rank has 4 sequences.
    with pytest.raises(ValueError, match=r"ppo\.minibatch_sequences is 2; it must be more"):
        Trainer(config, ranks=Ranks(0, 4))


def test_a_process_on_its_own_has_the_seed_of_the_run_and_ranks_have_others():
    assert ALONE.seed(5) == 5
    seeds = [Ranks(index, 4).seed(5, update=update) for index in range(4) for update in (0, 9)]
    assert len({5, ALONE.seed(5, update=9), *seeds}) == 9  # The first rank's is that of one alone.


def test_alone_everything_is_as_it_was_given():
    counts = (np.arange(3), np.arange(3))
    assert ALONE.add is None
    assert ALONE.add_counts(counts) is counts
    assert ALONE.largest(7) == 7
    assert ALONE.from_first(counts) is counts
    assert ALONE.gather(counts) == [counts]


def test_sums_over_processes_are_those_of_all_steps():
    """Two processes: values 1, 3 of weight 1 here, 8 of weight 1 and 100 of weight 0 there."""
    sums = iter([torch.tensor([8.0, 1.0]), torch.tensor([16.0, 1.0])])

    def add(tensor):
        return tensor + next(sums)

    # The mean is 12 / 3 = 4, the squares are 9, 1 and 16: 26 / 3.
    value, weight = torch.tensor([1.0, 3.0]), torch.ones(2)
    torch.testing.assert_close(ppo.variance(value, weight, add), torch.tensor(26 / 3))


def test_gradients_of_parts_are_joined_by_their_weights():
    """Here 2 steps with mean gradient (1, 2) and loss 3, there 6 steps with (5, 6) and 7."""
    policy = torch.nn.Linear(2, 1, bias=False)
    policy.weight.grad = torch.tensor([[1.0, 2.0]])
    row = {"total": torch.tensor(3.0)}
    there = torch.tensor([5.0, 6.0, 7.0, 1.0]) * 6
    joined_row = ppo.join_gradients(policy, row, torch.ones(2), lambda sums: sums + there)
    # (2 * 1 + 6 * 5) / 8, (2 * 2 + 6 * 6) / 8, (2 * 3 + 6 * 7) / 8
    assert policy.weight.grad.tolist() == [[4.0, 5.0]]
    assert joined_row["total"] == 6.0


def test_a_part_without_weight_counts_nothing():
    policy = torch.nn.Linear(2, 1, bias=False)
    policy.weight.grad = torch.zeros(1, 2)
    there = torch.tensor([5.0, 6.0, 7.0, 1.0]) * 6
    row = {"total": torch.tensor(0.0)}
    row = ppo.join_gradients(policy, row, torch.zeros(2), lambda sums: sums + there)
    assert policy.weight.grad.tolist() == [[5.0, 6.0]]
    assert row["total"] == 7.0


def test_a_share_has_as_many_minibatches_as_the_whole():
    order = torch.arange(7)
    assert [len(part) for part in ppo.minibatches(order, 8, total=32)] == [2, 2, 2, 1]


def part(rank, digest="same"):
    return {
        "digest": digest,
        "order_generator": torch.tensor([rank]),
        "game": {
            "tensors": {
                "episode": torch.tensor([10 * rank, 10 * rank + 1]),
                "exploration_set": torch.tensor([True, False, True]),
                "goal": torch.tensor([0, 2]),
            },
            "world": {"episode": torch.tensor([rank, rank]), "seed": 5},
        },
    }


def test_a_checkpoint_of_ranks_has_each_part_and_the_episodes_of_all():
    state = joined([part(0), part(1)])
    assert state["ranks"]["1"]["game"]["tensors"]["goal"].tolist() == [0, 2]
    assert state["game"]["tensors"].keys() == {"episode", "exploration_set"}
    chosen = rows(state["game"], range(1, 3))
    assert chosen["tensors"]["episode"].tolist() == [1, 10]
    assert chosen["tensors"]["exploration_set"].tolist() == [True, False, True]
    assert chosen["world"]["episode"].tolist() == [0, 1]
    names = {"ranks/0/order_generator": torch.zeros(1), "ranks/1/player/hidden": torch.zeros(1)}
    assert rank_count(names) == 2
    assert rank_count({"policy/layer": torch.zeros(1)}) == 1


def test_ranks_whose_weights_differ_save_nothing():
    with pytest.raises(RunError, match="the weights of ranks 0 and 2 differ"):
        joined([part(0), part(1), part(2, "other")])


def test_what_torchrun_tells_is_read():
    assert launch({}) is None
    here = launch(torchrun_tells(1, 3, 29500))
    assert (here.rank, here.local_rank, here.rank_count, here.machine_count) == (1, 1, 3, 1)
    assert (here.restart_count, here.restart_limit, here.shares_store) == (0, 0, False)
