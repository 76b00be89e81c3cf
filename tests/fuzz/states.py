"""Damaged states of worlds, Simon Says and curricula:

    python -m tests.fuzz.states SUBJECT --cases 500

Each state is refused with a ValueError, and then the subject is as it was, or it is taken, and can
be played. Crashes and hangs end this process; the last line on stderr names the case.
"""

import argparse
import copy
import faulthandler
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from lapis.curriculum import ExplorationSet
from lapis.registry import TEACHERS
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.worlds.techtree.world import TechTreeWorld
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.world import VoxelWorld
from tests.contract import allowed_action
from tests.fuzz.mutations import hostile_value, mutate_tensor

GOALS = ("log", "planks", "stone_pickaxe", "iron_ore")
SMALL = VoxelConfig(size=16, height=80, frame_size=16)
STEPS = 15
CASES = {"techtree": 500, "voxel": 400, "game": 500, "voxel_game": 200, "teachers": 400}


def techtree() -> TechTreeWorld:
    return TechTreeWorld(3, seed=3)


def voxel() -> VoxelWorld:
    return VoxelWorld(2, seed=3, config=SMALL)


def game_in(make: Callable[[], Any]) -> SimonSays:
    config = SimonSaysConfig(goals=GOALS, task_ticks=60, episode_ticks=300, bonus="dynamic")
    return SimonSays(make(), config, seed=3)


def teachers() -> list[Any]:
    """One of each kind; windows are short, so that they are full."""
    rng = np.random.default_rng(0)
    made = [TEACHERS.find(name).matched(time_scale=4.0).build(5) for name in TEACHERS.own]
    made.append(ExplorationSet(5, time_scale=4.0))
    for teacher in made:
        for _ in range(30):
            attempts = rng.integers(0, 4, 5)
            teacher.update(rng.integers(0, attempts + 1), attempts)
    return made


SUBJECTS: dict[str, Callable[[], list[Any]]] = {
    "techtree": lambda: [techtree()],
    "voxel": lambda: [voxel()],
    "game": lambda: [game_in(techtree)],
    "voxel_game": lambda: [game_in(voxel)],
    "teachers": teachers,
}


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("subject", choices=SUBJECTS)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, nargs="+", help="numbers of cases")
    options = parser.parse_args()
    faulthandler.enable()
    subjects = SUBJECTS[options.subject]()
    warm_up = np.random.default_rng(options.seed)
    for subject in subjects:
        use(subject, warm_up, 20)
    saved = [subject.state_dict() for subject in subjects]
    counts: Counter[str] = Counter()
    for number in options.only or range(options.cases or CASES[options.subject]):
        rng = random.Random(f"{options.seed} {number}")
        which = rng.randrange(len(subjects))
        state, damage = mutated(rng, saved[which])
        print(f"case {number}: {damage}", file=sys.stderr, flush=True)
        subjects[which].load_state_dict(saved[which])
        counts[attempt(subjects[which], state, rng)] += 1
        counts["cases"] += 1
    print(json.dumps(counts))


def mutated(rng: random.Random, saved: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A copy with one to three leaves changed, removed, swapped or added."""
    state = copy.deepcopy(saved)
    damage = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        leaves = list(_leaves(state))
        tensors = [(part, key) for part, key in leaves if is_array(part[key])]
        part, key = rng.choice(tensors if tensors and rng.random() < 0.85 else leaves)
        leaf = part[key]
        kind = rng.random()
        if kind < 0.04:
            del part[key]
            damage.append(f"del {key}")
        elif kind < 0.06:
            part[rng.choice(("more", "", 7, "world"))] = leaf
            damage.append(f"{key} under another name")
        elif kind < 0.12:
            other, name = rng.choice(leaves)
            part[key], other[name] = other[name], leaf
            damage.append(f"{key} and {name} swapped")
        elif kind < 0.14 or not is_array(leaf):
            part[key] = hostile_value(rng)
            damage.append(f"{key} = {part[key]!r:.60}")
        else:
            change = nudged if kind < 0.7 else mutate_tensor
            changed, words = change(rng, torch.as_tensor(leaf))
            if isinstance(leaf, np.ndarray):
                changed = (changed if changed.dtype.itemsize > 2 else changed.float()).numpy()
            part[key] = changed
            damage.append(f"{key}: {words}")
    return state, damage


def is_array(leaf: Any) -> bool:
    return isinstance(leaf, torch.Tensor | np.ndarray)


def nudged(rng: random.Random, tensor: torch.Tensor) -> tuple[torch.Tensor, str]:
    """A few numbers are others that may well be allowed, but do not go with the rest."""
    changed = tensor.clone()
    flat = changed.view(-1)
    if not flat.numel():
        return changed, "empty as it was"
    places = [rng.randrange(flat.numel()) for _ in range(rng.randint(1, 6))]
    small = rng.choice((rng.randint(0, 24), rng.random(), rng.choice(flat.tolist())))
    flat[places] = torch.tensor(small).to(flat.dtype)
    return changed, f"{small} at {places}"


def _leaves(state: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Each leaf of nested dicts, as the dict that holds it and its key; inner dicts too."""
    for key, value in state.items():
        yield state, key
        if isinstance(value, dict):
            yield from _leaves(value)


def attempt(subject: Any, state: dict[str, Any], rng: random.Random) -> str:
    """Loads the state and uses it, or sees that nothing has changed; returns which."""
    before = contents(subject)
    told = None
    try:
        subject.load_state_dict(state)
    except ValueError as error:
        told = str(error)
    if told is None:
        use(subject, np.random.default_rng(rng.randrange(2**32)), STEPS)
        return "played"
    assert 0 < len(told) < 5000, "the message says nothing, or all"
    assert same(before, contents(subject)), f"refused, but changed: {told}"
    return "refused"


def contents(subject: Any) -> dict[str, Any]:
    seen = getattr(subject, "observation", {})
    return {"state": copy.deepcopy(subject.state_dict()), "seen": copy.deepcopy(dict(seen))}


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other


def use(subject: Any, rng: np.random.Generator, steps: int) -> None:
    """Plays a game or a world, or teaches, and looks at what comes out."""
    for _ in range(steps):
        if hasattr(subject, "step"):
            play_a_step(subject, rng)
        else:
            attempts = rng.integers(0, 4, subject.task_count)
            subject.update(rng.integers(0, attempts + 1), attempts)
            if hasattr(subject, "members"):
                assert subject.members().dtype == np.bool_
                continue
            chances = subject.probabilities()
            assert np.isfinite(chances).all(), chances
            assert (chances >= 0).all(), chances
            assert abs(chances.sum() - 1) < 1e-6, chances
            assert (subject.sample(10, rng) < subject.task_count).all()


def play_a_step(subject: Any, rng: np.random.Generator) -> None:
    subject.step(allowed_action(subject, rng))
    for name, shown in subject.observation.items():
        assert shown.isfinite().all(), name
    world = getattr(subject, "world", subject)
    assert (world.inventory >= 0).all()
    if isinstance(subject, SimonSays):
        assert subject.reward.isfinite().all()
        assert ((subject.goal >= 0) & (subject.goal < len(GOALS))).all()


if __name__ == "__main__":
    main()
