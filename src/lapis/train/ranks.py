"""The processes that train one run together; a single process is a group of one.

Every rank plays its share of the worlds and holds the same weights and the same curriculum, because
sums over all ranks have the same bits everywhere. The first rank alone writes and shows anything.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor

from lapis.runs import RunError
from lapis.torchrun import Launch, launch

__all__ = ["ALONE", "LostRankError", "Ranks", "join"]

PATIENCE = timedelta(hours=12)
"""How long ranks wait for each other. Evaluations and checkpoints of the first rank may take long;
that a rank has died is noticed by torchrun, at once."""

Value = TypeVar("Value")


class LostRankError(RunError):
    """Another rank does not answer, because it or its machine has failed."""


@dataclass(frozen=True)
class Ranks:
    """This process and the others that train the same run.

    All ranks must call the same methods in the same order. In a single process, each method returns
    what it was given.
    """

    index: int = 0
    """Number of this rank."""
    count: int = 1
    is_joined: bool = False
    """Whether there is a group to talk to; under torchrun also with a single rank."""

    @property
    def is_first(self) -> bool:
        """Whether this rank writes the run's files and shows its progress."""
        return self.index == 0

    def share(self, total: int, rank: int | None = None) -> range:
        """The part of `total` things that belongs to this rank, or to another one."""
        rank = self.index if rank is None else rank
        return range(total * rank // self.count, total * (rank + 1) // self.count)

    def seed(self, seed: int, *, update: int = 0) -> int:
        """This rank's own seed, for a run with this seed that continues after `update`.

        A single process starts with the run's seed itself.
        """
        if self.count == 1 and update == 0:
            return seed
        return int(np.random.SeedSequence((seed, self.index, update)).generate_state(1)[0])

    @property
    def add(self) -> Callable[[Tensor], Tensor] | None:
        """Adds up a tensor over all ranks, in place, and returns it; None without a group.

        On a GPU it can be recorded in a CUDA graph.
        """
        return _add if self.is_joined else None

    def add_counts(self, counts: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Arrays of whole numbers, all of one shape, added up over all ranks."""
        if not self.is_joined:
            return counts
        return tuple(_add(torch.from_numpy(np.stack(counts))).numpy())

    def largest(self, number: int) -> int:
        """The largest of the numbers that the ranks give."""
        if not self.is_joined:
            return number
        found = torch.tensor(number)
        with _reaching_others():
            dist.all_reduce(found, op=dist.ReduceOp.MAX)
        return int(found)

    def from_first(self, value: Value) -> Value:
        """What the first rank gives."""
        if not self.is_joined:
            return value
        values = [value]
        with _reaching_others():
            dist.broadcast_object_list(values, src=0)
        return values[0]

    def gather(self, value: Value) -> list[Value]:
        """To the first rank: what each rank gives, in order. To others: nothing."""
        if not self.is_joined:
            return [value]
        gathered: list[Any] | None = [None] * self.count if self.is_first else None
        with _reaching_others():
            dist.gather_object(value, gathered, dst=0)
        return gathered or []

    def leave(self) -> None:
        """The group is dissolved; nothing can be said to the others any more."""
        if self.is_joined:
            dist.destroy_process_group()
            join.cache_clear()


ALONE = Ranks()
"""A process on its own."""


@functools.cache
def join(device: str) -> Ranks:
    """The ranks that torchrun started, ready to train on `device`; otherwise `ALONE`.

    On GPUs each rank takes the one of its number on its machine and makes it the current one.

    Raises:
        RunError: There are not enough GPUs, `device` is one of them, or restarts would hang.
    """
    here = launch()
    if here is None:
        return ALONE
    backend = "gloo"
    if torch.device(device).type == "cuda":
        backend = "cpu:gloo,cuda:nccl"
        _take_gpu(device, here)
    # PyTorch keeps a group for good if its compiler, which optimizers load, is loaded after the
    # group was made. Then `leave` ends no thread, and one that still holds a tensor when Python
    # exits aborts the process.
    importlib.import_module("torch._dynamo")
    with _reaching_others():
        dist.init_process_group(
            backend,
            store=_store(here),
            rank=here.rank,
            world_size=here.rank_count,
            timeout=PATIENCE,
        )
    return Ranks(here.rank, here.rank_count, is_joined=True)


def _take_gpu(device: str, here: Launch) -> None:
    if torch.device(device).index is not None and here.rank_count > 1:
        raise RunError(
            f"device is {device!r}, but each of {here.rank_count} ranks needs its own: use cuda"
        )
    count = torch.cuda.device_count()
    if count <= here.local_rank:
        raise RunError(
            f"rank {here.local_rank} of this machine needs its own GPU, and there are {count}; "
            "lower --nproc-per-node, or train with --device cpu"
        )
    torch.cuda.set_device(torch.device(device).index or here.local_rank)


def _store(here: Launch) -> Any:
    """Where ranks find each other's addresses: a store of PyTorch's."""
    # Imported here: some builds of PyTorch come without them.
    from torch.distributed.distributed_c10d import PrefixStore
    from torch.distributed.rendezvous import rendezvous

    if here.shares_store and here.restart_limit and here.machine_count > 1:
        raise RunError(
            "with --max-restarts on several machines, set TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1 "
            "for torchrun: its own store keeps the addresses of ranks that died"
        )
    with _reaching_others():
        store, _, _ = next(rendezvous("env://"))
    if not here.shares_store:
        return store
    # Each start has names of its own, because torchrun's store still has those of the last one.
    return PrefixStore(f"start-{here.restart_count}", store)


def _add(tensor: Tensor) -> Tensor:
    with _reaching_others():
        dist.all_reduce(tensor)
    return tensor


@contextmanager
def _reaching_others() -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:  # The base of all that PyTorch raises where a rank is missing.
        # Without the place in PyTorch's source, and without its advice.
        reason = re.sub(r"^\[\S*\] ", "", " ".join(str(error).split())).partition(". ")[0]
        raise LostRankError(
            f"another rank has failed or cannot be reached; see its own message ({reason})"
        ) from error
