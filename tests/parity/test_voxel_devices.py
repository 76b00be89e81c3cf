"""The voxel world on two devices: equal to the last bit, pixels included; and eager = graph.

`pytest tests/parity/test_voxel_devices.py -s` prints a line per policy. The two devices are "cpu"
and "cuda", or those that LAPIS_PARITY_DEVICES names: "cpu,cpu" tests the test.
"""

import os

import numpy as np
import pytest
import torch

from benchmarks.techtree import capture
from lapis.minecraft.blocks import BLOCK_OF_ITEM, Block
from lapis.minecraft.goals import GOALS
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.voxel import VoxelConfig, VoxelWorld
from lapis.worlds.voxel.actions import PLACE_ITEMS
from tests.contract import allowed_action
from tests.parity import voxel_policies
from tests.parity.voxel_policies import POLICIES, Policy

DEVICES = os.environ.get("LAPIS_PARITY_DEVICES", "cpu,cuda").split(",")

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(
        "cuda" in DEVICES and not torch.cuda.is_available(), reason="no CUDA device"
    ),
]

WORLDS = 64
STEPS = 2000
COMPARE_EVERY = 100
SEED = 9
FAN = VoxelConfig(view="fan")
FRAME = VoxelConfig(view="frame")
RESET_CHANCE = 0.001
"""Of an episode that goes on to be cut, in each step."""


class Twin:
    """A batch that plays with the fan, and a second one that draws its frames now and then."""

    def __init__(self, device: str):
        self.world = VoxelWorld(WORLDS, seed=SEED, device=device, config=FAN)
        self._painter = VoxelWorld(WORLDS, seed=SEED, device=device, config=FRAME)

    def step(self, action: torch.Tensor, over: torch.Tensor, inventory: torch.Tensor) -> None:
        device = self.world.device
        self.world.step(action.to(device))
        self.world.reset(over.to(device), inventory.to(device))

    def tensors(self) -> dict[str, torch.Tensor]:
        """State, masks, observations and frames, on the CPU."""
        painter, world = self._painter, self.world
        painter.load_state_dict(painter.state_dict() | world.state.tensors())
        shown = {**world.observation, "frame": painter.observation["frame"]}
        shown = {f"observation {name}": value for name, value in shown.items()}
        return {name: value.cpu() for name, value in {**world.state.tensors(), **shown}.items()}


def same_bits(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors are the same; 0 and -0 are not."""
    if one.dtype == torch.float32:
        one, other = one.contiguous().view(torch.int32), other.contiguous().view(torch.int32)
    return torch.equal(one, other)


def assert_same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor], step: int) -> None:
    assert one.keys() == other.keys()
    different = [name for name, value in one.items() if not same_bits(value, other[name])]
    assert not different, f"these differ after step {step}: {different}"


class Tally:
    """What happened in a batch, so that a tame policy does not pass for a test."""

    def __init__(self, world: VoxelWorld):
        self._world = world
        self._before = world.state_dict()
        self.deaths = self.resets = self.blocks_changed = self.kinds_gained = 0
        self.built: set[int] = set()

    def count_ends(self, over: torch.Tensor) -> None:
        """Before a step that resets the worlds `over`."""
        self.resets += int(over.sum())
        self.deaths += int(self._world.died.sum())

    def count_changes(self) -> None:
        """Since the last call, in episodes that went on."""
        state, before = self._world.state, self._before
        same = state.episode == before["episode"]
        changed = (state.blocks != before["blocks"]).flatten(1).sum(dim=1)
        gained = (state.inventory > before["inventory"]).sum(dim=1)
        self.blocks_changed += int(changed[same].sum())
        self.kinds_gained += int(gained[same].sum())
        self.built |= set(torch.unique(state.blocks).tolist())
        self._before = self._world.state_dict()

    def assert_lively(self, policy: Policy) -> None:
        assert self.resets > 0
        if policy is voxel_policies.miner:
            assert self.blocks_changed > 100 * WORLDS
        if policy is voxel_policies.crafter:
            assert self.kinds_gained > 20 * WORLDS
        if policy is voxel_policies.builder:
            used = {Block.OPEN_WOODEN_DOOR, Block.OPEN_TRAPDOOR, Block.OPEN_FENCE_GATE}
            placed = set(BLOCK_OF_ITEM[list(PLACE_ITEMS)].tolist())
            assert self.built >= placed | used | {Block.FARMLAND}
        if policy is voxel_policies.reckless:
            assert self.deaths > WORLDS // 2

    def __str__(self) -> str:
        return (
            f"{self.resets} resets, {self.deaths} deaths, {self.blocks_changed} blocks changed, "
            f"{self.kinds_gained} times more of an item than {COMPARE_EVERY} steps before"
        )


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.__name__)
def test_both_devices_play_the_same(policy: Policy):
    twins = [Twin(device) for device in DEVICES]
    world = twins[0].world
    inventory = voxel_policies.first_items(policy, WORLDS)
    wait = torch.zeros((WORLDS, len(world.action_sizes)), dtype=torch.int32)
    for twin in twins:
        twin.step(wait, torch.ones(WORLDS, dtype=torch.bool), inventory)
    tally = Tally(world)
    compared: dict[str, torch.Tensor] = {}
    rng = np.random.default_rng(0)
    for step in range(1, STEPS + 1):
        action = policy(world, step, rng)
        # The dead stay for a step; others are cut in the middle of an episode.
        over = world.died.cpu() | torch.from_numpy(rng.random(WORLDS) < RESET_CHANCE)
        tally.count_ends(over)
        for twin in twins:
            twin.step(action, over, inventory)
        if step % COMPARE_EVERY == 0:
            compared = twins[0].tensors()
            assert_same(compared, twins[1].tensors(), step)
            tally.count_changes()
    for twin in twins:
        twin.world.check()
    print(
        f"\nvoxel {' = '.join(DEVICES)}: {policy.__name__}, {WORLDS} worlds x {STEPS} steps, "
        f"{tally}; {len(compared)} tensors of state, masks, observations and frames equal in all "
        f"bits, compared {STEPS // COMPARE_EVERY} times"
    )
    tally.assert_lively(policy)


def test_simon_says_with_frames_is_the_same_by_single_calls_and_by_a_graph():
    def new_game() -> SimonSays:
        world = VoxelWorld(WORLDS, seed=2, device=DEVICES[1], config=FRAME)
        config = SimonSaysConfig(goals=GOALS, task_ticks=200, episode_ticks=3000)
        return SimonSays(world, config, seed=2)

    eager, graphed = new_game(), new_game()
    action = torch.zeros((WORLDS, len(eager.action_sizes)), dtype=torch.int32, device=eager.device)
    replay = replayed(lambda: graphed.step(action))
    for _ in range(3):  # what capturing played to warm up
        eager.step(torch.zeros_like(action))
    rng = np.random.default_rng(3)
    restarts = torch.zeros((), dtype=torch.int64, device=eager.device)
    steps = 500 if eager.device.type == "cuda" else 20
    for step in range(1, steps + 1):
        chosen = allowed_action(eager.world, rng)
        eager.step(chosen)
        action.copy_(chosen)
        replay()
        restarts += eager.restarted.sum()
        if step % COMPARE_EVERY == 0 or step == steps:
            if eager.device.type == "cuda":
                torch.cuda.synchronize()
            assert_same(all_tensors(eager), all_tensors(graphed), step)
    assert steps < 500 or int(restarts) > WORLDS
    eager.world.check()
    graphed.world.check()
    print(
        f"\nvoxel {DEVICES[1]}: eager = graph, Simon Says with frames, {WORLDS} worlds x {steps} "
        f"steps, {int(restarts)} restarts: state and observations equal in all bits"
    )


def replayed(step):
    """`step` as a graph where there are graphs; elsewhere as it is, after the same warm-up."""
    if DEVICES[1] == "cpu":
        for _ in range(3):
            step()
        return step
    return capture(step).replay


def all_tensors(game: SimonSays) -> dict[str, torch.Tensor]:
    parts = {
        "world": game.world.state.tensors(),
        "shown": game.observation,
        "protocol": game.state_dict()["tensors"],
    }
    return {
        f"{part} {name}": value.cpu()
        for part, tensors in parts.items()
        for name, value in tensors.items()
    }
