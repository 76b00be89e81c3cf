"""Worlds in other processes that look like one batch."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from lapis.bounds import SEED, Bound, check, shown
from lapis.worlds.limits import COUNTED, FINITE, FLAG, Limit, check_given, check_identity, whole
from lapis.worlds.remote.ends import Ends
from lapis.worlds.remote.far.messages import Message
from lapis.worlds.world import check_like, check_tensor

if TYPE_CHECKING:
    from lapis.worlds.remote.config import RemoteConfig
    from lapis.worlds.remote.lines import Line

__all__ = ["RemoteWorld"]

_OF_PLAYERS = ("inventory", "died", "lost", "ticks", "action_mask")


class RemoteWorld:
    """A batch of worlds whose rows are divided among far ends, which all play at the same time.

    A far end that is gone, or does not answer in time, is replaced. Its rows are `lost`: they show
    their last observation, take no time, and begin new episodes at their next reset.

    Attributes:
        lost: Whether the row's episode broke off, bool, shape (world,); true until its reset.
        episode_W: Episodes begun, int64. Together with seed and world number it decides all
            randomness of an episode, so no replacement repeats one.
    """

    def __init__(
        self,
        world_count: int,
        *,
        config: RemoteConfig,
        seed: int = 0,
        device: str | torch.device = "cpu",
        first_world: int = 0,
        open_line: Callable[[], Line] | None = None,
        further_options: Mapping[str, Any] | None = None,
    ) -> None:
        """Starts the far ends, and the first episode in every world.

        Args:
            world_count: Worlds of all far ends together.
            config: Which worlds, and where.
            seed: Decides all randomness, together with the number of each world.
            device: Where the tensors are; the worlds run on processors.
            first_world: Number of the first row's world.
            open_line: Starts a far end; by default as `config` says.
            further_options: Arguments of the factory that are not settings, as JSON values.
        """
        self.world_count = check("world_count", world_count, Bound(least=1, most=10**6, whole=True))
        self.seed = check("seed", seed, SEED)
        numbers = Bound(least=0, most=2**31 - self.world_count, whole=True)
        self.first_world = check("first_world", first_world, numbers)
        self.config = config
        self.device = torch.device(device)
        options = {**config.arguments, **(further_options or {})}
        self.ends = Ends(
            _shares(self.world_count, config.ends),
            open_line=open_line or config.open_line,
            hello={"factory": config.factory, "options": options, "seed": self.seed},
            first_world=self.first_world,
            start_seconds=config.start_seconds,
            step_seconds=config.step_seconds,
            retries=config.retries,
        )
        welcome = self.ends.welcome
        self.items: tuple[str, ...] = tuple(welcome["items"])
        self.action_sizes: tuple[int, ...] = tuple(welcome["action_sizes"])
        self._can_save: bool = welcome["can_save"]
        self._allocate(welcome["observation"])
        self.reset(torch.ones_like(self.died))

    def _allocate(self, layout: Mapping[str, tuple[str, list[int]]]) -> None:
        kinds: dict[str, tuple[str, list[int]]] = {
            "inventory": ("int32", [len(self.items)]),
            "died": ("bool", []),
            "lost": ("bool", []),
            "ticks": ("int32", []),
            "action_mask": ("bool", [sum(self.action_sizes)]),
            **{f"observation.{name}": kind for name, kind in layout.items()},
        }
        self._host = {
            name: np.zeros((self.world_count, *shape), dtype)
            for name, (dtype, shape) in kinds.items()
        }
        # On a CPU these are the same memory.
        self._shown = {
            name: torch.from_numpy(array).to(self.device) for name, array in self._host.items()
        }
        self.inventory, self.died, self.lost, self.ticks, self.action_mask = (
            self._shown[name] for name in _OF_PLAYERS
        )
        self.observation: dict[str, Tensor] = {
            name: self._shown[f"observation.{name}"] for name in layout
        }
        self.episode_W = torch.full((self.world_count,), -1, dtype=torch.int64)

    def reset(self, which: Tensor, inventory: Tensor | None = None) -> None:
        """Starts a new episode in the rows where `which` is true, with `inventory` or nothing.

        It waits for replacements of far ends that were lost.
        """
        check_like("which", which, self.died)
        given = torch.zeros_like(self.inventory) if inventory is None else inventory
        check_like("inventory", given, self.inventory)
        which_W, first_WI = _on_host(which), _on_host(given)
        wrong = np.argwhere((first_WI < 0) & which_W[:, None])
        if wrong.size:
            world, item = wrong[0]
            raise ValueError(
                f"inventory of world {world} has {first_WI[world, item]} of {self.items[item]}; "
                "it must have at least 0"
            )
        self.episode_W += torch.from_numpy(which_W)
        questions = {}
        for end, rows in enumerate(self.ends.rows):
            if which_W[rows].any():
                arrays = {"which": which_W[rows], "inventory": first_WI[rows]}
                arrays["episode"] = self.episode_W.numpy()[rows]
                questions[end] = Message("reset", {}, arrays)
        self._take(questions, self.ends.insist(questions, self._lose))

    def step(self, action: Tensor) -> None:
        """Plays one action, int32 of shape (world, component), in every world that is not lost."""
        shape = (self.world_count, len(self.action_sizes))
        check_tensor("action", action, torch.int32, shape, self.device)
        if self.device.type == "cuda" and torch.cuda.is_current_stream_capturing():
            raise ValueError(
                "worlds elsewhere cannot be recorded in a CUDA graph; give --no-cuda-graphs"
            )
        action_WK, playing_W = _on_host(action), ~self._host["lost"]
        self._check_range(action_WK, playing_W)
        self._host["ticks"][~playing_W] = 0
        questions = {
            end: Message("step", {}, {"which": playing_W[rows], "action": action_WK[rows]})
            for end, rows in enumerate(self.ends.rows)
            if playing_W[rows].any()
        }
        self._take(questions, self.ends.ask(questions, self._lose))

    def _check_range(self, action_WK: np.ndarray, playing_W: np.ndarray) -> None:
        is_outside = (action_WK < 0) | (action_WK >= np.array(self.action_sizes))
        wrong = np.argwhere(is_outside & playing_W[:, None])
        if wrong.size:
            world, component = wrong[0]
            raise ValueError(
                f"action of world {world}, component {component} is {action_WK[world, component]}; "
                f"it must be between 0 and {self.action_sizes[component] - 1}"
            )

    def _take(self, questions: Mapping[int, Message], answers: Mapping[int, Message]) -> None:
        """Shows the rows that were asked for."""
        for end, answer in answers.items():
            which_R = questions[end].arrays["which"]
            for name, host in self._host.items():
                part, given = host[self.ends.rows[end]], answer.arrays.get(name)
                like = part[which_R]
                if given is None or (given.dtype, given.shape) != (like.dtype, like.shape):
                    what = None if given is None else f"{given.dtype} of shape {given.shape}"
                    raise ValueError(
                        f"{self.config.factory} gave {name!r} as {what}; "
                        f"it must be {like.dtype} of shape {like.shape}"
                    )
                part[which_R] = given
        self._publish()

    def _lose(self, end: int) -> None:
        rows = self.ends.rows[end]
        self._host["lost"][rows] = True
        self._host["ticks"][rows] = 0

    def _publish(self) -> None:
        if self.device.type != "cpu":
            for name, array in self._host.items():
                self._shown[name].copy_(torch.from_numpy(array))

    def check(self) -> None:
        """Finds nothing: errors are raised immediately."""

    def close(self) -> None:
        """Ends all far ends; so does deleting this object."""
        self.ends.close()

    def state_dict(self) -> dict[str, Any]:
        """All that is shown, and the state of the far worlds where they can be saved.

        Where they cannot be saved, unfinished episodes are lost when it is loaded.
        """
        state: dict[str, Any] = {name: each.clone() for name, each in self._state().items()}
        if self._can_save:
            every = dict.fromkeys(range(len(self.ends.rows)), Message("save"))
            answers = self.ends.insist(every, self._lose)
            self._publish()
            state = {name: each.clone() for name, each in self._state().items()}
            state["far"] = {
                str(end): {name: torch.from_numpy(np.array(a)) for name, a in each.arrays.items()}
                for end, each in answers.items()
            }
        return {**self._identity(), **state}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes over the state of worlds with the same settings, seed and size.

        Raises:
            ValueError: It is of other worlds; nothing has changed.
        """
        check_identity(state, self._identity(), "this world")
        own = self._state()
        check_given(state, own, _limits(own))
        if self._can_save:
            questions = self._loading(state.get("far"))
            self.ends.insist(questions, self._lose)
        for name, tensor in own.items():
            tensor.copy_(state[name])
        for name, array in self._host.items():
            array[:] = self._shown[name].cpu().numpy()
        if not self._can_save:
            self._host["lost"][:] = True
            self._publish()

    def _loading(self, far: object) -> dict[int, Message]:
        names = [str(end) for end in range(len(self.ends.rows))]
        if not isinstance(far, Mapping) or sorted(far) != sorted(names):
            raise ValueError(f"state's 'far' must have the parts {names}, not {shown(far)}")
        return {
            end: Message("load", {}, {n: _on_host(tensor) for n, tensor in far[str(end)].items()})
            for end in range(len(names))
        }

    def _state(self) -> dict[str, Tensor]:
        return {**self._shown, "episode_W": self.episode_W}

    def _identity(self) -> dict[str, Any]:
        return {
            "world": "remote",
            "factory": self.config.factory,
            "options": list(self.config.options),
            "ends": len(self.ends.rows),
            "seed": self.seed,
            "first_world": self.first_world,
            "world_count": self.world_count,
        }


def _shares(world_count: int, ends: int) -> list[slice]:
    """The rows of each far end; sizes differ by at most one, and every end has a world."""
    count = min(ends, world_count)
    edges = [world_count * end // count for end in range(count + 1)]
    return [slice(*each) for each in itertools.pairwise(edges)]


def _on_host(tensor: Tensor) -> np.ndarray:
    return tensor.cpu().numpy()


def _limits(own: Mapping[str, Tensor]) -> dict[str, Limit]:
    limits: dict[str, Limit] = {
        name: FLAG if tensor.dtype == torch.bool else FINITE for name, tensor in own.items()
    }
    return {
        **limits,
        "inventory": COUNTED,
        "ticks": COUNTED,
        "episode_W": whole(-1, int(COUNTED.most)),
    }
