"""Learning progress with a TorchRL collector: PPO learns a combination lock, key by key.

pip install 'lapis-rl[torchrl]'
python examples/torchrl_curriculum.py               (a minute)
"""

import argparse

import torch
from lock import KEY_KINDS, TASK_COUNT, make_env, show_success
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper, SerialEnv
from torchrl.modules import ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from lapis.curriculum import LearningProgress, Teacher
from lapis.integrations.torchrl import CollectorCurriculum, with_tasks


def train(curriculum: Teacher, updates: int, seed: int = 0, make=make_env) -> torch.nn.Module:
    torch.manual_seed(seed)
    env = SerialEnv(8, lambda: with_tasks(GymWrapper(make(), categorical_action_encoding=True)))
    teaching = CollectorCurriculum(curriculum, env)
    env.set_seed(seed)
    actor = ProbabilisticActor(
        TensorDictModule(make_network(KEY_KINDS), in_keys=["observation"], out_keys=["logits"]),
        in_keys=["logits"],
        distribution_class=torch.distributions.Categorical,
        return_log_prob=True,
    )
    critic = ValueOperator(make_network(1), in_keys=["observation"])
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss_of = ClipPPOLoss(actor, critic, entropy_coeff=0.02)
    optimizer = torch.optim.Adam(loss_of.parameters(), lr=2e-3)
    collector = Collector(env, actor, frames_per_batch=512, total_frames=512 * updates)
    for data in collector:
        teaching.update(data)
        with torch.no_grad():
            advantage(data)
        flat = data.reshape(-1)
        for _ in range(4):
            for rows in torch.randperm(flat.shape[0]).split(128):
                losses = loss_of(flat[rows])
                loss = sum(value for name, value in losses.items() if name.startswith("loss_"))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
    collector.shutdown()
    return actor


def make_network(size: int) -> torch.nn.Module:
    return torch.nn.Sequential(
        torch.nn.Linear(2 * TASK_COUNT, 64), torch.nn.Tanh(), torch.nn.Linear(64, size)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    curriculum = LearningProgress(TASK_COUNT, time_scale=8, floor=0.2)
    train(curriculum, arguments.updates, arguments.seed)
    show_success(curriculum.fast_)


if __name__ == "__main__":
    main()
