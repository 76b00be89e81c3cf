"""Playing the next rollout while the policy learns from the last one: for slow worlds."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager

import torch
from torch import Tensor

from lapis.agent.player import Game, Player
from lapis.agent.policy import Policy
from lapis.agent.rollout import Rollout

__all__ = ["AheadPlayer"]


class AheadPlayer(Player):
    """A player with its own policy, which can play in its own thread.

    When a rollout begins, its policy copies the weights of the one that learns, and keeps them
    until the rollout is over. All random draws come from the player's generator. So what is played
    does not depend on how long playing and learning take.
    """

    def __init__(self, policy: Policy, game: Game, *, learner: Policy, seed: int) -> None:
        """Plays with `policy`, which gets the weights of `learner`."""
        super().__init__(policy, game, seed=seed)
        self._learner = learner
        # Each thread has its own number of PyTorch threads: here as many as for learning, because
        # the last bits of sums depend on it.
        threads = torch.get_num_threads()
        self._thread = ThreadPoolExecutor(1, "lapis-ahead", torch.set_num_threads, (threads,))
        is_on_gpu = game.device.type == "cuda"
        self._stream = torch.cuda.Stream(game.device) if is_on_gpu else None
        self._is_unwanted = False

    def collect(self, rollout: Rollout) -> None:
        """Fills the rollout, in this thread."""
        self._take_weights()
        super().collect(rollout)

    @contextmanager
    def ahead(self, rollout: Rollout) -> Iterator[None]:
        """While entered, the rollout is played; on leaving, it is waited for.

        Leaving raises what went wrong in the worlds. After an error inside, nobody needs the
        rollout, and it ends with the step under way.
        """
        self._take_weights()
        if self._stream is not None:  # All that is queued so far comes first.
            self._stream.wait_stream(torch.cuda.current_stream(self.game.device))
        playing = self._thread.submit(self._collect_in_thread, rollout)
        try:
            yield
            playing.result()
        finally:
            self._is_unwanted = True
            wait([playing])
            self._is_unwanted = False

    def act(self, rollout: Rollout, step: int) -> Tensor:
        """As every player, unless nobody needs the rollout any more."""
        if self._is_unwanted:
            raise _UnwantedError
        return super().act(rollout, step)

    def _take_weights(self) -> None:
        self.policy.load_state_dict(self._learner.state_dict())

    def _collect_in_thread(self, rollout: Rollout) -> None:
        if self._stream is None:
            super().collect(rollout)
            return
        with torch.cuda.stream(self._stream):
            super().collect(rollout)
            done = torch.cuda.Event(blocking=True)
            done.record(self._stream)
        done.synchronize()


class _UnwantedError(Exception):
    """Ends a rollout that nobody needs."""
