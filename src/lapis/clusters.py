"""Ray, for all parts that use it; a process joins it once."""

from __future__ import annotations

import os
import signal
from typing import Any

from lapis.extras import needed_by
from lapis.threads import usable_cores

__all__ = ["join_cluster"]


def join_cluster(address: str, what: str) -> Any:
    """The package `ray`, connected to the cluster at `address`, or to the one it is in already.

    Without an address it is the one that RAY_ADDRESS names, or one that this process starts with
    the cores that it may use. `what` needs it, for the message if it is not installed.

    Raises:
        ConnectionError: There is no cluster at the address.
    """
    with needed_by(what, "ray"):
        import ray  # pyright: ignore[reportMissingImports]
    if ray.is_initialized():
        return ray
    place = address or os.environ.get("RAY_ADDRESS")
    own = {} if place else {"num_cpus": usable_cores(), "include_dashboard": False}
    handler = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(address=place or "local", log_to_driver=False, logging_level="ERROR", **own)
    except ConnectionError as error:
        raise ConnectionError(f"Ray cannot be reached at {place!r}: {error}") from error
    signal.signal(signal.SIGTERM, handler)  # Ray has put its own in place, which ends at once.
    return ray
