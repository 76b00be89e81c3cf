"""What every world must keep: the contract of `lapis.worlds.world.World`, as functions.

A world's test calls `check_world_contract(make_world)`, or each of `CHECKS` as a test of its
own. `make_world(world_count)` returns a new batch, always with the same seed and device, so that
two calls give twins. Random play keeps to the action mask.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection

import numpy as np
import pytest
import torch
from torch import Tensor

from lapis.worlds.world import World

MakeWorld = Callable[[int], World]
Snapshot = dict[str, Tensor]
HasEffect = Callable[[Snapshot, Snapshot, int], Tensor]

WORLD_COUNT = 6
STEPS = 60


def check_world_contract(make_world: MakeWorld) -> None:
    """Runs every check that needs no knowledge of the world; see also `check_mask_is_honest`."""
    for check in CHECKS:
        check(make_world)


def check_shapes_dtypes_and_device(make_world: MakeWorld) -> None:
    world = make_world(WORLD_COUNT)
    choices = sum(world.action_sizes)
    expected = {
        "inventory": (torch.int32, (WORLD_COUNT, len(world.items))),
        "died": (torch.bool, (WORLD_COUNT,)),
        "ticks": (torch.int32, (WORLD_COUNT,)),
        "action_mask": (torch.bool, (WORLD_COUNT, choices)),
    }
    assert world.world_count == WORLD_COUNT
    assert len(set(world.items)) == len(world.items) > 0, "items must be unique names"
    assert world.action_sizes
    assert min(world.action_sizes) >= 1
    for name, (dtype, shape) in expected.items():
        value = getattr(world, name)
        assert (value.dtype, tuple(value.shape)) == (dtype, shape), name
        assert value.device == world.device, name
    assert world.observation, "a world must show something"
    for name, value in world.observation.items():
        assert value.shape[0] == WORLD_COUNT, name
        assert value.device == world.device, name
    world.check()


def check_new_world_has_begun(make_world: MakeWorld) -> None:
    """A new batch can be played at once, with nothing in hand."""
    world = make_world(WORLD_COUNT)
    assert not world.died.any()
    assert not world.inventory.any()
    assert_each_component_has_a_choice(world)


def check_play_keeps_its_promises(make_world: MakeWorld) -> None:
    """In random play: a choice per component, time that passes, no negative counts, no fault."""
    world = make_world(WORLD_COUNT)
    rng = np.random.default_rng(0)
    for _ in range(STEPS):
        dead = world.died.clone()
        world.step(allowed_action(world, rng))
        assert_each_component_has_a_choice(world)
        assert (world.ticks[~dead] >= 1).all(), "a living player's step takes time"
        assert (world.inventory >= 0).all()
        assert (world.died | ~dead).all(), "the dead stay dead until their reset"
    world.check()


def check_same_seed_same_play(make_world: MakeWorld) -> None:
    one, other = make_world(WORLD_COUNT), make_world(WORLD_COUNT)
    rng = np.random.default_rng(1)
    assert_same_rows(snapshot(one), snapshot(other))
    for step in range(STEPS):
        action = allowed_action(one, rng)
        one.step(action)
        other.step(action.clone())
        assert_same_rows(snapshot(one), snapshot(other), f"step {step}")
        which = random_rows(one, rng, 0.1)
        one.reset(which)
        other.reset(which.clone())
        assert_same_rows(snapshot(one), snapshot(other), f"reset after step {step}")


def check_reset_touches_only_the_chosen_rows(make_world: MakeWorld) -> None:
    """Neither what other rows show nor what becomes of them depends on a reset."""
    world, undisturbed = make_world(WORLD_COUNT), make_world(WORLD_COUNT)
    rng = np.random.default_rng(2)
    play_both(world, undisturbed, rng, STEPS // 2)
    which = torch.zeros_like(world.died)
    which[1] = which[3] = True
    before = snapshot(world)
    world.reset(which)
    assert_same_rows(snapshot(world), before, "right after the reset", rows=~which)
    assert not world.died[which].any(), "a reset brings the dead back"
    assert not world.inventory[which].any(), "without an inventory a reset gives nothing"
    assert_each_component_has_a_choice(world)
    for step in range(STEPS // 2):
        action = allowed_action(world, rng)
        own = allowed_action(undisturbed, rng)
        world.step(action)
        undisturbed.step(torch.where(which[:, None], own, action))
        after = f"step {step} after the reset"
        assert_same_rows(snapshot(world), snapshot(undisturbed), after, rows=~which)


def check_reset_of_no_row_changes_nothing(make_world: MakeWorld) -> None:
    world = make_world(WORLD_COUNT)
    play(world, np.random.default_rng(3), 10)
    before = snapshot(world)
    world.reset(torch.zeros_like(world.died), torch.ones_like(world.inventory))
    assert_same_rows(snapshot(world), before)


def check_reset_gives_exactly_the_inventory(make_world: MakeWorld) -> None:
    world = make_world(WORLD_COUNT)
    rng = np.random.default_rng(4)
    play(world, rng, 10)
    given = torch.from_numpy(rng.integers(0, 3, size=tuple(world.inventory.shape)))
    given = given.to(world.device, torch.int32)
    kept = given.clone()
    which = torch.zeros_like(world.died)
    which[::2] = True
    before = world.inventory.clone()
    world.reset(which, given)
    assert torch.equal(world.inventory[which], kept[which]), "not the inventory that was given"
    assert torch.equal(world.inventory[~which], before[~which])
    play(world, rng, 5)
    assert torch.equal(given, kept), "the world must not write to what it was given"
    world.check()


def check_rows_are_independent(make_world: MakeWorld) -> None:
    """What happens in a row depends on no other row's actions, nor on how many rows follow."""
    world, other = make_world(WORLD_COUNT), make_world(WORLD_COUNT)
    fewer = make_world(2)
    rng = np.random.default_rng(5)
    odd = torch.arange(WORLD_COUNT, device=world.device) % 2 == 1
    for step in range(STEPS):
        action = allowed_action(world, rng)
        own = allowed_action(other, rng)
        world.step(action)
        other.step(torch.where(odd[:, None], own, action))
        fewer.step(action[:2].contiguous())
        now = snapshot(world)
        assert_same_rows(now, snapshot(other), f"step {step}, other actions", rows=~odd)
        first = {name: value[:2] for name, value in now.items()}
        assert_same_rows(first, snapshot(fewer), f"step {step}, fewer rows")


def check_saved_state_continues(make_world: MakeWorld) -> None:
    """A loaded state shows the same and goes on the same, in a new world and in a used one."""
    world = make_world(WORLD_COUNT)
    rng = np.random.default_rng(6)
    play(world, rng, STEPS // 2)
    saved, shown = world.state_dict(), snapshot(world)
    actions, expected = [], []
    for _ in range(STEPS // 2):
        actions.append(allowed_action(world, rng))
        world.step(actions[-1])
        expected.append(snapshot(world))
    for loaded in (make_world(WORLD_COUNT), world):
        loaded.load_state_dict(saved)
        assert_same_rows(snapshot(loaded), shown, "right after loading")
        for step, (action, then) in enumerate(zip(actions, expected, strict=True)):
            loaded.step(action)
            assert_same_rows(snapshot(loaded), then, f"step {step} after loading")


def check_tensors_keep_their_addresses(make_world: MakeWorld) -> None:
    world = make_world(WORLD_COUNT)
    rng = np.random.default_rng(7)

    def addresses() -> dict[str, int]:
        return {name: value.data_ptr() for name, value in tensors(world).items()}

    before = addresses()
    for _ in range(5):
        play(world, rng, 1)
        world.reset(random_rows(world, rng, 0.5))
        world.reset(random_rows(world, rng, 0.5), world.inventory.clone())
    world.load_state_dict(world.state_dict())
    moved = [name for name, address in addresses().items() if address != before[name]]
    assert not moved, f"these tensors have moved: {moved}"


def check_bad_input_is_refused(make_world: MakeWorld) -> None:
    """Wrong shapes and types raise ValueError and change nothing; wrong values raise by `check`."""
    world = make_world(WORLD_COUNT)
    play(world, np.random.default_rng(8), 3)
    before = snapshot(world)
    action = allowed_action(world, np.random.default_rng(9))
    none = torch.zeros_like(world.died)
    for bad_action in (action[:-1], torch.cat([action, action], 1), action.float()):
        with pytest.raises(ValueError, match="action"):
            world.step(bad_action)
    for bad_which in (none[:-1], none.int()):
        with pytest.raises(ValueError, match="which"):
            world.reset(bad_which)
    for bad_inventory in (world.inventory[:, :-1], world.inventory[:-1], world.inventory.float()):
        with pytest.raises(ValueError, match="inventory"):
            world.reset(~none, bad_inventory)
    assert_same_rows(snapshot(world), before)
    world.check()

    negative = torch.zeros_like(world.inventory)
    negative[2, 0] = -1
    assert_refused(world, lambda: world.reset(~none, negative), row=2)
    for value in (-1, world.action_sizes[0]):
        world = make_world(WORLD_COUNT)
        action = allowed_action(world, np.random.default_rng(10))
        action[4, 0] = value
        assert_refused(world, functools.partial(world.step, action), row=4)


CHECKS: tuple[Callable[[MakeWorld], None], ...] = (
    check_shapes_dtypes_and_device,
    check_new_world_has_begun,
    check_play_keeps_its_promises,
    check_same_seed_same_play,
    check_reset_touches_only_the_chosen_rows,
    check_reset_of_no_row_changes_nothing,
    check_reset_gives_exactly_the_inventory,
    check_rows_are_independent,
    check_saved_state_continues,
    check_tensors_keep_their_addresses,
    check_bad_input_is_refused,
)


def check_mask_is_honest(
    make_world: MakeWorld,
    *,
    has_effect: HasEffect | None = None,
    idle_choices: Collection[tuple[int, int]] = (),
    states: int = 8,
    steps_between: int = 10,
) -> None:
    """In states of random play, an allowed choice has its effect and one not allowed has none.

    Every choice of every component is tried from the same state, the other components playing an
    allowed choice.

    Args:
        make_world: Returns a batch.
        has_effect: Given snapshots before and after and the component that is tried, says for
            each world whether its choice did something, bool of shape (world,). By default:
            whether the inventory, a death or an observation changed. A world in which time alone
            changes what is shown needs its own.
        idle_choices: (component, choice) that are allowed and may do nothing, such as to wait.
        states: How many states to try.
        steps_between: Random steps from one state to the next.
    """
    world = make_world(WORLD_COUNT)
    rng = np.random.default_rng(11)
    effect_of = has_effect or anything_changed
    tried = 0
    for _ in range(states):
        play(world, rng, steps_between)
        saved, before = world.state_dict(), snapshot(world)
        mask = before["action_mask"]
        base = allowed_action(world, rng)
        first = 0
        for component, size in enumerate(world.action_sizes):
            for choice in range(size):
                action = base.clone()
                action[:, component] = choice
                world.step(action)
                did = effect_of(before, snapshot(world), component)
                allowed = mask[:, first + choice] & ~before["died"]
                name = f"component {component}, choice {choice}"
                masked = ~mask[:, first + choice]
                assert not (did & masked).any(), f"{name} is not allowed but has an effect"
                if (component, choice) not in idle_choices:
                    assert did[allowed].all(), f"{name} is allowed but has no effect"
                    tried += int(allowed.sum())
                world.load_state_dict(saved)
            first += size
    assert tried > 0, "random play allowed nothing but idle choices"


def anything_changed(before: Snapshot, after: Snapshot, component: int) -> Tensor:
    changed = torch.zeros_like(before["died"])
    for name in before.keys() - {"ticks", "action_mask"}:
        different = before[name] != after[name]
        changed |= different.reshape(len(changed), -1).any(dim=1)
    return changed


def tensors(world: World) -> Snapshot:
    own = {
        "inventory": world.inventory,
        "died": world.died,
        "ticks": world.ticks,
        "action_mask": world.action_mask,
    }
    return own | {f"observation {name}": value for name, value in world.observation.items()}


def snapshot(world: World) -> Snapshot:
    return {name: value.clone() for name, value in tensors(world).items()}


def assert_same_rows(
    one: Snapshot, other: Snapshot, when: str = "", rows: Tensor | None = None
) -> None:
    assert one.keys() == other.keys()
    for name, value in one.items():
        left, right = (value, other[name]) if rows is None else (value[rows], other[name][rows])
        assert torch.equal(left, right), f"{name} differs {when}"


def assert_refused(world: World, call: Callable[[], None], row: int) -> None:
    """Values are on the device: a world may look at once, or set a fault that `check` raises."""

    def call_and_check() -> None:
        call()
        world.check()

    with pytest.raises((ValueError, RuntimeError), match=rf"\b{row}\b"):
        call_and_check()


def assert_each_component_has_a_choice(world: World) -> None:
    for component, mask in enumerate(world.action_mask.split(world.action_sizes, dim=1)):
        assert mask.any(dim=1).all(), f"component {component} has no allowed choice"


def allowed_action(world: World, rng: np.random.Generator) -> Tensor:
    """Returns a random allowed action of every world."""
    mask = world.action_mask.cpu().numpy()
    chosen, first = [], 0
    for size in world.action_sizes:
        weight = mask[:, first : first + size] * (1.0 + rng.random((len(mask), size)))
        chosen.append(weight.argmax(axis=1))
        first += size
    action = np.stack(chosen, axis=1).astype(np.int32)
    return torch.from_numpy(action).to(world.device)


def random_rows(world: World, rng: np.random.Generator, chance: float) -> Tensor:
    return torch.from_numpy(rng.random(world.world_count) < chance).to(world.device)


def play(world: World, rng: np.random.Generator, steps: int) -> None:
    for _ in range(steps):
        world.step(allowed_action(world, rng))


def play_both(one: World, other: World, rng: np.random.Generator, steps: int) -> None:
    for _ in range(steps):
        action = allowed_action(one, rng)
        one.step(action)
        other.step(action)
