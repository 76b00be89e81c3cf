"""Damaged tables of `lapis report --compact`: python -m tests.fuzz.tables --cases 1000"""

import io
import json
import random
import shutil
import zipfile
from pathlib import Path

import numpy as np

from tests.fuzz import base, cases
from tests.fuzz.mutations import SHAPES, mutate_bytes, mutate_json

CASES = 1000
TYPES = ("f2", "f4", "f8", "i1", "i8", "u1", "u8", "?", "c16", "U3", "S3", "O", "M8[s]", ">i4")
NUMBERS = (0, -1, 1, 3, 255, 2**31, 2**62, -(2**62), 0.5, 1e30, float("nan"), float("inf"))
COMMANDS = (
    *(7 * [["report", "table.npz", "--compact", "out"]]),
    ["report", "table.npz", "--output", "out.html"],
    ["report", "table.npz", "other.npz", "--output", "out.html"],
    ["report", ".", "--output", "out.html"],
)


def prepare(rng: random.Random, root: Path) -> cases.Case:
    """Copies two tables, damages one of the copies, and draws a command."""
    place = root / "place"
    place.mkdir(parents=True)
    (root / "outside").mkdir()
    for name, seed in (("table.npz", 0), ("other.npz", 1)):
        shutil.copy(base.made() / f"table-{seed}.npz", place / name)
    damage = []
    if rng.random() < 0.8:
        damage += _damage_members(rng, place / "table.npz")
    if not damage or rng.random() < 0.1:
        data, words = mutate_bytes(rng, (place / "table.npz").read_bytes())
        (place / "table.npz").write_bytes(data)
        damage.append(words)
    return cases.Case(damage, [rng.choice(COMMANDS)])


def _damage_members(rng: random.Random, path: Path) -> list[str]:
    """Changes one or two of the arrays in a table."""
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    names = {rng.choice(sorted(members)) if rng.random() < 0.6 else "facts.npy" for _ in range(2)}
    chosen = sorted(names)[: rng.choice((1, 1, 2))]
    damage = [f"{name}: {_damage_member(rng, members, name)}" for name in chosen]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for each, content in members.items():
            file.writestr(each, content)
    return damage


def _damage_member(rng: random.Random, members: dict[str, bytes], name: str) -> str:
    kind = rng.random()
    if kind < 0.08:
        del members[name]
        return "gone"
    if kind < 0.16:
        members[rng.choice(("../out.npy", "more.npy", "facts", "\x1b[2J.npy"))] = members[name]
        return "there twice"
    if kind < 0.26:
        members[name], words = mutate_bytes(rng, members[name])
        return words
    array = np.load(io.BytesIO(members[name]))
    if kind < 0.34:
        huge = rng.choice(((2**40,), (2**62, 4), (-1,), (2**31, 2**31)))
        shape = f"'shape': {array.shape}".encode()
        # Longer than before: the length of the head is wrong as well.
        members[name] = members[name].replace(shape, f"'shape': {huge}".encode())
        return f"shape {huge}"
    if name == "facts.npy":
        value, words = mutate_json(rng, json.loads(array.tobytes()))
        array = np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)
    else:
        array, words = _mutated(rng, array)
    file = io.BytesIO()
    np.save(file, array)
    members[name] = file.getvalue()
    return words


def _mutated(rng: random.Random, array: np.ndarray) -> tuple[np.ndarray, str]:
    kind = rng.randrange(4)
    if kind == 0:
        other = rng.choice(TYPES)
        return np.ones(array.shape, dtype="i8").astype(other), f"as {other}"
    if kind == 1:
        shape = rng.choice((*SHAPES, array.shape[1:], (*array.shape, 2), array.T.shape))
        return np.zeros(shape, array.dtype), f"of shape {shape}"
    changed = array.astype(rng.choice(("f8", "i8", array.dtype)))
    number = rng.choice(NUMBERS)
    if not np.issubdtype(changed.dtype, np.floating):
        number = int(min(max(np.nan_to_num(number), -(2**62)), 2**62))
    place = ... if kind == 2 else rng.randrange(max(1, changed.size))
    with np.errstate(all="ignore"):
        changed.reshape(-1)[place] = np.array(number).astype(changed.dtype)
    return changed, f"{number} at {place}"


if __name__ == "__main__":
    cases.main(prepare, base.preload, CASES)
