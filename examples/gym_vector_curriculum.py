"""Learning progress in a loop of your own over Gymnasium's vector environments.

    pip install lapis-rl gymnasium torch
    python examples/gym_vector_curriculum.py            (ten seconds)

The learner is REINFORCE on a combination lock, in plain PyTorch.
"""

import argparse

import numpy as np
import torch
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from lock import KEY_KINDS, TASK_COUNT, make_env, show_success

from lapis.curriculum import LearningProgress, Teacher
from lapis.integrations.gym_vector import VectorCurriculum


def train(curriculum: Teacher, updates: int, seed: int = 0, make=make_env) -> torch.nn.Module:
    torch.manual_seed(seed)
    envs = SyncVectorEnv([make] * 16, autoreset_mode=AutoresetMode.SAME_STEP)
    teaching = VectorCurriculum(curriculum, envs)
    policy = torch.nn.Linear(2 * TASK_COUNT, KEY_KINDS)
    optimizer = torch.optim.Adam(policy.parameters(), lr=0.05)
    observation, _ = envs.reset(seed=seed)
    for _ in range(updates):
        scores, rewards, ends = [], [], []
        for _ in range(64):
            choice = torch.distributions.Categorical(logits=policy(torch.tensor(observation)))
            action = choice.sample()
            observation, reward, terminated, truncated, info = envs.step(action.numpy())
            teaching.count(info)
            scores.append(choice.log_prob(action) + 0.02 * choice.entropy())
            rewards.append(reward)
            ends.append(terminated | truncated)
        teaching.update()
        loss = -(torch.stack(scores) * torch.tensor(returns(rewards, ends))).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    envs.close()
    return policy


def returns(rewards: list[np.ndarray], ends: list[np.ndarray]) -> np.ndarray:
    """What each step's episode pays from there on, less a small cost of trying."""
    total = np.zeros_like(rewards[0])
    result = []
    for reward, end in zip(reversed(rewards), reversed(ends), strict=True):
        total = reward + np.where(end, 0.0, total)
        result.append(total - 0.1)
    return np.stack(result[::-1]).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--updates", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    curriculum = LearningProgress(TASK_COUNT, time_scale=8, floor=0.2)
    train(curriculum, arguments.updates, arguments.seed)
    show_success(curriculum.fast_)


if __name__ == "__main__":
    main()
