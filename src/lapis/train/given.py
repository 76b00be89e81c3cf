"""What the record of a run says of a world or a teacher that was made in Python and handed over."""

from __future__ import annotations

from dataclasses import dataclass

from lapis.registry import TeacherSettings, WorldSettings


@dataclass(frozen=True, kw_only=True)
class GivenWorld(WorldSettings):
    """Worlds that were there already, so that Lapis cannot make them again."""

    place: str
    """Module and name of their class."""

    def build(self, world_count: int, *, seed: int, device: str, first_world: int) -> None:
        """Refuses."""
        raise ValueError(_refusal("world", self.place))


@dataclass(frozen=True, kw_only=True)
class GivenTeacher(TeacherSettings):
    """A teacher that was there already, so that Lapis cannot make it again."""

    place: str
    """Module and name of its class."""

    def build(self, task_count: int) -> None:
        """Refuses."""
        raise ValueError(_refusal("curriculum", self.place))


def _refusal(part: str, place: str) -> str:
    return (
        f"the {part} of this run, a {place}, was made in Python and handed to the trainer. Only "
        f"that program can make it again; give the {part} as settings to resume and evaluate runs"
    )
