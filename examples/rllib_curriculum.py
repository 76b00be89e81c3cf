"""Learning progress in RLlib's new API stack: PPO learns a combination lock, key by key.

pip install 'lapis-rl[rllib]'
python examples/rllib_curriculum.py                 (a minute)
"""

import argparse
import os

os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray
from lock import TASK_COUNT, make_env, show_success
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.tune import register_env

from lapis.curriculum import LearningProgress
from lapis.integrations.rllib import curriculum_callbacks


def make_algorithm(make=make_env, *, runners: int = 1, seed: int = 0) -> Algorithm:
    register_env("lock", lambda _: make())
    config = (
        PPOConfig()
        .environment("lock")
        # Without a limit: after a minute RLlib drops what a runner plays, its outcomes too.
        .env_runners(num_env_runners=runners, num_envs_per_env_runner=8, sample_timeout_s=None)
        .callbacks(
            curriculum_callbacks(lambda: LearningProgress(TASK_COUNT, time_scale=8, floor=0.2))
        )
        .training(
            train_batch_size_per_learner=512,
            minibatch_size=128,
            num_epochs=4,
            lr=2e-3,
            gamma=1.0,
            entropy_coeff=0.02,
        )
        .learners(num_learners=0)
        .debugging(seed=seed)
    )
    return config.build_algo()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    algorithm = make_algorithm(seed=arguments.seed)
    for _ in range(arguments.iterations):
        algorithm.train()
    show_success(algorithm.curriculum.fast_)
    algorithm.stop()


if __name__ == "__main__":
    main()
