"""Settings of the policy and of PPO."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

Precision = Literal["float32", "bfloat16"]
Stem = Literal["impala", "strided"]


@dataclass(frozen=True, kw_only=True)
class PolicyConfig:
    """The network's size and senses."""

    width: int = 128
    """Width of embeddings, LSTM and the layer after it. The paper: 512 (paper P20, P21)."""
    observe_exploration_set: bool = True
    """Whether the policy sees which goals are in the exploration set (paper P14)."""
    observe_mask: bool = False
    """Whether the policy also sees which actions are possible now, and not only obeys it."""
    observe_ingredients: bool = False
    """Whether a goal is also seen as the goals it is made from, so that what is learned about one
    goal serves every goal that needs it. The paper's policy sees the goal alone."""
    equal_inputs: bool = False
    """Whether all observations start equally loud, and one item more or less is clearly felt.
    False: linear embeddings of gain sqrt(2), in which a single item is hardly noticed."""
    filters: tuple[int, ...] = (16, 32, 32)
    """Channels of the stages of the network for frames. The paper: 64, 128, 128 (paper P20)."""
    stem: Stem = "impala"
    """The first stage for frames: a 3 x 3 convolution and a halving as in IMPALA (paper P20), or
    one 8 x 8 convolution of stride 4, which is much faster on a GPU."""
    blocks: int = 2
    """Residual blocks of each stage. The paper: 2 (paper P20)."""
    precision: Precision = "float32"
    """In what the network for frames computes on a GPU. Its weights, all other layers and the
    losses are float32, and so is everything on a CPU."""
    compile: bool = False
    """On a GPU: `torch.compile` of the network for frames, the steps of the LSTM, the choice of
    actions and the losses, which fuses what lies between convolutions and matrix products. The
    first update takes a minute longer."""
    habits: bool = False
    """Whether the policy begins with the habits of its world (`lapis.worlds.*.habits`), to which
    the entropy term then draws it, instead of with all choices alike."""

    def __post_init__(self) -> None:
        require(
            self.precision in get_args(Precision),
            "precision",
            self.precision,
            f"one of {get_args(Precision)}",
        )
        require(self.stem in get_args(Stem), "stem", self.stem, f"one of {get_args(Stem)}")
        require(self.width >= 1, "width", self.width, "at least 1")
        require(self.blocks >= 1, "blocks", self.blocks, "at least 1")
        good = bool(self.filters) and all(count >= 1 for count in self.filters)
        require(good, "filters", self.filters, "at least one number of at least 1")


@dataclass(frozen=True, kw_only=True)
class PPOConfig:
    """How a rollout changes the policy (paper P22; `paper_ppo` has the paper's values)."""

    learning_rate: float = 5e-4
    """Adam's step size, at the start. The paper: 3e-5."""
    final_learning_rate: float = 5e-4
    """What it comes to, in a straight line over the first `learning_rate_updates` updates."""
    learning_rate_updates: int = 0
    """0: the step size stays what it is at the start, as in the paper."""
    adam_epsilon: float = 1e-5
    """Adam's epsilon, customary for PPO; the paper gives none."""
    discount: float = 0.999
    """Gamma, per `discount_ticks` of game time. Steps may differ in length: one that takes k times
    as long is discounted by gamma ** k, so that nothing is gained by letting time pass."""
    discount_ticks: int = 4
    """Game ticks per gamma. The paper's policy steps take 4 each (paper P22)."""
    trace_decay: float = 0.95
    """Lambda of the advantage estimator (paper P22)."""
    clip: float = 0.2
    """Largest useful change of an action's probability ratio (paper P22)."""
    entropy_coefficient: float = 0.01
    """Weight of the entropy over allowed choices (paper P22), at the start."""
    final_entropy_coefficient: float = 0.01
    """What that weight comes to, in a straight line over the first `entropy_updates` updates."""
    entropy_updates: int = 0
    """0: the weight stays what it is at the start, as in the paper."""
    value_coefficient: float = 0.5
    """Weight of the value loss, customary; the paper gives none."""
    normalize_values: bool = False
    """Whether the value loss is divided by the variance of the rollout's returns, as advantages
    are divided by their deviation. Where returns are small, values otherwise learn slowly."""
    gradient_limit: float = 0.5
    """Largest norm of the whole gradient, customary; the paper gives none."""
    sequence_steps: int = 16
    """Steps of back-propagation through time. The paper: 10 (paper P22)."""
    minibatch_sequences: int = 512
    """Sequences per gradient step, about. The paper: 3264 (paper P22)."""
    microbatch_sequences: int = 0
    """Sequences of a minibatch that are in memory at once, at most: the gradients of the parts add
    up to that of the whole, rounding aside. 0: all of them."""
    sample_reuse: float = 1.9
    """Times that each step enters a gradient, on average (paper P22)."""

    def __post_init__(self) -> None:
        for name in (
            "learning_rate",
            "final_learning_rate",
            "adam_epsilon",
            "gradient_limit",
            "clip",
            "sample_reuse",
        ):
            value = getattr(self, name)
            require(math.isfinite(value) and value > 0, name, value, "finite and above 0")
        for name in ("entropy_coefficient", "final_entropy_coefficient", "value_coefficient"):
            value = getattr(self, name)
            require(math.isfinite(value) and value >= 0, name, value, "finite and at least 0")
        for name in ("discount", "trace_decay"):
            value = getattr(self, name)
            require(0 <= value <= 1, name, value, "in [0, 1]")
        for name in ("sequence_steps", "minibatch_sequences", "discount_ticks"):
            value = getattr(self, name)
            require(value >= 1, name, value, "at least 1")
        for name in ("microbatch_sequences", "entropy_updates", "learning_rate_updates"):
            value = getattr(self, name)
            require(value >= 0, name, value, "0 or more")

    def entropy_coefficient_at(self, update: int) -> float:
        """The weight of the entropy after so many updates."""
        start, end = self.entropy_coefficient, self.final_entropy_coefficient
        return _on_the_way(start, end, update, self.entropy_updates)

    def learning_rate_at(self, update: int) -> float:
        """Adam's step size after so many updates."""
        start, end = self.learning_rate, self.final_learning_rate
        return _on_the_way(start, end, update, self.learning_rate_updates)


def _on_the_way(start: float, end: float, update: int, updates: int) -> float:
    """What goes from `start` to `end` in so many updates; with 0 updates it stays at `start`."""
    if updates == 0:
        return start
    return start + min(1.0, update / updates) * (end - start)


def paper_ppo() -> PPOConfig:
    """The paper's hyperparameters (paper P22)."""
    return PPOConfig(
        learning_rate=3e-5,
        discount=0.999,
        trace_decay=0.95,
        clip=0.2,
        entropy_coefficient=0.01,
        sequence_steps=10,
        minibatch_sequences=3264,
        sample_reuse=1.9,
    )


def require(holds: bool, name: str, value: object, allowed: str) -> None:
    """Raises a ValueError that names a setting, its value and what is allowed."""
    if not holds:
        raise ValueError(f"{name} is {value!r}; it must be {allowed}")
