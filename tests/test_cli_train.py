"""`lapis train`: its help, goals with their bonus, and saved configurations."""

import dataclasses
import json

import pytest

from lapis import recipes
from lapis.cli import UsageError, main
from lapis.cli.short_help import field_docs, folded, setting_lines
from lapis.cli.train import parse, recipe_start, saved_start
from lapis.minecraft.goals import GOALS
from lapis.train.config import TrainConfig, to_dict, with_treatment


@pytest.fixture
def started(monkeypatch, tmp_path):
    """What `lapis train` would have started, from an empty working directory."""
    calls = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "lapis.running.run.start", lambda path, **settings: calls.append((path, settings)) or 0
    )
    return calls


def parsed(*rest: str) -> TrainConfig:
    return parse(recipe_start("demo"), list(rest), "lapis train demo").config


def save(folder, config, recipe):
    """What `--config` reads of a run's folder."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(to_dict(config)))
    (folder / "recipe.txt").write_text(f"recipe: {recipe}\ncommand: lapis train {recipe}\n")
    (folder / "metrics.jsonl").touch()


def help_of(capsys, *arguments):
    with pytest.raises(SystemExit) as end:
        main(["train", "demo", *arguments])
    assert end.value.code == 0
    return capsys.readouterr().out.splitlines()


def test_help_of_a_recipe_fits_on_a_few_screens(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = help_of(capsys, "--help")
    assert len(lines) < 110
    assert max(map(len, lines)) <= 80
    assert any(line.split()[:3] == ["goals", "113", "names"] for line in lines)
    assert any(line.split()[:2] == ["updates", "1300"] for line in lines)
    assert not any("diamond" in line for line in lines)


def test_help_shows_the_settings_of_the_recipes_world_only(capsys):
    lines = help_of(capsys, "--help")
    assert any(line.startswith("--world.NAME VALUE: techtree. ") for line in lines)
    assert any(line.startswith("  smelt-batch ") for line in lines)
    assert not any(line.startswith("  day-cycle ") for line in lines)
    lines = help_of(capsys, "--world", "voxel", "--policy.frames", "impala", "--help")
    assert not any(line.startswith("  smelt-batch ") for line in lines)
    assert any(line.startswith("  day-cycle ") for line in lines)
    assert any(line.startswith("--policy.frames.NAME VALUE: impala. ") for line in lines)


def test_help_shows_what_a_treatment_changes(capsys):
    lines = help_of(capsys, "--treatment", "no_floor", "--help")
    assert any(line.split()[:2] == ["floor", "0.0"] for line in lines)


def test_verbose_help_explains_all_and_folds_lists(capsys):
    text = "\n".join(help_of(capsys, "--help-verbose"))
    assert "--world.smelt-batch" in text
    assert "113 names" in text
    assert "diamond_pickaxe" not in text


def test_long_lists_are_folded_and_short_ones_are_not():
    assert folded(("a", "b")) == ["a", "b"]
    assert folded(tuple("abcdefg")) == ["a", "b", "c", "... (7 names)"]


def test_a_setting_is_shown_with_its_first_sentence():
    @dataclasses.dataclass
    class Inner:
        depth: int = 3
        """How deep (paper P7). In blocks."""

    @dataclasses.dataclass
    class Outer:
        long_name: str = "x"
        """A sentence that does not fit into the width of the screen."""
        inner: Inner = dataclasses.field(default_factory=Inner)
        """What is inside."""

    assert field_docs(Inner) == {"depth": "How deep (paper P7). In blocks."}
    assert setting_lines(Outer(), 40) == [
        "  long-name  x  A sentence that does...",
        "",
        "--inner.NAME VALUE: What is inside.",
        "  depth  3  How deep.",
    ]


def test_fewer_goals_need_no_word_about_the_bonus():
    config = parsed("--simonsays.goals", "log", "planks", "stick")
    assert config.simonsays.goals == ("log", "planks", "stick")
    assert config.simonsays.paying_goals == {"log", "planks", "stick"}


def test_goals_that_nobody_can_obtain_pay_no_bonus_unless_they_are_named():
    from lapis.minecraft.goals import IMPOSSIBLE

    config = parsed("--simonsays.goals", "log", IMPOSSIBLE[0])
    assert config.simonsays.paying_goals == {"log"}
    config = parsed("--simonsays.goals", "log", "stick", "--simonsays.bonus-goals", "stick")
    assert config.simonsays.paying_goals == {"stick"}


def test_a_misspelled_goal_gives_the_nearest():
    with pytest.raises(UsageError, match="unknown goal `plnks`; did you mean `planks`"):
        parsed("--simonsays.goals", "log", "plnks")


def test_the_recipes_pay_for_all_goals_that_can_be_obtained():
    for name in ("demo", "techtree", "voxel", "paper"):
        assert getattr(recipes, name)().simonsays.paying_goals == set(GOALS)


def test_a_saved_configuration_is_a_start_and_flags_override_it(tmp_path, started):
    config = dataclasses.replace(recipes.demo(), updates=77, world_count=5)
    save(tmp_path / "old", config, "demo")
    flags = ["--seed", "3", "--ppo.clip", "0.1"]
    assert main(["train", "--config", str(tmp_path / "old" / "config.json"), *flags]) == 0
    ((path, settings),) = started
    expected = dataclasses.replace(config, seed=3, ppo=dataclasses.replace(config.ppo, clip=0.1))
    assert settings["config"] == expected
    assert (str(path), settings["recipe"]) == ("runs/demo", "demo")
    config_file = str(tmp_path / "old" / "config.json")
    assert settings["command"] == ["lapis", "train", "--config", config_file, *flags]


@pytest.mark.parametrize("form", ["--config {}", "--config={}"])
def test_a_runs_folder_stands_for_its_configuration(tmp_path, started, form):
    config = with_treatment(recipes.demo(), "no_floor")
    save(tmp_path / "old", config, "demo-no_floor")
    assert main(["train", *form.format(tmp_path / "old").split(" "), "--run", "new"]) == 0
    ((path, settings),) = started
    assert (str(path), settings["recipe"]) == ("new", "demo-no_floor")
    assert settings["config"] == config


def test_a_configuration_without_a_run_has_the_name_of_its_file(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(to_dict(recipes.demo())))
    assert saved_start(file).name == "mine"
    assert saved_start(file).config == recipes.demo()


def test_a_treatment_applies_to_a_saved_configuration(tmp_path, started):
    save(tmp_path / "old", recipes.demo(), "demo")
    assert main(["train", "--config", str(tmp_path / "old"), "--treatment", "uniform"]) == 0
    assert started[0][1]["config"].treatment == "uniform"
    assert started[0][1]["recipe"] == "demo-uniform"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ('{"updats": 3}', "unknown setting 'updats'; did you mean 'updates'?"),
        ('{"updates": "3"}', "updates is '3'; it must be of type int"),
        ("[]", r"config is \[\]; it must be a dict"),
    ],
)
def test_a_bad_configuration_file_is_named(tmp_path, text, message):
    file = tmp_path / "config.json"
    file.write_text(text)
    with pytest.raises(UsageError, match=f"--config {file}: .*{message}"):
        saved_start(file)


def test_a_configuration_without_goals_says_what_is_missing(tmp_path):
    file = tmp_path / "config.json"
    file.write_text('{"updates": 3}')
    with pytest.raises(UsageError, match="the setting 'simonsays' is missing"):
        saved_start(file)


def test_a_configuration_stands_in_place_of_a_recipe(capsys):
    assert main(["train", "demo", "--config", "x.json"]) == 2
    assert "lapis train --config FILE" in capsys.readouterr().err
    assert main(["train", "--config"]) == 2
    assert "--config needs a file" in capsys.readouterr().err
    assert main(["train", "--config", "no/such.json"]) == 1
    assert "no/such.json" in capsys.readouterr().err


def test_a_name_that_another_run_has_just_taken_is_left_to_it(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    taken = []

    def start(path, **settings):
        taken.append(str(path))
        if len(taken) == 1:
            path.mkdir(parents=True)
            (path / "config.json").touch()
            raise FileExistsError(path)
        return 0

    monkeypatch.setattr("lapis.running.run.start", start)
    assert main(["train", "demo"]) == 0
    assert taken == ["runs/demo", "runs/demo-2"]
    assert main(["train", "demo", "--run", "runs/demo"]) == 1
    assert len(taken) == 2
