"""Worlds of Minecraft as the trainer wants them: one game in each row."""

from __future__ import annotations

import logging
from typing import Any, Callable, Dict, List, Optional, Sequence

import numpy as np

from lapis.worlds.remote.far.minerl.env import Env, LostGame
from lapis.worlds.remote.far.minerl.features import shapes
from lapis.worlds.remote.far.minerl.game import Player
from lapis.worlds.remote.far.minerl.mask import idle_mask
from lapis.worlds.remote.far.minerl.tables import Tables

_LOG = logging.getLogger(__name__)


class MineRLWorlds:
    """A batch of games that follows `FarWorlds`.

    A game that is gone, or does not answer in the middle of an episode, is ended; its row is lost
    and gets a new game at its reset.
    """

    def __init__(
        self,
        world_count: int,
        *,
        seed: int = 0,
        first_world: int = 0,
        tables: Dict[str, Any],
        ports: Sequence[int] = (),
        frame_size: int = 64,
        channel_ticks: int = 60,
        make_env: Optional[Callable[[int], Env]] = None,
    ) -> None:
        """Makes the games; none is started yet.

        Args:
            world_count: How many.
            seed: Decides the worlds, together with the number of each and of its episode.
            first_world: Number of the first row's world.
            tables: What `lapis.worlds.minerl.tables` makes.
            ports: Malmo servers to play in, one for each world; empty: games are started.
            frame_size: Pixels along each side of a frame.
            channel_ticks: Longest channel attack.
            make_env: Makes the game of a row; by default one of MineRL.

        Raises:
            ImportError: MineRL is not installed here.
            ValueError: Java or the game is missing.
        """
        self._tables = Tables(tables)
        self._make_env = make_env or _minecraft(ports, first_world, frame_size)
        self._channel_ticks = channel_ticks
        self._seed, self._first_world = seed, first_world
        self.items = self._tables.items
        self.action_sizes = self._tables.action_sizes
        self.inventory = np.zeros((world_count, len(self.items)), np.int32)
        self.died = np.zeros(world_count, bool)
        self.lost = np.zeros(world_count, bool)
        self.ticks = np.zeros(world_count, np.int32)
        self.action_mask = np.tile(idle_mask(self._tables), (world_count, 1))
        self.observation = {
            name: np.zeros((world_count, *shape), np.uint8 if name == "frame" else np.float32)
            for name, shape in shapes(self._tables, frame_size).items()
        }
        self._players: List[Optional[Player]] = [None] * world_count

    def reset(self, which: np.ndarray, inventory: np.ndarray, episode: np.ndarray) -> None:
        """Starts episode number `episode[row]` in the rows `which`, with these items."""
        for row in np.flatnonzero(which).tolist():
            player = self._players[row]
            if player is None:
                env = self._make_env(row)
                player = Player(env, self._tables, channel_ticks=self._channel_ticks)
                self._players[row] = player
            number = (self._seed, self._first_world + row, int(episode[row]))
            words = np.random.SeedSequence(number).generate_state(1)
            player.begin(int(words[0] >> 1), inventory[row].tolist())
            self.lost[row] = False
            self._show(row, player)

    def step(self, which: np.ndarray, action: np.ndarray) -> None:
        """Plays an action in the rows `which` alone; the dead do nothing."""
        for row in np.flatnonzero(which & ~self.lost).tolist():
            player = self._players[row]
            assert player is not None, "a world is reset before its first step"
            if player.died:
                self.ticks[row] = 0
                continue
            try:
                player.play(action[row].tolist())
            except LostGame as error:
                _LOG.warning("world %d is lost: %s", self._first_world + row, error)
                self._lose(row, player)
                continue
            self._show(row, player)

    def close(self) -> None:
        """Ends the games."""
        for player in self._players:
            if player is not None:
                player.env.close()

    def _lose(self, row: int, player: Player) -> None:
        player.env.close()
        self._players[row] = None
        self.lost[row] = True
        self.ticks[row] = 0

    def _show(self, row: int, player: Player) -> None:
        self.inventory[row] = player.items
        self.died[row] = player.died
        self.ticks[row] = player.ticks
        self.action_mask[row] = player.mask()
        for name, each in player.observation().items():
            self.observation[name][row] = each


def _minecraft(ports: Sequence[int], first_world: int, frame_size: int) -> Callable[[int], Env]:
    """What makes the game of a row."""
    from lapis.worlds.remote.far.minerl.malmo import MalmoEnv, check_game

    if not ports:
        check_game()

    def make(row: int) -> Env:
        port = ports[(first_world + row) % len(ports)] if ports else None
        return MalmoEnv(frame_size=frame_size, port=port)

    return make
