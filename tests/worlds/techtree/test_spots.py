"""New spots: what comes into reach there, by biome and depth, and what lies in wait."""

import numpy as np
import pytest

from lapis.minecraft.biomes import BIOME_AREA, BIOME_SPAWN, BIOME_TREES, Biome
from lapis.minecraft.blocks import Block
from lapis.minecraft.ores import VEINS, expected_density
from lapis.worlds.techtree import TechTreeConfig, TechTreeWorld
from lapis.worlds.techtree.actions import REACH_BLOCK, Reach
from tests.worlds.techtree.scenes import Scene, assert_share, quiet

WORLDS = 20_000
ORES = [kind for kind in Reach if REACH_BLOCK[kind] in VEINS and kind.name.endswith("_ORE")]


def test_a_new_game_starts_where_minecraft_starts_players():
    biome = Scene(world_count=WORLDS).all("biome")
    for kind in Biome:
        assert_share((biome == kind).sum(), WORLDS, float(BIOME_SPAWN[kind]))


def test_another_biome_is_drawn_by_its_share_of_the_land():
    scene = Scene(world_count=WORLDS, biome=Biome.PLAINS, config=quiet(biome_change=1.0))
    scene.play("move on")
    for kind in Biome:
        assert_share((scene.all("biome") == kind).sum(), WORLDS, float(BIOME_AREA[kind]))


def test_a_move_leads_into_another_biome_with_its_chance():
    scene = Scene(world_count=WORLDS, biome=Biome.DESERT, config=quiet(biome_change=0.08))
    scene.play("move on")
    elsewhere = 0.08 * (1.0 - float(BIOME_AREA[Biome.DESERT]))
    assert_share((scene.all("biome") != Biome.DESERT).sum(), WORLDS, elsewhere)


@pytest.mark.parametrize("action", ["dig down", "climb up"])
def test_digging_and_climbing_stay_in_the_biome(action):
    scene = Scene(height=49, biome=Biome.PLAINS, config=quiet(biome_change=1.0), world_count=100)
    scene.play(action)
    assert (scene.all("biome") == Biome.PLAINS).all()


@pytest.mark.parametrize("biome", list(Biome), ids=lambda biome: biome.name.lower())
def test_trees_stand_as_dense_as_in_the_biome(biome):
    # 40 % of a chunk is in reach, so that 0.4 of its trees are expected; at least one shows.
    scene = Scene(world_count=WORLDS, biome=biome)
    scene.play("move on")
    logs = scene.reaches("log")
    assert_share((logs > 0).sum(), WORLDS, 1.0 - np.exp(-0.4 * float(BIOME_TREES[biome])))
    assert set(np.unique(logs)) <= {0, 4, 5, 6}
    assert ((scene.reaches("leaves") == 12) == (logs > 0)).all()


def test_trunks_of_four_five_and_six_logs_are_equally_likely():
    scene = Scene(world_count=WORLDS, biome=Biome.JUNGLE)
    scene.play("move on")
    logs = scene.reaches("log")
    for size in (4, 5, 6):
        assert_share((logs == size).sum(), (logs > 0).sum(), 1 / 3)


def test_soil_is_dirt_but_sand_in_the_desert():
    for biome, soil, other in ((Biome.PLAINS, "dirt", "sand"), (Biome.DESERT, "sand", "dirt")):
        scene = Scene(world_count=1000, biome=biome)
        scene.play("move on")
        assert (scene.reaches(soil) >= 6).all()
        assert (scene.reaches(other) < 6).all()


def test_stone_lies_open_in_one_spot_of_twenty_and_in_half_of_the_hills():
    for biome, share in ((Biome.FOREST, 0.05), (Biome.EXTREME_HILLS, 0.5)):
        scene = Scene(world_count=WORLDS, biome=biome)
        scene.play("move on")
        assert_share((scene.reaches("stone") > 0).sum(), WORLDS, share)


@pytest.mark.parametrize("height", [4, 19, 34, 49])
@pytest.mark.parametrize("place", ["tunnel", "cave"])
def test_ores_come_as_dense_as_minecraft_lays_them(height, place):
    in_cave = place == "cave"
    config = quiet(cave_entry=float(in_cave), cave_stay=1.0)
    scene = Scene(world_count=WORLDS, height=height, in_cave=int(in_cave), config=config)
    scene.play("move on")
    seen = 400 if in_cave else 80
    for ore in ORES:
        block = REACH_BLOCK[ore]
        heights = range(height, height + 15)
        density = np.mean([expected_density(block, y) for y in heights])
        found = scene.reaches(ore.name)
        mean_vein = (1 + round(2 * VEINS[block].blocks_per_vein - 1)) / 2
        assert_share((found > 0).sum(), WORLDS, density * seen / mean_vein)
        if density == 0:
            continue
        # The mean number of blocks is density x blocks in view, within 5 standard errors.
        error = found.std() / np.sqrt(WORLDS)
        assert abs(found.mean() - density * seen) <= 5 * max(error, 1e-9), ore.name


def test_a_vein_of_diamonds_holds_one_to_five_blocks_equally_often():
    config = quiet(cave_entry=1.0, cave_stay=1.0)
    scene = Scene(world_count=200_000, height=4, in_cave=1, config=config)
    scene.play("move on")
    found = scene.reaches("diamond_ore")
    for size in range(1, 6):
        assert_share((found == size).sum(), (found > 0).sum(), 1 / 5)
    assert found.max() == 5
    assert VEINS[Block.DIAMOND_ORE].blocks_per_vein == 3.0


def test_no_ore_lies_on_the_surface():
    scene = Scene(world_count=WORLDS)
    scene.play("move on")
    assert not any(scene.reaches(ore.name).any() for ore in ORES)


def test_a_tunnel_opens_into_a_cave_with_its_chance():
    scene = Scene(world_count=WORLDS, height=34, config=quiet(cave_entry=0.15))
    scene.play("move on")
    assert_share(scene.all("in_cave").sum(), WORLDS, 0.15)


def test_a_cave_leads_on_with_its_chance():
    scene = Scene(world_count=WORLDS, height=34, in_cave=1, config=quiet(cave_stay=0.8))
    scene.play("move on")
    assert_share(scene.all("in_cave").sum(), WORLDS, 0.8)


def test_a_shaft_out_of_a_cave_finds_the_next_one_by_the_chance_of_entry():
    config = quiet(cave_entry=0.0, cave_stay=1.0)
    scene = Scene(world_count=100, height=34, in_cave=1, config=config)
    scene.play("dig down")
    assert not scene.all("in_cave").any()


def test_the_first_shaft_may_open_into_a_cave_below_the_soil():
    scene = Scene(world_count=WORLDS, config=quiet(cave_entry=0.15))
    scene.play("dig down")
    assert_share(scene.all("in_cave").sum(), WORLDS, 0.15)


def test_the_surface_is_no_cave():
    config = quiet(cave_entry=1.0, cave_stay=1.0)
    scene = Scene(world_count=100, height=49, in_cave=1, config=config)
    scene.play("climb up")
    assert (scene.all("height") == 64).all()
    assert not scene.all("in_cave").any()


@pytest.mark.parametrize(("top", "landing"), [(64, 34), (49, 19), (34, 4)])
def test_a_fall_is_one_more_level_and_costs_twelve_points(top, landing, device):
    # 15 blocks, one point for each beyond three; damage tires by a tenth of a point.
    scene = Scene(height=top, food=17, config=quiet(fall=1.0), device=device)
    scene.play("dig down")
    assert scene.get("height") == landing
    assert scene.get("health") == 20_000 - 12_000
    assert scene.get("exhaustion") == 15 * 5 + 100


def test_a_fall_digs_no_further_than_the_shaft():
    items = {"inventory": {"iron_pickaxe": 1}, "hand": "iron_pickaxe"}
    scene = Scene(height=49, config=quiet(fall=1.0), **items)
    assert scene.play("dig down") == 15 * 8
    assert scene.count("cobblestone") == 15


def test_a_fall_kills_who_has_twelve_points_left(device):
    for health, left, died in ((12_000, 0, 1), (12_001, 1, 0)):
        scene = Scene(height=49, health=health, food=17, config=quiet(fall=1.0), device=device)
        scene.play("dig down")
        assert (scene.get("health"), scene.get("died")) == (left, died)


@pytest.mark.parametrize("top", [64, 49, 34])
def test_a_shaft_breaks_into_a_hole_with_its_chance(top):
    scene = Scene(world_count=WORLDS, height=top, food=17, config=quiet(fall=0.06))
    scene.play("dig down")
    height, health = scene.all("height"), scene.all("health")
    assert_share((height == top - 30).sum(), WORLDS, 0.06)
    assert set(height) == {top - 15, top - 30}
    assert (health == np.where(height == top - 30, 8000, 20_000)).all()


def test_nobody_falls_below_the_lowest_level(device):
    scene = Scene(world_count=500, height=19, config=quiet(fall=1.0), device=device)
    scene.play("dig down")
    assert (scene.all("height") == 4).all()
    assert (scene.all("health") == 20_000).all()


def test_lava_lies_in_the_lowest_level_alone(device):
    for height, health in ((4, 1000), (19, 20_000)):
        scene = Scene(height=height, config=quiet(lava=1.0), food=17, device=device)
        scene.play("move on")
        assert scene.get("health") == health


def test_lava_is_met_with_its_chance():
    scene = Scene(world_count=WORLDS, height=4, config=quiet(lava=0.05), food=17)
    scene.play("move on")
    assert_share((scene.all("health") == 1000).sum(), WORLDS, 0.05)


def test_lava_kills_who_is_hurt(device):
    scene = Scene(height=4, health=19_000, food=17, config=quiet(lava=1.0), device=device)
    scene.play("move on")
    assert (scene.get("health"), scene.get("died")) == (0, 1)


def test_monsters_wait_in_caves_alone():
    for cave, health in ((1.0, 17_000), (0.0, 20_000)):
        config = quiet(cave_entry=cave, cave_stay=cave, monster=1.0)
        scene = Scene(height=34, food=17, config=config)
        scene.play("move on")
        assert scene.get("health") == health


def test_a_monster_is_met_with_its_chance():
    config = quiet(cave_entry=1.0, monster=0.03)
    scene = Scene(world_count=WORLDS, height=34, food=17, config=config)
    scene.play("move on")
    assert_share((scene.all("health") == 17_000).sum(), WORLDS, 0.03)


def test_a_config_that_shows_more_than_one_vein_at_once_is_refused():
    with pytest.raises(ValueError, match=r"cave_blocks_seen.*2000 blocks"):
        TechTreeWorld(1, config=TechTreeConfig(cave_blocks_seen=2000))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"attack_ticks": 0}, "attack_ticks is 0; it must be a whole number of at least 1"),
        ({"walk_blocks": 1.5}, "walk_blocks is 1.5; it must be a whole number"),
        ({"lava": 1.2}, "lava is 1.2; it must be a finite number of at least 0 and at most 1"),
        ({"handling_ticks": 4.0}, "handling_ticks is 4.0; it must be a whole number"),
        ({"cave_slope": -0.1}, "cave_slope is -0.1; it must be"),
        ({"cave_slope": 0.51}, "cave_slope is 0.51; it must be .* at most 0.5"),
        ({"cave_slope": float("nan")}, "cave_slope is nan"),
        ({"caves_by_depth": 1.5}, "caves_by_depth is 1.5"),
        ({"monster": float("nan")}, "monster is nan"),
    ],
)
def test_a_config_out_of_range_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        TechTreeConfig(**changes)


@pytest.mark.parametrize(
    ("height", "chance"),
    # 0.2 times the level's share of caves over the mean of the four levels below the surface
    [(49, 0.1098), (34, 0.1516), (19, 0.2130), (4, 0.3257)],
)
def test_caves_are_more_frequent_at_depth(height, chance):
    config = quiet(cave_entry=0.2, caves_by_depth=1.0)
    tool = "iron_pickaxe"
    held = {tool: 1}
    scene = Scene(world_count=WORLDS, height=height, config=config, hand=tool, inventory=held)
    scene.play("move on")
    assert_share(scene.all("in_cave").sum(), WORLDS, chance)


def test_a_chance_of_a_cave_is_never_above_one():
    scene = Scene(world_count=100, height=4, config=quiet(cave_entry=0.9, caves_by_depth=1.0))
    scene.play("move on")
    assert scene.all("in_cave").sum() == 100
