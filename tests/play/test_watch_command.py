"""The command `lapis watch`, from a run folder or a random player to a file."""

import dataclasses

import numpy as np
import pytest
import torch
from PIL import Image
from rich.progress import Progress

from lapis.agent import PolicyConfig, PPOConfig
from lapis.cli import main
from lapis.play.scene import policy_scene
from lapis.running.export import export
from lapis.running.run import RunOptions, start
from lapis.running.trained import load_run
from lapis.simonsays import SimonSaysConfig
from lapis.train.config import TrainConfig
from lapis.train.loop import Trainer
from lapis.worlds.techtree import TechTreeConfig
from lapis.worlds.voxel.config import VoxelConfig

GOALS = ("dirt", "log", "planks")


def voxel_config() -> TrainConfig:
    return TrainConfig(
        simonsays=SimonSaysConfig(goals=GOALS),
        world=VoxelConfig(size=16, view="fan"),
        world_count=2,
        updates=1,
        rollout_steps=4,
        policy=PolicyConfig(width=8),
        ppo=PPOConfig(sequence_steps=4),
        threads=1,
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run in the voxel world that has just begun."""
    path = tmp_path_factory.mktemp("runs") / "voxel"
    threads = torch.get_num_threads()
    start(
        path,
        config=voxel_config(),
        recipe="test",
        command=["test"],
        options=RunOptions(quiet=True),
    )
    torch.set_num_threads(threads)
    return path


def opened(path) -> np.ndarray:
    """All pictures of a GIF, shape (picture, side, side, 3)."""
    with Image.open(path) as image:
        shown = []
        for number in range(image.n_frames):
            image.seek(number)
            shown.append(np.asarray(image.convert("RGB")))
        return np.stack(shown)


def test_a_random_player_is_filmed(tmp_path, capsys):
    out = tmp_path / "film.gif"
    arguments = ["--random", "--size", "16", "--steps", "6", "--output", str(out), "--seed", "4"]
    assert main(["watch", *arguments]) == 0
    told = capsys.readouterr().out
    assert "no task ended during the film" in told
    assert f"wrote {out}: 7 pictures, " in told
    shown = opened(out)
    assert shown.shape == (7, 256, 256, 3)
    assert shown.std() > 10


def test_a_scripted_player_is_filmed_until_it_is_done(tmp_path, capsys):
    out = tmp_path / "film.gif"
    arguments = ["--expert-goal", "dirt", "--size", "16", "--pixels", "64", "--output", str(out)]
    assert main(["watch", *arguments, "--seed", "1"]) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[:2] == ["asked for  solved", "dirt        1 of 1"]
    count = int(told.split()[-4])
    assert 10 < count < 301
    assert len(opened(out)) <= count


def test_the_policy_of_a_run_is_filmed(tmp_path, run, capsys):
    films = []
    for name, seed in (("one", 0), ("same", 0), ("other", 1)):
        out = tmp_path / f"{name}.gif"
        arguments = [str(run), "--steps", "5", "--pixels", "64", "--output", str(out)]
        assert main(["watch", *arguments, "--seed", str(seed), "--goals", "planks"]) == 0
        films.append(opened(out))
    assert films[0].shape == (6, 64, 64, 3)
    assert np.array_equal(films[0], films[1])
    assert not np.array_equal(films[0], films[2])


def test_a_film_asks_for_what_the_policy_has_learned_and_tells_what_was_recorded(
    tmp_path, run, capsys
):
    exported, out = tmp_path / "policy.safetensors", tmp_path / "film.gif"
    trained = load_run(run)
    success = dataclasses.replace(trained.success, average=(0.04, 0.0, 0.31))
    config = dataclasses.replace(
        trained.config, simonsays=SimonSaysConfig(goals=GOALS, task_ticks=40)
    )
    export(dataclasses.replace(trained, success=success, config=config), exported)
    assert main(["watch", str(exported), "--steps", "60", "--output", str(out)]) == 0
    head, line, film = capsys.readouterr().out.splitlines()
    assert head.split() == ["asked", "for", "solved", "recorded"]
    goal, _, _, attempts, recorded = line.split()
    assert (goal, recorded) == ("planks", "31%")
    assert int(attempts) > 1
    assert film.startswith(f"wrote {out}: 61 pictures, ")


def test_a_policy_plays_in_a_world_of_its_own(run):
    trainer = Trainer(voxel_config())
    members = np.array([True, False, True])
    trainer.game.set_exploration_set(members)
    game = policy_scene(trainer).game
    assert game.world_count == 1
    assert game.seed != trainer.game.seed
    assert game.goals == GOALS
    assert game.world.config == voxel_config().world
    assert game.observation["exploration_set"].tolist() == members.tolist()
    # Members of the set are shown to the policy, but nothing pays.
    assert game.config.bonus == "none"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["somewhere", "--random"], "exclude each other; choose one"),
        (["--random", "--steps", "0"], "--steps is 0"),
        (["--random", "--frames-per-second", "60"], "--frames-per-second is 60"),
        (["--random", "--goals", "diamnd"], "did you mean `diamond`?"),
        (["--random", "--output", "film.avi"], "film.avi must end in .mp4 or .gif"),
        (["--random", "--size", "17"], "--size is 17; it must be a power of two"),
        (["--random", "--seed", "-1"], "--seed is -1"),
        (["--random", "--every", "0"], "--every is 0"),
        (["--random", "--expert-goal", "dirt"], "choose one"),
        (["--expert-goal", "dirt", "--goals", "log"], "the expert has one goal"),
        (["--expert-goal", "drit"], "did you mean `dirt`?"),
        (["--random", "--size", "16", "--pixels", "4"], "--pixels is 4"),
    ],
)
def test_wrong_arguments_are_told(tmp_path, monkeypatch, capsys, arguments, told):
    monkeypatch.chdir(tmp_path)
    assert main(["watch", *arguments]) == 2
    assert told in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_without_a_run_the_policy_that_comes_with_lapis_is_filmed(
    tmp_path, run, monkeypatch, capsys
):
    shipped, out = tmp_path / "voxel.safetensors", tmp_path / "film.gif"
    arguments = ["--steps", "5", "--pixels", "64", "--output", str(out)]
    monkeypatch.setattr("lapis.play.scene.SHIPPED", shipped)
    assert main(["watch", *arguments]) == 1
    assert f"there is no file {shipped}" in capsys.readouterr().err
    assert main(["export", str(run), str(shipped)]) == 0
    assert main(["watch", *arguments]) == 0
    film = opened(out)
    assert main(["watch", str(shipped), *arguments]) == 0
    assert np.array_equal(opened(out), film)
    assert film.shape == (6, 64, 64, 3)


def test_a_policy_of_a_world_without_pictures_is_refused(tmp_path, capsys):
    config = dataclasses.replace(voxel_config(), world=TechTreeConfig())
    run, file = tmp_path / "run", tmp_path / "techtree.safetensors"
    options = RunOptions(quiet=True)
    start(run, config=config, recipe="test", command=["test"], options=options)
    assert main(["export", str(run), str(file)]) == 0
    for source in (run, file):
        assert main(["watch", str(source), "--output", str(tmp_path / "film.gif")]) == 1
        told = capsys.readouterr().err
        assert "was trained in the world `techtree`, which has no pictures" in told
        assert f"lapis evaluate {source}" in told


def test_a_goal_that_a_run_does_not_know_is_told(tmp_path, run, capsys):
    arguments = [str(run), "--output", str(tmp_path / "film.gif"), "--goals", "stick"]
    assert main(["watch", *arguments]) == 2
    assert "unknown goal `stick`" in capsys.readouterr().err


def test_a_film_that_cannot_be_written_is_told(tmp_path, monkeypatch, capsys):
    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    out = tmp_path / "film.mp4"
    assert main(["watch", "--random", "--size", "16", "--steps", "1", "--output", str(out)]) == 1
    assert f"error: {out} cannot be written: No space left" in capsys.readouterr().err


def test_a_run_that_is_not_there_is_told(tmp_path, capsys):
    assert main(["watch", str(tmp_path / "none"), "--output", str(tmp_path / "film.gif")]) == 1
    assert "none" in capsys.readouterr().err


def test_a_film_without_a_name_is_an_mp4(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["watch", "--random", "--size", "16", "--steps", "3", "--pixels", "64"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["watch.mp4"]
    assert "wrote watch.mp4: 4 pictures, 0.0 MB" in capsys.readouterr().out


def test_a_terminal_shows_a_bar_from_loading_to_writing(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("rich.progress.Progress.refresh", lambda self: shown.append(self.tasks[0]))
    shown, told = [], []
    update = Progress.update

    def noted(self, task, **fields):
        told.append((self.tasks[0].description, self.tasks[0].completed))
        update(self, task, **fields)

    monkeypatch.setattr(Progress, "update", noted)
    arguments = ["--random", "--size", "16", "--steps", "6", "--every", "2", "--pixels", "64"]
    assert main(["watch", *arguments, "--out", str(tmp_path / "film.gif")]) == 0
    # What the bar said before each change, and in the end.
    assert told == [("loading", 0), ("playing", 4)]
    assert shown[-1].description == "writing"
    assert (shown[-1].completed, shown[-1].total) == (4, 4)
