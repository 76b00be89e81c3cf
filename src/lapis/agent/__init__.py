"""The agent: a recurrent policy over named observations, and PPO (paper P21, P22)."""

from typing import TYPE_CHECKING

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
from lapis.agent.config import ImpalaConfig, PolicyConfig, PPOConfig, paper_ppo
from lapis.agent.schedule import Schedule
from lapis.lazy import lazy_names

if TYPE_CHECKING:
    from lapis.agent.encoders import build_encoders
    from lapis.agent.lstm import LSTMState
    from lapis.agent.policy import Policy

__all__ = [
    "ImpalaConfig",
    "LSTMState",
    "PPOConfig",
    "Policy",
    "PolicyConfig",
    "Schedule",
    "build_encoders",
    "paper_ppo",
]

__getattr__ = lazy_names(
    __name__,
    {"LSTMState": "lstm", "Policy": "policy", "build_encoders": "encoders"},
    extra="train",
)
