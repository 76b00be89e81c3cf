"""A training run from its start or a checkpoint to its end, in a run folder."""

from __future__ import annotations

import dataclasses
import functools
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor

from lapis.minecraft.goals import groups_of as groups_of_minecraft
from lapis.running import checkpoint
from lapis.running.initial import begin
from lapis.running.options import RunOptions
from lapis.running.signals import Stopped, StopRequest
from lapis.running.writers import (
    TensorBoard,
    WandB,
    evaluation_scalars,
    require_wandb,
    update_scalars,
)
from lapis.runs import MetricsLog, RunError, RunFolder
from lapis.runs.reading import reading
from lapis.terminal.progress import Progress
from lapis.terminal.training import View, open_view
from lapis.train.config import TrainConfig, load_config, to_dict
from lapis.train.device import check_device, describe_device
from lapis.train.loop import Trainer
from lapis.train.ranks import Ranks, join
from lapis.train.state import rank_count

__all__ = ["RunOptions", "TrainingFailedError", "restore", "resume", "start"]

MakeTrainer = Callable[[TrainConfig], Trainer]


class TrainingFailedError(RunError):
    """Learning failed; the last checkpoint is from before that."""


def start(
    path: Path,
    *,
    config: TrainConfig,
    recipe: str,
    command: Sequence[str],
    options: RunOptions | None = None,
    make_trainer: MakeTrainer = Trainer,
    groups_of: Callable[[Sequence[str]], Sequence[str]] | None = None,
) -> int:
    """Trains to the last update in a new run folder.

    Under torchrun all ranks call it, and the first writes the folder. The same applies to `resume`.

    Args:
        path: The new folder; it must not exist.
        config: The whole configuration.
        recipe: Name of the recipe, for the record.
        command: Command line, for the record.
        options: How the run is kept and shown.
        make_trainer: For worlds that the configuration does not know.
        groups_of: Returns the group of each goal, or nothing without groups; None: as the
            configuration's world says.

    Returns:
        The exit code: 0 at the end, 128 and the signal's number after a signal.

    Raises:
        FileExistsError: The folder exists.
        RunError: The device or a package is missing, the disk is full, or learning failed.
    """
    options = _checked(options)
    ranks = join(config.device)
    if ranks.is_first:
        RunFolder.require_free(path)
    device = describe_device(config.device)
    trainer = make_trainer(config)
    begin(trainer, config)
    if not ranks.is_first:
        return _Follower(ranks, trainer, config, options).train()
    run = RunFolder.create(
        path,
        config=to_dict(config),
        recipe=recipe,
        command=command,
        device=f"{device}, {ranks.count} ranks" if ranks.is_joined else device,
        goals=trainer.game.goals,
        groups=(groups_of or _groups_of(config))(trainer.game.goals),
    )
    with run.writing() as log, closing(run.evaluation_log()) as evaluations:
        return _Session(
            ranks, trainer, config, options, run=run, log=log, evaluations=evaluations
        ).train()


def resume(
    path: Path,
    *,
    command: Sequence[str],
    updates: int | None = None,
    from_start: bool = False,
    options: RunOptions | None = None,
    make_trainer: MakeTrainer = Trainer,
) -> int:
    """Continues a run from its newest complete checkpoint, as if it had never stopped.

    Log lines newer than the checkpoint are dropped, because they will be written again. `updates`
    is a new last update; None: that of the configuration. A run that has log lines but no
    checkpoint starts over only with `from_start`: it may have stopped before its first checkpoint,
    or checkpoints were lost and the log is all that is left. The rest is as for `start`.

    Raises:
        RunError: As for `start`; or there is nothing to resume from, or `updates` is in the past.
            Then nothing has changed.
    """
    options = _checked(options)
    run = RunFolder.open(path)
    config = load_config(run.read_config())
    is_extended = updates is not None and updates != config.updates
    if is_extended:
        config = dataclasses.replace(config, updates=updates)
    check_device(config.device)
    ranks = join(config.device)
    if not ranks.is_first:
        trainer = _made(make_trainer, config)
        update, _ = _load(ranks.from_first(None), trainer, config)
        return _Follower(ranks, trainer, config, options, update).train()
    with run.writing() as log, closing(run.evaluation_log()) as evaluations:
        trainer = _made(make_trainer, config)

        def refuse(update: int) -> str | None:
            """Why to go back further: the logs do not reach as far as the checkpoint."""
            every = config.evaluation_updates
            # A signal may have skipped the evaluation of this update; it comes first now.
            evaluated = (update - 1) // every * every if every else 0
            for name, last, least in (
                ("metrics.jsonl", log.last_update, update),
                ("evaluation.jsonl", evaluations.last_update, evaluated),
            ):
                if max(0, last) < least:
                    return (
                        f"the checkpoint of update {update}: {name} ends at update {max(0, last)}, "
                        f"before update {least}; lines have been lost"
                    )
            return None

        newest = checkpoint.latest(run.checkpoints, refuse=refuse)
        update, savers = _load(ranks.from_first(newest), trainer, config)
        if update == 0 and log.last_update > 0 and not from_start:
            raise RunError(
                f"{path} has a log of {log.last_update} updates, but no checkpoint; "
                "to drop the log and start over, add --from-start"
            )
        if update > config.updates:
            raise RunError(
                f"updates is {config.updates}, but {path} has {update} updates already; "
                "a run can only be made longer"
            )
        session = _Session(
            ranks, trainer, config, options, update, run=run, log=log, evaluations=evaluations
        )
        if update and savers != ranks.count:
            session.note = f", with new worlds: ranks were {savers} and are {ranks.count} now"
        _ = session.progress  # Damaged files are told before anything is written.
        if is_extended:
            run.replace_config(to_dict(config))
        evaluations.rewind(update)  # First: none is ever of an update that the log does not have.
        log.rewind(update)
        checkpoint.drop_later(run.checkpoints, update)
        run.record_resume(update, command)
        return session.train()


def restore(path: Path, *, make_trainer: MakeTrainer = Trainer) -> Trainer:
    """The trainer of a run in the state of its newest complete checkpoint. The folder is only read.

    Raises:
        RunError: There is no checkpoint yet.
    """
    run = RunFolder.open(path)
    config = load_config(run.read_config())
    trainer = _made(make_trainer, config)
    if _load(checkpoint.latest(run.checkpoints), trainer, config)[0] == 0:
        raise RunError(f"{path} has no checkpoint yet")
    return trainer


def _groups_of(config: TrainConfig) -> Callable[[Sequence[str]], Sequence[str]]:
    """Gives the group of each goal in the configuration's world."""
    groups = config.world.groups
    return groups_of_minecraft if groups is None else lambda goals: [groups[each] for each in goals]


def _checked(options: RunOptions | None) -> RunOptions:
    options = options or RunOptions()
    if options.wandb:
        require_wandb()
    return options


def _made(make_trainer: MakeTrainer, config: TrainConfig) -> Trainer:
    """The trainer of a saved configuration, which may ask for what cannot be had here."""
    try:
        return make_trainer(config)
    except ValueError as error:
        raise RunError(f"the run's config.json cannot be used: {error}") from error


def _load(path: Path | None, trainer: Trainer, config: TrainConfig) -> tuple[int, int]:
    """Loads a checkpoint, or begins without one; returns its update and how many ranks saved it."""
    if path is None:
        begin(trainer, config)
        return 0, 0
    saved = checkpoint.load(path)
    # Read as a configuration, so that one of an older form can be compared; a run may be extended.
    there = load_config({**saved.config, "updates": config.updates})
    differences = list(_differences(to_dict(there), to_dict(config)))
    if differences:
        raise checkpoint.CheckpointError(
            f"{path} was made with other settings: " + "; ".join(differences[:8])
        )
    try:
        trainer.load_state_dict(saved.tensors, saved.state)
    except KeyError as error:
        raise checkpoint.CheckpointError(f"{path} lacks {error}") from error
    except (ValueError, TypeError, AttributeError, IndexError, RuntimeError) as error:
        # Checksums tell of accidents; whoever wrote this one can have written anything.
        reason = " ".join(str(error).split())
        raise checkpoint.CheckpointError(f"{path} cannot be loaded: {reason}") from error
    return saved.update, rank_count(saved.tensors)


def _differences(there: Any, here: Any, name: str = "") -> Iterator[str]:
    if isinstance(there, dict) and isinstance(here, dict):
        for key in sorted(there.keys() | here.keys()):
            inner = f"{name}.{key}" if name else key
            yield from _differences(there.get(key, "nothing"), here.get(key, "nothing"), inner)
    elif there != here:
        yield f"{name} is {there!r} there and {here!r} here"


@dataclasses.dataclass
class _Follower:
    """A rank that trains and saves whenever the first one does, and writes and shows nothing."""

    ranks: Ranks
    trainer: Trainer
    config: TrainConfig
    options: RunOptions
    saved_update: int = 0
    """Updates in the newest checkpoint."""
    saved_time: float = dataclasses.field(default_factory=time.monotonic)

    def train(self) -> int:
        """Trains to the last update or a signal; returns the exit code."""
        update, total = self.saved_update, self.config.updates
        with StopRequest(lambda text: None) as stop:
            while update < total and not self._is_stopped(stop):
                update = self._update()["update"]
                if self._is_due(update):
                    self._save(update)
            if update > self.saved_update:
                self._save(update)
        self.ranks.leave()
        return stop.exit_code if update < total else 0

    def _is_stopped(self, stop: StopRequest) -> bool:
        """Whether any rank got a signal; then all stop at the same update."""
        number = self.ranks.largest(stop.signal or 0)
        if number:
            stop.signal = signal.Signals(number)
        return number > 0

    def _update(self) -> dict[str, Any]:
        try:
            return self.trainer.train_one_update()
        except FloatingPointError as error:
            raise TrainingFailedError(
                f"{error} Nothing of this update was saved; the last checkpoint is from update "
                f"{self.saved_update}."
            ) from error

    def _is_due(self, update: int) -> bool:
        is_old = time.monotonic() - self.saved_time >= self.options.checkpoint_seconds
        is_due = is_old or update % self.options.checkpoint_updates == 0
        return self.ranks.largest(is_due) > 0

    def _save(self, update: int) -> None:
        """All ranks give what the first one saves."""
        self._write_checkpoint(update, *self.trainer.state_dict())
        self.saved_update = update
        self.saved_time = time.monotonic()

    def _write_checkpoint(
        self, update: int, tensors: dict[str, Tensor], state: dict[str, Any]
    ) -> None:
        pass


@dataclasses.dataclass
class _Session(_Follower):
    """From a start or a resume to the end, a signal or an error."""

    run: RunFolder = dataclasses.field(kw_only=True)
    log: MetricsLog = dataclasses.field(kw_only=True)
    evaluations: MetricsLog = dataclasses.field(kw_only=True)
    writers: list[TensorBoard | WandB] = dataclasses.field(default_factory=list)
    note: str = ""
    """What else to say at the start."""

    @functools.cached_property
    def groups(self) -> Sequence[str]:
        return self.run.read_goals()[1]

    def train(self) -> int:
        update, total = self.saved_update, self.config.updates
        if update >= total and not self._lacks_evaluation(update):
            print(f"{self.run.path} is finished after {update} updates; extend it with --updates")
            return 0
        title = f"lapis  {self.run.path}"
        view = open_view(self.progress, title, quiet=self.options.quiet)
        with view, StopRequest(view.announce) as stop, ExitStack() as stack:
            begun = "resuming" if update else "starting"
            view.say(f"{begun} {self.run.path} after update {update}{self.note}")
            self._open_writers(stack, view)
            self._evaluate(update, view, stop)
            while update < total and not self._is_stopped(stop):
                metrics = self._update()
                update = metrics["update"]
                self.log.append(metrics)
                self._write(update, update_scalars(metrics, self.groups))
                view.take(metrics)
                self._evaluate(update, view, stop)
                if self._is_due(update):
                    self._save(update)
            if update > self.saved_update:
                self._save(update)
        self.ranks.leave()
        if stop.signal is not None and (update < total or self._lacks_evaluation(update)):
            print(
                f"stopped by {stop.signal.name} after update {update}, saved; "
                f"continue with: lapis resume {self.run.path}"
            )
            return stop.exit_code
        if not self.options.quiet:
            print(f"finished {self.run.path}: {update} updates")
        return 0

    @functools.cached_property
    def progress(self) -> Progress:
        """How far the run is, by the lines of its files up to the checkpoint."""
        metrics, evaluations = self.run.read_metrics(), self.run.read_evaluations()
        logged, evaluated = (
            int(np.count_nonzero(columns.get("update", np.empty(0)) <= self.saved_update))
            for columns in (metrics, evaluations)
        )
        with reading(self.run.path / "metrics.jsonl"):
            discovered = [int(count) for count in metrics.get("discovered", ())]
        progress = Progress(
            update_total=self.config.updates,
            goals=self.run.read_goals()[0],
            groups=self.groups,
            discovered=discovered[:logged],
        )
        if evaluated:
            progress.evaluation = {name: rows[evaluated - 1] for name, rows in evaluations.items()}
        return progress

    def _open_writers(self, stack: ExitStack, view: View) -> None:
        board = TensorBoard(self.run.tensorboard, update=self.saved_update)
        self.writers = [stack.enter_context(closing(board))]
        if self.options.wandb:
            wandb = WandB(self.run.path, config=to_dict(self.config))
            self.writers.append(stack.enter_context(closing(wandb)))
            view.say(f"Weights & Biases: {wandb.place}")

    def _evaluate(self, update: int, view: View, stop: StopRequest) -> None:
        """Logs the evaluation if one is due; after a signal the resume does it."""
        if not self._lacks_evaluation(update):
            return
        try:
            with stop.interruptible():
                evaluation = self.trainer.evaluate()
        except Stopped:
            return
        self.evaluations.append(evaluation)
        self._write(update, evaluation_scalars(evaluation, self.groups))
        view.take_evaluation(evaluation)

    def _write(self, update: int, scalars: dict[str, float]) -> None:
        for writer in self.writers:
            writer.write(update, scalars)

    def _lacks_evaluation(self, update: int) -> bool:
        """Whether an evaluation is due after this update and has not been made."""
        every = self.config.evaluation_updates
        if every == 0 or update == 0:
            return False
        is_due = update % every == 0 or update == self.config.updates
        return is_due and self.evaluations.last_update < update

    def _write_checkpoint(
        self, update: int, tensors: dict[str, Tensor], state: dict[str, Any]
    ) -> None:
        """Everything logged so far is on the disk, and then a checkpoint."""
        self.log.sync()
        self.evaluations.sync()
        for writer in self.writers:
            writer.flush()
        checkpoint.save(
            self.run.checkpoints,
            update,
            tensors,
            state,
            config=to_dict(self.config),
            keep_count=self.options.checkpoint_count,
        )
