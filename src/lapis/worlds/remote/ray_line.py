"""Far ends that are actors of Ray, on this machine or on a cluster."""

from __future__ import annotations

import contextlib
from typing import Any

from lapis.clusters import join_cluster
from lapis.worlds.remote.far.host import Host
from lapis.worlds.remote.far.messages import Message
from lapis.worlds.remote.lines import GOODBYE_SECONDS, LostError

__all__ = ["RayLine"]


class RayLine:
    """An actor that holds a `Host`; Ray chooses the machine.

    On a cluster it asks for a core. A Ray that this process started has no other work, so any
    number of actors can start.
    """

    def __init__(self, address: str = "") -> None:
        """Starts the actor at an address of `join_cluster`.

        Raises:
            ValueError: There is no cluster at the address.
        """
        try:
            self._ray = join_cluster(address, "`--world.transport ray`")
        except ConnectionError as error:
            raise ValueError(f"transport is 'ray:{address}': {error}") from error
        # Worlds that Ray brought back by itself would have forgotten their episodes.
        kind = self._ray.remote(num_cpus=1 if address else 0, max_restarts=0)(Host)
        self._actor = kind.remote()
        self._answer: Any = None

    def send(self, question: Message, seconds: float) -> None:
        """Asks, and does not wait for the answer."""
        self._answer = self._actor.answer.remote(question)

    def receive(self, seconds: float) -> Message:
        """The answer to the last question."""
        errors = self._ray.exceptions
        try:
            return self._ray.get(self._answer, timeout=seconds)
        except errors.GetTimeoutError as error:
            raise LostError(f"no answer after {seconds:.0f} s") from error
        except errors.RayError as error:
            raise LostError(str(error).strip().splitlines()[-1]) from error

    def end(self, *, at_once: bool) -> None:
        """Ends the actor."""
        if not self._ray.is_initialized():  # At the end of a process Ray may be the first to go.
            return
        if not at_once:
            with contextlib.suppress(LostError):
                self.send(Message("close"), GOODBYE_SECONDS)
                self.receive(GOODBYE_SECONDS)
        self._ray.kill(self._actor)
