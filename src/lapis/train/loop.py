"""The training loop: everything that happens in one update, in order."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lapis.agent import ppo
from lapis.agent.encoders import build_encoders
from lapis.agent.policy import Policy
from lapis.curriculum import ExplorationSet
from lapis.train.build import make_curriculum, make_game
from lapis.train.collect import Game, Player
from lapis.train.config import TrainConfig
from lapis.train.rollout import Rollout
from lapis.train.state import flatten, unflatten

DISCOVERED = 0.05
"""Success probability above which a goal counts as discovered (paper P23)."""


class Trainer:
    """One run: a policy, the worlds it plays in, and the curriculum that chooses their goals.

    Args:
        config: The whole run.
        game: Worlds to train in; None makes those that `config` names.
    """

    def __init__(self, config: TrainConfig, game: Game | None = None) -> None:
        if config.threads:
            torch.set_num_threads(config.threads)
        self.config = config
        self.game = game if game is not None else make_game(config)
        goal_count = len(self.game.goals)
        self.curriculum = make_curriculum(config.curriculum, goal_count)
        # Its success average is also what decides whether a goal counts as discovered.
        self.exploration = ExplorationSet(
            goal_count,
            threshold=config.curriculum.exploration_threshold,
            time_scale=config.curriculum.time_scale,
        )
        self.policy = _make_policy(config, self.game)
        self.optimizer = torch.optim.Adam(
            self.policy.parameters(),
            lr=config.ppo.learning_rate,
            eps=config.ppo.adam_epsilon,
            fused=True,
        )
        self.player = Player(self.policy, self.game, seed=config.seed)
        self.order_generator = torch.Generator(self.game.device).manual_seed(config.seed + 1)
        self.rollout = Rollout(
            step_count=config.rollout_steps,
            sequence_steps=config.ppo.sequence_steps,
            world_count=self.game.world_count,
            observation=self.game.observation,
            action_sizes=self.game.action_sizes,
            width=config.policy.width,
            device=self.game.device,
        )
        self.update = 0
        """Updates that are finished."""

    def train_one_update(self) -> dict[str, Any]:
        """Plays one rollout, learns from it and moves the curriculum; returns what to log."""
        start = time.perf_counter()
        probabilities = self.curriculum.probabilities()
        self.game.set_probabilities(probabilities)
        next_value_W, game_seconds = self.player.collect(self.rollout)
        collected = time.perf_counter()

        settings = self.config.ppo
        learning = self.rollout.finish(
            next_value_W, discount=settings.discount, trace_decay=settings.trace_decay
        )
        order = ppo.sequence_order(
            self.rollout.sequence_count, settings.sample_reuse, self.order_generator
        )
        parts = ppo.minibatches(order, settings.minibatch_sequences)
        learning |= ppo.update(
            self.policy,
            self.optimizer,
            (self.rollout.batch(part) for part in parts),
            settings,
            number=self.update,
        )
        learnt = time.perf_counter()

        successes, attempts = self.game.take_counts()
        self.curriculum.update(successes, attempts)
        self.exploration.update(successes, attempts)
        if self.config.simonsays.bonus == "dynamic":
            self.game.set_exploration_set(self.exploration.members())
        self.update += 1
        end = time.perf_counter()
        return {
            "update": self.update,
            "frames": self.update * self._frames_per_update,
            "discovered": int(np.count_nonzero(self.exploration.success_ > DISCOVERED)),
            "attempts": attempts,
            "successes": successes,
            "fast": self.exploration.success_.copy(),
            "probabilities": probabilities,
            **learning,
            "seconds": {
                "world": game_seconds,
                "policy": collected - start - game_seconds,
                "update": learnt - collected,
                "curriculum": end - learnt,
            },
            "frames_per_second": self._frames_per_update / (end - start),
        }

    def state_dict(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """Everything that decides what comes next, as named tensors and JSON values."""
        return flatten(
            {
                "update": self.update,
                "policy": self.policy.state_dict(),
                "optimizer": {
                    name: self.optimizer.state.get(parameter, {})
                    for name, parameter in self.policy.named_parameters()
                },
                "player": self.player.state_dict(),
                "order_generator": self.order_generator.get_state(),
                "curriculum": self.curriculum.state_dict(),
                "exploration": self.exploration.state_dict(),
                "game": self.game.state_dict(),
            }
        )

    def load_state_dict(self, tensors: Mapping[str, Tensor], state: Mapping[str, Any]) -> None:
        """Continues bit for bit where a trainer with the same config gave its `state_dict`."""
        nested = unflatten(tensors, state)
        self.policy.load_state_dict(nested["policy"])
        moments = nested.get("optimizer", {})  # Absent before the first gradient step.
        names = [name for name, _ in self.policy.named_parameters()]
        self.optimizer.load_state_dict(
            {
                "state": {i: moments[name] for i, name in enumerate(names) if name in moments},
                "param_groups": self.optimizer.state_dict()["param_groups"],
            }
        )
        self.player.load_state_dict(nested["player"])
        self.order_generator.set_state(nested["order_generator"].cpu())
        self.curriculum.load_state_dict(nested["curriculum"])
        self.exploration.load_state_dict(nested["exploration"])
        self.game.load_state_dict(nested["game"])
        self.update = nested["update"]

    @property
    def _frames_per_update(self) -> int:
        return self.rollout.step_count * self.rollout.world_count


def _make_policy(config: TrainConfig, game: Game) -> Policy:
    """A policy for the game's observations, the same for the same seed on every device."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        encoders = build_encoders(
            game.observation, goal_count=len(game.goals), width=config.policy.width
        )
        return Policy(encoders, game.action_sizes, width=config.policy.width).to(game.device)
