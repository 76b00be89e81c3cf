"""Ranks as forks of one process, each of which writes down what it did.

    python -m tests.train.ranks_driver FOLDER RANKS...

One number of ranks after the other; 0 is a process on its own. Forks, because PyTorch is then
loaded once; they get what torchrun would tell them.
"""

import dataclasses
import os
import socket
import sys
import traceback
from pathlib import Path

import torch

from lapis.agent import actions
from lapis.recipes import techtree
from lapis.train.loop import Trainer
from lapis.train.ranks import join

WORLDS = 9
"""Not a multiple of the ranks."""
PLAYED = 8
"""Updates with the same dice."""


def small(**ppo):
    """The tech tree with few goals and all normalizations."""
    config = techtree()
    return dataclasses.replace(
        config,
        world_count=WORLDS,
        rollout_steps=8,
        policy=dataclasses.replace(config.policy, width=16),
        ppo=dataclasses.replace(config.ppo, sequence_steps=4, normalize_values=True, **ppo),
        simonsays=dataclasses.replace(
            config.simonsays, goals=("dirt", "log", "planks", "sapling"), task_ticks=40
        ),
    )


def one_minibatch():
    """An update is one step on all sequences, each used once."""
    return small(minibatch_sequences=1000, sample_reuse=1.0)


def many_minibatches():
    """Several minibatches of sequences that are used again."""
    return small(minibatch_sequences=12, sample_reuse=1.9)


def same_dice():
    """Updates in which each world gets the dice of its number, whatever rank it belongs to."""
    trainer = Trainer(one_minibatch())
    worlds = trainer.ranks.share(WORLDS)
    trainer.player.generator.manual_seed(7)
    uniform = actions.uniform

    def by_world(like_WA, generator):
        every = uniform(like_WA.new_empty(WORLDS, *like_WA.shape[1:]), generator)
        return every[worlds.start : worlds.stop]

    actions.uniform = by_world
    try:
        logged, gradients = [], []
        for _ in range(PLAYED):
            logged.append(trainer.train_one_update())
            parts = [each.grad.flatten() for each in trainer.policy.parameters()]
            gradients.append(torch.cat(parts))
    finally:
        actions.uniform = uniform
    return {"logged": logged, "gradients": gradients, "episodes": _episodes(trainer)}


def many_updates():
    """Weights and curriculum after updates with dice of each rank's own, 50 of two ranks."""
    trainer = Trainer(many_minibatches())
    for _ in range(50 if trainer.ranks.count == 2 else 10):
        logged = trainer.train_one_update()
    return {
        "weights": trainer.policy.state_dict(),
        "curriculum": trainer.curriculum.state_dict(),
        "exploration": trainer.exploration.state_dict(),
        "actions": trainer.rollout.action_TWK,
        "logged": logged,
    }


def played_ahead():
    """Weights after updates in which each rank plays ahead on its own."""
    config = dataclasses.replace(many_minibatches(), overlap=True, checkpoint_worlds=False)
    trainer = Trainer(config)
    logged = [trainer.train_one_update() for _ in range(5)]
    return {"weights": trainer.policy.state_dict(), "logged": logged}


def saved_and_loaded(folder):
    """The updates after a checkpoint, by who saved it and by trainers that loaded it."""
    config = many_minibatches()
    trainer = Trainer(config)
    for _ in range(5):
        trainer.train_one_update()
    state = trainer.state_dict()
    if trainer.ranks.is_first:
        torch.save(state, folder / "checkpoint.pt")
    trainer.ranks.from_first(None)  # Now it is there.
    loaded = Trainer(config)
    loaded.load_state_dict(*torch.load(folder / "checkpoint.pt"))
    return [[each.train_one_update() for _ in range(3)] for each in (trainer, loaded)]


def loaded_without_worlds(folder):
    """What comes after a checkpoint that leaves the worlds out."""
    config = dataclasses.replace(many_minibatches(), checkpoint_worlds=False)
    trainer = Trainer(config)
    trainer.train_one_update()
    state = trainer.state_dict()
    if trainer.ranks.is_first:
        torch.save(state, folder / "without.pt")
    trainer.ranks.from_first(None)
    loaded = Trainer(config)
    loaded.load_state_dict(*torch.load(folder / "without.pt"))
    return {
        "episodes": (_episodes(trainer), _episodes(loaded)),
        "draws": [each.player.generator.get_state() for each in (trainer, loaded)],
        "logged": loaded.train_one_update(),
    }


def loaded_from_others(folder):
    """What comes after a checkpoint of another number of ranks."""
    trainer = Trainer(many_minibatches())
    trainer.load_state_dict(*torch.load(folder / "checkpoint.pt"))
    before = {name: each.clone() for name, each in trainer.policy.state_dict().items()}
    return {
        "weights": before,
        "episodes": _episodes(trainer),
        "restarted": trainer.game.restarted.clone(),
        "logged": trainer.train_one_update(),
    }


def one_rank_fails():
    """What is raised if a reward of the last rank is not a number."""
    trainer = Trainer(many_minibatches())
    trainer.train_one_update()
    before = [each.clone() for each in trainer.policy.parameters()]
    collect = trainer.player.collect

    def spoilt(rollout):
        collect(rollout)
        if trainer.ranks.index == trainer.ranks.count - 1:
            rollout.reward_TW[0, 0] = float("nan")

    trainer.player.collect = spoilt
    try:
        trainer.train_one_update()
    except FloatingPointError as error:
        pairs = zip(before, trainer.policy.parameters(), strict=True)
        return {"error": str(error), "is_unchanged": all(torch.equal(*pair) for pair in pairs)}
    return None


def run(folder, others):
    """All of it, in this rank; `others` is a folder with the checkpoint of another number."""
    torch.set_num_threads(1)
    ranks = join("cpu")
    found = {
        "same_dice": same_dice(),
        "many_updates": many_updates(),
        "played_ahead": played_ahead(),
        "saved_and_loaded": saved_and_loaded(folder),
        "loaded_without_worlds": loaded_without_worlds(folder),
        "loaded_from_others": loaded_from_others(others) if others else None,
        "one_rank_fails": one_rank_fails(),
    }
    ranks.leave()
    threads = [each.read_text().strip() for each in Path("/proc/self/task").glob("*/comm")]
    found["threads_of_the_group"] = [each for each in threads if "gloo" in each]
    torch.save(found, folder / f"rank-{ranks.index}.pt")


def _episodes(trainer):
    return trainer.game.state_dict()["tensors"]["episode"]


def _fork(rank, count, port, *folders):
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        if count:
            os.environ.update(torchrun_tells(rank, count, port))
        run(*folders)
        code = 0
    finally:
        if code:
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(code)


def torchrun_tells(rank, count, port):
    """The environment of one of the ranks on this machine."""
    return {
        "RANK": str(rank),
        "LOCAL_RANK": str(rank),
        "WORLD_SIZE": str(count),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
        "GROUP_WORLD_SIZE": "1",
        "TORCHELASTIC_RUN_ID": "test",
        "TORCHELASTIC_RESTART_COUNT": "0",
        "TORCHELASTIC_MAX_RESTARTS": "0",
        "TORCHELASTIC_USE_AGENT_STORE": "False",
    }


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def main(place, rank_counts):
    others = None
    for count in rank_counts:
        folder, port = place / str(count), free_port()
        folder.mkdir()
        forks = [_fork(rank, count, port, folder, others) for rank in range(max(1, count))]
        codes = [os.waitstatus_to_exitcode(os.waitpid(each, 0)[1]) for each in forks]
        assert not any(codes), f"{count} ranks ended with {codes}"
        others = folder


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(count) for count in sys.argv[2:]])
