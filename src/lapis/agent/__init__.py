"""The agent: a recurrent policy over named observations, and PPO (paper P21, P22)."""

from lapis.agent.config import PolicyConfig, PPOConfig, paper_ppo
from lapis.agent.encoders import build_encoders
from lapis.agent.lstm import LSTMState
from lapis.agent.policy import Policy

__all__ = ["LSTMState", "PPOConfig", "Policy", "PolicyConfig", "build_encoders", "paper_ppo"]
