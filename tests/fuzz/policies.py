"""Damaged files of `lapis export`: python -m tests.fuzz.policies --cases 1000"""

import json
import random
import shutil
from pathlib import Path

import safetensors
import safetensors.torch
import torch

from tests.fuzz import base, cases
from tests.fuzz.mutations import TEXTS, mutate_bytes, mutate_json, mutate_tensor

CASES = 1000
COMMANDS = {
    "evaluate": (6, ["evaluate", "policy.safetensors", "--attempts", "1", "--per-goal"]),
    "inspect": (1, ["inspect", "policy.safetensors", "--worlds", "2", "--steps", "4"]),
    "watch": (2, ["watch", "policy.safetensors", "--steps", "1", "--pixels", "16"]),
}


def prepare(rng: random.Random, root: Path) -> cases.Case:
    """Copies a policy, damages the copy, and draws a command."""
    kind = "voxel" if rng.random() < 0.4 else "techtree"
    path = root / "place" / "policy.safetensors"
    path.parent.mkdir(parents=True)
    (root / "outside").mkdir()
    shutil.copy(base.made() / f"{kind}.safetensors", path)
    damage = [_damage(rng, path) for _ in range(rng.choice((1, 1, 2)))]
    weights = [weight for weight, _ in COMMANDS.values()]
    (command,) = rng.choices([command for _, command in COMMANDS.values()], weights)
    if command[0] == "watch":
        command = [*command, "--output", "out.gif"]
    return cases.Case(damage, [command], is_long=cases.is_long(damage))


def _damage(rng: random.Random, path: Path) -> str:
    kind = rng.random()
    data = path.read_bytes()
    if kind < 0.2:
        data, words = mutate_bytes(rng, data)
        path.write_bytes(data)
        return words
    if kind < 0.4:
        return _damage_header(rng, path, data)
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            head, names = file.metadata() or {}, file.keys()
            tensors = {name: file.get_tensor(name) for name in names}
    except safetensors.SafetensorError:  # Damaged already.
        return "nothing more"
    words = _damage_head(rng, head) if kind < 0.7 else _damage_tensors(rng, tensors)
    tensors = {name: tensor.contiguous() for name, tensor in tensors.items()}
    safetensors.torch.save_file(tensors, path, head)
    return words


def _damage_header(rng: random.Random, path: Path, data: bytes) -> str:
    """Changes the header that says where each tensor lies, or its length."""
    size = int.from_bytes(data[:8], "little")
    if rng.random() < 0.1 or size > len(data):
        size = rng.choice((0, 1, size - 1, size + 1, len(data), 2**32, 2**63, 2**64 - 1))
        path.write_bytes(size.to_bytes(8, "little") + data[8:])
        return f"header of {size} bytes"
    try:
        header, words = mutate_json(rng, json.loads(data[8 : 8 + size]))
    except ValueError:  # Damaged already.
        return "nothing more"
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data[8 + size :])
    return f"header: {words}"


def _damage_head(rng: random.Random, head: dict[str, str]) -> str:
    """Changes what Lapis keeps beside the tensors: configuration, goals, successes."""
    if rng.random() < 0.1 or "lapis" not in head:
        key = rng.choice(("format", "lapis", "else"))
        # safetensors itself takes no halves of surrogates.
        head[key] = rng.choice(TEXTS).encode(errors="replace").decode()
        return f"metadata {key}: {head[key]!r:.60}"
    try:
        value, words = mutate_json(rng, json.loads(head["lapis"]))
    except ValueError:  # Damaged already.
        return "nothing more"
    head["lapis"] = json.dumps(value)
    return words


def _damage_tensors(rng: random.Random, tensors: dict[str, torch.Tensor]) -> str:
    name = rng.choice(sorted(tensors))
    kind = rng.random()
    if kind < 0.1:
        del tensors[name]
        return f"{name} gone"
    if kind < 0.2:
        other = rng.choice(("policy.more", "more", "policy.", "\x1b[2J", name.upper()))
        tensors[other] = tensors[name].clone()
        return f"{other!r} added"
    if kind < 0.3:
        other = rng.choice(sorted(tensors))
        tensors[name], tensors[other] = tensors[other].clone(), tensors[name].clone()
        return f"{name} and {other} swapped"
    tensors[name], words = mutate_tensor(rng, tensors[name])
    return f"{name}: {words}"


if __name__ == "__main__":
    cases.main(prepare, base.preload, CASES)
