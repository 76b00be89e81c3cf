"""Evaluation apart from training: every goal equally often, from an empty inventory.

If pairs of goals are tasks, some of them are played too.
"""

# W = worlds, R = rows of the worlds whose first task goes on, A = choices, K = action components
from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from lapis.agent.lstm import LSTMState
from lapis.agent.player import act
from lapis.agent.policy import Policy
from lapis.runs import RunError
from lapis.train.build import make_game
from lapis.train.config import TrainConfig
from lapis.train.state import flatten
from lapis.train.tasks import evaluated_tasks
from lapis.worlds.memory import memory_of

__all__ = ["Evaluator", "Trained", "evaluate", "evaluation_config"]

SEED_BIT = 2**30
"""Flipped in the run's seed, so that evaluations never use the worlds of training."""
SURELY_FIT = 10_000
"""Worlds whose memory is not estimated first."""
COUNT_STEPS = 16
"""Steps between two checks, by the host, of which worlds still play."""


class Evaluator:
    """Plays every goal of a run a fixed number of times and counts what was reached.

    Each attempt has its own world, with an empty inventory and one goal, and ends with success,
    death or the time limit. The worlds are the same at every evaluation of a run, and
    differ from those of training. Actions are drawn from the policy as in training, but the draws
    depend only on seed and update: an evaluation can be repeated and does not change training.

    No bonus is paid. The policy sees the exploration set that training has at that time. (With the
    fixed bonus that input is constant; leaving it out would show the policy something new.)

    If there are too many worlds for the memory, they are played in batches. A world is the same in
    a batch of any size, but actions are drawn in another order.
    """

    def __init__(self, config: TrainConfig, *, goals: Sequence[int] | None = None) -> None:
        """Makes the worlds for all goals of the run, or for the goals of these numbers alone."""
        self.seed = config.seed
        self.attempts = config.evaluation_attempts
        tasks = evaluated_tasks(config) if goals is None else np.array(goals, np.int64)
        self._goal_count = len(config.simonsays.goals) if goals is None else len(tasks)
        self._tasks = torch.from_numpy(tasks)
        self._config = dataclasses.replace(
            evaluation_config(config), world_count=len(tasks) * self.attempts
        )
        count = self._config.world_count
        self._batches = range(0, count, config.evaluation_worlds or count)
        """The first world of each batch."""
        _check_memory(self._config, min(count, self._batches.step))
        self._open(self._batches[0])

    def _open(self, first_world: int) -> None:
        """The worlds of the batch that begins with this one are made and asked for their goals."""
        if hasattr(self, "game"):  # Slow games end before others start.
            getattr(self.game.world, "close", lambda: None)()
        last_world = min(first_world + self._batches.step, self._batches.stop)
        config = dataclasses.replace(self._config, world_count=last_world - first_world)
        self.game = make_game(config, first_world=first_world)
        world_W = torch.arange(first_world, last_world)
        self.game.ask_for(self._tasks[world_W // self.attempts].to(self.game.device))
        self._start = self.game.state_dict()
        self._is_fresh = True

    @torch.no_grad()
    def evaluate(
        self, policy: Policy, *, update: int, exploration_set: Tensor
    ) -> dict[str, np.ndarray]:
        """Counts `successes` and `attempts` of each goal that is played, int64 of shape (goal,).

        And where pairs are played, `pairs`, which tasks they are, and their counts.

        The policy is not changed. Random draws depend on its number of updates and the run's seed.
        The policy sees the exploration set, bool of shape (goal,). An episode that a world lost
        does not count as an attempt.
        """
        dice = int(np.random.SeedSequence((self.seed, update)).generate_state(1)[0])
        generator = torch.Generator(self.game.device).manual_seed(dice)
        outcomes: list[Tensor] = []
        for first_world in self._batches:
            if self.game.first_world != first_world:
                self._open(first_world)
            elif not self._is_fresh:  # Not all worlds can be loaded.
                self.game.load_state_dict(self._start)
            self._is_fresh = False
            self.game.observation["exploration_set"].copy_(exploration_set)
            outcomes.append(self._play(policy, generator))
            self.game.world.check()
        both_2W = torch.cat(outcomes, dim=1)
        successes, attempts = both_2W.view(2, -1, self.attempts).sum(dim=2).cpu().numpy()
        goals = slice(self._goal_count)
        counts = {"successes": successes[goals], "attempts": attempts[goals]}
        if len(self._tasks) > self._goal_count:
            pairs = slice(self._goal_count, None)
            counts["pairs"] = self._tasks[pairs].numpy()
            counts |= {"pair_successes": successes[pairs], "pair_attempts": attempts[pairs]}
        return counts

    def _play(self, policy: Policy, generator: torch.Generator) -> Tensor:
        """Whether each world's first task ended in success, and whether it counts, bool (2, W)."""
        game = self.game
        over_W = torch.zeros_like(game.task_over)
        succeeded_W = torch.zeros_like(game.task_over)
        counts_W = torch.ones_like(game.task_over)
        row_R = torch.arange(game.world_count, device=game.device)
        memory = policy.initial_state(game.world_count)
        # Every step takes a tick or more, so that no task takes more steps than it has ticks.
        for step in range(game.config.task_ticks):
            if step % COUNT_STEPS == 0:
                # The worlds all go on together, but the policy, which takes most of the time,
                # needs to think for those alone that still count.
                playing_R = torch.logical_not(over_W[row_R])
                row_R = row_R[playing_R]
                memory = LSTMState(memory.hidden_SH[playing_R], memory.cell_SH[playing_R])
                if row_R.numel() == 0:
                    break
            move = act(policy, game, memory, generator, row_R)
            memory = move.thought.memory
            action_WK = _first_allowed(game.action_mask, game.action_sizes)
            action_WK[row_R] = move.action_WK
            game.step(action_WK.to(torch.int32))
            succeeded_W |= game.task_succeeded & ~over_W
            over_W |= game.task_over
            # The time limit of episodes is not shorter than that of tasks: these are lost.
            counts_W &= over_W | ~game.truncated
            over_W |= game.truncated
        return torch.stack([succeeded_W, counts_W])


def _check_memory(config: TrainConfig, world_count: int) -> None:
    """Refuses worlds that cannot fit, by what the state of a single one takes."""
    if world_count <= SURELY_FIT:
        return
    game = make_game(dataclasses.replace(config, world_count=1))
    tensors, _ = flatten(game.state_dict())
    needed = world_count * sum(tensor.nbytes for tensor in tensors.values())
    memory = memory_of(game.device)
    if needed > memory or config.world_count >= 2**31:
        raise RunError(
            f"{world_count:,} worlds, one for each goal and attempt, take at least "
            f"{needed / 1e9:,.0f} GB, and {game.device.type} has {memory / 1e9:,.0f} GB; "
            f"{config.evaluation_attempts:,} attempts are too many"
        )


def _first_allowed(mask_WA: Tensor, sizes: tuple[int, ...]) -> Tensor:
    """An action that is allowed in each world, int64 (world, component)."""
    allowed = mask_WA.to(torch.uint8).split(sizes, dim=-1)
    return torch.stack([allowed_W.argmax(dim=-1) for allowed_W in allowed], dim=-1)


class Trained(Protocol):
    """What an evaluation needs from a trainer or a trained policy."""

    @property
    def config(self) -> TrainConfig:
        """The run."""
        ...

    @property
    def policy(self) -> Policy:
        """Who plays."""
        ...

    @property
    def update(self) -> int:
        """Updates that are finished."""
        ...

    @property
    def frames(self) -> int:
        """Policy steps that were played in them."""
        ...

    @property
    def exploration_set(self) -> Tensor:
        """What the policy sees of it, bool (goal,)."""
        ...


def evaluate(trained: Trained, *, attempts: int | None = None) -> dict[str, Any]:
    """A line of the evaluation log for the policy as it is now; the trainer is left as it was.

    The configuration sets the number of attempts per goal, unless `attempts` is given.
    """
    config, policy = trained.config, trained.policy
    if attempts is not None:
        config = dataclasses.replace(config, evaluation_attempts=attempts)
    was_training, tried_out = policy.training, torch.backends.cudnn.benchmark
    # Batches have many sizes: nothing is compiled or tuned for each.
    policy.eval()
    torch.backends.cudnn.benchmark = False
    try:
        counts = Evaluator(config).evaluate(
            policy, update=trained.update, exploration_set=trained.exploration_set
        )
    finally:
        policy.train(was_training)
        torch.backends.cudnn.benchmark = tried_out
    return {"update": trained.update, "frames": trained.frames, **counts}


def evaluation_config(config: TrainConfig) -> TrainConfig:
    """The worlds of the evaluation of a run: one per task and attempt, with another seed."""
    game = config.simonsays
    return dataclasses.replace(
        config,
        world_count=(len(game.goals) + config.evaluation_pairs) * config.evaluation_attempts,
        seed=config.seed ^ SEED_BIT,
        simonsays=dataclasses.replace(
            game,
            bonus="none",
            inherit_probability=0.0,
            episode_ticks=max(game.episode_ticks, game.task_ticks),
        ),
    )
