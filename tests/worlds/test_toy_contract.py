"""The toy world keeps the contract, and the contract's checks find worlds that do not."""

import functools

import pytest
import torch

from tests import contract
from tests.worlds import toy
from tests.worlds.toy import ToyWorld

DEVICES = ["cpu", *(["cuda:0"] if torch.cuda.is_available() else [])]
IDLE = {(0, toy.REST), (1, toy.Pace.SLOW)}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_toy_world_keeps_the_contract(check, device):
    check(functools.partial(ToyWorld, device=device))


def has_effect(before, after, component):
    """To make something shows in the inventory, haste in the clock."""
    if component == 0:
        return (before["inventory"] != after["inventory"]).any(dim=1)
    return after["ticks"] == 4


@pytest.mark.parametrize("device", DEVICES)
def test_toy_mask_is_honest(device):
    make = functools.partial(ToyWorld, device=device)
    contract.check_mask_is_honest(make, has_effect=has_effect, idle_choices=IDLE)


@pytest.mark.parametrize("device", DEVICES)
def test_items_are_made_of_two_of_the_item_before(device):
    world = ToyWorld(1, item_count=3, device=device)
    held = []
    for choice in (1, 1, 2, 1, 1, 2, 3):
        world.step(torch.tensor([[choice, toy.Pace.SLOW]], dtype=torch.int32, device=device))
        held.append(world.inventory[0].tolist())
    assert held == [[1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0], [0, 2, 0], [0, 0, 1]]
    assert world.ticks.tolist() == [8]
    world.check()


def test_ten_hasty_steps_kill():
    world = ToyWorld(1)
    died = []
    for _ in range(11):
        pace = toy.Pace.SLOW if world.died.all() else toy.Pace.FAST
        choice = toy.REST if world.died.all() else 1
        world.step(torch.tensor([[choice, pace]], dtype=torch.int32))
        died.append(world.died.item())
    assert died == [False] * 9 + [True, True]
    assert world.inventory[0].tolist() == [10, 0, 0, 0]
    world.check()


class _ResetsAll(ToyWorld):
    def reset(self, which, inventory=None):
        super().reset(torch.ones_like(which) if which.any() else which, inventory)


class _LeaksBetweenRows(ToyWorld):
    def step(self, action):
        super().step(action)
        self._health_W.fill_(int(self._health_W.min()))


class _Rebinds(ToyWorld):
    def step(self, action):
        super().step(action)
        self.ticks = self.ticks.clone()


class _ForgetsHealth(ToyWorld):
    def _state(self):
        return {name: value for name, value in super()._state().items() if name != "health"}


class _GivesTooMuch(ToyWorld):
    def reset(self, which, inventory=None):
        super().reset(which, inventory)
        self.inventory[:, 0] += which


class _IgnoresBadValues(ToyWorld):
    def check(self):
        pass


class _ShowsAnotherMask(ToyWorld):
    shown: bool

    def _show(self):
        super()._show()
        self.action_mask[:, 1:-2] = self.shown

    def step(self, action):
        super()._show()
        super().step(action)


class _AllowsEverything(_ShowsAnotherMask):
    shown = True


class _HidesChoices(_ShowsAnotherMask):
    shown = False


class _StopsTime(ToyWorld):
    def step(self, action):
        super().step(action)
        self.ticks.zero_()


class _DrawsFromAGlobalGenerator(ToyWorld):
    def step(self, action):
        super().step(action)
        self.inventory[:, 0] += torch.randint(0, 2, (self.world_count,), dtype=torch.int32)


@pytest.mark.parametrize(
    ("broken", "check", "message"),
    [
        (_ResetsAll, contract.check_reset_touches_only_the_chosen_rows, "right after the reset"),
        (_LeaksBetweenRows, contract.check_rows_are_independent, "other actions"),
        (_Rebinds, contract.check_tensors_keep_their_addresses, "ticks"),
        (_ForgetsHealth, contract.check_saved_state_continues, "right after loading"),
        (_GivesTooMuch, contract.check_reset_gives_exactly_the_inventory, "the inventory"),
        (_StopsTime, contract.check_play_keeps_its_promises, "takes time"),
        (_DrawsFromAGlobalGenerator, contract.check_same_seed_same_play, "inventory differs"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_contract_finds_a_broken_world(broken, check, message):
    with pytest.raises(AssertionError, match=message):
        check(broken)


def test_contract_finds_a_world_that_ignores_bad_values():
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        contract.check_bad_input_is_refused(_IgnoresBadValues)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (_AllowsEverything, "choice 2 is allowed but has no effect"),
        (_HidesChoices, "choice 1 is not allowed but has an effect"),
    ],
)
def test_contract_finds_a_dishonest_mask(broken, message):
    with pytest.raises(AssertionError, match=message):
        contract.check_mask_is_honest(broken, has_effect=has_effect, idle_choices=IDLE)
