"""Gymnasium's CartPole with other gravities, lengths, forces and tilts, and a small learner."""

from __future__ import annotations

import numpy as np
from gymnasium.envs.classic_control.cartpole import CartPoleVectorEnv

from lapis.curriculum import Descriptions, Range

STEPS = 200
"""A pole that stands for so many steps is a success."""
SPACE = Descriptions(
    [
        Range(low=1.0, high=40.0),  # Gravity [m/s^2].
        Range(low=0.1, high=2.0),  # Half of the pole's length [m].
        Range(low=1.0, high=20.0),  # Force of a push [N].
        Range(low=0.0, high=0.2),  # Tilt at the start [rad], to either side; 0.209 is failure.
    ]
)
TEST_TASKS = SPACE.draw(512, np.random.default_rng(12345))
"""Tasks of the test, the same for all runs."""
HIDDEN = 32
LEARNING_RATE = 0.01
STATE_SCALE = np.array([2.4, 2.0, 0.2, 2.0])


class CartPoles:
    """A policy for all tasks, which learns from success and failure alone.

    A network of one hidden layer sees the state and the task. Its gradient is the plain policy
    gradient, with the mean of a task's attempts as the baseline: tasks that are always or never
    solved teach nothing.
    """

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng([seed, 3])
        inputs = 4 + SPACE.width
        self.weights = [
            rng.normal(size=(inputs, HIDDEN)) / np.sqrt(inputs),
            np.zeros(HIDDEN),
            np.zeros((HIDDEN, 1)),
            np.zeros(1),
        ]
        self._moments = [np.zeros((2, *weight.shape)) for weight in self.weights]
        self._updates = 0

    def practice(self, tasks: np.ndarray, attempts: int, rng: np.random.Generator) -> np.ndarray:
        """Attempts each task so often, learns from it and returns the successes, shape (task,)."""
        seen, pushed, alive, won = self._play(np.repeat(tasks, attempts, axis=0), rng)
        by_task = won.reshape(-1, attempts)
        better = (by_task - by_task.mean(axis=1, keepdims=True)).ravel()
        if better.any():
            self._climb(seen, pushed, (better / better.std()) * alive)
        return by_task.sum(axis=1)

    def reached(self) -> float:
        """Share of the test's tasks that the policy solves when it draws no actions."""
        return float(self._play(TEST_TASKS, None)[3].mean())

    def _play(
        self, tasks: np.ndarray, rng: np.random.Generator | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """What was seen and done, whether the pole still stood, and whether it did to the end."""
        env = CartPoleVectorEnv(len(tasks), max_episode_steps=STEPS + 1)
        chance = np.random.default_rng(0) if rng is None else rng
        env.reset(seed=int(chance.integers(2**31)))
        assert env.state is not None
        env.gravity, env.length, env.force_mag, tilt = tasks.T
        env.polemass_length = env.masspole * env.length
        env.state[2] = tilt * np.where(chance.random(len(tasks)) < 0.5, -1.0, 1.0)
        state = env.state.T
        known = 2.0 * SPACE.features(tasks) - 1.0
        stands = np.ones(len(tasks), bool)
        seen, pushed, alive = [], [], []
        for _ in range(STEPS):
            inputs = np.concatenate([state / STATE_SCALE, known], axis=1)
            right = self._right(inputs)
            push = (chance.random(len(tasks)) if rng is not None else 0.5) < right
            seen.append(inputs)
            pushed.append(push - right)
            alive.append(stands)
            state, _, fell, _, _ = env.step(push.astype(np.int64))
            stands = stands & ~fell
            if not stands.any():
                break
        return np.stack(seen), np.stack(pushed), np.stack(alive), stands

    def _right(self, inputs: np.ndarray) -> np.ndarray:
        """The chance of a push to the right."""
        first, bias, second, offset = self.weights
        logit = np.tanh(inputs @ first + bias) @ second + offset
        return 1.0 / (1.0 + np.exp(-logit[..., 0]))

    def _climb(self, seen: np.ndarray, pushed: np.ndarray, better: np.ndarray) -> None:
        """One step of Adam along the policy gradient; a step that came after a fall counts 0."""
        first, bias, second, _ = self.weights
        hidden = np.tanh(seen @ first + bias)
        slope = (better * pushed)[..., None] / max(1, np.count_nonzero(better))
        back = (slope @ second.T) * (1.0 - hidden**2)
        axes = ([0, 1], [0, 1])
        gradients = [
            np.tensordot(seen, back, axes),
            back.sum(axis=(0, 1)),
            np.tensordot(hidden, slope, axes),
            slope.sum(axis=(0, 1)),
        ]
        self._updates += 1
        for weight, gradient, moments in zip(self.weights, gradients, self._moments, strict=True):
            moments[0] += 0.1 * (gradient - moments[0])
            moments[1] += 0.01 * (gradient**2 - moments[1])
            mean = moments[0] / (1.0 - 0.9**self._updates)
            square = moments[1] / (1.0 - 0.99**self._updates)
            weight += LEARNING_RATE * mean / (np.sqrt(square) + 1e-8)
