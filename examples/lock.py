"""A combination lock, the environment of the examples for other people's trainers.

The code has ten keys of four kinds. Task number k is to press the first k + 1 keys; a wrong key
ends the attempt. So a beginner solves the first task one time in four and the last one never, and
what was learned on one task helps on the next. Run it for a look at the tasks:

    python examples/lock.py
"""

import gymnasium
import numpy as np

from lapis.integrations.tasks import EpisodeEnd, TaskChoice

KEY_KINDS = 4
CODE = (2, 0, 3, 1, 1, 3, 0, 2, 1, 0)
TASK_COUNT = len(CODE)


class Lock(gymnasium.Env):
    """A plain environment that knows nothing of curricula; `length` keys open it."""

    def __init__(self):
        self.observation_space = gymnasium.spaces.Box(0, 1, (2 * TASK_COUNT,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(KEY_KINDS)
        self.length = 1
        self.pressed = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.pressed = 0
        return self._observation(), {}

    def step(self, action):
        if int(action) != CODE[self.pressed]:
            return self._observation(), 0.0, True, False, {}
        self.pressed += 1
        opened = self.pressed == self.length
        return self._observation(), float(opened), opened, False, {}

    def _observation(self):
        observation = np.zeros((2, TASK_COUNT), np.float32)
        observation[0, min(self.pressed, TASK_COUNT - 1)] = 1.0
        observation[1, self.length - 1] = 1.0
        return observation.ravel()


def make_env() -> TaskChoice:
    """The lock with the convention around it: this is all that an environment needs."""
    return TaskChoice(
        Lock(),
        tasks=range(1, TASK_COUNT + 1),
        set_task=set_length,
        outcome=opened,
    )


def set_length(lock: Lock, length: int) -> None:
    lock.length = length


def opened(end: EpisodeEnd) -> bool:
    return end.reward > 0


def show_success(success: np.ndarray) -> None:
    """Prints how often each task succeeded lately."""
    print("success:", " ".join(f"{each:.2f}" for each in success))


def main() -> None:
    env = make_env()
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(20):
        _, _, over, _, info = env.step(rng.integers(KEY_KINDS))
        if over:
            print("task", info["task"], "succeeded" if info["task_succeeded"] else "failed")
            env.reset()


if __name__ == "__main__":
    main()
