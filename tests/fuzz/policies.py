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
    damage = []
    if rng.random() < 0.7:
        damage += _damage_parts(rng, path)
    if not damage or rng.random() < 0.1:
        damage.append(_damage_bytes(rng, path))
    weights = [weight for weight, _ in COMMANDS.values()]
    (command,) = rng.choices([command for _, command in COMMANDS.values()], weights)
    if command[0] == "watch":
        command = [*command, "--output", "out.gif"]
    return cases.Case(damage, [command], is_long=cases.is_long(damage))


def _damage_parts(rng: random.Random, path: Path) -> list[str]:
    """Changes one or two of the tensors and of what is told beside them."""
    with safetensors.safe_open(path, framework="pt") as file:
        head, names = file.metadata(), file.keys()
        tensors = {name: file.get_tensor(name) for name in names}
    first = rng.random()
    damage = [_damage_head(rng, head)] if first < 0.6 else []
    damage += [_damage_tensors(rng, tensors)] if first > 0.5 else []
    tensors = {name: tensor.contiguous() for name, tensor in tensors.items()}
    safetensors.torch.save_file(tensors, path, head)
    return damage


def _damage_bytes(rng: random.Random, path: Path) -> str:
    """Changes bytes anywhere, or the header that says where each tensor lies."""
    data = path.read_bytes()
    if rng.random() < 0.5:
        data, words = mutate_bytes(rng, data)
        path.write_bytes(data)
        return words
    size = int.from_bytes(data[:8], "little")
    if rng.random() < 0.1:
        size = rng.choice((0, 1, size - 1, size + 1, len(data), 2**32, 2**63, 2**64 - 1))
        path.write_bytes(size.to_bytes(8, "little") + data[8:])
        return f"header of {size} bytes"
    header, words = mutate_json(rng, json.loads(data[8 : 8 + size]))
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data[8 + size :])
    return f"header: {words}"


def _damage_head(rng: random.Random, head: dict[str, str]) -> str:
    """Changes what Lapis keeps beside the tensors: configuration, goals, successes."""
    if rng.random() < 0.1:
        key = rng.choice(("format", "lapis", "else"))
        # safetensors itself takes no halves of surrogates.
        head[key] = rng.choice(TEXTS).encode(errors="replace").decode()
        return f"metadata {key}: {head[key]!r:.60}"
    value, words = mutate_json(rng, json.loads(head["lapis"]))
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
