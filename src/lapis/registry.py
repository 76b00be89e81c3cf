"""What users can add: worlds, teachers and frame encoders, each by its settings.

A kind of world is a frozen dataclass that inherits from `WorldSettings` and whose `build` makes the
worlds. It is chosen by a name: one of Lapis's own, an entry point of the group `lapis.worlds`, or
`module:Class`, where the module may be in the current folder. Teachers (`lapis.teachers`) and frame
encoders (`lapis.encoders`) work the same way.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.metadata
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from lapis.bounds import Checked

__all__ = [
    "ENCODERS",
    "REGISTRIES",
    "TEACHERS",
    "WORLDS",
    "EncoderSettings",
    "Registry",
    "TeacherSettings",
    "UnknownKindError",
    "WorldSettings",
    "load_object",
    "nearest",
]


class UnknownKindError(ValueError):
    """There is no such world, teacher, encoder or recipe; the message says what there is."""


@dataclass(frozen=True)
class WorldSettings(Checked):
    """Settings of a kind of world."""

    @property
    def version(self) -> int:
        """Rises with every change that can move learning curves."""
        return 1

    @property
    def action_prior(self) -> tuple[float, ...] | None:
        """Scores of all choices, in the order of the mask, for a policy without training."""
        return None

    @property
    def action_items(self) -> tuple[tuple[str, str] | None, ...] | None:
        """What each choice does with which item, such as ("craft", "stick"); None: with no item."""
        return None

    @property
    def layout(self) -> tuple[object, ...] | None:
        """The kind of observations and actions: a policy can play in all worlds of one layout.

        None: no other kind of world has this layout.
        """
        return None

    @property
    def prerequisites(self) -> Mapping[str, frozenset[str]] | None:
        """Everything that each item needs, directly or not; None: as in Minecraft."""
        return None

    @property
    def groups(self) -> Mapping[str, str] | None:
        """The group of each item in reports; None: Minecraft's groups."""
        return None

    def build(self, world_count: int, *, seed: int, device: str, first_world: int) -> Any:
        """Makes a batch of worlds that follows `lapis.worlds.world.World`.

        Args:
            world_count: Worlds that are played side by side.
            seed: Decides all chance, together with the number of each world.
            device: cpu, cuda or cuda:N.
            first_world: Number of the first world; batches of one seed have different ones.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class TeacherSettings(Checked):
    """Settings of a kind of teacher: what chooses the goals."""

    def build(self, task_count: int) -> Any:
        """Makes a `lapis.curriculum.Teacher` of `task_count` tasks."""
        raise NotImplementedError

    def build_described(self, features: Any) -> Any:
        """Makes a teacher of described tasks; `features` has the shape (task, feature).

        The trainer calls this. A kind that does not use the features needs only `build`.
        """
        return self.build(len(features))

    @classmethod
    def matched(cls, *, time_scale: float, **shared: Any) -> Self:
        """These settings with a run's time scale and whatever they share with another kind.

        Settings that this kind does not have are left out; those that are not shared keep their
        defaults.
        """
        names = {each.name for each in fields(cls)}
        given = {"time_scale": time_scale, **shared}
        return cls(**{name: value for name, value in given.items() if name in names})


@dataclass(frozen=True)
class EncoderSettings(Checked):
    """Settings of a network for frames."""

    def build(self, side: int, width: int, *, compile: bool) -> Any:
        """Makes a `torch.nn.Module` that maps bytes (..., side, side, 3) to (..., width).

        Args:
            side: Pixels along each side of a frame.
            width: Size of the embedding.
            compile: Whether to compile it for a GPU.
        """
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Registry:
    """The kinds of one part of a run, by name."""

    part: str
    """What the kinds are of, for messages."""
    group: str
    """Of entry points."""
    base: type
    """What all kinds inherit from."""
    own: Mapping[str, str]
    """The kinds that come with Lapis, as `module:Class`: a kind is imported when it is used."""

    def names(self) -> list[str]:
        """All names except those of the form `module:Class`."""
        return [*self.own, *_entry_points(self.group)]

    def find(self, name: str) -> type[Any]:
        """The settings' class of this name.

        Raises:
            UnknownKindError: There is none; the message says what there is.
        """
        place = self.own.get(name) or _entry_points(self.group).get(name) or name
        if ":" not in place:
            hint = nearest(name, self.names())
            raise UnknownKindError(
                f"{self.part} is {name!r}{hint}; or give your own as module:Class"
            )
        kind = load_object(place, self.part)
        # What inherits from a dataclass without being declared as one has none of its own fields.
        is_own = isinstance(kind, type) and "__dataclass_fields__" in vars(kind)
        if not (is_own and issubclass(kind, self.base)):
            raise UnknownKindError(
                f"{self.part} is {name!r}, which is not a dataclass that inherits from "
                f"lapis.registry.{self.base.__name__}"
            )
        return kind

    def name_of(self, kind: type) -> str:
        """The name by which `find` gives this class."""
        place = f"{kind.__module__}:{kind.__qualname__}"
        known = {**self.own, **_entry_points(self.group)}
        return next((name for name, each in known.items() if each == place), place)


WORLDS = Registry(
    part="world",
    group="lapis.worlds",
    base=WorldSettings,
    own={
        "techtree": "lapis.worlds.techtree.config:TechTreeConfig",
        "voxel": "lapis.worlds.voxel.config:VoxelConfig",
        "probe": "lapis.worlds.probe_config:ProbeConfig",
        "remote": "lapis.worlds.remote.config:RemoteConfig",
        "minerl": "lapis.worlds.minerl.config:MineRLConfig",
        "minetest": "lapis.worlds.minetest.config:MinetestConfig",
        "minetest_voxel": "lapis.worlds.minetest.config:MinetestVoxelConfig",
        "craftax": "lapis.worlds.craftax.config:CraftaxConfig",
        "xland": "lapis.worlds.xland.config:XLandConfig",
    },
)
TEACHERS = Registry(
    part="curriculum",
    group="lapis.teachers",
    base=TeacherSettings,
    own={
        "uniform": "lapis.curriculum.uniform:UniformConfig",
        "learning_progress": "lapis.curriculum.progress:LearningProgressConfig",
        "success_band": "lapis.curriculum.rivals.band:SuccessBandConfig",
        "learnability": "lapis.curriculum.rivals.learnability:LearnabilityConfig",
        "regression_slope": "lapis.curriculum.rivals.slope:RegressionSlopeConfig",
        "rank_staleness": "lapis.curriculum.rivals.staleness:RankStalenessConfig",
        "half_window": "lapis.curriculum.rivals.halves:HalfWindowConfig",
        "clusters": "lapis.curriculum.large.settings:ClustersConfig",
        "function": "lapis.curriculum.large.settings:FunctionConfig",
    },
)
ENCODERS = Registry(
    part="policy.frames",
    group="lapis.encoders",
    base=EncoderSettings,
    own={"impala": "lapis.agent.config:ImpalaConfig"},
)
REGISTRIES: dict[type, Registry] = {each.base: each for each in (WORLDS, TEACHERS, ENCODERS)}
"""By what their kinds inherit from."""


def load_object(place: str, part: str) -> Any:
    """What `module:name` stands for; the module may lie in the current folder.

    Raises:
        UnknownKindError: There is no such module, or it holds no such name.
    """
    module_name, _, name = place.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # The module is there, but imports something that is not.
        raise UnknownKindError(
            f"{part} is {place!r}, but there is no module {module_name!r}: neither installed nor "
            f"a file {module_name.replace('.', '/')}.py in {os.getcwd()}"
        ) from error
    if not hasattr(module, name):
        public = [each for each in vars(module) if not each.startswith("_")]
        raise UnknownKindError(
            f"{part} is {place!r}, but {module_name} has no {name!r}" + nearest(name, public)
        )
    return getattr(module, name)


def nearest(name: object, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the nearest one, and all that exist."""
    names = list(known)
    close = difflib.get_close_matches(str(name), names, n=1)
    return (f"; did you mean {close[0]!r}?" if close else ";") + f" Known: {', '.join(names)}"


@functools.cache
def _entry_points(group: str) -> dict[str, str]:
    return {each.name: each.value for each in importlib.metadata.entry_points(group=group)}
