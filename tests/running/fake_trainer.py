"""A trainer that learns nothing, quickly; each update depends on every bit of the one before."""

import dataclasses
import hashlib
import time
import types

import numpy as np
import torch


@dataclasses.dataclass(frozen=True, kw_only=True)
class FakeConfig:
    seed: int = 1
    updates: int = 20
    seconds_per_update: float = 0.0
    bad_update: int | None = None
    evaluation_updates: int = 0


class FakeTrainer:
    game = types.SimpleNamespace(goals=("log", "planks", "stick"))

    def __init__(self, config):
        self.config = config
        self.update = 0
        self.rng = np.random.default_rng(config.seed)
        self.weight = torch.zeros(4096)
        self.seen = torch.zeros(3, dtype=torch.int64)

    def train_one_update(self):
        time.sleep(self.config.seconds_per_update)
        self.update += 1
        if self.update == self.config.bad_update:
            raise FloatingPointError(f"update {self.update}: the loss is not finite.")
        self.weight = 0.9 * self.weight + torch.from_numpy(self.rng.random(4096, dtype=np.float32))
        self.seen += torch.from_numpy(self.rng.integers(0, 5, 3))
        digest = hashlib.sha256(self.weight.numpy().tobytes() + self.seen.numpy().tobytes())
        return {
            "update": self.update,
            "frames": 100 * self.update,
            "discovered": min(3, self.update // 4),
            "attempts": self.seen.numpy(),
            "fast": self.weight[:3].numpy() / 10,
            "probabilities": np.full(3, 1 / 3),
            "losses": {"policy": 0.5},
            "seconds": {"world": 0.2, "update": 0.3},
            "digest": int.from_bytes(digest.digest()[:6], "big"),
            "frames_per_second": 1000.0,
        }

    def evaluate(self):
        return {
            "update": self.update,
            "frames": 100 * self.update,
            "successes": self.seen.numpy() % 11,
            "attempts": np.full(3, 10),
        }

    def state_dict(self):
        tensors = {"weight": self.weight, "seen": self.seen}
        return tensors, {"update": self.update, "rng": self.rng.bit_generator.state}

    def load_state_dict(self, tensors, state):
        self.weight, self.seen = tensors["weight"], tensors["seen"]
        self.update = state["update"]
        self.rng.bit_generator.state = state["rng"]
