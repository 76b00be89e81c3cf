"""The curriculum as a sampler of verl up to 0.7.1; later versions do not support one.

Write a file with a class of your own, and name it in verl's configuration:

    # my_sampler.py
    from lapis.curriculum import LearningProgress
    from lapis.integrations.verl import CurriculumSampler

    class MySampler(CurriculumSampler):
        task_column = "data_source"

        def make_curriculum(self, task_count):
            return LearningProgress(task_count, time_scale=50, floor=0.1)

    data.sampler.class_path=my_sampler.py data.sampler.class_name=MySampler
    data.dataloader_num_workers=0
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from lapis.curriculum import OutcomeCounts, Teacher
from lapis.integrations.prompts import PromptGroups

try:
    from verl.experimental.dataset.sampler import AbstractCurriculumSampler
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{__name__} needs the curriculum sampler of verl, which versions up to 0.7.1 have; "
        "get it with: pip install 'verl<=0.7.1'",
        name=error.name,
    ) from error

__all__ = ["CurriculumSampler"]


class CurriculumSampler(AbstractCurriculumSampler):
    """Draws the prompts of each batch when it begins; a subclass makes the curriculum.

    Args:
        data_source: The training set; its rows have `task_column`.
        data_config: verl's `data`: `train_batch_size` and `seed` are read.
    """

    task_column: str = "data_source"
    """Column with each row's task: the name of a group of prompts, or a whole number from 0."""

    def make_curriculum(self, task_count: int) -> Teacher:
        """The curriculum over the tasks that the training set has, in their sorted order."""
        raise NotImplementedError("a subclass of CurriculumSampler makes its curriculum")

    def scores(self, rewards: np.ndarray) -> np.ndarray:
        """Scores from 0 to 1 of the completions' rewards; these themselves unless overridden."""
        return rewards

    def __init__(self, data_source: Any, data_config: Any) -> None:
        values = [row[self.task_column] for row in _rows(data_source)]
        self.groups = PromptGroups(values, len(set(values)))
        self.curriculum = self.make_curriculum(len(self.groups.names))
        self.counts = OutcomeCounts(self.curriculum.task_count)
        self.batch_size = int(data_config.get("train_batch_size") or 1)
        self.rng = np.random.default_rng(data_config.get("seed"))

    def __len__(self) -> int:
        return self.groups.row_count

    def __iter__(self) -> Iterator[int]:
        for first in range(0, len(self), self.batch_size):
            size = min(self.batch_size, len(self) - first)
            for task in self.curriculum.sample(size, self.rng):
                yield self.groups.draw(task, self.rng)

    def update(self, batch: Any) -> None:
        """Moves the curriculum by a batch of completions; verl calls this after each step."""
        rewards = batch.batch["token_level_scores"].sum(dim=-1).double().cpu().numpy()
        tasks = [self.groups.number(value) for value in batch.non_tensor_batch[self.task_column]]
        self.counts.add_many(tasks, self.scores(rewards))
        self.counts.teach(self.curriculum)

    def state_dict(self) -> dict[str, Any]:
        """The curriculum and the random generator."""
        return {"curriculum": self.curriculum.state_dict(), "rng": self.rng.bit_generator.state}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Loads what `state_dict` gave."""
        self.curriculum.load_state_dict(state_dict["curriculum"])
        self.rng.bit_generator.state = state_dict["rng"]


def _rows(data_source: Any) -> Any:
    """The raw rows: reading a column needs no tokenizer."""
    return getattr(data_source, "dataframe", data_source)
