"""Probe worlds: each can be won only if one part of an agent works. All are tiny.

| world      | what wins                                                                       |
| ---------- | ------------------------------------------------------------------------------- |
| Bandit     | preferring the one choice of eight that pays                                     |
| Memory     | remembering, through several tasks, what was seen at the start of the episode    |
| FirstStep  | knowing that an episode has just begun, which nothing but a cleared memory tells |
| Masked     | choosing among the few choices of hundreds that are allowed                      |
| TwoGoals   | doing what was asked for: the two goals need different actions                   |
"""

# W = worlds, F = features, A = choices, I = items
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from lapis.bounds import SEED, Bound, check
from lapis.worlds.limits import COUNTED, check_given, check_identity
from lapis.worlds.world import check_like, check_tensor


class ProbeWorld:
    """What all probe worlds share: tensors, clock, resets and state.

    A subclass writes `_play`, which sees `self.step_W` (steps since the episode began), and
    maybe `_show`, which writes the observation and the mask.
    """

    items: tuple[str, ...] = ("prize",)
    action_sizes: tuple[int, ...] = (8,)
    feature_count = 1

    def __init__(
        self, world_count: int, *, seed: int = 0, device: str | torch.device = "cpu"
    ) -> None:
        self.world_count = check("world_count", world_count, Bound(least=1, most=10**6, whole=True))
        self.seed = check("seed", seed, SEED)
        self.device = torch.device(device)

        def zeros(*shape: int, dtype: torch.dtype) -> Tensor:
            return torch.zeros(self.world_count, *shape, dtype=dtype, device=self.device)

        self.vector_WF = zeros(self.feature_count, dtype=torch.float32)
        self.observation: dict[str, Tensor] = {"vector": self.vector_WF}
        self.inventory = zeros(len(self.items), dtype=torch.int32)
        self.died = zeros(dtype=torch.bool)
        self.ticks = torch.ones(self.world_count, dtype=torch.int32, device=self.device)
        self.action_mask = zeros(sum(self.action_sizes), dtype=torch.bool).fill_(True)
        self.episode_W = zeros(dtype=torch.int64)
        self.step_W = zeros(dtype=torch.int64)
        self.last_action_W = zeros(dtype=torch.int64)
        self._world_W = torch.arange(self.world_count, device=self.device)
        self.reset(torch.ones_like(self.died))

    def reset(self, which: Tensor, inventory: Tensor | None = None) -> None:
        """Starts a new episode in the rows where `which` is true."""
        first = torch.zeros_like(self.inventory) if inventory is None else inventory
        check_like("which", which, self.died)
        check_like("inventory", first, self.inventory)
        self.inventory.copy_(torch.where(which.unsqueeze(1), first, self.inventory))
        self.episode_W.add_(which)
        for tensor in (self.step_W, self.last_action_W):
            tensor.masked_fill_(which, 0)
        self.died.masked_fill_(which, False)
        self._show()

    def step(self, action: Tensor) -> None:
        """Plays one action, int32 of shape (world, 1), in every world."""
        check_tensor("action", action, torch.int32, (self.world_count, 1), self.device)
        action_W = action[:, 0].to(torch.int64)
        self._play(action_W)
        self.last_action_W.copy_(action_W)
        self.step_W.add_(1)
        self._show()

    def check(self) -> None:
        """Finds nothing: there are no kernels that could fail."""

    def state_dict(self) -> dict[str, Any]:
        """Everything that `load_state_dict` needs to continue bit for bit."""
        return {name: getattr(self, name).clone() for name in _STATE}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes over the state of a world of the same kind, seed and size."""
        own = {name: getattr(self, name) for name in _STATE}
        check_given(check_identity(state, {}, "this world"), own, dict.fromkeys(_STATE, COUNTED))
        for name in _STATE:
            getattr(self, name).copy_(state[name])
        self._show()

    def draw(self, moment_W: Tensor, purpose: int, count: int) -> Tensor:
        """Uniform numbers below `count`: a pure function of seed, world, episode and moment."""
        number_W = torch.full_like(self.episode_W, self.seed)
        for word_W in (self._world_W, self.episode_W, moment_W + 64 * purpose):
            number_W = (number_W ^ word_W) * 0x2545F491
            number_W = ((number_W ^ (number_W >> 15)) & 0xFFFFFFFF) * 0x45D9F3B
            number_W = (number_W ^ (number_W >> 16)) & 0xFFFFFFFF
        return number_W % count

    def _give(self, item: int, which: Tensor) -> None:
        self.inventory[:, item] += which

    def _play(self, action_W: Tensor) -> None:
        raise NotImplementedError

    def _show(self) -> None:
        """All alike unless a subclass has something to show."""
        self.vector_WF.fill_(1.0)


_STATE = ("inventory", "died", "ticks", "episode_W", "step_W", "last_action_W")


class Bandit(ProbeWorld):
    """One choice of eight gives the prize."""

    def _play(self, action_W: Tensor) -> None:
        self._give(0, action_W == 5)


class Memory(ProbeWorld):
    """A cue is seen in the first observation only; every seventh step asks for it.

    Each right answer gives the prize, so that a task ends and another begins while the cue still
    has to be remembered. The player dies after the third question, right or wrong.
    Features: cue (one-hot of four), whether this is a question.
    """

    action_sizes = (4,)
    feature_count = 5
    delay = 7
    question_count = 3

    def _play(self, action_W: Tensor) -> None:
        self._give(0, self._is_question() & (action_W == self._cue()))
        self.died.logical_or_(self.step_W == self.delay * self.question_count)

    def _show(self) -> None:
        cue_WF = torch.nn.functional.one_hot(self._cue(), 4)
        self.vector_WF[:, :4] = cue_WF * (self.step_W == 0).unsqueeze(1)
        self.vector_WF[:, 4] = self._is_question()

    def _cue(self) -> Tensor:
        return self.draw(torch.zeros_like(self.step_W), 0, 4)

    def _is_question(self) -> Tensor:
        return (self.step_W > 0) & (self.step_W % self.delay == 0)


class FirstStep(ProbeWorld):
    """The observation never changes; choice 1 is right in an episode's first step, 0 later.

    A wrong choice gives nothing. Episodes end by death at random, after four steps on average.
    """

    action_sizes = (2,)

    def _play(self, action_W: Tensor) -> None:
        self._give(0, action_W == (self.step_W == 0))
        self.died.logical_or_(self.draw(self.step_W, 0, 4) == 0)


class Masked(ProbeWorld):
    """Of 512 choices four are allowed in each step, and one of these, which a hint names, pays."""

    action_sizes = (512,)
    feature_count = 8

    def _play(self, action_W: Tensor) -> None:
        self._give(0, action_W == self._right())

    def _show(self) -> None:
        hint_W = self.draw(self.step_W, 0, 8)
        self.vector_WF.copy_(torch.nn.functional.one_hot(hint_W, 8))
        self.action_mask.fill_(False)
        for allowed_W in (self._right(), *(self.draw(self.step_W, i, 512) for i in (1, 2, 3))):
            self.action_mask.scatter_(1, allowed_W.unsqueeze(1), True)

    def _right(self) -> Tensor:
        return self.draw(self.step_W, 0, 8) * 61 + 17


class TwoGoals(ProbeWorld):
    """Choice 1 gives a log; choice 2 and then choice 3 give planks.

    With two steps per task, no sequence of choices serves both goals.
    """

    items = ("log", "planks")

    def _play(self, action_W: Tensor) -> None:
        self._give(0, action_W == 1)
        self._give(1, (self.last_action_W == 2) & (action_W == 3))


PROBES: dict[str, type[ProbeWorld]] = {
    "bandit": Bandit,
    "memory": Memory,
    "first_step": FirstStep,
    "masked": Masked,
    "two_goals": TwoGoals,
}
"""The probe worlds by name."""
