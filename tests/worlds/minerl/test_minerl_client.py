"""MineRL's own, unchanged client plays at a server that speaks Malmo's protocol."""

import subprocess
import time

import numpy as np
import pytest
import torch

from lapis.minecraft.items import ITEMS, STACK_SIZE
from lapis.worlds.minerl.finding import found_python
from lapis.worlds.minerl.tables import make_tables
from lapis.worlds.remote.far.minerl.keys import KEYS, SHIELD, TICKS
from lapis.worlds.remote.far.minerl.tables import Component, Tables
from tests import contract
from tests.worlds.minerl.constants import game_recipes
from tests.worlds.minerl.fake_env import VERBS
from tests.worlds.minerl.players import busy_choices, random_choices
from tests.worlds.minerl.possible import differences
from tests.worlds.minerl.test_minerl_contract import NOT_HERE

pytestmark = pytest.mark.slow

TABLES = Tables(make_tables())
LOOK_DOWN = 13
STEPS = 10_000


def test_items_recipes_and_stacks_are_those_of_the_game(constants):
    types = {item["type"]: item for item in constants["items"]}
    recipes = {}
    for output, _, _, ingredients in game_recipes(constants):
        plain = [(name, count) for (name, _), count in ingredients.items()]
        recipes.setdefault(output, []).append(sorted(plain))
    smelts = [(s["outputItemName"], *s["ingredients"]) for s in constants["smeltingRecipes"]]
    for special in TABLES.specials[1:]:
        assert special.argument in types
        wanted = [sorted((name, count) for name, _, count in need) for need in special.needs]
        if special.kind == "craft":
            assert wanted
            assert all(need in recipes[special.item] for need in wanted), special.item
        elif special.kind == "smelt":
            assert all((special.argument, need[0][0]) in smelts for need in wanted)
        elif special.kind == "place":
            assert bool(special.command) == types[special.item]["block"], special.item
    for name, size in zip(ITEMS, STACK_SIZE, strict=True):
        assert types["coal" if name == "charcoal" else name]["stackSize"] == size


def test_ten_thousand_steps_with_every_special_action_and_mask_by_table(serve, connect, capsys):
    """Each special action in an episode of its own, and then whatever the masks allow."""
    (server,) = serve()
    world, rng = connect([server]), np.random.default_rng(0)
    numbers = [number for number, each in enumerate(TABLES.specials) if each.command]
    played, steps, ticks, begun = set(), 0, 0, time.monotonic()
    for number in numbers:
        special = TABLES.specials[number]
        given = provisions(special, rng)
        world.reset(torch.tensor([True]), given)
        assert torch.equal(world.inventory, given)
        plan = [0, *stations_for(special), number]
        for _ in range(-(-STEPS // len(numbers))):
            mask = world.action_mask[0].numpy()
            wrong = differences(mask, server.game, TABLES)
            assert not wrong, (wrong, server.game.stations, server.game.told[-8:])
            choices = planned(plan.pop(0), mask) if plan else free_choices(mask, rng)
            held, first = stacks(server), len(server.game.told)
            world.step(torch.tensor([choices], dtype=torch.int32))
            chosen = TABLES.specials[choices[Component.SPECIAL]]
            assert_told(server.game.told[first:], chosen, choices)
            if chosen.command:
                assert stacks(server) != held, chosen
                played.add(chosen.kind + chosen.item)
            steps, ticks = steps + 1, ticks + int(world.ticks)
            if world.died.any():
                world.reset(world.died.clone(), given)
    seconds = time.monotonic() - begun
    assert steps >= STEPS
    assert len(played) == len(numbers) == 185
    assert len(server.missions) > len(numbers), "somebody has died"
    assert world.ends.losses == 0
    with capsys.disabled():
        print(f"\n{steps:,} steps, {ticks:,} ticks, {len(server.missions)} missions")
        print(f"{steps / seconds:.0f} steps/s, {ticks / seconds:.0f} ticks/s with all checks")


def provisions(special, rng):
    """What the action and its station need, fuel, and some other things."""
    given = torch.zeros((1, len(ITEMS)), dtype=torch.int32)
    for name in rng.choice(ITEMS, 12, replace=False):
        given[0, ITEMS.index(name)] = 1
    for type_name, variant, count in special.needs[0]:
        fitting = [
            item
            for (name, fixed), item in TABLES.kind_items.items()
            if name == type_name and (variant is None or fixed in (None, variant))
        ]
        item = fitting[0]
        given[0, item] = max(int(given[0, item]), count)
    for name in ("crafting_table", "furnace", "coal"):
        given[0, ITEMS.index(name)] += 2
    return given


def stations_for(special):
    names = {"nearbyCraft": "crafting_table", "nearbySmelt": "furnace"}
    name = names.get(special.command)
    return [
        n for n, s in enumerate(TABLES.specials) if name and (s.kind, s.item) == ("place", name)
    ]


def planned(number, mask):
    """A special action, or for 0 a look at the ground."""
    choices = [0] * len(TABLES.action_sizes)
    component, choice = (Component.SPECIAL, number) if number else (Component.PITCH, LOOK_DOWN)
    choices[component] = choice
    assert mask[TABLES.first_choice[component] + choice], TABLES.specials[number]
    return choices


def free_choices(mask, rng):
    return (busy_choices if rng.random() < 0.7 else random_choices)(mask, TABLES, rng)


def stacks(server):
    return [tuple(stack or ()) for stack in server.game.stacks]


def assert_told(ticks, special, choices):
    """The server has heard of a step what its choices mean, each on the right tick, in order."""
    turns = choices[Component.PITCH] or choices[Component.YAW]
    uses = choices[Component.USE] and not special.command
    is_channel = choices[Component.ATTACK] == 2 and not special.command and not uses
    assert len(ticks) >= 1
    assert len(ticks) <= (60 if is_channel else TICKS)
    for tick, lines in enumerate(ticks):
        names = [line.split(" ")[0] for line in lines]
        assert names[: len(KEYS)] == list(KEYS)
        extra = lines[len(KEYS) :]
        if tick == 0 and special.command:
            assert extra[0] == f"{VERBS[special.command]} {special.argument}"
            extra = extra[1:]
        elif tick == 2 and special.item == SHIELD and extra:
            assert extra.pop(0).startswith("equip ")
        if turns and tick == (1 if uses else 0):
            assert names[-1] == "camera"
            extra = extra[:-1]
        assert extra == []


def test_missions_are_valid_by_minerls_own_schema(client, serve, connect, tmp_path):
    (server,) = serve()
    world = connect([server], frame_size=32)
    given = torch.zeros_like(world.inventory)
    given[0, :40] = 2
    given[0, [ITEMS.index(name) for name in ("dye", "charcoal", "log", "diamond_boots")]] = 1
    world.reset(torch.tensor([True]), given)
    for number, (mission, _) in enumerate(server.missions):
        (tmp_path / f"{number}.xml").write_text(mission)
    script = (
        "import sys; from lxml import etree\n"
        "schema = etree.XMLSchema(etree.parse(sys.argv[1]))\n"
        "for name in sys.argv[2:]: schema.assertValid(etree.parse(name))\n"
    )
    schema = f"{client}/Malmo/Schemas/MissionInit.xsd"
    files = sorted(map(str, tmp_path.glob("*.xml")))
    assert len(files) == 2
    subprocess.run([found_python(), "-c", script, schema, *files], check=True)
    seeds = [seed for _, seed in server.missions]
    assert len(set(seeds)) == 2
    assert [line for line in server.missions[1][0].split("<") if "InventoryObject" in line]


def test_frames_come_the_right_way_up(serve, connect):
    (server,) = serve()
    world = connect([server], frame_size=16)
    world.step(torch.zeros((1, 9), dtype=torch.int32))
    sent = np.frombuffer(server.game.frame(16), np.uint8).reshape(16, 16, 3)
    np.testing.assert_array_equal(world.observation["frame"][0].numpy(), sent[::-1])


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_worlds_behind_minerls_client_keep_the_contract(check, serve, connect):
    if check.__name__ in NOT_HERE:
        pytest.skip(NOT_HERE[check.__name__])

    def make(world_count):
        return connect(serve(world_count), frame_size=8, worlds_per_process=6)

    check(make)
