"""The toy Minecraft behind the adapter, without MineRL and sockets."""

import itertools

import numpy as np

from lapis.minecraft.items import ITEMS
from lapis.minecraft.recipes import RECIPES
from lapis.minecraft.smelting import BURN_TICKS
from lapis.worlds.remote.far.minerl.env import LostGame
from lapis.worlds.remote.far.minerl.reading import FROM_GAME, Reader
from lapis.worlds.remote.far.minerl.worlds import MineRLWorlds
from tests.worlds.minerl.fake_game import FakeGame

# MineRL's names of actions, and the words that its handlers send (herobraine/hero/handlers/agent).
VERBS = {
    "place": "place",
    "equip": "equip",
    "craft": "craft",
    "nearbyCraft": "craftNearby",
    "nearbySmelt": "smeltNearby",
}
BURNS = {name: int(ticks) for name, ticks in zip(ITEMS, BURN_TICKS, strict=True) if ticks}


def plain_recipes():
    """The recipes of Lapis as the game has them: planks of any wood but where it must be oak."""
    oak = ("wooden_door", "oak_stairs", "fence", "fence_gate", "boat")
    recipes = []
    for recipe in RECIPES:
        names = {
            "charcoal": ("coal", 1),
            "coal": ("coal", 0),
            "dye": ("dye", 4),
            "stone": ("stone", 0),
        }
        woods = ["log", "log2"] if recipe.output == "planks" else [None]
        kinds = (
            range(6) if recipe.output == "wooden_slab" else [0 if recipe.output in oak else None]
        )
        for wood, kind in itertools.product(woods, kinds):
            ingredients = {}
            for name, count in recipe.ingredients.items():
                found = names.get(name, (name, None))
                found = (wood, None) if name == "log" else found
                found = ("planks", kind) if name == "planks" else found
                ingredients[found] = count
            recipes.append((recipe.output, 0, recipe.count, ingredients))
    return recipes


def command_lines(action):
    """What MineRL's client sends for an action, line by line."""
    lines = []
    for name, value in action.items():
        if name == "camera":
            lines.append(f"camera {float(value[0])} {float(value[1])}")
        else:
            lines.append(f"{VERBS.get(name, name)} {value}")
    return sorted(lines, key=lambda line: line.startswith("camera"))


class FakeEnv:
    """Follows `lapis.worlds.remote.far.minerl.env.Env`."""

    def __init__(self, side=64, *, fails_after=None, **options):
        self.game = FakeGame(plain_recipes(), BURNS, **options)
        self.side, self.fails_after, self.closed = side, fails_after, False

    def reset(self, seed, slots):
        given = {i: (s["type"], s["metadata"], s["quantity"]) for i, s in slots.items()}
        self.game.begin(seed, given)
        self.reader = Reader()
        return self._read()

    def step(self, action):
        if self.fails_after is not None:
            self.fails_after -= 1
            if self.fails_after < 0:
                raise LostGame("the test says so")
        self.game.tick(command_lines(action))
        return self._read(), self.reader.is_dead

    def close(self):
        self.closed = True

    def _read(self):
        pixels = np.frombuffer(self.game.frame(self.side), np.uint8)
        told, keys = self.game.info(), set().union(*FROM_GAME.values())
        frame = pixels.reshape(self.side, self.side, 3)[::-1]
        return self.reader.read(frame, {key: told[key] for key in keys if key in told})


class FakeMineRLWorlds(MineRLWorlds):
    """A factory for far ends in environments without MineRL."""

    def __init__(self, world_count, **options):
        super().__init__(
            world_count, make_env=lambda row: FakeEnv(options["frame_size"]), **options
        )
