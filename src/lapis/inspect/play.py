"""Lets a policy play as in training, and records what it does."""

# T = steps, M = T + 1 moments, W = worlds, I = items, A = choices of all components, K = components
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import torch
from torch import Tensor

from lapis.agent import actions
from lapis.agent.lstm import LSTMState
from lapis.agent.player import seen
from lapis.agent.policy import Policy
from lapis.inspect.moves import divergence, entropies, prior
from lapis.inspect.reading import Reading
from lapis.inspect.recording import Recording
from lapis.running.trained import TrainedPolicy
from lapis.simonsays import SimonSays
from lapis.train.build import make_game
from lapis.train.evaluation import SEED_BIT

__all__ = ["look", "make_inspected_game", "play"]


def make_inspected_game(
    trained: TrainedPolicy,
    *,
    goals: Sequence[str],
    later_G: np.ndarray,
    world_count: int,
    seed: int = 0,
) -> SimonSays:
    """Worlds that the policy was not trained in, with the rules of its training, bonus included.

    Args:
        trained: Who will play.
        goals: Asked for first, dealt out to the worlds in turn; all begin with empty hands.
        later_G: Probability of each goal in later tasks.
        world_count: Number of worlds.
        seed: Another one gives other worlds.
    """
    config = dataclasses.replace(
        trained.config,
        world_count=world_count,
        seed=((trained.config.seed ^ SEED_BIT) + seed) % 2**31,
    )
    game = make_game(config)
    if config.simonsays.bonus == "dynamic":
        game.set_exploration_set(trained.exploration_set.cpu().numpy())
    game.set_probabilities(later_G)
    asked = torch.tensor([game.goals.index(goal) for goal in goals], device=game.device)
    game.ask_for(asked[torch.arange(world_count, device=game.device) % len(goals)])
    return game


@torch.no_grad()
def play(
    policy: Policy,
    game: SimonSays,
    reading: Reading,
    *,
    step_count: int,
    seed: int = 0,
    probe: Callable[[LSTMState], None] | None = None,
    probe_steps: int = 1,
    show: Callable[[range], Iterable[int]] = iter,
) -> Recording:
    """Plays from the start of a game, actions drawn as in training.

    Args:
        policy: Who plays.
        game: A fresh one.
        reading: That of the game's world.
        step_count: Policy steps in every world.
        seed: Decides the draws.
        probe: Called before every `probe_steps`-th step with the memory that the policy has then;
            it leaves the game as it was.
        probe_steps: See there.
        show: Wraps the steps, for a progress bar.
    """
    generator = torch.Generator(game.device).manual_seed(seed)
    memory = policy.initial_state(game.world_count)
    kept = _Kept(game, step_count)
    reading.begin(game.restarted)
    for step in show(range(step_count)):
        if probe is not None and step % probe_steps == probe_steps - 1:
            probe(memory)
        kept.goal_TW[step] = game.goal
        kept.inventory_MWI[step] = game.world.inventory
        kept.hand_TW[step] = reading.hand()
        kept.depth_TW[step] = reading.depth()
        mask_WA = game.action_mask
        logits_WA, kept.value_MW[step], memory = look(policy, game, memory)
        components = actions.choices(logits_WA, mask_WA, game.action_sizes)
        kept.entropy_TWK[step] = entropies(components)
        before = prior(policy.prior_A, mask_WA, game.action_sizes)
        kept.divergence_TWK[step] = divergence(components, before)
        action_WK = actions.sample(components, actions.uniform(logits_WA, generator))
        kept.action_TWK[step] = action_WK
        game.step(action_WK.to(torch.int32))
        kept.take_outcome(step)
        reading.begin(game.restarted)
    kept.inventory_MWI[step_count] = game.world.inventory
    kept.value_MW[step_count] = look(policy, game, memory)[1]
    game.world.check()
    return kept.recording()


def look(
    policy: Policy,
    game: SimonSays,
    memory: LSTMState,
    observation: dict[str, Tensor] | None = None,
) -> tuple[Tensor, Tensor, LSTMState]:
    """Scores (world, choice), values (world,) and the memory after one look at the game.

    Args:
        policy: Who looks.
        game: What at.
        memory: Before the look.
        observation: What it sees instead of `seen(game)`.
    """
    logits_1WA, value_1W, memory = policy(
        seen(game) if observation is None else observation, game.restarted.unsqueeze(0), memory
    )
    return logits_1WA[0], value_1W[0], memory


class _Kept:
    """The recording while it is made, on the game's device."""

    def __init__(self, game: SimonSays, step_count: int) -> None:
        self._game = game
        target = game.world.state.target  # pyright: ignore[reportAttributeAccessIssue]
        self._target_W: Tensor = target

        def per_step(dtype: torch.dtype, *shape: int, steps: int = step_count) -> Tensor:
            return torch.zeros((steps, game.world_count, *shape), dtype=dtype, device=game.device)

        moments, component_count = step_count + 1, len(game.action_sizes)
        self.goal_TW = per_step(torch.int16)
        self.value_MW = per_step(torch.float32, steps=moments)
        self.inventory_MWI = per_step(torch.int16, len(game.world.items), steps=moments)
        self.hand_TW = per_step(torch.int16)
        self.depth_TW = per_step(torch.float32)
        self.action_TWK = per_step(torch.int16, component_count)
        self.entropy_TWK = per_step(torch.float32, component_count)
        self.divergence_TWK = per_step(torch.float32, component_count)
        self.target_TW = per_step(torch.int32)
        self.reward_TW = per_step(torch.float32)
        self.ticks_TW = per_step(torch.int32)
        self.terminated_TW = per_step(torch.bool)
        self.truncated_TW = per_step(torch.bool)
        self.restarted_TW = per_step(torch.bool)
        self.task_over_TW = per_step(torch.bool)
        self.task_succeeded_TW = per_step(torch.bool)

    def take_outcome(self, step: int) -> None:
        """Keeps what the step has led to."""
        game = self._game
        self.target_TW[step] = self._target_W
        self.reward_TW[step] = game.reward
        self.ticks_TW[step] = game.ticks
        self.terminated_TW[step] = game.terminated
        self.truncated_TW[step] = game.truncated
        self.restarted_TW[step] = game.restarted
        self.task_over_TW[step] = game.task_over
        self.task_succeeded_TW[step] = game.task_succeeded

    def recording(self) -> Recording:
        """All of it on the host."""
        names = [field.name for field in dataclasses.fields(Recording)]
        return Recording(**{name: getattr(self, name).cpu().numpy() for name in names})
