"""Limits of the numbers in a state: kernels use them as indices without checking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from lapis.bounds import Bound, shown
from lapis.worlds.world import check_tensor

Limit = Bound | Sequence[int] | Mapping[str, Bound]
"""A bound on all numbers, the only whole numbers allowed, or a bound for each named column."""


def whole(least: int, most: int) -> Bound:
    """Whole numbers from `least` to `most`."""
    return Bound(least=least, most=most, whole=True)


def below(limit: int) -> Bound:
    """Finite numbers from 0 up to, but not including, `limit`."""
    return Bound(least=0, below=limit)


def within(most: float) -> Bound:
    """Finite numbers of at most this size, with either sign."""
    return Bound(least=-most, most=most)


FLAG = whole(0, 1)
COUNTED = whole(0, 2**30)
"""What only ever grows by little: no sum of kernels leaves 32 bits."""
ANY_WORD = whole(-(2**31), 2**31 - 1)
"""Bits that kernels hash."""
FINITE = Bound()


def check_identity(state: object, own: Mapping[str, object], owner: str) -> Mapping[str, Any]:
    """The state, unless it comes from an object of another identity than `own`."""
    if not isinstance(state, Mapping):
        raise ValueError(f"state must come from state_dict(), not {shown(state)}")
    for name, value in own.items():
        given = state.get(name)
        if not _same(given, value):
            raise ValueError(f"state has {name} = {shown(given)}; {owner} has {shown(value)}")
    return state


def _same(given: object, own: object) -> bool:
    try:
        return isinstance(given, type(own)) and bool(given == own)
    except (ValueError, RuntimeError):
        # Arrays and tensors, even within a list, are neither equal nor different.
        return False


def check_given(
    given: Mapping[str, object], own: Mapping[str, Tensor], limits: Mapping[str, Limit]
) -> None:
    """Refuses a state that lacks a tensor of `own`, or has one of another kind or out of limits.

    Raises:
        ValueError: The message names the tensor, its value and what is allowed.
    """
    for name, like in own.items():
        tensor = given.get(name)
        if not isinstance(tensor, Tensor) or tensor.is_meta:
            raise ValueError(f"state lacks {name!r}, a tensor")
        # On any device: a state may come from a file.
        check_tensor(f"state's {name!r}", tensor, like.dtype, like.shape, tensor.device)
        check_values(f"state's {name!r}", tensor, limits[name])


def check_values(name: str, tensor: Tensor, limit: Limit) -> None:
    """Refuses numbers out of their limit (host read)."""
    # A byte of a file may be no boolean at all.
    numbers = tensor.view(torch.uint8) if tensor.dtype == torch.bool else tensor
    if isinstance(limit, Bound):
        for extreme in torch.aminmax(numbers):  # Both are nan if any number is.
            if not limit.allows(extreme.item()):
                is_bad = numbers.isnan() if extreme.isnan() else numbers == extreme
                _refuse(name, numbers, is_bad, str(limit))
    elif isinstance(limit, Mapping):
        for column, (axis, bound) in enumerate(limit.items()):
            check_values(f"{name} {axis}", numbers[:, column], bound)
    else:
        allowed = torch.tensor(limit, dtype=numbers.dtype, device=numbers.device)
        is_bad = ~torch.isin(numbers, allowed)
        if bool(is_bad.any()):
            _refuse(name, numbers, is_bad, f"one of {', '.join(map(str, limit))}")


def _refuse(name: str, numbers: Tensor, is_bad: Tensor, allowed: str) -> None:
    place = is_bad.nonzero()[0].tolist()
    value = numbers[tuple(place)].item()
    raise ValueError(f"{name} is {value} at {place}; it must be {allowed}")


def check_held(hand_item: Tensor, inventory: Tensor) -> None:
    """Refuses a hand that holds what the inventory lacks: a worn-out tool is taken from there.

    `hand_item` has the item in hand of each world, -1 for none.
    """
    held = inventory.gather(1, hand_item.clamp(min=0).long()[:, None])[:, 0]
    empty = ((hand_item >= 0) & (held == 0)).nonzero()
    if empty.numel():
        world = int(empty[0])
        raise ValueError(
            f"state's 'hand' has item {int(hand_item[world])} at [{world}]; "
            "it must be one that the inventory holds"
        )
