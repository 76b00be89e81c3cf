"""A training run from its start or a checkpoint to its end, in a run folder."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Protocol, TypeVar

from torch import Tensor

from lapis.running import checkpoint
from lapis.running.options import RunOptions
from lapis.running.scalars import evaluation_scalars, update_scalars
from lapis.running.signals import Stopped, StopRequest
from lapis.running.tensorboard import EventLog
from lapis.running.wandb_log import WandbLog, require_wandb
from lapis.runs import MetricsLog, RunError, RunFolder
from lapis.terminal.progress import Progress
from lapis.terminal.training import View, open_view
from lapis.train.config import to_dict

__all__ = ["Config", "Trainable", "TrainingFailedError", "restore", "resume", "start"]


class TrainingFailedError(RunError):
    """Learning failed; the last checkpoint is from before that."""


class Game(Protocol):
    """What a run needs from a game."""

    goals: tuple[str, ...]


class Trainable(Protocol):
    """What a run needs from a trainer."""

    @property
    def game(self) -> Game:
        """Where the goals are."""
        ...

    def train_one_update(self) -> dict[str, Any]:
        """One update; its metrics, `update` (finished updates) and `discovered` among them.

        Raises:
            FloatingPointError: A number is not finite; the trainer cannot be used any more.
        """
        ...

    def evaluate(self) -> dict[str, Any]:
        """Successes and attempts of every goal, measured apart from training.

        `update`, `frames`, and lists with one value per goal: `successes` and `attempts`. What
        the next updates do does not depend on it; called again after the same update, it gives
        the same.
        """
        ...

    def state_dict(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """Everything that the next update depends on: tensors, and the rest as JSON types."""
        ...

    def load_state_dict(self, tensors: dict[str, Tensor], state: dict[str, Any]) -> None:
        """Continues as the trainer whose state this is would have."""
        ...


class Config(Protocol):
    """What a run needs from a configuration, which is a frozen dataclass."""

    @property
    def updates(self) -> int:
        """Updates of the whole run."""
        ...

    @property
    def evaluation_updates(self) -> int:
        """Updates between evaluations; 0 for none."""
        ...


AnyConfig = TypeVar("AnyConfig", bound=Config)
AnyTrainer = TypeVar("AnyTrainer", bound=Trainable)
Groups = Callable[[Sequence[str]], Sequence[str]]


def start(
    path: Path,
    *,
    config: AnyConfig,
    build: Callable[[AnyConfig], Trainable],
    recipe: str,
    command: Sequence[str],
    device: str = "cpu",
    groups_of: Groups = lambda goals: (),
    options: RunOptions | None = None,
) -> int:
    """Trains to the last update in a new run folder.

    Args:
        path: The new folder; it must not exist.
        config: The whole configuration.
        build: Makes the trainer.
        recipe: Name of the recipe, for the record.
        command: Command line, for the record.
        device: What it computes on, for the record.
        groups_of: Gives the group of each goal for the view, or nothing.
        options: How the run is kept and shown.

    Returns:
        The exit code: 0 at the end, 128 and the signal's number after a signal.
    """
    options = options or RunOptions()
    if options.wandb:
        require_wandb()
    RunFolder.require_free(path)
    trainer = build(config)
    run = RunFolder.create(
        path,
        config=to_dict(config),
        recipe=recipe,
        command=command,
        device=device,
        goals=trainer.game.goals,
        groups=groups_of(trainer.game.goals),
    )
    with run.writing() as log, closing(run.evaluation_log()) as evaluations:
        session = _Session(run, log, evaluations, trainer, config, options)
        return session.train(update=0)


def resume(
    path: Path,
    *,
    load_config: Callable[[dict[str, Any]], AnyConfig],
    build: Callable[[AnyConfig], Trainable],
    command: Sequence[str],
    updates: int | None = None,
    options: RunOptions | None = None,
) -> int:
    """Continues a run from its newest complete checkpoint, as if it had never stopped.

    A run that stopped before its first checkpoint starts again. Log lines newer than the
    checkpoint are dropped, because they will be written again.

    Args:
        path: The run folder.
        load_config: Makes a configuration from the JSON types of config.json.
        build: Makes the trainer.
        command: Command line, for the record.
        updates: A new last update, or None for that of the configuration.
        options: How the run is kept and shown.

    Returns:
        The exit code, as for `start`.
    """
    options = options or RunOptions()
    if options.wandb:
        require_wandb()
    run = RunFolder.open(path)
    with run.writing() as log, closing(run.evaluation_log()) as evaluations:
        config = load_config(run.read_config())
        if updates is not None and updates != config.updates:
            config = dataclasses.replace(config, updates=updates)  # pyright: ignore[reportArgumentType]
            run.replace_config(to_dict(config))
        trainer = build(config)
        update = _restore(run, trainer, config)
        log.rewind(update)
        evaluations.rewind(update)
        if update > 0 and log.last_update != update:
            raise _lost_lines(run.path / "metrics.jsonl", log, update)
        if config.evaluation_updates > 0 and update > 0:
            # A signal may have skipped the evaluation of this update; it comes first now.
            evaluated = update - 1 - (update - 1) % config.evaluation_updates
            if evaluated > 0 and evaluations.last_update < evaluated:
                raise _lost_lines(run.path / "evaluation.jsonl", evaluations, update)
        run.record_resume(update, command)
        session = _Session(run, log, evaluations, trainer, config, options)
        return session.train(update=update)


def restore(
    path: Path,
    *,
    load_config: Callable[[dict[str, Any]], AnyConfig],
    build: Callable[[AnyConfig], AnyTrainer],
) -> AnyTrainer:
    """The trainer of a run in the state of its newest complete checkpoint; only reads the folder.

    Raises:
        RunError: There is no checkpoint yet.
    """
    run = RunFolder.open(path)
    config = load_config(run.read_config())
    trainer = build(config)
    if _restore(run, trainer, config) == 0:
        raise RunError(f"{path} has no checkpoint yet")
    return trainer


def _restore(run: RunFolder, trainer: Trainable, config: Config) -> int:
    """Loads the newest complete checkpoint; returns its update, 0 if there is none."""
    newest = checkpoint.latest(run.checkpoints)
    if newest is None:
        return 0
    update, tensors, state = checkpoint.load(newest, identity=_identity(trainer, config))
    trainer.load_state_dict(tensors, state)
    return update


def _lost_lines(path: Path, log: MetricsLog, update: int) -> TrainingFailedError:
    return TrainingFailedError(
        f"{path} ends at update {max(0, log.last_update)}, before the checkpoint of update "
        f"{update}: lines have been lost"
    )


class _Session:
    """The time from a start or a resume to the end, a signal or an error."""

    def __init__(
        self,
        run: RunFolder,
        log: MetricsLog,
        evaluations: MetricsLog,
        trainer: Trainable,
        config: Config,
        options: RunOptions,
    ) -> None:
        self._run = run
        self._log = log
        self._evaluations = evaluations
        self._trainer = trainer
        self._config = config
        self._options = options
        self._groups = run.read_goals()[1]
        self._trackers: list[EventLog | WandbLog] = []
        self._saved_update = 0
        self._saved_time = time.monotonic()

    def train(self, *, update: int) -> int:
        """Trains from `update` finished updates to the last; returns the exit code."""
        self._saved_update = update
        total = self._config.updates
        if update >= total and not self._lacks_evaluation(update):
            print(f"{self._run.path} is finished after {update} updates; extend it with --updates")
            return 0
        view = self._view()
        with view, StopRequest(view.announce) as stop:
            view.say(
                f"{'resuming' if update else 'starting'} {self._run.path} after update {update}"
            )
            with (
                closing(EventLog(self._run.tensorboard, update=update)) as events,
                ExitStack() as stack,
            ):
                self._trackers = [events]
                if self._options.wandb:
                    wandb = WandbLog(self._run.path, config=to_dict(self._config))
                    self._trackers.append(stack.enter_context(closing(wandb)))
                    view.say(f"Weights & Biases: {wandb.place}")
                self._evaluate(update, view, stop)
                while update < total and stop.signal is None:
                    metrics = self._update()
                    update = metrics["update"]
                    self._log.append(metrics)
                    self._track(update, update_scalars(metrics, self._groups))
                    view.take(metrics)
                    self._evaluate(update, view, stop)
                    if self._is_due(update):
                        self._save(update)
                if update > self._saved_update:
                    self._save(update)
        if stop.signal is not None and (update < total or self._lacks_evaluation(update)):
            print(
                f"stopped by {stop.signal.name} after update {update}, saved; "
                f"continue with: lapis resume {self._run.path}"
            )
            return stop.exit_code
        if not self._options.quiet:
            print(f"finished {self._run.path}: {update} updates")
        return 0

    def _view(self) -> View:
        goals, groups = self._run.read_goals()
        past = self._run.read_metrics().get("discovered", ())
        progress = Progress(
            update_total=self._config.updates,
            goals=goals,
            groups=groups,
            discovered=[int(count) for count in past],
        )
        evaluations = self._run.read_evaluations()
        if evaluations:
            progress.take_evaluation({name: rows[-1] for name, rows in evaluations.items()})
        return open_view(progress, f"lapis  {self._run.path}", quiet=self._options.quiet)

    def _update(self) -> dict[str, Any]:
        """Does one update and returns its metrics, or raises if it failed."""
        try:
            return self._trainer.train_one_update()
        except FloatingPointError as error:
            raise TrainingFailedError(
                f"{error} Nothing of this update was saved; the last checkpoint of "
                f"{self._run.path} is from update {self._saved_update}."
            ) from error

    def _evaluate(self, update: int, view: View, stop: StopRequest) -> None:
        """Logs the evaluation if one is due; after a signal the resume does it."""
        if not self._lacks_evaluation(update):
            return
        try:
            with stop.interruptible():
                evaluation = self._trainer.evaluate()
        except Stopped:
            return
        self._evaluations.append(evaluation)
        self._track(update, evaluation_scalars(evaluation, self._groups))
        view.take_evaluation(evaluation)

    def _track(self, update: int, scalars: dict[str, float]) -> None:
        for tracker in self._trackers:
            tracker.write(update, scalars)

    def _lacks_evaluation(self, update: int) -> bool:
        """Whether an evaluation is due after this update and has not been made."""
        every = self._config.evaluation_updates
        if every == 0 or update == 0:
            return False
        is_due = update % every == 0 or update == self._config.updates
        return is_due and self._evaluations.last_update < update

    def _is_due(self, update: int) -> bool:
        is_old = time.monotonic() - self._saved_time >= self._options.checkpoint_seconds
        return is_old or update % self._options.checkpoint_updates == 0

    def _save(self, update: int) -> None:
        """Writes the log lines up to now to the disk, and then a checkpoint."""
        self._log.sync()
        self._evaluations.sync()
        tensors, state = self._trainer.state_dict()
        checkpoint.save(
            self._run.checkpoints,
            update,
            tensors,
            state,
            identity=_identity(self._trainer, self._config),
            keep_count=self._options.checkpoint_count,
        )
        self._saved_update = update
        self._saved_time = time.monotonic()


def _identity(trainer: Trainable, config: Config) -> checkpoint.Identity:
    """The class and all settings but the length of the run, which may be extended."""
    settings = {name: value for name, value in to_dict(config).items() if name != "updates"}
    return checkpoint.Identity(kind=type(trainer).__qualname__, config=settings)
