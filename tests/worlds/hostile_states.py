"""Loads states that no play leads to, in a process of its own: a crash must not end the tests.

    python -m tests.worlds.hostile_states WORLD MUTATIONS SEED

Prints a line of JSON: how many states were refused, by tensor, and how many were played.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from lapis.worlds.batch import Batch
from lapis.worlds.techtree.world import TechTreeWorld
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.world import VoxelWorld
from tests.contract import allowed_action

State = dict[str, Tensor]
STEPS = 50
SMALL = VoxelConfig(size=16, height=80, frame_size=16)
WORLDS = {
    "techtree": lambda: TechTreeWorld(4, seed=3),
    "voxel": lambda: VoxelWorld(3, seed=3, config=SMALL),
}
WORST = {
    "float": (float("nan"), float("inf"), -float("inf"), 1e30, -1e30, 3e4, -1e-3, 0.0),
    "int": (-(2**31), 2**31 - 1, -2, -1, 0, 1000, 2**30),
    "uint8": (0, 1, 60, 120, 255),
    "bool": (0, 1, 2),
}


def main() -> None:
    """See the module."""
    kind, mutations, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = np.random.default_rng(seed)
    world = WORLDS[kind]()
    world.reset(torch.ones_like(world.died), torch.full_like(world.inventory, 2))
    play(world, rng, 40)
    saved = world.state_dict()
    assert (saved["hand"] >= 0).any(), "somebody must have a tool in hand"
    refused: Counter[str] = Counter()
    played = 0
    states = drawn(saved, rng, mutations) if mutations else by_table(saved)
    for names, state in states:
        world.load_state_dict(saved)
        if loads(world, names, state):
            played += 1
            play(world, rng, STEPS)
            if "fault" not in names:
                world.check()
        else:
            refused.update(names)
    print(json.dumps({"refused": refused, "played": played}))


def by_table(saved: dict) -> Iterator[tuple[list[str], State]]:
    """Each tensor with each of the worst values, everywhere and in one place."""
    for name, tensor in tensors_of(saved).items():
        for value in WORST[class_of(tensor)]:
            for place in (slice(None), -1):
                changed = tensor.clone()
                as_bytes(changed).view(-1)[place] = value
                yield [name], saved | {name: changed}


def drawn(saved: dict, rng: np.random.Generator, count: int) -> Iterator[tuple[list[str], State]]:
    """One to three tensors with a few numbers changed, to the worst ones or to small ones."""
    tensors = tensors_of(saved)
    for _ in range(count):
        names = rng.choice(list(tensors), rng.integers(1, 4), replace=False).tolist()
        state = dict(saved)
        for name in names:
            changed = tensors[name].clone()
            flat = as_bytes(changed).view(-1)
            places = torch.from_numpy(rng.integers(0, len(flat), rng.integers(1, 6)))
            worst = float(rng.choice(WORST[class_of(changed)]))
            small = float(rng.integers(0, 2 if changed.dtype == torch.bool else 24))
            flat[places] = torch.tensor(worst if rng.random() < 0.3 else small).to(flat.dtype)
            state[name] = changed
        yield names, state


def loads(world: Batch, names: list[str], state: State) -> bool:
    """Whether the world takes the state; if not, it names the tensor and is as it was."""
    before = everything(world)
    try:
        world.load_state_dict(state)
    except ValueError as error:
        message = str(error)
    else:
        return True
    # A hand may be refused for what the inventory lacks.
    named = [*names, "hand"] if "inventory" in names else names
    assert any(f"'{name}'" in message for name in named), (names, message)
    after = everything(world)
    assert all(torch.equal(value, after[name]) for name, value in before.items()), names
    return False


def play(world: Batch, rng: np.random.Generator, steps: int) -> None:
    """Random allowed steps; nothing that is seen may be other than a finite number."""
    for _ in range(steps):
        world.step(allowed_action(world, rng))
        for name, shown in world.observation.items():
            assert shown.isfinite().all(), name
        assert (world.inventory >= 0).all()


def everything(world: Batch) -> State:
    """What a refused state must not change."""
    seen = {f"seen {name}": value.clone() for name, value in world.observation.items()}
    return tensors_of(world.state_dict()) | seen


def tensors_of(state: dict) -> State:
    return {name: value for name, value in state.items() if isinstance(value, Tensor)}


def as_bytes(tensor: Tensor) -> Tensor:
    """Booleans as the bytes that a file may hold."""
    return tensor.view(torch.uint8) if tensor.dtype == torch.bool else tensor


def class_of(tensor: Tensor) -> str:
    return {torch.float32: "float", torch.uint8: "uint8", torch.bool: "bool"}.get(
        tensor.dtype, "int"
    )


if __name__ == "__main__":
    main()
