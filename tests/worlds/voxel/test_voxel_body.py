"""Falls, water, lava, fire, earth, cactus and hunger; all health in 1/1000 points."""

from dataclasses import dataclass

import numpy as np
import pytest
import torch

from lapis.minecraft.blocks import Block
from tests.worlds.voxel.play_scenes import GROUND, Scene

FULL = 20_000


def lost(scene: Scene, steps: int) -> list[int]:
    """Health lost after each step."""
    losses = []
    for _ in range(steps):
        scene.play()
        losses.append(FULL - scene.get("health"))
    return losses


def wait_for_ground(scene: Scene) -> None:
    for _ in range(60):
        scene.play()
        if scene.get("on_ground"):
            return
    raise AssertionError("the player never landed")


# ceil(distance - 3) points; food 17, so that nothing heals.
@pytest.mark.parametrize(
    ("distance", "points"),
    [(1, 0), (3, 0), (3.25, 1), (4, 1), (4.5, 2), (5, 2), (10, 7), (12.75, 10)],
)
def test_a_fall_costs_a_point_for_each_block_beyond_three(distance, points):
    scene = Scene(food=17, on_ground=0, position=(8.5, GROUND + distance, 8.5))
    wait_for_ground(scene)
    assert scene.get("health") == FULL - 1000 * points


@pytest.mark.parametrize(("distance", "dies"), [(22, False), (23, True)])
def test_twenty_three_blocks_kill(distance, dies):
    scene = Scene(food=17, on_ground=0)
    scene.fill(slice(None), slice(40, 64), slice(None), Block.AIR)
    scene.set(position=(8.5, 40 + distance, 8.5))
    for _ in range(12):
        scene.play()
    assert bool(scene.world.died[0]) == dies
    assert scene.get("health") == (0 if dies else 1000)


def test_a_jump_counts_from_its_highest_point():
    # 1.25 up and 3 down are 4.25: 2 points.
    scene = Scene(food=17)
    scene.fill(slice(None), slice(GROUND - 3, GROUND), slice(10, 16), Block.AIR)
    scene.set(position=(8.5, GROUND, 9.5))
    scene.play("jump", "forward", times=3)
    wait_for_ground(scene)
    assert scene.y == GROUND - 3
    assert scene.get("health") == FULL - 2000


@pytest.mark.parametrize("liquid", [Block.WATER, Block.LAVA])
def test_liquids_break_a_fall(liquid):
    scene = Scene(food=17, on_ground=0)
    scene.fill(slice(None), slice(GROUND, GROUND + 1), slice(None), liquid)
    scene.set(position=(8.5, GROUND + 12, 8.5))
    for _ in range(12):
        scene.play()
        if scene.y < GROUND + 1:
            break
    scene.play()
    losses = FULL - scene.get("health")
    assert losses == 0 if liquid == Block.WATER else losses <= 4000


def drowning() -> Scene:
    scene = Scene(food=17, on_ground=1)
    scene.fill(slice(None), slice(GROUND, GROUND + 8), slice(None), Block.WATER)
    return scene


def test_breath_lasts_three_hundred_ticks_and_then_water_hurts_every_second():
    scene = drowning()
    losses = lost(scene, 90)
    # Breath is at 0 after tick 300 and at -20 after tick 320: two points, then every 20 ticks.
    assert losses[78] == 0
    assert losses[79] == 2000
    assert losses[83] == 2000
    assert losses[84] == 4000
    assert losses[89] == 6000


def test_breath_comes_back_at_once():
    scene = drowning()
    scene.play(times=40)
    assert scene.get("air") == 300 - 160
    scene.set(position=(8.5, GROUND + 8, 8.5))
    scene.play()
    assert scene.get("air") == 300


def test_lava_hurts_every_ten_ticks_and_sets_on_fire():
    scene = Scene(food=17)
    scene.fill(slice(None), slice(GROUND, GROUND + 1), slice(None), Block.LAVA)
    # Damage in ticks 1, 11 and 21: after 4, 8, 12, 16, 20, 24 ticks it was 1, 1, 2, 2, 2, 3 times.
    assert lost(scene, 6) == [4000, 4000, 8000, 8000, 8000, 12_000]
    assert scene.get("fire") == 300


def burning(**state) -> Scene:
    return Scene(food=17, **state)


def test_fire_burns_a_point_every_second_for_fifteen():
    scene = burning(fire=300)
    # Ticks 1, 21, ..., 281: 15 points.
    losses = lost(scene, 76)
    assert losses[0] == 1000
    assert losses[4] == 1000
    assert losses[5] == 2000
    assert losses[-1] == 15_000
    assert scene.get("fire") == 0


def test_water_puts_the_fire_out():
    scene = burning(fire=290)
    scene.fill(slice(None), slice(GROUND, GROUND + 1), slice(None), Block.WATER)
    assert lost(scene, 30)[-1] == 0
    assert scene.get("fire") == 0


def test_earth_around_the_head_suffocates():
    scene = burning()
    scene.build({(8, 65, 8): Block.STONE})
    assert lost(scene, 5) == [1000, 1000, 2000, 2000, 2000]


def test_a_cactus_pricks_who_walks_into_it():
    scene = burning()
    scene.build({(8, GROUND, 9): Block.CACTUS})
    scene.play(times=5)
    assert scene.get("health") == FULL
    scene.play("forward", times=5)
    # Touched from tick 2 or so on: once in 10 ticks.
    assert scene.get("health") == FULL - 2000
    assert scene.z <= 9 - 0.29


def test_who_stands_on_a_cactus_is_pricked():
    scene = burning(position=(8.5, GROUND + 1, 8.5))
    scene.build({(8, GROUND, 8): Block.CACTUS})
    losses = lost(scene, 3)
    assert losses == [1000, 1000, 2000]


def test_who_was_just_hurt_takes_only_what_exceeds_it():
    # Burning took 1 point; a fall of 10 blocks costs 7, of which 6 are left.
    scene = burning(on_ground=0, position=(8.5, GROUND + 10, 8.5), hurt=10, hurt_by=1000)
    scene.set(velocity=(0.0, -3.9, 0.0))
    scene.play()
    assert scene.get("health") == FULL - 6000
    assert scene.get("hurt_by") == 7000
    weaker = burning(fire=300, hurt=10, hurt_by=4000)
    weaker.play()
    assert weaker.get("health") == FULL


def test_lava_and_cactus_tire_and_falls_do_not():
    scene = burning()
    scene.fill(slice(None), slice(GROUND, GROUND + 1), slice(None), Block.LAVA)
    scene.play()
    assert scene.get("exhaustion") == 100
    fallen = burning(on_ground=0, position=(8.5, GROUND + 5, 8.5))
    wait_for_ground(fallen)
    assert fallen.get("health") == FULL - 2000
    assert fallen.get("exhaustion") == 0


def test_starving_takes_a_point_every_eighty_ticks_and_leaves_one():
    scene = Scene(food=0, saturation=0, health=3000)
    scene.play(times=19)
    assert scene.get("health") == 3000
    scene.play()
    assert scene.get("health") == 2000
    scene.play(times=60)
    assert scene.get("health") == 1000
    assert not scene.world.died[0]


def test_food_beyond_seventeen_heals():
    fast = Scene(health=10_000, food=20, saturation=5000)
    fast.play(times=3)
    # After 10 ticks 5 points of saturation heal 5 / 6 of a point.
    assert fast.get("health") == 10_833
    slow = Scene(health=10_000, food=18, saturation=0)
    slow.play(times=20)
    assert slow.get("health") == 11_000
    never = Scene(health=10_000, food=17)
    never.play(times=40)
    assert never.get("health") == 10_000


@dataclass
class Body:
    """Hunger and healing tick by tick, written from the rules and not from the kernel."""

    health: int
    food: int
    saturation: int
    exhaustion: int
    body_timer: int

    def tick(self) -> None:
        if self.exhaustion > 4000:
            self.exhaustion -= 4000
            if self.saturation > 0:
                self.saturation = max(self.saturation - 1000, 0)
            else:
                self.food = max(self.food - 1, 0)
        hurt = self.health < FULL
        if hurt and self.food == 20 and self.saturation > 0:
            self._count(10, self._heal_fast)
        elif hurt and self.food >= 18:
            self._count(80, self._heal_slowly)
        elif self.food == 0:
            self._count(80, self._starve)
        else:
            self.body_timer = 0

    def _count(self, period: int, act) -> None:
        self.body_timer += 1
        if self.body_timer >= period:
            self.body_timer = 0
            act()

    def _heal_fast(self) -> None:
        cost = min(self.saturation, 6000)
        self.health = min(self.health + cost // 6, FULL)
        self.exhaustion = min(self.exhaustion + cost, 40_000)

    def _heal_slowly(self) -> None:
        self.health = min(self.health + 1000, FULL)
        self.exhaustion = min(self.exhaustion + 6000, 40_000)

    def _starve(self) -> None:
        if self.health > 1000:
            self.health = max(self.health - 1000, 1000)


def test_random_bodies_live_as_their_twins():
    rng = np.random.default_rng(0)
    count = 300
    scene = Scene(world_count=count)
    start = {
        "health": rng.choice([1000, 1500, 7400, 19_500, FULL], count),
        "food": rng.choice([0, 1, 17, 18, 19, 20], count),
        "saturation": rng.choice([0, 500, 5000, 20_000], count),
        "exhaustion": rng.choice([0, 3990, 4001, 20_000, 40_000], count),
        "body_timer": rng.integers(0, 80, count),
    }
    for name, values in start.items():
        getattr(scene.world.state, name).copy_(torch.from_numpy(values.astype(np.int32)))
    twins = [
        Body(**{name: int(values[row]) for name, values in start.items()}) for row in range(count)
    ]
    for _ in range(60):
        scene.play()
        for twin in twins:
            for _ in range(4):
                twin.tick()
    for name in start:
        assert scene.all(name).tolist() == [getattr(twin, name) for twin in twins], name


def test_eating_an_apple_takes_thirty_two_ticks():
    scene = Scene(food=10, saturation=1000, inventory={"apple": 2})
    assert scene.allows("use")
    assert scene.play("use") == 32
    assert scene.count("apple") == 1
    assert scene.get("food") == 14
    assert scene.get("saturation") == 3400
    assert scene.get("time") == 6032


def test_saturation_never_exceeds_food():
    scene = Scene(food=1, saturation=4900, inventory={"apple": 1})
    scene.play("use")
    assert (scene.get("food"), scene.get("saturation")) == (5, 5000)


@pytest.mark.parametrize(("food", "apples"), [(20, 1), (10, 0)])
def test_the_full_and_those_without_apples_do_not_eat(food, apples):
    assert not Scene(food=food, inventory={"apple": apples}).allows("use")


def test_who_eats_walks_slowly_and_does_not_dig():
    scene = Scene(food=10, inventory={"apple": 1}, pitch=900)
    scene.play("use", "attack", "forward")
    # Keys are held for 4 ticks at a fifth; then the walk runs out: 0.0196 / 0.454 a tick.
    way = sum(0.0196 / 0.454 * (1 - 0.546**tick) for tick in range(1, 5))
    assert way < scene.z - 8.5 < way + 0.06
    assert scene.get("target") == -1
    assert scene.at(8, 63, 8) == Block.GRASS
