"""Calls the public API with arguments that nobody should give, in a process of its own.

    python -m tests.fuzz.api_calls PART CALLS SEED

Each call has valid arguments but for one or two, which are drawn from a pool of hostile ones. It
must give a value, without NaN, or be refused by an error that Lapis itself raises; and who refuses
is as before. Prints a line of JSON: how many calls gave a value, and how many were refused by what.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import json
import linecache
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch

import lapis
import lapis.curriculum as curriculum
from lapis.curriculum.simulation import (
    Frontier,
    LearnerModel,
    SimulatedLearner,
    chain,
    largest_cycle,
    largest_drop,
    tree,
)
from lapis.curriculum.teacher import Tracker
from lapis.curriculum.theory import measured_snapshot_error
from lapis.report import statistics
from lapis.simonsays import SimonSays, SimonSaysConfig
from lapis.simonsays.gym import make_tech_tree, make_tech_tree_vector, make_voxel_vector
from lapis.worlds.probes import PROBES
from lapis.worlds.techtree import TechTreeConfig, TechTreeWorld
from lapis.worlds.voxel import VoxelConfig, VoxelWorld

HOME = str(Path(lapis.__file__).parent)
REFUSALS = (ValueError, TypeError, KeyError, IndexError, gymnasium.error.Error)
GOALS = ("log", "planks", "stick")
SMALL = {"size": 16, "height": 80, "frame_size": 8}


@dataclasses.dataclass
class Case:
    """A callable and arguments that it takes."""

    name: str
    call: Callable[..., Any]
    valid: dict[str, Any]
    owner: Any = None
    """Whose `state_dict` a refused call must leave alone."""


def hostile(rng: np.random.Generator) -> Any:
    """Something from the pool."""
    three = np.array([0.25, 0.5, 0.25])
    frozen = np.arange(3)
    frozen.flags.writeable = False
    nested: list[Any] = []
    for _ in range(50):
        nested = [nested]
    pool = [
        None, float("nan"), float("inf"), -float("inf"), 1e39, 1e300, -1e300, 5e-324, 10**400,
        -(10**400), 10**5000, -1, 0, 1, 2, 3, 2**31 - 1, 2**31, 2**63, -(2**63), 1.5, 0.5, True,
        False, 1j, "", "3", "log", "\x1b[31m", b"3", [], (), [1, 2], [0.25, 0.5, 0.25], [1, 1, 1],
        [[1, 2], [3]], [[0.25, 0.5, 0.25]], [None] * 3, ["a"] * 3, [10**400] * 3, [1j, 0, 0],
        [float("nan")] * 3, [np.ma.masked, 0, 0], nested, {}, {"a": 1}, set(), object(), len,
        range(3), np.float64("nan"), np.int8(-1), np.uint64(2**63), np.float16(0.5),
        np.bool_(True), np.datetime64("2020-01-01"), np.zeros(0), np.zeros(3), np.ones(3),
        np.ones(3, bool), np.full(3, np.nan), np.full(3, np.inf), np.full(3, 1e300),
        np.full(3, -1), np.zeros((3, 3)), np.zeros((1, 3)), np.array(0.5), np.array(1),
        three.astype(np.float16), three.astype(complex), three.astype(object),
        np.array(["a", "b", "c"]), np.array([2**63] * 3, np.uint64), frozen,
        np.ma.masked_array([1, 0, 1], [0, 1, 0]), np.ma.masked_array(three, [0, 0, 1]),
        np.ma.masked_array(1, True), np.ma.masked, np.rec.array([(1, 2.0)]), [np.ones(3)] * 3,
        torch.zeros(2), torch.zeros(2, 1, dtype=torch.int32), torch.ones(2, dtype=torch.bool),
        torch.zeros(2, dtype=torch.int64), torch.full((2, 1), 2**30, dtype=torch.int32),
        torch.full((2,), -5), torch.zeros(3, requires_grad=True), torch.tensor(1j), torch.tensor(1),
        torch.zeros(2, 8, dtype=torch.int32), torch.zeros(2, 1, dtype=torch.int32, device="meta"),
        np.random.default_rng(0), np.random.RandomState(0), torch.device("meta"), "cuda", "cuda:7",
    ]  # fmt: skip
    return pool[rng.integers(len(pool))]


def main() -> None:
    """See the module."""
    part, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    warnings.simplefilter("ignore")
    warnings.simplefilter("error", RuntimeWarning)
    rng = np.random.default_rng(seed)
    counts: Counter[str] = Counter()
    failures: list[str] = []
    for _ in range(count):
        case = draw_case(part, rng)
        arguments = dict(case.valid)
        for name in rng.choice(
            list(arguments), min(len(arguments), rng.choice([0, 1, 1, 1, 2])), False
        ):
            arguments[name] = hostile(rng)
        try:
            counts[outcome(case, arguments)] += 1
        except AssertionError as failure:
            failures.append(f"{failure} {failure.__cause__ or ''}")
    print(json.dumps(counts))
    if failures:
        sys.exit("\n".join(failures[:20]))


def outcome(case: Case, arguments: dict[str, Any]) -> str:
    """The name of the error, or "value"."""
    before = None if case.owner is None else copy.deepcopy(case.owner.state_dict())
    told = f"{case.name}({short(arguments)})"
    try:
        result = case.call(**arguments)
    except REFUSALS as error:
        check_raised_by_lapis(error, told)
        if before is not None:
            assert same(case.owner.state_dict(), before), f"{told} was refused but changed it"
        return type(error).__name__
    except BaseException as error:
        raise AssertionError(f"{told} ends in a {type(error).__name__}") from error
    numbers = result if isinstance(result, tuple) else (result,)
    for number in numbers:
        if isinstance(number, float | np.ndarray) and case.name not in MAY_BE_NAN:
            assert not np.isnan(np.asarray(number, np.float64)).any(), f"{told} gives {number}"
    return "value"


MAY_BE_NAN = ("value_at", "drop_from_maximum", "interquartile_difference")
"""Of what is not known."""


def check_raised_by_lapis(error: BaseException, told: str) -> None:
    """Errors of libraries say nothing of what was asked of Lapis."""
    frame = error.__traceback__
    assert frame is not None
    while frame.tb_next is not None:
        frame = frame.tb_next
    file = frame.tb_frame.f_code.co_filename
    line = linecache.getline(file, frame.tb_lineno).strip()
    is_own = file.startswith(HOME) and line.startswith("raise ")
    assert is_own, f"{told}: {type(error).__name__} at {file}:{frame.tb_lineno}: {error}"
    assert len(str(error)) < 2000, f"{told}: a message of {len(str(error))} characters"


def same(one: Any, other: Any) -> bool:
    """Whether two states are equal to the bit."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.tobytes() == other.tobytes()
    return one == other


def short(arguments: dict[str, Any]) -> str:
    def text(value: Any) -> str:
        is_huge = isinstance(value, int) and abs(value) > 10**30
        return "huge" if is_huge else " ".join(repr(value).split())[:40]

    return ", ".join(f"{name}={text(value)}" for name, value in arguments.items())


def draw_case(part: str, rng: np.random.Generator) -> Case:
    if part not in _CASES:
        _CASES[part] = list(PARTS[part]())
    cases = _CASES[part]
    return cases[rng.integers(len(cases))]


_CASES: dict[str, list[Case]] = {}


def formulas() -> Iterator[Case]:
    """Functions of `lapis.curriculum`, its theory and the report's statistics."""
    success = [0.1, 0.2, 0.7]
    table = [[0.1, 0.2, 0.7], [0.0, 1.0, 0.5]]
    values: dict[str, Any] = {
        "success": success, "random_success": [0.0, 0.1, 0.2], "fast": success, "slow": success,
        "progress": success, "returns": success, "score": success, "value": success,
        "staleness": [0, 1, 2],
        "mean": success, "predicted": success, "threshold": 0.1, "low": 0.1, "high": 0.9,
        "count": 2, "temperature": 0.1, "interval": [1.0, 2.0], "variance": 0.25,
        "sample_count": 10, "curvature": 0.1, "time_scale": 20.0,
    }  # fmt: skip
    own = {
        "half_window_progress": {"score": table, "count": [2, 5]},
        "regression_slope": {"time": table, "score": table, "known": [[1, 1, 0], [1, 1, 1]]},
    }
    for name in curriculum.__all__:
        function = getattr(curriculum, name)
        if inspect.isfunction(function):
            valid = own.get(name) or {
                each.name: values.get(each.name, each.default)
                for each in inspect.signature(function).parameters.values()
            }
            yield Case(name, function, valid)
    snapshot = {"slope": 0.1, "interval": [1.0, 2.0], "sample_count": 5, "repeat_count": 10}
    half = {"rng": np.random.default_rng(0), "time": 0.0}
    measured = functools.partial(measured_snapshot_error, lambda time: np.full(np.shape(time), 0.5))
    yield Case("measured_snapshot_error", measured, snapshot | half)
    yield Case("largest_drop", largest_drop, {"known": [1, 20, 3], "least_known": 10})
    yield Case("largest_cycle", largest_cycle, {"known": [1, 20, 3], "recovery": 0.9})
    yield Case("chain", chain, {"length": 5, "group_size": 2})
    yield Case("tree", tree, {"branching": 2, "depth": 3})
    sample, position = [1.0, 3.0, 2.0], [0.0, 1.0, 2.0]
    for name, valid in {
        "rank_sum_p_value": {"first": sample, "second": sample},
        "holm_p_values": {"p_values": [0.1, 0.01, 0.5]},
        "area_under_curve": {"position": position, "values": sample},
        "first_crossing": {"position": position, "values": sample, "level": 2.0},
        "value_at": {"position": position, "values": sample, "query": [0.5]},
        "drop_from_maximum": {"values": sample},
        "discovered_count": {"success": success, "threshold": 0.1},
        "learning_order": {"success": [table], "threshold": 0.1},
        "improvement": {"better": sample, "worse": sample},
        "interquartile_difference": {"first": sample, "second": sample},
    }.items():
        yield Case(name, getattr(statistics, name), valid)


def teachers() -> Iterator[Case]:
    """Curricula, rivals, the exploration set and their settings."""
    graph = chain(3)
    makers: dict[str, Callable[..., Any]] = {
        name: getattr(curriculum, name)
        for name in curriculum.__all__
        if inspect.isclass(getattr(curriculum, name)) and name != "Teacher"
    }
    kinds = [make for make in makers.values() if issubclass(make, Tracker)]
    for make in makers.values():
        names = inspect.signature(make).parameters
        valid = {
            name: 3 if name == "task_count" else each.default
            for name, each in names.items()
            if each.kind != inspect.Parameter.VAR_KEYWORD
        }
        yield Case(make.__name__, make, valid)
    yield Case("Frontier", lambda **rest: Frontier(graph, **rest), {"mastered": 0.1})
    model = {field.name: field.default for field in dataclasses.fields(LearnerModel)}
    yield Case("LearnerModel", LearnerModel, model)
    learner = lambda ceiling: SimulatedLearner(graph, LearnerModel(), ceiling)  # noqa: E731
    yield Case("SimulatedLearner", learner, {"ceiling": [0.5, 0.5, 0.5]})
    made = [make(3) for make in kinds] + [Frontier(graph)]
    made.append(curriculum.LearningProgress(3, noise_shrinkage=2.0, random_success=[0.1, 0, 0]))
    made.append(curriculum.LearningProgress(3, averaging="all_updates", optimism=1.0))
    for tracker in made:
        tracker.update([1, 0, 1], [1, 1, 2])
        tracker.update([1, 0, 0], [1, 3, 0])
        yield from methods_of(tracker)
    counts = curriculum.OutcomeCounts(3)

    def teach(task: Any, outcome: Any) -> Any:
        counts.add(task, outcome)
        return counts.totals()[:2]

    yield Case("OutcomeCounts.add", teach, {"task": 1, "outcome": 0.5})


def methods_of(tracker: Any) -> Iterator[Case]:
    kind = type(tracker).__name__

    def update(successes: Any, attempts: Any, squares: Any) -> Any:
        tracker.update(successes, attempts, squares)
        return look(tracker)

    def record(task: Any, success: Any) -> Any:
        tracker.record(task, success)

    def load(**changes: Any) -> Any:
        tracker.load_state_dict(tracker.state_dict() | changes)
        tracker.update([1, 0, 1], [2, 1, 2])
        return look(tracker)

    sums = {"successes": [0.5, 0, 0], "attempts": [1, 1, 0], "squares": [0.25, 0, 0]}
    yield Case(f"{kind}.update", update, sums, tracker)
    yield Case(f"{kind}.record", record, {"task": 1, "success": 0.5}, tracker)
    yield Case(f"{kind}.load_state_dict", load, tracker.state_dict(), tracker)
    whole = {"state": tracker.state_dict()}
    yield Case(f"{kind}.load_state_dict", tracker.load_state_dict, whole, tracker)
    if hasattr(tracker, "sample"):
        draws = {"count": 5, "rng": np.random.default_rng(0)}
        yield Case(f"{kind}.sample", tracker.sample, draws, tracker)


def look(tracker: Any) -> Any:
    return tracker.probabilities() if hasattr(tracker, "probabilities") else tracker.members()


def protocol() -> Iterator[Case]:
    """Simon Says and its settings."""
    config = {"goals": GOALS, "bonus_goals": GOALS[:2]} | {
        field.name: field.default
        for field in dataclasses.fields(SimonSaysConfig)
        if field.name not in ("goals", "bonus_goals")
    }
    yield Case("SimonSaysConfig", SimonSaysConfig, config)
    world = TechTreeWorld(2)
    made = SimonSaysConfig(goals=GOALS)
    settings = {"world": world, "config": made, "seed": 1, "first_world": 2}
    yield Case("SimonSays", SimonSays, settings | {"validate_actions": False})
    game = SimonSays(TechTreeWorld(2), made, validate_actions=True)
    action = torch.zeros(2, 1, dtype=torch.int32)
    yield Case("step", game.step, {"action": action}, game)
    yield Case("ask_for", game.ask_for, {"goals": torch.tensor([0, 1])}, game)
    yield Case("set_probabilities", game.set_probabilities, {"probabilities": [0, 0.5, 0.5]}, game)
    members = {"exploration_set": [True, True, False]}
    yield Case("set_exploration_set", game.set_exploration_set, members, game)
    state = game.state_dict()

    def load_tensors(**tensors: Any) -> None:
        game.load_state_dict(state | {"tensors": tensors})

    def load_world(**tensors: Any) -> None:
        game.load_state_dict(state | {"world": tensors})

    yield Case("load_state_dict", loader(game), state, game)
    yield Case("load_state_dict", game.load_state_dict, {"state": state}, game)
    yield Case("load_state_dict tensors", load_tensors, state["tensors"], game)
    yield Case("load_state_dict world", load_world, state["world"], game)


def worlds() -> Iterator[Case]:
    """Both worlds, the small ones and their settings."""
    made: list[Any] = [TechTreeWorld(2), VoxelWorld(2, config=VoxelConfig(**SMALL))]
    for world, settings in zip(made, (TechTreeConfig(), VoxelConfig(**SMALL)), strict=True):
        kind = type(world)
        yield Case(type(settings).__name__, type(settings), dataclasses.asdict(settings))

        def make(kind: Any = kind, settings: Any = settings, **changes: Any) -> None:
            kind(1, config=type(settings)(**dataclasses.asdict(settings) | changes))

        yield Case(f"{kind.__name__} with settings", make, dataclasses.asdict(settings))
        valid = {"world_count": 1, "seed": 0, "device": "cpu", "config": settings}
        yield Case(kind.__name__, kind, valid | {"first_world": 0, "masked_waits": False})
    made += [probe(2) for probe in PROBES.values()]
    for world in made:
        name = type(world).__name__
        action = torch.zeros(2, len(world.action_sizes), dtype=torch.int32)
        yield Case(f"{name}.step", world.step, {"action": action}, world)
        first = {"which": torch.ones(2, dtype=torch.bool), "inventory": world.inventory.clone()}
        yield Case(f"{name}.reset", world.reset, first, world)
        state = world.state_dict()
        yield Case(f"{name}.load_state_dict", world.load_state_dict, {"state": state}, world)

        yield Case(f"{name}.load_state_dict", loader(world), state, world)
    for name, probe in PROBES.items():
        yield Case(name, probe, {"world_count": 2, "seed": 0})


def loader(owner: Any) -> Callable[..., None]:
    """Loads a state whose entries are arguments."""

    def load(**state: Any) -> None:
        owner.load_state_dict(state)

    return load


def environments() -> Iterator[Case]:
    """Gymnasium's views."""
    common = {"goals": list(GOALS), "seed": 0, "device": "cpu", "render_mode": None}
    common |= {"task_ticks": 600, "bonus": "none", "bonus_coefficient": 0.5}
    yield Case("make_tech_tree", make_tech_tree, common | {"num_envs": 1, "world": None})
    yield Case("make_tech_tree_vector", make_tech_tree_vector, common | {"num_envs": 2})
    yield Case("make_voxel_vector", make_voxel_vector, common | SMALL | {"num_envs": 1})
    one = make_tech_tree(goals=list(GOALS), render_mode="ansi")
    many = make_tech_tree_vector(2, goals=list(GOALS))
    voxel = make_voxel_vector(1, goals=list(GOALS), **SMALL)
    for env, action in ((one, 0), (many, [0, 0]), (voxel, np.zeros((1, 8), np.int64))):
        env.reset(seed=0)
        owner = Owner(env)
        name = type(env).__name__

        def step(env: Any = env, **given: Any) -> None:
            *_, terminated, truncated, _ = env.step(**given)
            if np.any(terminated) or np.any(truncated):
                env.reset()

        word = "action" if env is one else "actions"
        yield Case(f"{name}.step", step, {word: action}, owner)
        yield Case(f"{name}.reset", env.reset, {"seed": 0, "options": None}, owner)


@dataclasses.dataclass
class Owner:
    """Of an environment: the state of its game."""

    env: Any

    def state_dict(self) -> dict[str, Any]:
        return self.env.game.state_dict()


PARTS: dict[str, Callable[[], Iterator[Case]]] = {
    "formulas": formulas,
    "teachers": teachers,
    "protocol": protocol,
    "worlds": worlds,
    "environments": environments,
}

if __name__ == "__main__":
    main()
