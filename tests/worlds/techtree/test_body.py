"""Hunger, healing, starving and death."""

import numpy as np
import torch
import warp as wp

from lapis.worlds.techtree import state as kernels
from lapis.worlds.techtree.body import live
from tests.worlds.techtree.body_twin import Body
from tests.worlds.techtree.scenes import Scene, quiet

NAMES = ("health", "food", "saturation", "exhaustion", "body_timer")


def body(scene: Scene) -> tuple[int, ...]:
    return tuple(scene.get(name) for name in NAMES)


def wait(scene: Scene, ticks: int) -> None:
    """Lets time pass by digging stone with bare hands."""
    assert scene.play("gather stone") == ticks


def scene_of(ticks: int, device: str = "cpu", **state: int) -> Scene:
    return Scene(reach={"stone": 99}, config=quiet(attack_ticks=ticks), device=device, **state)


def test_exhaustion_beyond_four_points_takes_a_point_of_saturation(device):
    scene = Scene(exhaustion=3300, saturation=5000, device=device)
    scene.play("move on")  # tires by 800
    assert body(scene) == (20_000, 20, 4000, 100, 0)


def test_exhaustion_of_exactly_four_points_takes_nothing_yet(device):
    scene = Scene(exhaustion=3200, saturation=5000, device=device)
    scene.play("move on")
    assert body(scene) == (20_000, 20, 5000, 4000, 0)


def test_without_saturation_food_is_lost(device):
    scene = Scene(exhaustion=3300, saturation=0, device=device)
    scene.play("move on")
    assert body(scene) == (20_000, 19, 0, 100, 0)


def test_the_last_bit_of_saturation_goes_before_food():
    scene = Scene(exhaustion=3300, saturation=300)
    scene.play("move on")
    assert body(scene) == (20_000, 20, 0, 100, 0)


def test_a_full_stomach_heals_every_ten_ticks_for_saturation(device):
    # 5 points of saturation heal 5 / 6 of a point and tire by 5, which costs one of saturation.
    scene = scene_of(10, device, health=10_000, saturation=5000)
    wait(scene, 10)
    assert body(scene) == (10_833, 20, 4000, 1000, 0)


def test_at_most_six_points_of_saturation_heal_at_once():
    scene = scene_of(10, health=10_000, saturation=9000)
    wait(scene, 10)
    assert body(scene) == (11_000, 20, 8000, 2000, 0)


def test_with_eighteen_points_of_food_healing_is_slow(device):
    # 1 point after 80 ticks, for 6 points of exhaustion: 4 of them cost one point of saturation.
    scene = scene_of(79, device, health=10_000, food=18, saturation=1000)
    wait(scene, 79)
    assert body(scene) == (10_000, 18, 1000, 0, 79)
    scene.world.state.body_timer.fill_(0)
    longer = scene_of(80, device, health=10_000, food=18, saturation=1000)
    wait(longer, 80)
    assert body(longer) == (11_000, 18, 0, 2000, 0)


def test_time_counts_on_from_step_to_step():
    scene = scene_of(50, health=10_000, food=18, saturation=2000)
    wait(scene, 50)
    assert scene.get("body_timer") == 50
    wait(scene, 50)
    assert scene.get("health") == 11_000
    assert scene.get("body_timer") == 20


def test_a_meal_lets_fast_healing_begin_at_the_next_tick():
    # The timer already stands beyond 10 ticks.
    scene = scene_of(1, health=10_000, food=20, saturation=6000, body_timer=60)
    wait(scene, 1)
    assert scene.get("health") == 11_000


def test_with_less_than_eighteen_points_nothing_heals():
    scene = scene_of(100, health=10_000, food=17, saturation=5000, body_timer=60)
    wait(scene, 100)
    assert body(scene) == (10_000, 17, 5000, 0, 0)


def test_starving_costs_a_point_every_eighty_ticks(device):
    scene = scene_of(100, device, health=10_000, food=0, saturation=0)
    wait(scene, 100)
    assert body(scene) == (9000, 0, 0, 0, 20)


def test_starving_stops_at_one_point(device):
    scene = scene_of(100, device, health=2500, food=0, saturation=0)
    wait(scene, 100)
    wait(scene, 100)
    assert scene.get("health") == 1000
    wait(scene, 100)
    assert scene.get("health") == 1000
    assert scene.get("died") == 0


def test_starving_harms_nobody_who_has_less_than_a_point():
    scene = scene_of(100, health=400, food=0, saturation=0)
    wait(scene, 100)
    assert scene.get("health") == 400


def test_damage_tires_by_a_tenth():
    scene = Scene(height=34, config=quiet(cave_entry=1.0, monster=1.0), food=17, in_cave=1)
    scene.play("dig down")
    assert scene.get("exhaustion") == 15 * 5 + 100


def test_live_equals_its_plain_twin_on_random_bodies(device):
    count = 20_000
    rng = np.random.default_rng(0)
    state = {
        "health": rng.integers(1, 20_001, count),
        "food": rng.choice([0, 1, 6, 17, 18, 19, 20, 20, 20], count),
        "saturation": rng.integers(0, 20_001, count) * rng.integers(0, 2, count),
        "exhaustion": rng.integers(0, 9000, count),
        "body_timer": rng.integers(0, 80, count),
    }
    full = rng.random(count) < 0.2
    state["health"][full] = 20_000
    ticks = rng.integers(0, 301, count)
    damage = rng.choice([0, 0, 1000, 3000, 9000, 19_000], count)

    expected = []
    for row in range(count):
        one = Body(*(int(state[name][row]) for name in NAMES))
        one.live(int(ticks[row]), int(damage[row]))
        expected.append((one.health, one.food, one.saturation, one.exhaustion, one.timer, one.died))

    tensors = {n: torch.tensor(v, dtype=torch.int32, device=device) for n, v in state.items()}
    died = torch.zeros(count, dtype=torch.bool, device=device)
    felt, game = kernels.Body(), kernels.Game()
    for name in NAMES:
        setattr(felt, name, wp.from_torch(tensors[name]))
    game.ticks = wp.from_torch(torch.tensor(ticks, dtype=torch.int32, device=device))
    game.damage = wp.from_torch(torch.tensor(damage, dtype=torch.int32, device=device))
    game.died = wp.from_torch(died)
    wp.launch(live, dim=count, inputs=[game, felt], device=device)
    wp.synchronize()
    got = torch.stack([*(tensors[name] for name in NAMES), died.int()], dim=1).cpu().numpy()
    wrong = np.flatnonzero((got != np.array(expected)).any(axis=1))
    assert wrong.size == 0, (wrong[:3], got[wrong[:3]], [expected[i] for i in wrong[:3]])
