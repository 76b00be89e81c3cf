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
    """Precision of the network's computations on a GPU. Its weights, all other layers and the
    losses are float32, and so is everything on a CPU."""

    def build(self, side: int, width: int, *, compile: bool) -> FrameEncoder:
        """The network for frames of `side` x `side` pixels."""
        from lapis.agent.frames import FrameEncoder  # Here: it loads PyTorch.

        return FrameEncoder(side, width=width, compile=compile, **vars(self))


@dataclass(frozen=True, kw_only=True)
class PolicyConfig(Checked):
    """The network's size and inputs."""

    width: Annotated[int, Bound(least=1, most=2**20, whole=True)] = 128
    """Width of embeddings, LSTM and the layer after it. The paper: 512 (paper P20, P21)."""
    frames: EncoderSettings | None = None
    """The network for frames; None in worlds without frames."""
    observe_exploration_set: bool = True
    """Whether the policy sees which goals are in the exploration set (paper P14)."""
    observe_mask: bool = False
    """Whether the policy also sees which actions are possible now. It obeys this mask in any
    case."""
    observe_ingredients: bool = False
    """Whether the policy also sees which goals a goal is made from, so that what it learns about
    one helps with every goal that needs it. The paper's policy sees only the goal itself."""
    equal_inputs: bool = False
    """Whether all observations start at the same scale, so that one item more or less makes a clear
    difference. False: linear embeddings of gain sqrt(2), in which a single item hardly matters."""
    compile: bool = False
    """On a GPU: `torch.compile` of the network for frames, the LSTM's steps, the choice of actions
    and the losses. This fuses the operations between convolutions and matrix products. The first
    update takes a minute longer."""
    action_items: bool = False
    """Whether an action's score also depends on the role of its item, in the same way for all
    actions of a kind: the goal, an ingredient of it, or something that pays a bonus. What is
    learned about crafting one item then helps with the next. The paper's policy learns each action
    separately."""
    goal_blind_items: bool = False
    """With `action_items`: whether these scores depend only on what the policy sees and holds and
    on the item's role for the goal, but not on the goal itself. Each action then learns little on
    its own. What is learned for goals that are reached then also applies to goals that never
    were."""
    action_prior: bool = False
    """Whether the policy starts from its world's prior over actions, toward which the entropy term
    then pulls it, instead of from equally likely choices."""


@dataclass(frozen=True, kw_only=True)
class PPOConfig(Checked):
    """How a rollout changes the policy (paper P22; `paper_ppo` has the paper's values)."""

    learning_rate: Annotated[Schedule, POSITIVE] = Schedule(5e-4)
    """Adam's step size: a number, or START:END:UPDATES and more such parts. The paper: 3e-5."""
    adam_epsilon: Annotated[float, POSITIVE] = 1e-5
    """Adam's epsilon, customary for PPO; the paper gives none."""
    discount: Annotated[float, SHARE] = 0.999
    """Gamma, per `discount_ticks` of game time. Steps may differ in length: one that takes k times
    as long is discounted by gamma ** k, so that waiting gains nothing."""
    discount_ticks: Annotated[int, COUNT] = 4
    """Game ticks per gamma. The paper's policy steps take 4 each (paper P22)."""
    trace_decay: Annotated[float, SHARE] = 0.95
    """Lambda of the advantage estimator (paper P22)."""
    clip: Annotated[float, POSITIVE] = 0.2
    """Clip range of an action's probability ratio (paper P22)."""
    entropy_coefficient: Annotated[Schedule, NOT_NEGATIVE] = Schedule(0.01)
    """Weight of the entropy over allowed choices: a number (paper P22), or START:END:UPDATES."""
    value_coefficient: Annotated[float, NOT_NEGATIVE] = 0.5
    """Weight of the value loss, customary; the paper gives none."""
    normalize_values: bool = False
    """Whether the value loss is divided by the variance of the rollout's returns. Without this,
    values learn slowly when returns are small."""
    gradient_limit: Annotated[float, POSITIVE] = 0.5
    """Largest norm of the whole gradient, customary; the paper gives none."""
    sequence_steps: Annotated[int, COUNT] = 16
    """Steps of back-propagation through time. The paper: 10 (paper P22)."""
    minibatch_sequences: Annotated[int, COUNT] = 512
    """Approximate number of sequences per gradient step. The paper: 3264 (paper P22)."""
    microbatch_sequences: Annotated[int, WHOLE] = 0
    """Largest number of sequences of a minibatch that are in memory at once. The gradients of the
    parts add up to that of the whole, except for rounding. 0: all at once."""
    sample_reuse: Annotated[float, POSITIVE] = 1.9
    """How often each step enters a gradient, on average (paper P22)."""


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
