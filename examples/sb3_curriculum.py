"""Learning progress in Stable-Baselines3: PPO learns a combination lock, key by key.

pip install 'lapis-rl[sb3]'
python examples/sb3_curriculum.py                   (a minute)
"""

import argparse

from lock import TASK_COUNT, make_env, show_success
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

from lapis.curriculum import LearningProgress, Teacher, Uniform
from lapis.integrations.sb3 import CurriculumCallback


def train(curriculum: Teacher, steps: int, seed: int = 0, make=make_env) -> PPO:
    envs = make_vec_env(make, n_envs=8, seed=seed)
    model = PPO(
        "MlpPolicy",
        envs,
        n_steps=64,
        batch_size=128,
        n_epochs=4,
        learning_rate=2e-3,
        ent_coef=0.02,
        gamma=1.0,
        seed=seed,
        device="cpu",
    )
    model.learn(steps, callback=CurriculumCallback(curriculum))
    envs.close()
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--uniform", action="store_true", help="all tasks equally often")
    arguments = parser.parse_args()
    taught = LearningProgress(TASK_COUNT, time_scale=8, floor=0.2)
    train(Uniform(TASK_COUNT) if arguments.uniform else taught, arguments.steps, arguments.seed)
    show_success(taught.fast_)


if __name__ == "__main__":
    main()
