"""A slow twin of Simon Says: one world at a time, in plain Python numbers."""

from __future__ import annotations

import bisect
from fractions import Fraction

from lapis.simonsays import SimonSaysConfig
from lapis.simonsays.rng import Purpose


def fmix32(key: int) -> int:
    key ^= key >> 16
    key = key * 0x85EBCA6B % 2**32
    key ^= key >> 13
    key = key * 0xC2B2AE35 % 2**32
    return key ^ (key >> 16)


def uniform(seed: int, world: int, episode: int, step: int, purpose: int) -> float:
    key = fmix32(seed)
    for word in (world, episode, step, purpose):
        key = fmix32(key ^ ((word * 0x9E3779B9 + 0x7F4A7C15) % 2**32))
    return (key >> 8) / 2**24


class Twin:
    """One world of Simon Says; `step` is told what the world showed before and after."""

    def __init__(self, config: SimonSaysConfig, columns: list[int], seed: int, world: int):
        self.config, self.columns, self.seed, self.world = config, columns, seed, world
        self.exploration_set = [goal in config.paying_goals for goal in config.goals]
        self.successes = [0] * len(config.goals)
        self.attempts = [0] * len(config.goals)
        self.episode = -1
        self.ended = True
        self.set_probabilities([1.0 / len(config.goals)] * len(config.goals))
        self.begin([0] * (max(columns) + 1))

    def set_probabilities(self, probabilities: list[float]) -> None:
        total, self.cumulative = 0.0, []
        for probability in probabilities:
            total += probability
            self.cumulative.append(total)
        self.cumulative = [value / total for value in self.cumulative]

    def inherited(self, last: list[int]) -> list[int]:
        """What the next episode starts with, given the last inventory of this one."""
        draw = uniform(self.seed, self.world, self.episode + 1, 0, Purpose.INHERIT)
        return list(last) if draw < self.config.inherit_probability else [0] * len(last)

    def begin(self, held: list[int]) -> None:
        """A new episode starts with `held`; the step that starts it pays nothing."""
        self.episode += 1
        self.number = 0
        self.episode_ticks = 0
        self.failures = 0
        self.most = [held[column] for column in self.columns]
        self.reward_parts = (0, Fraction(0))
        self.flags = dict.fromkeys(["terminated", "truncated", "over", "succeeded"], False)
        self.flags["restarted"] = True
        self.ended = False
        self.ask(held)

    def ask(self, held: list[int]) -> None:
        draw = uniform(self.seed, self.world, self.episode, self.number, Purpose.GOAL)
        self.goal = bisect.bisect_right(self.cumulative, draw)
        self.at_start = held[self.columns[self.goal]]
        self.task_ticks = 0

    def step(self, held: list[int], died: bool, ticks: int) -> None:
        """A step of a running episode, after which the world shows these."""
        config = self.config
        self.number += 1
        self.episode_ticks += ticks
        self.task_ticks += ticks
        rose = held[self.columns[self.goal]] > self.at_start
        succeeded = rose and self.task_ticks <= config.task_ticks
        failed = not succeeded and (died or self.task_ticks >= config.task_ticks)
        self.failures = 0 if succeeded else self.failures + failed
        terminated = died or self.failures >= config.failures_to_end
        truncated = not terminated and self.episode_ticks >= config.episode_ticks
        bonus = Fraction(0)
        for goal, column in enumerate(self.columns):
            for unit in range(self.most[goal] + 1, held[column] + 1):
                if self.exploration_set[goal]:
                    bonus += Fraction(config.bonus_decay) ** unit
            self.most[goal] = max(self.most[goal], held[column])
        if succeeded or failed:
            self.attempts[self.goal] += 1
            self.successes[self.goal] += succeeded
            self.ask(held)
        self.reward_parts = (int(succeeded), bonus)
        self.ended = terminated or truncated
        self.flags = {
            "terminated": terminated,
            "truncated": truncated,
            "over": succeeded or failed,
            "succeeded": succeeded,
            "restarted": False,
        }
