"""Saving and loading continues bit for bit; tensors stay where they are; nothing is read back."""

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from lapis.simonsays import SimonSays, SimonSaysConfig
from tests.simonsays.scenes import ITEMS, act, scene
from tests.simonsays.scripted import ScriptedWorld

SIGNALS = (
    "reward",
    "goal_reward",
    "bonus",
    "terminated",
    "truncated",
    "restarted",
    "task_over",
    "task_succeeded",
    "goal",
    "exploration_set",
)
STEPS = 120


def make(device: str, *, bonus: str = "dynamic", seed: int = 4, first_world: int = 0) -> SimonSays:
    rng = np.random.default_rng(11)
    held = rng.integers(0, 6, size=(STEPS, 5, 3))
    died = rng.random((STEPS, 5)) < 0.05
    world = ScriptedWorld(held, died_TW=died, device=device)
    config = SimonSaysConfig(goals=ITEMS, task_ticks=40, episode_ticks=120, bonus=bonus)
    return SimonSays(world, config, seed=seed, first_world=first_world)


def trace(simon: SimonSays, steps: int) -> list[dict[str, torch.Tensor]]:
    rows = []
    for _ in range(steps):
        act(simon)
        row = {name: getattr(simon, name).clone() for name in SIGNALS}
        rows.append(row | {"inventory": simon.world.inventory.clone()})
    return rows


def set_to(name: str, value: float):
    """Changes the tensor of a state at index 1."""

    def change(state) -> None:
        state["tensors"][name][1] = value

    return change


def assert_same_trace(left, right) -> None:
    for step, (one, other) in enumerate(zip(left, right, strict=True)):
        for name, value in one.items():
            assert torch.equal(value, other[name]), (step, name)


@pytest.mark.parametrize("bonus", ["none", "dynamic"])
@pytest.mark.parametrize("steps_before", [0, 1, 17, 60])
def test_loaded_state_continues_bit_for_bit(bonus, steps_before, device):
    simon = make(device, bonus=bonus)
    simon.set_probabilities([0.2, 0.3, 0.5])
    if bonus == "dynamic":
        simon.set_exploration_set([True, False, True])
    trace(simon, steps_before)
    saved = simon.state_dict()
    expected = trace(simon, 50)
    expected_counts = simon.take_counts()
    other = make(device, bonus=bonus)
    trace(other, 7)
    other.load_state_dict(saved)
    assert_same_trace(trace(other, 50), expected)
    np.testing.assert_array_equal(other.take_counts(), expected_counts)


def test_loaded_state_shows_the_saved_observation(device):
    simon = make(device)
    act(simon, 20)
    saved = simon.state_dict()
    expected = {name: value.clone() for name, value in simon.observation.items()}
    act(simon, 20)
    simon.load_state_dict(saved)
    for name, value in expected.items():
        assert torch.equal(simon.observation[name], value), name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: state.pop("world"), r"state must hold 'world' and 'tensors', not only"),
        (lambda state: state.update(seed=5), "state has seed = 5; this Simon Says has 4"),
        (lambda state: state.update(goals=["a"]), r"state has goals = \['a'\]"),
        (lambda state: state.update(first_world=9), "state has first_world = 9"),
        (lambda state: state["tensors"].pop("goal"), "state must hold the tensors"),
        (
            lambda state: state["tensors"].update(goal=torch.zeros(4, dtype=torch.int64)),
            r"'goal' must be torch.int64 of shape \(5,\) on .*, not torch.int64 of shape \(4,\)",
        ),
        (set_to("goal", 3), r"'goal' is 3 at \[1\]; it must be a whole number of .* most 2"),
        (set_to("goal", -1), r"'goal' is -1 at \[1\]"),
        (set_to("task_ticks", -1), r"'task_ticks' is -1 at \[1\]"),
        (set_to("episode_ticks", 2**31 - 1), r"'episode_ticks' is 2147483647 at \[1\]"),
        (set_to("reward", float("nan")), r"'reward' is nan at \[1\]; it must be a finite number"),
        (set_to("bonus_left", float("inf")), r"'bonus_left' is inf at \[1, 0\]"),
        (set_to("cumulative", 1.5), r"'cumulative' is 1.5 at \[1\]"),
        (set_to("cumulative", 0.0), "'cumulative' must never fall and end at exactly 1"),
        (lambda state: state["tensors"]["cumulative"].mul_(0.5), "end at exactly 1"),
        (lambda state: state["tensors"]["counts"][0].add_(99), "more successes than attempts"),
        (
            lambda state: state["tensors"]["outcome"].view(torch.uint8)[1].fill_(7),
            r"'outcome' is 7 at \[1, 0\]",
        ),
    ],
)
def test_state_of_another_kind_is_refused_and_nothing_changes(change, message, device):
    simon = make(device)
    act(simon, 9)
    state = simon.state_dict()
    change(state)
    twin = make(device)
    act(twin, 9)
    with pytest.raises(ValueError, match=message):
        simon.load_state_dict(state)
    assert_same_trace(trace(simon, 30), trace(twin, 30))


def test_same_seed_same_trace_and_another_seed_another(device):
    assert_same_trace(trace(make(device), STEPS), trace(make(device), STEPS))
    goals = [torch.stack([row["goal"] for row in trace(make(device, seed=s), 60)]) for s in (4, 5)]
    assert not torch.equal(*goals)


def test_rows_are_numbered_from_first_world(device):
    # One batch of five and two batches that share the seed draw the same goals.
    config = SimonSaysConfig(goals=ITEMS)
    script = np.zeros((1, 5, 3))
    whole = SimonSays(ScriptedWorld(script, device=device), config, seed=1)
    parts = [
        SimonSays(ScriptedWorld(script[:, rows], device=device), config, seed=1, first_world=first)
        for first, rows in ((0, slice(0, 2)), (2, slice(2, 5)))
    ]
    assert torch.equal(whole.goal, torch.cat([part.goal for part in parts]))


def test_tensors_keep_their_addresses(device):
    simon = make(device)

    def addresses() -> dict[str, int]:
        tensors = simon.observation | {name: getattr(simon, name) for name in SIGNALS}
        return {name: value.data_ptr() for name, value in tensors.items()}

    before = addresses()
    act(simon, 60)
    simon.set_probabilities([1.0, 0.0, 0.0])
    simon.set_exploration_set([True, False, False])
    simon.load_state_dict(simon.state_dict())
    simon.take_counts()
    simon.start()
    assert addresses() == before


class _Operations(TorchDispatchMode):
    """Records the name of every operation."""

    def __init__(self):
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


def test_step_reads_nothing_back_to_the_host():
    # The operations of torch that wait for the device, because they return a Python number or
    # a tensor whose shape depends on values.
    waiting = {
        "_local_scalar_dense",
        "item",
        "nonzero",
        "masked_select",
        "index",
        "index_put_",
        "bincount",
        "_unique2",
        "is_nonzero",
        "equal",
        "repeat_interleave",
    }
    simon = make("cpu")
    with _Operations() as operations:
        act(simon, 3)
    assert len(operations.names) > 100
    assert not waiting & set(operations.names)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_step_can_be_captured_in_a_graph():
    eager, captured = make("cuda:0"), make("cuda:0")
    action = torch.zeros(5, 2, dtype=torch.int32, device="cuda:0")
    saved = captured.state_dict()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        captured.step(action)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            captured.step(action)
    captured.load_state_dict(saved)
    for step in range(STEPS):
        eager.step(action)
        graph.replay()
        for name in SIGNALS:
            assert torch.equal(getattr(eager, name), getattr(captured, name)), (step, name)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_devices_agree():
    on_gpu = [{name: v.cpu() for name, v in row.items()} for row in trace(make("cuda:0"), STEPS)]
    assert_same_trace(trace(make("cpu"), STEPS), on_gpu)


def test_observation_is_the_worlds_with_goal_and_exploration_set(device):
    simon = scene([(0, 0, 1)], goal="b", device=device)
    assert simon.observation.keys() == {"inventory", "goal", "exploration_set"}
    assert simon.observation["inventory"] is simon.world.inventory
    assert simon.observation["goal"].dtype == torch.int64
    assert simon.observation["goal"].tolist() == [1]
    assert simon.observation["exploration_set"].dtype == torch.bool
    assert simon.action_mask is simon.world.action_mask
    assert simon.action_sizes == (2, 3)
    assert simon.world_count == 1
