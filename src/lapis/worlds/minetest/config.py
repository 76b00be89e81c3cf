"""Minetest's worlds in two layouts: the depth of the land, and servers for the players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from lapis.bounds import COUNT, POSITIVE, WHOLE, Bound
from lapis.registry import WorldSettings
from lapis.worlds.voxel.layout import VoxelLayout

if TYPE_CHECKING:
    from lapis.worlds.minetest.tree import Tree
    from lapis.worlds.remote.world import RemoteWorld

WORLD_VERSION = 2
"""Rises with every change that can move learning curves."""
VOXEL_WORLD_VERSION = 1
"""The same for the worlds in the layout of the voxel world."""
FACTORY = "lapis.worlds.minetest.far:MinetestWorlds"
VOXEL_FACTORY = "lapis.worlds.minetest.voxel_far:MinetestVoxelWorlds"


@dataclass(frozen=True, kw_only=True)
class ServerSettings(WorldSettings):
    """Settings of the game's servers. Each has several players, and each player a piece of land."""

    servers: Annotated[int, COUNT] = 2
    """Servers among which the players are divided; each takes about a core, and 32 players."""
    lowest: Annotated[int, Bound(least=-1500, most=-33, whole=True)] = -352
    """Height of the deepest land [nodes]. Iron lies from -128 down, gold from -256, mese from -512,
    diamonds from -1024; goals that need what lies deeper are left out."""
    start_seconds: Annotated[float, POSITIVE] = 60.0
    """Time to start a server, or to begin episodes."""
    step_seconds: Annotated[float, POSITIVE] = 30.0
    """Time to answer anything else. After that a server counts as lost and is replaced."""
    retries: Annotated[int, WHOLE] = 3
    """How often in a row a server is replaced without a step in between, before the run fails."""

    def _build_remote(
        self, factory: str, options: tuple[str, ...], world_count: int, **given: Any
    ) -> RemoteWorld:
        from lapis.worlds.minetest.server import find_server, game_folder
        from lapis.worlds.remote.config import RemoteConfig

        find_server()
        game_folder()
        elsewhere = RemoteConfig(
            factory=factory,
            options=(f"lowest={self.lowest}", *options),
            ends=self.servers,
            start_seconds=self.start_seconds,
            step_seconds=self.step_seconds,
            retries=self.retries,
        )
        return elsewhere.build(world_count, **given)


@dataclass(frozen=True, kw_only=True)
class MinetestConfig(ServerSettings):
    """Minetest with its own goals, actions and observations."""

    frame_size: Annotated[int, Bound(least=0, most=256, whole=True)] = 0
    """Pixels along each side of the frames that players see in addition to everything else; 0:
    none. A policy that sees them needs a network for frames."""

    @property
    def version(self) -> int:
        """Of the rules of this world."""
        return WORLD_VERSION

    @property
    def tree(self) -> Tree:
        """What can be obtained."""
        from lapis.worlds.minetest.tree import game_tree

        return game_tree(self.lowest)

    @property
    def action_prior(self) -> tuple[float, ...]:
        """Favors walking and digging; making things is rare."""
        from lapis.worlds.minetest.actions import action_prior

        return action_prior(self.tree)

    @property
    def action_items(self) -> tuple[tuple[str, str] | None, ...]:
        """What each action does with which item."""
        from lapis.worlds.minetest.actions import action_items

        return action_items(self.tree)

    @property
    def prerequisites(self) -> Mapping[str, frozenset[str]]:
        """All that each item needs, directly or not."""
        return self.tree.all_needs

    @property
    def groups(self) -> Mapping[str, str]:
        """The ore that each item takes."""
        return self.tree.group

    def build(self, world_count: int, *, seed: int, device: str, first_world: int) -> RemoteWorld:
        """Starts the servers, and an episode in every world.

        Raises:
            FileNotFoundError: Minetest is not installed; the message says how to install it.
        """
        options = (f"frame_size={self.frame_size}",)
        given = {"seed": seed, "device": device, "first_world": first_world}
        return self._build_remote(FACTORY, options, world_count, **given)


@dataclass(frozen=True, kw_only=True)
class MinetestVoxelConfig(ServerSettings, VoxelLayout):
    """Minetest with the actions and observations of the voxel world, for policies from there."""

    channel_ticks: Annotated[int, Bound(least=4, most=6000, whole=True)] = 80
    """Longest channel attack [ticks]; 70 break a trunk by hand."""

    @property
    def version(self) -> int:
        """Of the rules of this world."""
        return VOXEL_WORLD_VERSION

    def build(self, world_count: int, *, seed: int, device: str, first_world: int) -> RemoteWorld:
        """Starts the servers, and an episode in every world.

        Raises:
            FileNotFoundError: Minetest is not installed; the message says how to install it.
        """
        options = (f"frame_size={self.frame_size}", f"channel_ticks={self.channel_ticks}")
        given = {"seed": seed, "device": device, "first_world": first_world}
        return self._build_remote(VOXEL_FACTORY, options, world_count, **given)
