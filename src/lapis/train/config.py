"""The configuration of a run: frozen, checked, saved as JSON and read back unchanged."""

from __future__ import annotations

import dataclasses
import operator
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from lapis.agent.config import PolicyConfig, PPOConfig
from lapis.agent.schedule import Schedule
from lapis.bounds import COUNT, SEED, WHOLE, Checked, require
from lapis.curriculum import ExplorationConfig, LearningProgressConfig
from lapis.registry import (
    REGISTRIES,
    TEACHERS,
    WORLDS,
    TeacherSettings,
    UnknownKindError,
    WorldSettings,
    nearest,
)
from lapis.runs import RunError
from lapis.runs.metrics import flat_items
from lapis.runs.old_config import current_config
from lapis.simonsays import SimonSaysConfig
from lapis.treatments import CUSTOM, TREATMENTS, label_of
from lapis.worlds.techtree import TechTreeConfig

__all__ = [
    "ConfigError",
    "TrainConfig",
    "from_dict",
    "load_config",
    "to_dict",
    "with_curriculum",
    "with_settings",
    "with_treatment",
]


@dataclass(frozen=True, kw_only=True)
class TrainConfig(Checked):
    """A whole run."""

    simonsays: SimonSaysConfig
    """Goals, time limits and bonus."""
    world: WorldSettings = field(default_factory=TechTreeConfig)
    """The worlds to play in: any kind of `lapis.registry.WORLDS`."""
    world_count: Annotated[int, COUNT] = 1024
    """Worlds that are played side by side."""
    seed: Annotated[int, SEED] = 0
    """Seed of everything random."""
    updates: Annotated[int, COUNT] = 50_000
    """Optimization steps of the run (paper P23)."""
    rollout_steps: Annotated[int, COUNT] = 16
    """Policy steps per world and update, a multiple of `ppo.sequence_steps`. The paper plays
    about 17,180 per update in all worlds together (paper P22)."""
    evaluation_updates: Annotated[int, WHOLE] = 0
    """Updates between evaluations, which play every goal from an empty inventory; there is always
    one after the last update. 0: no evaluations."""
    evaluation_attempts: Annotated[int, COUNT] = 10
    """Attempts per goal, and per pair, in an evaluation."""
    evaluation_pairs: Annotated[int, WHOLE] = 0
    """With `simonsays.pairs`: how many pairs an evaluation plays in addition to all single goals.
    They are drawn once, evenly, and are the same in all runs with the same goals."""
    evaluation_worlds: Annotated[int, WHOLE] = 0
    """How many of its worlds (one per goal and attempt) an evaluation plays at the same time, at
    most. 0: all."""
    checkpoint_worlds: bool = True
    """Whether checkpoints include the worlds, so that a resumed run continues bit for bit. False:
    they are much smaller, and a resumed run begins new episodes with empty inventories."""
    device: str = "cpu"
    """Where worlds and policy are computed: cpu, cuda or cuda:N."""
    cuda_graphs: bool = True
    """On a GPU: records rollout and update once and replays them, which gives the same bits much
    faster."""
    overlap: bool = False
    """Whether the worlds play the next rollout while the policy learns from the last one. This
    helps if worlds are slow without keeping the processor busy, like games in their own processes.
    The rollout is played by the policy as it was one update ago. PPO's ratio accounts for that: the
    stored probabilities are those of the policy that played. Needs `checkpoint_worlds` off, and on
    a GPU `cuda_graphs` and `policy.compile`, too."""
    threads: Annotated[int, WHOLE] = 0
    """PyTorch's CPU threads; 0: one per core that this process may use (`lapis.threads`). The last
    bits of sums depend on it."""
    policy: PolicyConfig = field(default_factory=PolicyConfig)
    """Network."""
    initial_policy: str = ""
    """A run, or a file written by `lapis export`, whose weights and success averages this run
    starts with; empty: random weights. Goals and network must be the same."""
    ppo: PPOConfig = field(default_factory=PPOConfig)
    """Learning."""
    curriculum: TeacherSettings = field(default_factory=LearningProgressConfig)
    """Which goals are asked for: any kind of `lapis.registry.TEACHERS`."""
    exploration: ExplorationConfig = field(default_factory=ExplorationConfig)
    """Which goals still pay a dynamic bonus (paper P8)."""
    treatment: str = CUSTOM
    """Treatment that this run counts as, see `lapis.treatments`; 'custom' if its settings agree
    with none. A run made by `with_treatment` keeps its name as long as its settings agree."""

    def __post_init__(self) -> None:
        super().__post_init__()
        steps = self.ppo.sequence_steps
        require(
            self.rollout_steps % steps == 0,
            "rollout_steps",
            self.rollout_steps,
            f"a multiple of ppo.sequence_steps = {steps}",
        )
        goal_count = len(self.simonsays.goals)
        pair_count = goal_count * (goal_count - 1) // 2 if self.simonsays.pairs else 0
        require(
            self.evaluation_pairs <= pair_count,
            "evaluation_pairs",
            self.evaluation_pairs,
            f"at most {pair_count}, the number of pairs that are tasks (simonsays.pairs)",
        )
        for name in ("action_prior", "action_items"):
            require(
                not getattr(self.policy, name) or getattr(self.world, name) is not None,
                f"policy.{name}",
                True,
                f"False in worlds without {name}, such as {type(self.world).__name__}",
            )
        if self.overlap:
            self._check_overlap()
        given = self.treatment
        if given not in (CUSTOM, *TREATMENTS):
            raise ValueError(f"treatment is {given!r}{nearest(given, TREATMENTS)}")
        object.__setattr__(self, "treatment", label_of(to_dict(self), given))

    def _check_overlap(self) -> None:
        """Refuses settings that are impossible or unsafe while a rollout is played ahead."""
        on_gpu = self.device.startswith("cuda")
        for name, is_on, flag in (
            ("checkpoint_worlds", self.checkpoint_worlds, "--no-checkpoint-worlds"),
            ("cuda_graphs on a GPU", self.cuda_graphs and on_gpu, "--no-cuda-graphs"),
            ("policy.compile on a GPU", self.policy.compile and on_gpu, "--policy.no-compile"),
        ):
            require(not is_on, "overlap", True, f"False with {name}; to keep it, add {flag}")

    @property
    def world_name(self) -> str:
        """The name of the kind of world in `lapis.registry.WORLDS`."""
        return WORLDS.name_of(type(self.world))

    @property
    def frames_per_update(self) -> int:
        """Policy steps of all worlds in one update."""
        return self.world_count * self.rollout_steps

    @property
    def frame_total(self) -> int:
        """Policy steps of the whole run."""
        return self.updates * self.frames_per_update


def with_treatment(config: TrainConfig, name: str) -> TrainConfig:
    """The same run under one of the `TREATMENTS`.

    Raises:
        ValueError: There is none of this name, or the run already is a rival or an ablation, whose
            other settings would stay.
    """
    if name not in TREATMENTS:
        raise ValueError(f"treatment is {name!r}{nearest(name, TREATMENTS)}")
    if name == config.treatment:
        return config
    is_paper = config.treatment == CUSTOM or TREATMENTS[config.treatment].family == "paper"
    require(is_paper, "treatment", config.treatment, "one of the paper's to apply another")
    treatment = TREATMENTS[name]
    config = with_curriculum(config, treatment.curriculum)
    scaled = {
        place: factor * operator.attrgetter(place)(config)
        for place, factor in treatment.factors.items()
    }
    return _replace(config, {**treatment.settings, **scaled, "treatment": name})


def with_curriculum(config: TrainConfig, name: str) -> TrainConfig:
    """The same run with a curriculum of the kind of this name in `TEACHERS`.

    A curriculum of another kind takes over the run's time scale and floor, if it has such settings;
    the rest are its defaults.
    """
    kind = TEACHERS.find(name)
    now = config.curriculum
    if type(now) is kind:
        return config
    shared = {"floor": now.floor} if hasattr(now, "floor") else {}  # pyright: ignore
    time_scale = getattr(now, "time_scale", config.exploration.time_scale)
    return dataclasses.replace(config, curriculum=kind.matched(time_scale=time_scale, **shared))


def with_settings(config: TrainConfig, settings: Mapping[str, Any]) -> TrainConfig:
    """The same run with other values for settings, by their dotted names, as config.json has them.

    Raises:
        ValueError: A name is unknown (the message names the nearest), or a value not allowed.
    """
    values = to_dict(config)
    for place, value in settings.items():
        inner, (*parts, last) = values, place.split(".")
        for part in parts:
            inner = inner.get(part) if isinstance(inner, dict) else None
        if not isinstance(inner, dict) or last not in inner:
            known = [name for name, _ in flat_items(to_dict(config))]
            raise ValueError(f"unknown setting {place!r}{nearest(place, known)}")
        inner[last] = value
    return from_dict(TrainConfig, values)


def to_dict(config: Any) -> dict[str, Any]:
    """A config as JSON types; `from_dict` turns it back into an equal config."""
    values = {
        each.name: _as_json(getattr(config, each.name)) for each in dataclasses.fields(config)
    }
    for base, registry in REGISTRIES.items():
        if isinstance(config, base):
            return {"kind": registry.name_of(type(config)), **values}
    return values


class ConfigError(RunError, ValueError):
    """A configuration that no run can have."""


def load_config(values: dict[str, Any]) -> TrainConfig:
    """The configuration in a config.json, also of an earlier version.

    Raises:
        ConfigError: For what `from_dict` refuses.
    """
    try:
        return from_dict(
            TrainConfig, current_config(values) if isinstance(values, dict) else values
        )
    except UnknownKindError:
        raise
    except (
        TypeError,
        ValueError,
        LookupError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise ConfigError(f"the configuration cannot be used: {error}") from error


Config = TypeVar("Config")


def from_dict(kind: type[Config], values: dict[str, Any], *, place: str = "") -> Config:
    """Makes a config of class `kind`; missing settings get their defaults.

    Raises:
        ValueError: A key is unknown (the message names the nearest one) or missing, a value has the
            wrong type or is out of range.
    """
    if not isinstance(values, dict):
        raise ValueError(f"{place.rstrip('.') or 'config'} is {values!r}; it must be a dict")
    hints = get_type_hints(kind)
    for key in values:
        if key not in hints:
            raise ValueError(f"unknown setting {place + str(key)!r}{nearest(key, hints)}")
    parsed = {key: _parse(hints[key], value, place + key) for key, value in values.items()}
    for each in dataclasses.fields(kind):  # pyright: ignore[reportArgumentType]
        has_default = not (each.default is each.default_factory is dataclasses.MISSING)
        if not has_default and each.name not in values:
            raise ValueError(f"the setting {place + each.name!r} is missing")
    return kind(**parsed)


def _parse(hint: Any, value: Any, place: str) -> Any:
    """`value` as the type of `hint`, or a ValueError that names the setting."""
    if hint is Schedule:
        return Schedule.from_json(value, place)
    if hint in REGISTRIES:
        is_tagged = isinstance(value, dict) and isinstance(value.get("kind"), str)
        require(is_tagged, place, value, "a dict with a `kind`")
        rest = {key: each for key, each in value.items() if key != "kind"}
        return from_dict(REGISTRIES[hint].find(value["kind"]), rest, place=place + ".")
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return from_dict(hint, value, place=place + ".")
    if get_origin(hint) in (types.UnionType, Union):
        if value is None and type(None) in get_args(hint):
            return None
        (hint,) = (option for option in get_args(hint) if option is not type(None))
        return _parse(hint, value, place)
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise ValueError(f"{place} is {value!r}{nearest(value, get_args(hint))}")
        return value
    if get_origin(hint) is tuple:
        require(isinstance(value, list | tuple), place, value, "a list")
        return tuple(_parse(get_args(hint)[0], item, place) for item in value)
    if hint is float and type(value) is int:
        return float(value)
    require(type(value) is hint, place, value, f"of type {getattr(hint, '__name__', hint)}")
    return value


def _as_json(value: Any) -> Any:
    if isinstance(value, Schedule):
        return value.to_json()
    if dataclasses.is_dataclass(value):
        return to_dict(value)
    return [_as_json(item) for item in value] if isinstance(value, list | tuple) else value


def _replace(config: Any, settings: Mapping[str, Any]) -> Any:
    """A copy with new values for settings, given by their dotted names."""
    changes: dict[str, Any] = {}
    for place, value in settings.items():
        part, _, rest = place.partition(".")
        inner = changes.get(part, getattr(config, part))
        changes[part] = _replace(inner, {rest: value}) if rest else value
    return dataclasses.replace(config, **changes)
