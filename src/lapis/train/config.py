"""The configuration of a run: frozen, checked, saved as JSON and read back unchanged."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import math
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from lapis.agent.config import PolicyConfig, PPOConfig, require
from lapis.simonsays import BonusKind, SimonSaysConfig
from lapis.train.variants import CHANGES, VariantName
from lapis.worlds.habits import HABITS_OF_WORLD
from lapis.worlds.techtree import TechTreeConfig
from lapis.worlds.voxel.config import VoxelConfig

CurriculumKind = Literal[
    "uniform",
    "learning_progress",
    "success_band",
    "learnability",
    "regression_slope",
    "rank_staleness",
    "half_window",
]
Direction = Literal["both", "up"]
Weighting = Literal["sigmoid", "proportional"]
WorldName = Literal["techtree", "voxel", "bandit", "memory", "first_step", "masked", "two_goals"]


@dataclass(frozen=True, kw_only=True)
class CurriculumConfig:
    """Which goals are sampled (paper P1-P5) and which still pay a dynamic bonus (paper P8)."""

    kind: CurriculumKind = "learning_progress"
    """How goals are chosen: uniformly, by learning progress, or by one of the rivals in
    `lapis.curriculum`. Direction, reweighting, weighting and shrinkage apply to progress only."""
    direction: Direction = "both"
    """Progress counts in both directions, or upwards only (paper P2)."""
    time_scale: float = 1250.0
    """Time scale of the success averages [updates] (paper P1). Rivals with windows of
    scores look back equally far: `lapis.train.build.window_length`."""
    reweight_threshold: float = 0.1
    """Success probability that reweighting lifts to one half (paper P3); 0.5: no reweighting."""
    weighting: Weighting = "sigmoid"
    """Sampling by a sigmoid of the z-scored progress (paper P4), or in proportion to progress."""
    floor: float = 0.0
    """Share of the probability that is spread evenly over all goals, for every kind; it replaces
    a rival's own floor. The paper has none."""
    noise_shrinkage: float = 0.0
    """Progress smaller than this many standard deviations of its noise counts as zero; 0 is the
    paper's rule."""
    exploration_threshold: float = 0.1
    """Success probability below which a goal is in the exploration set (paper P8)."""

    def __post_init__(self) -> None:
        _require_choice("kind", self.kind, get_args(CurriculumKind))
        _require_choice("direction", self.direction, get_args(Direction))
        _require_choice("weighting", self.weighting, get_args(Weighting))
        require(1 <= self.time_scale < math.inf, "time_scale", self.time_scale, "1 or more")
        require(0 <= self.floor <= 1, "floor", self.floor, "in [0, 1]")
        for name in ("reweight_threshold", "exploration_threshold"):
            value = getattr(self, name)
            require(0 < value < 1, name, value, "above 0 and below 1")
        shrinkage = self.noise_shrinkage
        require(0 <= shrinkage < math.inf, "noise_shrinkage", shrinkage, "0 or more")


@dataclass(frozen=True, kw_only=True)
class Treatment:
    """What the paper varies between its runs (paper P23)."""

    kind: CurriculumKind
    """Curriculum."""
    direction: Direction = "both"
    """Direction of learning progress; the uniform curriculum ignores it."""
    bonus: BonusKind
    """Exploration bonus."""
    bonus_coefficient: float
    """Weight of the bonus in the reward (paper P7, P8)."""


TREATMENTS: dict[str, Treatment] = {
    "uniform": Treatment(kind="uniform", bonus="none", bonus_coefficient=0.0),
    "uniform_fixed": Treatment(kind="uniform", bonus="fixed", bonus_coefficient=0.05),
    "uniform_dynamic": Treatment(kind="uniform", bonus="dynamic", bonus_coefficient=0.5),
    "unidirectional": Treatment(
        kind="learning_progress", direction="up", bonus="dynamic", bonus_coefficient=0.5
    ),
    "bidirectional": Treatment(
        kind="learning_progress", direction="both", bonus="dynamic", bonus_coefficient=0.5
    ),
}
"""The paper's five, from fewest to most goals discovered there (paper P23)."""


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """A whole run."""

    simonsays: SimonSaysConfig
    """Goals, clocks and bonus."""
    world: WorldName = "techtree"
    """Which worlds to play in: the tech tree, voxels, or one of `lapis.worlds.probes`."""
    techtree: TechTreeConfig = field(default_factory=TechTreeConfig)
    """Scale of the tech-tree world."""
    voxel: VoxelConfig = field(default_factory=VoxelConfig)
    """Size of the voxel worlds, and how they are seen."""
    world_count: int = 1024
    """Worlds that are played side by side."""
    seed: int = 0
    """Seed of everything random."""
    updates: int = 50_000
    """Optimization steps of the run (paper P23)."""
    rollout_steps: int = 16
    """Policy steps per world and update, a multiple of `ppo.sequence_steps`. The paper plays
    about 17,180 per update in all worlds together (paper P22)."""
    evaluation_updates: int = 0
    """Updates between evaluations, which play every goal from an empty inventory; there is always
    one after the last update. 0: no evaluations."""
    evaluation_attempts: int = 10
    """Attempts per goal in an evaluation."""
    evaluation_worlds: int = 0
    """Most worlds that an evaluation plays at once; it needs one per goal and attempt. 0: all at
    once."""
    checkpoint_worlds: bool = True
    """Whether checkpoints include the worlds, so that a resumed run continues bit for bit. False:
    they are much smaller, and a resumed run begins new episodes with empty inventories."""
    device: str = "cpu"
    """Where worlds and policy live: cpu, cuda or cuda:N."""
    cuda_graphs: bool = True
    """On a GPU: records rollout and update once and replays them; same bits, much faster."""
    threads: int = 0
    """PyTorch's CPU threads; 0: one per core that this process may use (`lapis.threads`). The last
    bits of sums depend on it."""
    policy: PolicyConfig = field(default_factory=PolicyConfig)
    """Network."""
    ppo: PPOConfig = field(default_factory=PPOConfig)
    """Learning."""
    curriculum: CurriculumConfig = field(default_factory=CurriculumConfig)
    """Goal sampling."""
    variant: VariantName | None = None
    """Name of the rival or ablation, if this run is one (docs/variants.md). It must agree with the
    settings; `with_variant` sets both."""

    def __post_init__(self) -> None:
        _require_choice("world", self.world, get_args(WorldName))
        for name in ("world_count", "updates", "rollout_steps", "evaluation_attempts"):
            value = getattr(self, name)
            require(value >= 1, name, value, "at least 1")
        for name in ("threads", "evaluation_updates", "evaluation_worlds"):
            require(getattr(self, name) >= 0, name, getattr(self, name), "0 or more")
        require(0 <= self.seed < 2**31, "seed", self.seed, "at least 0 and below 2**31")
        require(
            self.rollout_steps % self.ppo.sequence_steps == 0,
            "rollout_steps",
            self.rollout_steps,
            f"a multiple of ppo.sequence_steps = {self.ppo.sequence_steps}",
        )
        if self.policy.habits:
            worlds = tuple(HABITS_OF_WORLD)
            require(self.world in worlds, "world", self.world, f"one of {worlds} for policy.habits")
        if self.variant is not None:
            _require_choice("variant", self.variant, CHANGES)
            _check_variant(self, self.variant)

    @property
    def frames_per_update(self) -> int:
        """Policy steps of all worlds in one update."""
        return self.world_count * self.rollout_steps

    @property
    def treatment(self) -> str:
        """The variant's name, or the treatment that the settings match, or 'custom'.

        Settings that differ between recipes (scale, seed, time scale, floor) do not matter.
        """
        if self.variant is not None:
            return self.variant
        return next((name for name in TREATMENTS if with_treatment(self, name) == self), "custom")


def with_variant(config: TrainConfig, name: str) -> TrainConfig:
    """The same run under the bidirectional treatment, with the changes of the variant."""
    _require_choice("variant", name, CHANGES)
    base = with_treatment(config, "bidirectional")
    change = CHANGES[name]
    scaled = {place: factor * _setting(base, place) for place, factor in change.factors.items()}
    return _replace(base, {**change.settings, **scaled, "variant": name})


def with_treatment(config: TrainConfig, name: str) -> TrainConfig:
    """The same run under one of the `TREATMENTS`."""
    _require_choice("treatment", name, TREATMENTS)
    require(config.variant is None, "variant", config.variant, "None to apply another")
    treatment = TREATMENTS[name]
    return dataclasses.replace(
        config,
        curriculum=dataclasses.replace(
            config.curriculum, kind=treatment.kind, direction=treatment.direction
        ),
        simonsays=dataclasses.replace(
            config.simonsays,
            bonus=treatment.bonus,
            bonus_coefficient=treatment.bonus_coefficient,
        ),
    )


def to_dict(config: Any) -> dict[str, Any]:
    """A config as JSON types; `from_dict` turns it back into an equal config."""
    return _as_json(dataclasses.asdict(config))


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
            raise ValueError(f"unknown setting {place + str(key)!r}{_nearest(key, hints)}")
    parsed = {key: _parse(hints[key], value, place + key) for key, value in values.items()}
    for each in dataclasses.fields(kind):  # pyright: ignore[reportArgumentType]
        has_default = not (each.default is each.default_factory is dataclasses.MISSING)
        if not has_default and each.name not in values:
            raise ValueError(f"the setting {place + each.name!r} is missing")
    return kind(**parsed)


def _parse(hint: Any, value: Any, place: str) -> Any:
    """`value` as the type of `hint`, or a ValueError that names the setting."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return from_dict(hint, value, place=place + ".")
    if get_origin(hint) in (types.UnionType, Union):
        if value is None and type(None) in get_args(hint):
            return None
        (hint,) = (option for option in get_args(hint) if option is not type(None))
        return _parse(hint, value, place)
    if get_origin(hint) is Literal:
        _require_choice(place, value, get_args(hint))
        return value
    if get_origin(hint) is tuple:
        require(isinstance(value, list | tuple), place, value, "a list")
        return tuple(_parse(get_args(hint)[0], item, place) for item in value)
    if hint is float and type(value) is int:
        return float(value)
    require(type(value) is hint, place, value, f"of type {getattr(hint, '__name__', hint)}")
    return value


def _as_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    return value


def _check_variant(config: TrainConfig, name: str) -> None:
    """Refuses a variant whose settings were changed; factors cannot be checked."""
    bidirectional = TREATMENTS["bidirectional"]
    expected = {
        "curriculum.kind": bidirectional.kind,
        "curriculum.direction": bidirectional.direction,
        "simonsays.bonus": bidirectional.bonus,
        "simonsays.bonus_coefficient": bidirectional.bonus_coefficient,
        **CHANGES[name].settings,
    }
    for place, value in expected.items():
        found = _setting(config, place)
        require(found == value, place, found, f"{value!r} in the variant {name!r}")


def _setting(config: Any, place: str) -> Any:
    """The value of a setting by its dotted name."""
    return functools.reduce(getattr, place.split("."), config)


def _replace(config: Any, settings: Mapping[str, Any]) -> Any:
    """A copy with new values for settings, given by their dotted names."""
    changes: dict[str, Any] = {}
    for place, value in settings.items():
        part, _, rest = place.partition(".")
        inner = changes.get(part, getattr(config, part))
        changes[part] = _replace(inner, {rest: value}) if rest else value
    return dataclasses.replace(config, **changes)


def _require_choice(name: str, value: object, choices: Iterable[str]) -> None:
    if value not in tuple(choices):
        raise ValueError(f"{name} is {value!r}{_nearest(value, choices)}")


def _nearest(name: object, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(str(name), list(known), n=1)
    return (f"; did you mean {close[0]!r}?" if close else "") + f" Known: {', '.join(known)}"
