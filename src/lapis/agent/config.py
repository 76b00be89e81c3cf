"""Settings of the policy and of PPO."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from lapis.agent.schedule import Schedule
from lapis.bounds import COUNT, NOT_NEGATIVE, POSITIVE, SHARE, WHOLE, Bound, Checked
from lapis.registry import EncoderSettings

if TYPE_CHECKING:
    from lapis.agent.frames import FrameEncoder

Precision = Literal["float32", "bfloat16"]
Stem = Literal["impala", "strided"]


@dataclass(frozen=True, kw_only=True)
class ImpalaConfig(EncoderSettings):
    """The residual network for frames of IMPALA (paper P20)."""

    filters: Annotated[tuple[int, ...], COUNT] = (16, 32, 32)
    """Channels of the stages. The paper: 64, 128, 128 (paper P20)."""
    stem: Stem = "impala"
    """The first stage: a 3 x 3 convolution and a halving as in IMPALA (paper P20), or one 8 x 8
    convolution of stride 4, which is much faster on a GPU."""
    blocks: Annotated[int, COUNT] = 2
    """Residual blocks of each stage. The paper: 2 (paper P20)."""
    precision: Precision = "float32"
    """In what the network computes on a GPU. Its weights, all other layers and the losses are
    float32, and so is everything on a CPU."""

    def build(self, side: int, width: int, *, compile: bool) -> FrameEncoder:
        """The network for frames of `side` x `side` pixels."""
        from lapis.agent.frames import FrameEncoder  # Here: it loads PyTorch.

        return FrameEncoder(side, width=width, compile=compile, **vars(self))


@dataclass(frozen=True, kw_only=True)
class PolicyConfig(Checked):
    """The network's size and senses."""

    width: Annotated[int, Bound(least=1, most=2**20, whole=True)] = 128
    """Width of embeddings, LSTM and the layer after it. The paper: 512 (paper P20, P21)."""
    frames: EncoderSettings | None = None
    """The network for frames; None in worlds that show none."""
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
    compile: bool = False
    """On a GPU: `torch.compile` of the network for frames, the steps of the LSTM, the choice of
    actions and the losses, which fuses what lies between convolutions and matrix products. The
    first update takes a minute longer."""
    action_items: bool = False
    """Whether the score of an action also depends, alike for all actions of a kind, on what its
    item is: the goal, an ingredient of it, or something that pays a bonus. What is learned about
    crafting one item then serves the next. The paper's policy learns each action on its own."""
    goal_blind_items: bool = False
    """With `action_items`: whether these scores depend on what is seen and held, and not on the
    goal beyond what its items are to it, and actions hardly learn on their own. Then what was
    learned for the goals that are reached holds for those that never were."""
    action_prior: bool = False
    """Whether the policy starts from the prior over actions of its world, to which the entropy term
    then draws it, instead of from all choices alike."""


@dataclass(frozen=True, kw_only=True)
class PPOConfig(Checked):
    """How a rollout changes the policy (paper P22; `paper_ppo` has the paper's values)."""

    learning_rate: Annotated[Schedule, POSITIVE] = Schedule(5e-4)
    """Adam's step size: a number, or START:END:UPDATES. The paper: 3e-5."""
    adam_epsilon: Annotated[float, POSITIVE] = 1e-5
    """Adam's epsilon, customary for PPO; the paper gives none."""
    discount: Annotated[float, SHARE] = 0.999
    """Gamma, per `discount_ticks` of game time. Steps may differ in length: one that takes k times
    as long is discounted by gamma ** k, so that nothing is gained by letting time pass."""
    discount_ticks: Annotated[int, COUNT] = 4
    """Game ticks per gamma. The paper's policy steps take 4 each (paper P22)."""
    trace_decay: Annotated[float, SHARE] = 0.95
    """Lambda of the advantage estimator (paper P22)."""
    clip: Annotated[float, POSITIVE] = 0.2
    """Largest useful change of an action's probability ratio (paper P22)."""
    entropy_coefficient: Annotated[Schedule, NOT_NEGATIVE] = Schedule(0.01)
    """Weight of the entropy over allowed choices: a number (paper P22), or START:END:UPDATES."""
    value_coefficient: Annotated[float, NOT_NEGATIVE] = 0.5
    """Weight of the value loss, customary; the paper gives none."""
    normalize_values: bool = False
    """Whether the value loss is divided by the variance of the rollout's returns, as advantages
    are divided by their deviation. Where returns are small, values otherwise learn slowly."""
    gradient_limit: Annotated[float, POSITIVE] = 0.5
    """Largest norm of the whole gradient, customary; the paper gives none."""
    sequence_steps: Annotated[int, COUNT] = 16
    """Steps of back-propagation through time. The paper: 10 (paper P22)."""
    minibatch_sequences: Annotated[int, COUNT] = 512
    """Sequences per gradient step, about. The paper: 3264 (paper P22)."""
    microbatch_sequences: Annotated[int, WHOLE] = 0
    """Sequences of a minibatch that are in memory at once, at most: the gradients of the parts add
    up to that of the whole, rounding aside. 0: all of them."""
    sample_reuse: Annotated[float, POSITIVE] = 1.9
    """Times that each step enters a gradient, on average (paper P22)."""


def paper_ppo() -> PPOConfig:
    """The paper's hyperparameters (paper P22)."""
    return PPOConfig(
        learning_rate=Schedule(3e-5),
        discount=0.999,
        trace_decay=0.95,
        clip=0.2,
        entropy_coefficient=Schedule(0.01),
        sequence_steps=10,
        minibatch_sequences=3264,
        sample_reuse=1.9,
    )
