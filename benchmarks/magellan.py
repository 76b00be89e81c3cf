"""MAGELLAN's estimator of learning progress (Gaven et al. 2025, arXiv 2502.07709) as a rival.

There a language model embeds a goal, and a small network on the embedding predicts success. It is
trained online on the last outcomes; progress is |now - as the weights were some updates ago|, and
goals are drawn in proportion to it, with a share of even draws that shrinks in time.

What is replaced here: the language model, and its adapters trained along with the estimator, by
the features of the tasks as they are, scaled to equal spread. The network has one hidden layer.
Only `CANDIDATES` tasks, drawn evenly, are judged before each update. Sizes and rates are our own.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from lapis.bounds import Bound
from lapis.curriculum import Teacher

CANDIDATES = 4096
HIDDEN = 128
LAST_OUTCOMES = 5_120
"""Outcomes that are trained on: 20 updates of 256."""
BATCHES, BATCH = 4, 256
LEARNING_RATE = 1e-3
DELAY = 20
"""Updates between the two copies."""
EVEN_AT_FIRST, EVEN_AT_LAST, EVEN_UPDATES = 1.0, 0.2, 320
"""Share of even draws, falling linearly over the first 8 % of a run."""


class Network:
    """Success as a sigmoid of a layer of tanh units, trained by Adam (Kingma and Ba 2015)."""

    def __init__(self, width: int, rng: np.random.Generator) -> None:
        self.weights = [
            (rng.normal(size=(width, HIDDEN)) / np.sqrt(width)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            (rng.normal(size=HIDDEN) / np.sqrt(HIDDEN)).astype(np.float32),
            np.zeros(1, np.float32),
        ]
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self.steps = 0

    def success(self, rows: np.ndarray) -> np.ndarray:
        """Predicted success, shape (row,)."""
        return self._forward(rows)[1]

    def gradients(self, rows: np.ndarray, won: np.ndarray) -> list[np.ndarray]:
        """Gradients of the mean cross entropy in the order of `weights`."""
        hidden, success = self._forward(rows)
        error = (success - won) / len(rows)
        back = error[:, None] * self.weights[2] * (1.0 - hidden * hidden)
        return [rows.T @ back, back.sum(axis=0), error @ hidden, error.sum(keepdims=True)]

    def train(self, rows: np.ndarray, won: np.ndarray) -> None:
        """One step of Adam."""
        self.steps += 1
        correct = np.sqrt(1.0 - 0.999**self.steps) / (1.0 - 0.9**self.steps)
        for weight, (mean, square), gradient in zip(
            self.weights, self.moments, self.gradients(rows, won), strict=True
        ):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            weight -= LEARNING_RATE * correct * mean / (np.sqrt(square) + 1e-8)

    def _forward(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        hidden = np.tanh(rows @ self.weights[0] + self.weights[1])
        return hidden, 1.0 / (1.0 + np.exp(-(hidden @ self.weights[2] + self.weights[3])))


class Magellan(Teacher):
    """Samples in proportion to |predicted success now - by the weights `DELAY` updates ago|."""

    _learned: ClassVar[Mapping[str, Bound]] = {}

    def __init__(self, task_count: int, features: np.ndarray, seed: int = 0) -> None:
        super().__init__(task_count)
        spread = np.maximum(features.std(axis=0), 1e-12)
        self.rows = ((features - features.mean(axis=0)) / spread).astype(np.float32)
        self.rng = np.random.default_rng([seed, 7])
        self.now = Network(features.shape[1], self.rng)
        self.past = deque([copy.deepcopy(self.now)], maxlen=DELAY + 1)
        self.task = np.zeros(0, np.int64)
        self.won = np.zeros(0, np.float32)
        self.update_count = 0

    def probabilities(self) -> np.ndarray:
        """Progress of the candidates, mixed with even draws, shape (task,), sum 1."""
        drawn = np.unique(self.rng.integers(0, self.task_count, CANDIDATES))
        rows = self.rows[drawn]
        progress = np.abs(self.now.success(rows) - self.past[0].success(rows)).astype(np.float64)
        chosen = np.zeros(self.task_count)
        chosen[drawn] = progress / progress.sum() if progress.any() else 1.0 / drawn.size
        done = min(self.update_count / EVEN_UPDATES, 1.0)
        even = EVEN_AT_FIRST + done * (EVEN_AT_LAST - EVEN_AT_FIRST)
        return (1.0 - even) * chosen + even / self.task_count

    def _learn(self, successes: np.ndarray, attempts: np.ndarray) -> None:
        tried = np.flatnonzero(attempts)
        share = np.repeat(successes[tried] / attempts[tried], attempts[tried])
        self.task = np.append(self.task, np.repeat(tried, attempts[tried]))[-LAST_OUTCOMES:]
        self.won = np.append(self.won, share.astype(np.float32))[-LAST_OUTCOMES:]
        for _ in range(BATCHES):
            batch = self.rng.integers(0, self.task.size, BATCH)
            self.now.train(self.rows[self.task[batch]], self.won[batch])
        self.past.append(copy.deepcopy(self.now))
        self.update_count += 1
