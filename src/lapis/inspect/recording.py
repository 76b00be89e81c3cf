"""Lets a policy play as in training, and records what it does in NumPy arrays."""

# T = steps, M = T + 1 moments (before each step, and after the last), W = worlds, I = items,
# G = goals, A = choices of all components, K = action components
from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lapis.agent import actions
from lapis.agent.lstm import LSTMState
from lapis.agent.player import act, think
from lapis.agent.policy import Policy
from lapis.inspect.moves import divergence, entropies, prior
from lapis.inspect.reading import Reading
from lapis.running.trained import TrainedPolicy
from lapis.simonsays import SimonSays
from lapis.train.build import make_game
from lapis.train.evaluation import SEED_BIT

__all__ = ["Recording", "Setup", "make_inspected_game", "record"]


@dataclass(frozen=True, kw_only=True)
class Recording:
    """A play of W worlds. Frames and memories are not kept."""

    goal_TW: np.ndarray
    """Goal that was asked for when the step began, int."""
    value_MW: np.ndarray
    """The policy's value of what it saw, float."""
    inventory_MWI: np.ndarray
    """Items held, int."""
    hand_TW: np.ndarray
    """Item in hand when the step began, -1: nothing, int."""
    depth_TW: np.ndarray
    """Blocks below the ground when the step began, float; negative above it."""
    action_TWK: np.ndarray
    """Choices of the action, int."""
    entropy_TWK: np.ndarray
    """Entropy of each component [nats], float."""
    divergence_TWK: np.ndarray
    """KL of each component from the policy's prior [nats], float."""
    target_TW: np.ndarray
    """Block that was left half dug by the step, -1: none, int."""
    reward_TW: np.ndarray
    ticks_TW: np.ndarray
    """Game ticks that the step took, int."""
    terminated_TW: np.ndarray
    """Whether the episode ended in the step by death or failures, bool, as all that follow."""
    truncated_TW: np.ndarray
    """Whether it ended by its time limit."""
    restarted_TW: np.ndarray
    """Whether the step only began a new episode: its action was ignored."""
    task_over_TW: np.ndarray
    task_succeeded_TW: np.ndarray

    @property
    def played_TW(self) -> np.ndarray:
        """Whether the step was played, and did not only begin an episode, bool."""
        return ~self.restarted_TW

    @property
    def time_TW(self) -> np.ndarray:
        """Game ticks of the steps that were played, int; 0 for the others."""
        return np.where(self.restarted_TW, 0, self.ticks_TW)


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What to play."""

    goals: tuple[str, ...]
    """Asked for first, from empty hands, dealt out to the worlds in turn."""
    later_G: np.ndarray
    """Probability of each goal in later tasks."""
    later: str
    """These in words."""
    world_count: int
    step_count: int
    seed: int


def make_inspected_game(trained: TrainedPolicy, setup: Setup) -> SimonSays:
    """Worlds that the policy was not trained in, with the rules of its training, bonus included."""
    config = dataclasses.replace(
        trained.config,
        world_count=setup.world_count,
        seed=((trained.config.seed ^ SEED_BIT) + setup.seed) % 2**31,
    )
    game = make_game(config)
    if config.simonsays.bonus == "dynamic":
        game.set_exploration_set(trained.exploration_set.cpu().numpy())
    game.set_probabilities(setup.later_G)
    asked = torch.tensor([game.goals.index(goal) for goal in setup.goals], device=game.device)
    game.ask_for(asked[torch.arange(setup.world_count, device=game.device) % len(asked)])
    return game


@torch.no_grad()
def record(
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
    """Plays from the start of a fresh game, actions drawn as in training.

    `probe` is called with the policy's memory before every `probe_steps` steps, and leaves the game
    as it was; `show` wraps the steps, for a progress bar.
    """
    generator = torch.Generator(game.device).manual_seed(seed)
    memory = policy.initial_state(game.world_count)
    target_W: Tensor = game.world.state.target  # pyright: ignore[reportAttributeAccessIssue]
    kept: defaultdict[str, list[Tensor]] = defaultdict(list)

    def keep(**tensors: Tensor) -> None:
        for name, tensor in tensors.items():
            kept[name].append(tensor.clone())

    reading.begin(game.restarted)
    for step in show(range(step_count)):
        if probe is not None and step % probe_steps == probe_steps - 1:
            probe(memory)
        mask_WA = game.action_mask
        move = act(policy, game, memory, generator)
        memory = move.thought.memory
        components = actions.choices(move.thought.logits_WA, mask_WA, game.action_sizes)
        before = prior(policy.prior_A, mask_WA, game.action_sizes)
        keep(
            goal_TW=game.goal,
            inventory_MWI=game.world.inventory,
            hand_TW=reading.hand(),
            depth_TW=reading.depth(),
            value_MW=move.thought.value_W,
            entropy_TWK=entropies(components),
            divergence_TWK=divergence(components, before),
            action_TWK=move.action_WK,
        )
        game.step(move.action_WK.to(torch.int32))
        keep(
            target_TW=target_W,
            reward_TW=game.reward,
            ticks_TW=game.ticks,
            terminated_TW=game.terminated,
            truncated_TW=game.truncated,
            restarted_TW=game.restarted,
            task_over_TW=game.task_over,
            task_succeeded_TW=game.task_succeeded,
        )
        reading.begin(game.restarted)
    keep(inventory_MWI=game.world.inventory, value_MW=think(policy, game, memory).value_W)
    game.world.check()
    return Recording(**{name: torch.stack(rows).cpu().numpy() for name, rows in kept.items()})
