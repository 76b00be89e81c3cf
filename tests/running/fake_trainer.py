"""A trainer that learns nothing, quickly; each update depends on every bit of the one before."""

import dataclasses
import hashlib
import time
import types

import numpy as np
import torch

from lapis.recipes import probes


def fake_config(**settings):
    """A configuration of which the fake trainer uses the seed alone."""
    defaults = {"seed": 1, "updates": 20, "evaluation_updates": 0}
    return dataclasses.replace(probes.two_goals(), **{**defaults, **settings})


class FakeTrainer:
    game = types.SimpleNamespace(goals=("log", "planks", "cobblestone"))
    seconds_per_update = 0.0

    def __init__(self, config):
        self.config = config
        self.update = 0
        self.rng = np.random.default_rng(config.seed)
        self.weight = torch.zeros(4096)
        self.seen = torch.zeros(3, dtype=torch.int64)

    def train_one_update(self):
        time.sleep(self.seconds_per_update)
        self.update += 1
        self.weight = 0.9 * self.weight + torch.from_numpy(self.rng.random(4096, dtype=np.float32))
        self.seen += torch.from_numpy(self.rng.integers(0, 5, 3))
        digest = hashlib.sha256(self.weight.numpy().tobytes() + self.seen.numpy().tobytes())
        return {
            "update": self.update,
            "frames": 100 * self.update,
            "discovered": min(3, self.update // 4),
            "attempts": self.seen.numpy(),
            "success": self.weight[:3].numpy() / 10,
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
