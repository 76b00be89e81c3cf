"""A learning-progress curriculum in a plain training loop; needs NumPy alone.

Eight skills in a row: each can be learned only after the one before it.
"""

import numpy as np

from lapis.curriculum import LearningProgress


def main(update_count: int = 800, task_count: int = 8, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    curriculum = LearningProgress(task_count, time_scale=50, floor=0.1)
    skill = np.zeros(task_count)
    for update in range(update_count):
        tasks = curriculum.sample(64, rng)
        success = np.r_[0.05, 0.05 * skill[:-1]] + 0.95 * skill  # luck needs the skill before
        outcome = rng.random(64) < success[tasks]
        attempts = np.bincount(tasks, minlength=task_count)
        successes = np.bincount(tasks[outcome], minlength=task_count)
        skill += 0.01 * successes * (1 - skill)  # your learner trains on these attempts here
        curriculum.update(successes, attempts)
        if update % 100 == 0:
            print(update, "most sampled:", curriculum.probabilities().argmax(), skill.round(2))
    return skill


if __name__ == "__main__":
    main()
