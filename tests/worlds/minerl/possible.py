"""What a toy game would let its player do, asked of the game itself and not of the adapter."""

import copy

from lapis.worlds.remote.far.minerl.tables import Component
from tests.worlds.minerl.fake_env import command_lines
from tests.worlds.minerl.fake_game import NO_BLOCKS, OFF_HAND, REACH, SMELTS


def is_possible(game, special):
    """Whether the game would do something now. The fire must not need what is to be smelted."""
    now = (game.position, game.gaze(), game.sight)
    kind, name = special.kind, special.item
    if kind == "craft":
        at_table = special.command == "nearbyCraft"
        paid = any(each[0] == name and game.has(each[3]) for each in game.recipes)
        return paid and (not at_table or game.is_near("crafting_table", now))
    if kind == "smelt":
        fuel = game.fire + sum(s[2] * game.burns(s) for s in game.stacks[:36] if s)
        inputs = [each for each in SMELTS[special.argument] if game.count(each)]
        rest = [fuel - game.burns([each]) for each in inputs]
        return max(rest, default=0) >= 200 and game.is_near("furnace", now)
    if kind == "equip":
        hands = [game.stacks[slot] and game.stacks[slot][0] for slot in (0, OFF_HAND)]
        return game.count(name) > 0 and name not in hands
    hit = game.sight
    if hit is None or hit[2] > REACH or name in NO_BLOCKS:
        return False
    cell = tuple(a + b for a, b in zip(hit[0], hit[1], strict=True))
    free = cell not in game.placed and not game.covers(game.position, cell)
    return game.count(name) > 0 and free


def tried(game, special):
    """A copy of the game after a tick in which it was told nothing but a special action."""
    other = copy.copy(game)
    other.told = []
    other.stacks = [stack and list(stack) for stack in game.stacks]
    other.stations = {name: list(cells) for name, cells in game.stations.items()}
    for name in ("placed", "keys", "position", "wear", "used"):
        setattr(other, name, copy.copy(getattr(game, name)))
    other.tick(command_lines({special.command: special.argument}))
    return other


def differences(world_mask, game, tables):
    """Names of the special actions that mask and game do not agree on."""
    first = tables.first_choice[Component.SPECIAL]
    return [
        f"{special.kind} {special.item}: mask {bool(world_mask[first + number])}"
        for number, special in enumerate(tables.specials)
        if special.command and bool(world_mask[first + number]) != is_possible(game, special)
    ]
