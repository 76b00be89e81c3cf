"""The curriculum in TRL's GRPO trainer: which prompts a language model trains on.

    from lapis.curriculum import LearningProgress
    from lapis.integrations.trl import CurriculumGRPOTrainer

    trainer = CurriculumGRPOTrainer(..., curriculum=LearningProgress(task_count))

The training set has a column `task`: whole numbers from 0, or names of groups, such as where a
prompt comes from, its difficulty or its cluster. Each generation's prompts are drawn by the
curriculum, and their rewards are the outcomes. Under `accelerate` all processes hold the same
curriculum. It is part of the trainer's checkpoints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from lapis.curriculum import OutcomeCounts, Teacher
from lapis.extras import needed_by
from lapis.integrations.prompts import PromptGroups

with needed_by(__name__, "trl"):
    import torch
    from torch.utils.data import Sampler
    from transformers import TrainerCallback
    from transformers.trainer_callback import ExportableState
    from trl import GRPOTrainer

__all__ = ["CurriculumGRPOTrainer", "CurriculumMixin", "CurriculumSampler", "CurriculumState"]

Score = Callable[[np.ndarray], Any]
"""Scores from 0 to 1 given rewards, shape (completion, reward function); NaN: no attempt."""


class CurriculumSampler(Sampler[int]):
    """Rows in the order of TRL's `RepeatSampler`, each block's prompts drawn when it begins.

    A block is a generation's batch: `prompts` rows, each `generations` times in a row, and all of
    that `repeats` times. The prompts of a block depend only on the seed, the block's number and the
    probabilities at that time, so all processes draw the same.

    Args:
        groups: The rows of each task.
        curriculum: Chooses the tasks.
        prompts: Different prompts in a block.
        generations: Completions of each prompt.
        repeats: How often a block is repeated.
        seed: Decides all randomness.
        epoch: Returns the number of finished epochs.
    """

    MEMORY = 16
    """Blocks that are remembered. When a checkpoint is saved, the last ones may be drawn but not
    trained on yet; a resumed run continues with them."""

    def __init__(
        self,
        groups: PromptGroups,
        curriculum: Teacher,
        *,
        prompts: int,
        generations: int,
        repeats: int,
        seed: int,
        epoch: Callable[[], int] = lambda: 0,
    ) -> None:
        self.groups, self.curriculum = groups, curriculum
        self.prompts, self.generations, self.repeats = prompts, generations, repeats
        self.seed, self.epoch = seed, epoch
        self.block_count = groups.row_count // prompts
        if self.block_count == 0:
            raise ValueError(
                f"the training set has {groups.row_count} rows, but a generation needs {prompts}"
            )
        self.drawn: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return self.block_count * self.prompts * self.generations * self.repeats

    def __iter__(self) -> Iterator[int]:
        first = self.epoch() * self.block_count
        for block in range(first, first + self.block_count):
            chosen = self._draw(block)
            for _ in range(self.repeats):
                for row in chosen:
                    for _ in range(self.generations):
                        yield row

    def _draw(self, block: int) -> list[int]:
        if block not in self.drawn:
            rng = np.random.default_rng([self.seed, block])
            tasks = self.curriculum.sample(self.prompts, rng)
            self.drawn[block] = [self.groups.draw(task, rng) for task in tasks]
            for old in sorted(self.drawn)[: -self.MEMORY]:
                del self.drawn[old]
                if old == block:  # A resumed run skips over what it has trained on.
                    return [0] * self.prompts
        return self.drawn[block]


class CurriculumState(TrainerCallback, ExportableState):
    """Saves the curriculum in each checkpoint's `trainer_state.json`, and loads it from there."""

    def __init__(self, curriculum: Teacher) -> None:
        self.curriculum = curriculum
        self.sampler: CurriculumSampler | None = None

    def state(self) -> dict[str, Any]:
        """What a checkpoint holds: numbers, lists and names."""
        saved = self.curriculum.state_dict()
        drawn = {} if self.sampler is None else self.sampler.drawn
        return {
            "args": {},
            "attributes": {
                "curriculum": {name: np.asarray(value).tolist() for name, value in saved.items()},
                "drawn": {str(block): rows for block, rows in drawn.items()},
            },
        }

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Loads the state of the checkpoint that training starts from, if there is one."""
        saved = state.stateful_callbacks.get(type(self).__name__, {}).get("attributes")
        if saved is None:
            raise ValueError(
                "this checkpoint holds no curriculum: it was saved by another trainer; start anew "
                "from its model, without resume_from_checkpoint"
            )
        self.curriculum.load_state_dict(saved["curriculum"])
        if self.sampler is not None:
            self.sampler.drawn = {int(block): rows for block, rows in saved["drawn"].items()}


class CurriculumMixin:
    """Adds a curriculum to `GRPOTrainer` or a subclass of it; list it first among the bases.

    Args:
        args: As for the trainer.
        curriculum: One task for each group of prompts.
        task_column: Column of the training set with each row's task: a whole number from 0 or a
            name. Names are numbered in sorted order.
        score: Turns the gathered rewards, shape (completion, reward function), into scores from 0
            to 1. None: their sum with the trainer's weights, which must lie in [0, 1].
        options: As for the trainer.
    """

    # What the trainer brings.
    accelerator: Any
    args: Any
    model: Any
    num_generations: int
    num_iterations: int
    reward_weights: Any
    state: Any
    train_dataset: Any

    def __init__(
        self,
        *args: Any,
        curriculum: Teacher,
        task_column: str = "task",
        score: Score | None = None,
        **options: Any,
    ) -> None:
        self.curriculum, self.task_column = curriculum, task_column
        self._score = score
        self._counts = OutcomeCounts(curriculum.task_count)
        self._groups: PromptGroups | None = None
        self._curriculum_state = CurriculumState(curriculum)
        callbacks = [*(options.pop("callbacks", None) or []), self._curriculum_state]
        super().__init__(*args, callbacks=callbacks, **options)  # type: ignore[call-arg]

    @property
    def groups(self) -> PromptGroups:
        """The rows of each task in the training set."""
        if self._groups is None:
            values = self._column(self.train_dataset)
            self._groups = PromptGroups(values, self.curriculum.task_count)
        return self._groups

    def _column(self, dataset: Any) -> Sequence[Any]:
        if not hasattr(dataset, "__getitem__"):
            raise ValueError("train_dataset must have numbered rows; streams have none")
        if self.task_column not in dataset.column_names:
            raise ValueError(
                f"train_dataset has no column {self.task_column!r}; it has: "
                + ", ".join(map(repr, dataset.column_names))
            )
        return dataset[self.task_column]

    def _get_train_sampler(self, dataset: Any = None) -> Any:
        sampler = CurriculumSampler(
            self.groups,
            self.curriculum,
            prompts=self.args.generation_batch_size // self.num_generations,
            generations=self.num_generations,
            repeats=self.num_iterations * self.args.steps_per_generation,
            seed=self.args.seed,
            # At the start of an epoch this is a whole number, up to rounding.
            epoch=lambda: int((self.state.epoch or 0) + 1e-6),
        )
        self._curriculum_state.sampler = sampler
        return sampler

    def _calculate_rewards(self, inputs: Any, *rest: Any, **options: Any) -> Any:
        rewards = super()._calculate_rewards(inputs, *rest, **options)  # type: ignore[misc]
        if self.model.training:
            own = [self.groups.number(row[self.task_column]) for row in inputs]
            tasks = torch.tensor(own, device=rewards.device)
            # The rewards of all processes are here already, in the order of the processes.
            tasks = self.accelerator.gather(tasks).cpu().numpy()
            self._counts.add_many(tasks, self._scores(rewards.cpu().numpy()))
            self._counts.teach(self.curriculum)
        return rewards

    def _scores(self, rewards: np.ndarray) -> np.ndarray:
        if self._score is not None:
            return np.asarray(self._score(rewards))
        weights = self.reward_weights.cpu().numpy()
        total = np.nansum(rewards * weights, axis=1)
        total[np.isnan(rewards).all(axis=1)] = np.nan
        if np.nanmin(total, initial=0.0) < 0.0 or np.nanmax(total, initial=1.0) > 1.0:
            bad = total[(total < 0.0) | (total > 1.0)][0]
            raise ValueError(
                f"a reward is {bad}; the curriculum takes scores from 0 to 1: give the trainer "
                "score=, for example "
                "score=lambda rewards: lapis.curriculum.scores_of_returns(rewards[:, 0], 0, 2)"
            )
        return total


class CurriculumGRPOTrainer(CurriculumMixin, GRPOTrainer):  # type: ignore[misc]
    """TRL's GRPO trainer with a curriculum over groups of prompts."""
