"""Damage to files and values, drawn from a `random.Random`: the same seed, the same damage."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

ESCAPES = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e"
"""What a terminal or an editor would obey."""
TEXTS = (
    *("", "x", "0", "nan", "cpu", "cuda:7", "voxel", "json:JSONDecoder", "no.such:Thing", "a:b:c"),
    *("../../outside/x", "../outside", "/etc/hostname", "..", "run/../../x", "x\x00y", "\ud800"),
    *(ESCAPES, "<script>alert(1)</script>", "{0.__class__}%s%n", "long" * 20_000, "\n\n\r\n"),
)
NUMBERS = (
    *(0, -1, 1, 2, 3, 7, 255, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, 10**9, 10**12),
    *(10**30, 10**400, -(2**63), 0.5, 1.5, -0.0, 1e-320, 1e30, 1e308, 1e400, -1e400, float("nan")),
)
SHAPES = ((), (0,), (1,), (3,), (2, 2), (1, 1, 1), (0, 5), (1000,))
WORST = (float("nan"), float("inf"), -float("inf"), 3e38, -3e38, -1.0, 0.0, 1.0, 1000.0, 2.0**31)
TYPES = (
    *(torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn),
    *(torch.int64, torch.int32, torch.int16, torch.uint8, torch.bool, torch.complex64),
)


def hostile_value(rng: random.Random) -> Any:
    """A value of JSON that is seldom expected."""
    kind = rng.randrange(8)
    if kind < 3:
        return rng.choice(NUMBERS)
    if kind < 5:
        return rng.choice(TEXTS)
    if kind == 5:
        return rng.choice((None, True, False))
    if kind == 6:
        return rng.choice(([], {}, [[]], [{}], {"kind": "techtree"}, {"": 1}, [1, "a", None]))
    return nested(rng.choice((3, 200, 900)))


def nested(depth: int) -> list:
    """A list in a list in a list."""
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


def mutate_json(rng: random.Random, value: Any) -> tuple[Any, str]:
    """`value` with one part replaced, removed, doubled or added, and what was done in words."""
    places = list(_places(value, ()))
    if not places or rng.random() < 0.03:
        hostile = hostile_value(rng)
        return hostile, f"all = {hostile!r:.60}"
    *path, last = rng.choice(places)
    part = value
    for each in path:
        part = part[each]
    name = ".".join(map(str, (*path, last)))
    kind = rng.random()
    if kind < 0.1:
        del part[last]
        return value, f"del {name}"
    if kind < 0.17 and isinstance(part, list):
        part.append(part[last])
        return value, f"double {name}"
    if kind < 0.17:
        part[rng.choice(TEXTS)] = part[last]
        return value, f"beside {name}"
    part[last] = hostile_value(rng)
    return value, f"{name} = {part[last]!r:.60}"


def _places(value: Any, path: tuple) -> Iterator[tuple]:
    """The ways to all parts, those that lie deep as often as those that do not."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in items if isinstance(value, dict | list) else ():
        yield (*path, key)
        if isinstance(each, dict | list) and len(each) < 200:
            yield from _places(each, (*path, key))


def dumped(value: Any) -> bytes:
    """As JSON, halves of surrogates and numbers of any size included."""
    return json.dumps(value).encode()


def mutate_bytes(rng: random.Random, data: bytes) -> tuple[bytes, str]:
    """`data` cut, flipped, doubled, or something else, and what was done in words."""
    kind = rng.randrange(7)
    size = len(data)
    if kind == 0:
        end = rng.randint(0, size)
        return data[:end], f"cut to {end} of {size} bytes"
    if kind in (1, 2) and size:
        changed = bytearray(data)
        # The head, where lengths and names are, as often as the rest.
        most = size if rng.random() < 0.5 else min(size, 200)
        places = [rng.randrange(most) for _ in range(rng.randint(1, 8))]
        for place in places:
            changed[place] ^= 1 << rng.randrange(8)
        return bytes(changed), f"bits flipped at {places}"
    if kind == 3:
        return data + data[: rng.randint(0, size)], "continued"
    if kind == 4:
        return rng.choice(
            (b"", b"\0" * size, b"\xff\xfe", b"[" * 100_000, b"{}\n", b"null\n")
        ), "new"
    if kind == 5:
        return rng.randbytes(rng.randint(1, 3000)), "noise"
    begin, end = sorted((rng.randint(0, size), rng.randint(0, size)))
    return data[:begin] + data[end:], f"without bytes {begin} to {end}"


def mutate_tensor(rng: random.Random, tensor: torch.Tensor) -> tuple[torch.Tensor, str]:
    """A tensor with other numbers, of another type or of another shape."""
    kind = rng.randrange(6)
    if kind == 0:
        other = rng.choice(TYPES)
        if other == torch.float8_e4m3fn:
            tensor = tensor.float()
        return tensor.to(other), f"as {other}"
    if kind == 1:
        shape = rng.choice((*SHAPES, (*tensor.shape, 1), tuple(tensor.shape)[1:]))
        return torch.zeros(shape, dtype=tensor.dtype), f"of shape {shape}"
    changed = tensor.clone().contiguous()
    # A file may hold any byte, also where a boolean should be.
    flat = (changed.view(torch.uint8) if changed.dtype == torch.bool else changed).view(-1)
    if not flat.numel():
        return changed, "empty as it was"
    worst = torch.tensor(rng.choice(WORST), dtype=torch.float64)
    if not flat.is_floating_point():
        info = torch.iinfo(flat.dtype)
        worst = torch.tensor(rng.choice((info.min, info.max, -1, 0, 1, 2, 1000, 255)))
    places = slice(None)
    if kind > 2:
        places = [rng.randrange(flat.numel()) for _ in range(rng.randint(1, 4))]
    flat[places] = worst.to(flat.dtype)
    return changed, f"{worst.item()} at {places}"


def mutate_file(rng: random.Random, path: Path) -> str:
    """Changes the bytes of a file, or a value in it where it is JSON; says what was done."""
    data = path.read_bytes()
    if path.suffix in (".json", ".jsonl") and rng.random() < 0.75:
        lines = data.splitlines() if path.suffix == ".jsonl" else [data]
        if lines:
            at = rng.randrange(len(lines))
            value, words = mutate_json(rng, json.loads(lines[at]))
            lines[at] = dumped(value)
            path.write_bytes(b"\n".join(lines) + b"\n")
            return f"{path.name}: {words}"
    data, words = mutate_bytes(rng, data)
    path.write_bytes(data)
    return f"{path.name}: {words}"
