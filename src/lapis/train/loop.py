"""The training loop: everything that happens in one update, in order."""

from __future__ import annotations

import dataclasses
import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lapis.agent import ppo
from lapis.agent.player import Player
from lapis.agent.rollout import ROLLOUT_METRICS, Rollout
from lapis.bounds import require
from lapis.curriculum import Teacher
from lapis.runs.compact import DISCOVERED_AT
from lapis.simonsays import SimonSays
from lapis.train.ahead import AheadPlayer
from lapis.train.build import make_game, make_policy
from lapis.train.config import TrainConfig
from lapis.train.evaluation import evaluate
from lapis.train.graph import Captured
from lapis.train.ranks import Ranks, join
from lapis.train.state import begin_anew, flatten, joined, rows, unflatten, without_worlds
from lapis.train.tasks import members, share_by_goal, task_features
from lapis.worlds.memory import naming_memory
from lapis.worlds.world import World


class Trainer:
    """One run: a policy, the worlds it plays in, and the curriculum that chooses their goals.

    Worlds and teacher are those of `config` unless others are given. Under torchrun it is one of
    the `ranks` of a run, with its share of the worlds and of every minibatch. Given worlds belong
    to this rank; all ranks must have equally many.
    """

    def __init__(
        self,
        config: TrainConfig,
        *,
        world: World | None = None,
        curriculum: Teacher | None = None,
        ranks: Ranks | None = None,
    ) -> None:
        if config.threads:
            torch.set_num_threads(config.threads)
        self.config = config
        self.ranks = join(config.device) if ranks is None else ranks
        self._world_total = world.world_count * self.ranks.count if world else config.world_count
        worlds = self.ranks.share(self._world_total)
        allowed = f"at least {self.ranks.count}, one for each rank"
        require(len(worlds) > 0, "world_count", self._world_total, allowed)
        share = dataclasses.replace(config, world_count=len(worlds))
        self.game = make_game(share, first_world=worlds.start, world=world)
        self._members = members(config) if config.simonsays.pairs else None
        self.curriculum: Teacher = curriculum or config.curriculum.build_described(
            task_features(config)
        )
        # Its success average is also what decides whether a goal counts as discovered.
        self.exploration = config.exploration.build(len(self.game.goals))
        with naming_memory(*_memory(config, self.game), self.game.device):
            self._allocate()
        self._entropy_coefficient = torch.zeros((), device=self.game.device)
        self.update = 0
        """Updates that are finished."""
        if self.game.device.type == "cuda":
            # Convolutions always have the same few sizes: the first of each tries what is fastest.
            torch.backends.cudnn.benchmark = True
        self._choose_graphs()

    def _allocate(self) -> None:
        """Makes the policy and all that grows with the rollout."""
        config = self.config
        self.policy = make_policy(config, self.game)
        on_gpu = self.game.device.type == "cuda"
        rate = config.ppo.learning_rate.at(0)
        self.optimizer = torch.optim.Adam(
            self.policy.parameters(),
            # As a tensor it can change between replays of a graph.
            lr=torch.tensor(rate, device=self.game.device) if on_gpu else rate,
            eps=config.ppo.adam_epsilon,
            fused=True,
            capturable=on_gpu,
        )
        seed = self.ranks.seed(config.seed)
        self.order_generator = torch.Generator(self.game.device).manual_seed(seed + 1)
        self.rollout = self._make_rollout()
        """What is learned from."""
        self.player = Player(self.policy, self.game, seed=seed)
        self._ahead: AheadPlayer | None = None
        if config.overlap:
            own = make_policy(config, self.game)
            self._ahead = AheadPlayer(own, self.game, learner=self.policy, seed=seed)
            self.player = self._ahead
            self._next_rollout = self._make_rollout()
        self._next_probabilities: np.ndarray | None = None
        """Those with which the goals of the next rollout were drawn, if it has been played."""
        self.order = ppo.sequence_order(
            self.rollout.sequence_count, config.ppo.sample_reuse, self.order_generator
        )
        """The sequences that an update learns from, one minibatch after another."""
        self._parts()  # Refuses minibatches that are too small to be shared.

    def _make_rollout(self) -> Rollout:
        config = self.config
        return Rollout(
            step_count=config.rollout_steps,
            sequence_steps=config.ppo.sequence_steps,
            world_count=self.game.world_count,
            observation=self.game.observation,
            action_sizes=self.game.action_sizes,
            width=config.policy.width,
            device=self.game.device,
        )

    def _choose_graphs(self) -> None:
        """On a GPU, playing and learning become one CUDA graph each, unless the config says no."""
        self._play: Callable[[], None] = lambda: self.player.collect(self.rollout)
        self._learn: Callable[[], tuple[Tensor, Tensor]] = self._learn_from_rollout
        self._is_captured = self.config.cuda_graphs and self.game.device.type == "cuda"
        if self._is_captured:
            device = self.game.device
            self._play = Captured(self._play, device, [self.player.generator])
            self._learn = Captured(self._learn, device)

    def start_at(self, success: Sequence[float]) -> None:
        """Curriculum and exploration set begin with the success of each goal in another run."""
        self.exploration.start_at(success)
        if self.config.simonsays.bonus == "dynamic":
            self.game.set_exploration_set(self.exploration.members())
        if self._members is None:  # Otherwise tasks are not goals, and nothing is known of pairs.
            self.curriculum.start_at(success)

    def train_one_update(self) -> dict[str, Any]:
        """Plays one rollout, moves the curriculum and learns; returns what to log.

        With `config.overlap`, the rollout was played during the last update, and the next one is
        played while the policy learns. Between updates nothing runs.
        """
        start = time.perf_counter()
        probabilities, seconds = self._collect()
        collected = time.perf_counter()

        outcomes = self._move_curriculum(probabilities)
        moved = time.perf_counter()

        with self._playing_ahead():
            self.order.copy_(
                ppo.sequence_order(
                    self.rollout.sequence_count, self.config.ppo.sample_reuse, self.order_generator
                )
            )
            self._entropy_coefficient.fill_(self.config.ppo.entropy_coefficient.at(self.update))
            self._set_learning_rate(self.config.ppo.learning_rate.at(self.update))
            steps = self._learn()
            self._wait()
            learning = self._logged(*steps)
            self.update += 1
            learned = time.perf_counter()
        end = time.perf_counter()
        return {
            "update": self.update,
            "frames": self.frames,
            **outcomes,
            **learning,
            "seconds": {
                **seconds,
                "update": learned - moved,
                "curriculum": moved - collected,
                **({"waiting": end - learned} if self.config.overlap else {}),
            },
            "frames_per_second": self._frames_per_update / (end - start),
        }

    def _collect(self) -> tuple[np.ndarray, dict[str, float]]:
        """Provides the next rollout; returns the probabilities of its goals, and timings."""
        probabilities = self._next_probabilities
        if probabilities is not None:
            self.rollout, self._next_rollout = self._next_rollout, self.rollout
            self._next_probabilities = None
            return probabilities, {}
        start = time.perf_counter()
        probabilities = self.curriculum.probabilities()
        self.game.set_probabilities(probabilities)
        self._play()
        self._wait()
        return probabilities, self._split(time.perf_counter() - start)

    def _move_curriculum(self, probabilities: np.ndarray) -> dict[str, Any]:
        """Curriculum and exploration set learn how the rollout's tasks ended; what to log of it."""
        successes, attempts = self.ranks.add_counts(self.game.take_counts())
        self.curriculum.update(successes, attempts)
        pairs: dict[str, Any] = {}
        if self._members is not None:  # What follows is about goals.
            is_pair = self._members[:, 0] != self._members[:, 1]
            pairs["attempts"] = int(attempts[is_pair].sum())
            pairs["successes"] = int(successes[is_pair].sum())
            successes, attempts = self.ranks.add_counts(self.game.take_goal_counts())
            probabilities = share_by_goal(probabilities, self._members)
        self.exploration.update(successes, attempts)
        if self.config.simonsays.bonus == "dynamic":
            self.game.set_exploration_set(self.exploration.members())
        return {
            "discovered": int(np.count_nonzero(self.exploration.success_ > DISCOVERED_AT)),
            "attempts": attempts,
            "successes": successes,
            "success": self.exploration.success_.copy(),
            "probabilities": probabilities,
            **({"pairs": pairs} if pairs else {}),
        }

    @contextmanager
    def _playing_ahead(self) -> Iterator[None]:
        """While entered, the next rollout is played by the policy as it is now, if it should be."""
        if self._ahead is None or self.update + 1 >= self.config.updates:
            yield
            return
        probabilities = self.curriculum.probabilities()
        self.game.set_probabilities(probabilities)
        with self._ahead.ahead(self._next_rollout):
            yield
        self._next_probabilities = probabilities

    def _set_learning_rate(self, rate: float) -> None:
        for group in self.optimizer.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate

    def _learn_from_rollout(self) -> tuple[Tensor, Tensor]:
        """All gradient steps of one update; what to log of the rollout and of each step."""
        rollout, settings = self.rollout, self.config.ppo
        of_rollout = rollout.finish(settings, self.ranks.add)
        of_steps = ppo.update(
            self.policy,
            self.optimizer,
            (rollout.batch(part) for part in self._parts()),
            settings,
            self._entropy_coefficient,
            self.ranks.add,
        )
        return of_rollout, of_steps

    @property
    def minibatch_count(self) -> int:
        """Gradient steps of an update."""
        return len(self._parts())

    def _parts(self) -> tuple[Tensor, ...]:
        """The sequences of each minibatch that this rank learns from."""
        settings, rollout = self.config.ppo, self.rollout
        sequence_total = rollout.sequence_count // rollout.world_count * self._world_total
        order_total = max(1, round(settings.sample_reuse * sequence_total))
        size = settings.minibatch_sequences
        parts = ppo.minibatches(self.order, size, order_total)
        allowed = f"more, so that all {self.ranks.count} ranks have a part of each minibatch"
        require(len(parts) <= len(self.order), "ppo.minibatch_sequences", size, allowed)
        return parts

    def _logged(self, of_rollout: Tensor, of_steps: Tensor) -> dict[str, Any]:
        """What to log of an update, by name; raises if it was not finite."""
        ppo.check_finite(of_steps.tolist(), number=self.update)
        means = dict(zip(ppo.STEP_METRICS, of_steps.mean(dim=0).tolist(), strict=True))
        losses = {name: means.pop(name) for name in ("total", "policy", "value")}
        fit = dict(zip(ROLLOUT_METRICS, of_rollout.tolist(), strict=True))
        return {**fit, "losses": losses, **means}

    def _split(self, seconds: float) -> dict[str, float]:
        """The time of a rollout in its parts, which a graph does not tell apart."""
        if self._is_captured:
            return {"rollout": seconds}
        in_game = self.player.game_seconds
        return {"world": in_game, "policy": seconds - in_game}

    def _wait(self) -> None:
        """Until the device has done what is queued; sleeps, so that many runs share few cores."""
        if self.game.device.type == "cuda":
            done = torch.cuda.Event(blocking=True)
            done.record(torch.cuda.current_stream(self.game.device))
            done.synchronize()

    def evaluate(self) -> dict[str, Any]:
        """Plays every goal with the policy as it is now; the training is left as it was."""
        return evaluate(self)

    def state_dict(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """Everything that decides what comes next, as named tensors and JSON values.

        Without `config.checkpoint_worlds`, worlds, tasks under way and memories are left out, and
        so is a rollout that was played ahead: nothing of it has been counted or learned. Of
        several ranks all must call it; the first gets what all hold, the others get nothing.

        Raises:
            RunError: The weights of two ranks differ.
        """
        game, player = self.game.state_dict(), self.player.state_dict()
        if not self.config.checkpoint_worlds:
            game, player = without_worlds(game), {"generator": player["generator"]}
        own = {"player": player, "order_generator": self.order_generator.get_state(), "game": game}
        if self.ranks.count > 1:
            own["digest"] = _digest(self.policy)
        parts = self.ranks.gather(own)
        if not parts:
            return {}, {}
        return flatten(
            {
                "update": self.update,
                "policy": self.policy.state_dict(),
                "optimizer": {
                    name: self.optimizer.state.get(parameter, {})
                    for name, parameter in self.policy.named_parameters()
                },
                "curriculum": self.curriculum.state_dict(),
                "exploration": self.exploration.state_dict(),
                **joined(parts),
            }
        )

    def load_state_dict(self, tensors: Mapping[str, Tensor], state: Mapping[str, Any]) -> None:
        """Continues bit for bit from the `state_dict` of a trainer with the same config.

        Without `config.checkpoint_worlds`, or if another number of ranks saved it, all worlds begin
        new episodes.
        """
        for name, tensor in tensors.items():
            is_learned = name.startswith(("policy/", "optimizer/", "player/"))
            if is_learned and not bool(tensor.isfinite().all()):
                raise ValueError(f"{name!r} holds numbers that are not finite")
        nested = unflatten(tensors, state)
        self.policy.load_state_dict(nested["policy"])
        moments = nested.get("optimizer", {})  # Absent before the first gradient step.
        self.optimizer.load_state_dict(
            {
                "state": {
                    i: {key: _laid_out_as(each, value) for key, value in moments[name].items()}
                    for i, (name, each) in enumerate(self.policy.named_parameters())
                    if name in moments
                },
                "param_groups": self.optimizer.state_dict()["param_groups"],
            }
        )
        self.curriculum.load_state_dict(nested["curriculum"])
        self.exploration.load_state_dict(nested["exploration"])
        self.update = nested["update"]
        self._next_probabilities = None
        self._load_own(nested)
        self._choose_graphs()  # A recording has the addresses of the old moments.

    def _load_own(self, nested: dict[str, Any]) -> None:
        """What belongs to this rank alone: its worlds, its player and its order."""
        game = nested["game"]
        saved = nested.get("ranks", {"0": nested})
        if len(saved) == self.ranks.count:
            own = saved[str(self.ranks.index)]
            self.player.load_state_dict(own["player"])
            self.order_generator.set_state(own["order_generator"].cpu())
            if self.config.checkpoint_worlds:
                self.game.load_state_dict(own["game"])
                return
            game = own["game"]
        else:
            seed = self.ranks.seed(self.config.seed, update=self.update)
            self.player.load_state_dict({"generator": self.player.generator.get_state()})
            self.player.generator.manual_seed(seed)
            self.order_generator.manual_seed(seed + 1)
            game = rows(without_worlds(game), self.ranks.share(self._world_total))
        self.game.set_probabilities(self.curriculum.probabilities())
        begin_anew(self.game, game)

    @property
    def exploration_set(self) -> Tensor:
        """What the policy sees of it now, bool (goal,)."""
        return self.game.observation["exploration_set"]

    @property
    def frames(self) -> int:
        """Policy steps that have been played."""
        return self.update * self._frames_per_update

    @property
    def _frames_per_update(self) -> int:
        return self.rollout.step_count * self._world_total


def _digest(policy: torch.nn.Module) -> str:
    digest = hashlib.sha256()
    for weight in policy.state_dict().values():
        digest.update(weight.detach().cpu().flatten().view(torch.uint8).numpy())
    return digest.hexdigest()


def _laid_out_as(parameter: Tensor, value: Tensor) -> Tensor:
    """A copy of an optimizer's moment, in memory as its parameter is.

    A fused optimizer walks through both side by side, and a file keeps no strides. What counts
    steps has another shape and is copied as it is.
    """
    if value.shape != parameter.shape:
        return value.clone()
    return torch.empty_like(parameter, dtype=value.dtype).copy_(value).detach()


def _memory(config: TrainConfig, game: SimonSays) -> tuple[str, int]:
    """What training allocates, and how much memory that takes at least [bytes]."""
    seen = sum(tensor.nbytes for tensor in game.world.observation.values())
    width = config.policy.width
    # The LSTM has 8 width^2 weights of 4 bytes, and each has a gradient and two of Adam's averages.
    needed = (1 + config.overlap) * config.rollout_steps * seen + 4 * 4 * 8 * width**2
    worlds = f"rollouts of {config.rollout_steps:,} steps in {game.world_count:,} worlds"
    return f"{worlds} and a policy of width {width:,}", needed
