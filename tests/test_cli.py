import dataclasses
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import lapis.cli
from lapis.agent import Schedule
from lapis.cli import COMMANDS, doctor, main
from lapis.curriculum import UniformConfig
from lapis.runs import DiskFullError


@pytest.fixture
def recipes(monkeypatch):
    """Two recipes of the real configuration."""
    import lapis.recipes
    from lapis.simonsays import SimonSaysConfig
    from lapis.train.config import TrainConfig

    def tiny():
        """Three goals."""
        return TrainConfig(simonsays=SimonSaysConfig(goals=("log", "planks", "stick")), updates=7)

    def long():
        """Three goals for long."""
        return dataclasses.replace(tiny(), updates=70_000)

    monkeypatch.setattr(lapis.recipes, "tiny", tiny, raising=False)
    monkeypatch.setattr(lapis.recipes, "long", long, raising=False)
    monkeypatch.setattr(lapis.recipes, "demo", tiny, raising=False)
    monkeypatch.setattr(lapis.recipes, "__all__", ["tiny", "long", "demo"], raising=False)


@pytest.fixture
def started(monkeypatch, recipes):
    """What `lapis train` would have started."""
    calls = []

    def start(path, **settings):
        calls.append({"path": path, **settings})
        return 0

    monkeypatch.setattr("lapis.running.run.start", start)
    return calls


def run_fresh(code, **environment):
    """Runs `code` in a new interpreter."""
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


def without(*packages):
    """Code that makes packages look as if they were not installed, then calls lapis."""
    return (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {packages!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "from lapis.cli import main\n"
    )


FRAMEWORKS = ("torch", "warp", "safetensors", "tensorboard", "gymnasium", "matplotlib", "plotly")


def test_help_lists_every_command(capsys):
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(name in text and summary in text for name, summary in COMMANDS.items())
    assert main([]) == 0
    assert capsys.readouterr().out == text


def test_every_registered_command_exists_and_has_help(capsys, recipes):
    for name in COMMANDS:
        assert callable(importlib.import_module(f"lapis.cli.{name}").main)
        try:
            code = main([name, "--help"])
        except SystemExit as end:
            code = end.code
        assert code == 0
        assert f"lapis {name}" in capsys.readouterr().out


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"lapis {lapis.__version__}\n"


def test_a_wrong_command_gives_the_nearest(capsys):
    assert main(["trian"]) == 2
    assert capsys.readouterr().err == "error: unknown command `trian`; did you mean `train`?\n"


def test_a_command_like_no_other_gives_all(capsys):
    assert main(["xyzzy"]) == 2
    assert "there are: train, resume" in capsys.readouterr().err


def test_a_wrong_recipe_gives_the_nearest(capsys, recipes):
    assert main(["train", "tinny"]) == 2
    assert capsys.readouterr().err == "error: unknown recipe `tinny`; did you mean `tiny`?\n"


def test_a_wrong_treatment_gives_the_nearest(capsys, recipes):
    assert main(["train", "tiny", "--treatment", "bidirektional"]) == 2
    assert "did you mean `bidirectional`?" in capsys.readouterr().err


def test_a_wrong_flag_gives_the_nearest(capsys, recipes):
    with pytest.raises(SystemExit) as end:
        main(["train", "tiny", "--ppo.learning-rat", "1"])
    assert end.value.code == 2
    text = capsys.readouterr()
    assert "--ppo.learning-rate" in text.out + text.err


def test_a_value_out_of_range_says_what_is_allowed(capsys, recipes):
    assert main(["train", "tiny", "--updates", "0"]) == 2
    assert "updates is 0; it must be a whole number of at least 1" in capsys.readouterr().err
    assert main(["resume", "x", "--checkpoint-count", "0"]) == 2
    assert "checkpoint_count is 0" in capsys.readouterr().err


def test_train_lists_the_recipes(capsys, recipes):
    assert main(["train"]) == 0
    text = capsys.readouterr().out
    assert "tiny  Three goals." in text
    assert "long  Three goals for long." in text


def test_flags_override_the_recipe(started):
    flags = ["--ppo.learning-rate", "0.5", "--world-count", "3", "--quiet", "--run", "here"]
    assert main(["train", "long", *flags]) == 0
    (call,) = started
    assert call["path"] == Path("here")
    assert call["recipe"] == "long"
    assert call["config"].ppo.learning_rate == Schedule(0.5)
    assert (call["config"].world_count, call["config"].updates) == (3, 70_000)
    assert call["options"].quiet
    assert call["command"] == ["lapis", "train", "long", *flags]


@pytest.mark.parametrize("form", [["--treatment", "uniform_fixed"], ["--treatment=uniform_fixed"]])
def test_a_treatment_changes_the_defaults_and_flags_still_win(started, form):
    assert main(["train", "tiny", *form, "--simonsays.bonus-coefficient", "0.25"]) == 0
    (call,) = started
    assert call["config"].curriculum == UniformConfig()
    assert call["config"].simonsays.bonus == "fixed"
    assert call["config"].simonsays.bonus_coefficient == 0.25
    assert call["recipe"] == "tiny-uniform_fixed"


def test_demo_is_the_recipe_of_that_name_and_its_report(started, tmp_path, monkeypatch, capsys):
    reported = []
    monkeypatch.setattr(
        "lapis.cli.demo.write_report", lambda runs, output: reported.append(runs) or output
    )
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--updates", "3"]) == 0
    assert reported == [[Path("runs/demo")]]
    assert str(tmp_path / "runs" / "demo" / "report.html") in capsys.readouterr().out
    (call,) = started
    assert call["recipe"] == "demo"
    assert call["config"].updates == 3
    assert call["command"] == ["lapis", "demo", "--updates", "3"]


def test_without_a_name_the_first_free_folder_is_used(started, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main(["train", "tiny"])
    (tmp_path / "runs" / "tiny").mkdir(parents=True)
    main(["train", "tiny"])
    assert [call["path"] for call in started] == [Path("runs/tiny"), Path("runs/tiny-2")]


def test_resume_of_nothing_names_the_runs_there_are(tmp_path, capsys):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "config.json").write_text("{}")
    assert main(["resume", str(tmp_path / "b")]) == 2
    assert f"there is no run {tmp_path}/b; there are: {tmp_path}/a" in capsys.readouterr().err


def test_resume_of_something_else_says_what_it_lacks(tmp_path, capsys):
    assert main(["resume", str(tmp_path)]) == 1
    assert "is not a run folder: it has no config.json" in capsys.readouterr().err


def test_errors_of_runs_are_one_line_and_bugs_are_not_hidden(monkeypatch, capsys):
    def fail(arguments):
        raise {"disk": DiskFullError("no space"), "stop": KeyboardInterrupt()}[arguments[0]]

    monkeypatch.setattr("lapis.cli.goals.main", fail)
    assert main(["goals", "disk"]) == 1
    assert capsys.readouterr().err == "error: no space\n"
    assert main(["goals", "stop"]) == 130
    with pytest.raises(KeyError):
        main(["goals", "bug"])


def test_goals_are_printed_or_drawn(capsys, tmp_path):
    assert main(["goals"]) == 0
    assert "diamond_pickaxe" in capsys.readouterr().out
    assert main(["goals", "--svg", str(tmp_path / "tree.svg")]) == 0
    assert "diamond_pickaxe" in (tmp_path / "tree.svg").read_text()


def test_help_and_doctor_work_without_the_frameworks():
    result = run_fresh(without(*FRAMEWORKS) + "sys.exit(main(['--help']) + main(['doctor']))")
    assert result.returncode == 0, result.stderr
    assert "The core works." in result.stdout
    assert "missing" in result.stdout


def test_help_works_with_numpy_alone():
    result = run_fresh(without(*FRAMEWORKS, "tyro", "rich") + "sys.exit(main(['--help']))")
    assert result.returncode == 0, result.stderr
    assert "usage: lapis COMMAND" in result.stdout


@pytest.mark.parametrize(
    ("package", "command", "extra"),
    [
        ("torch", ["train", "demo", "--run", "unused"], "train"),
        ("tyro", ["train", "demo"], "train"),
        ("tyro", ["doctor"], "cli"),
        ("matplotlib", ["simulate"], "report"),
        ("warp", ["play", "techtree"], "play"),
    ],
)
def test_a_command_that_needs_more_says_what_to_install(package, command, extra):
    result = run_fresh(without(package) + f"sys.exit(main({command!r}))")
    assert result.returncode == 1
    assert result.stderr == (
        f"error: `lapis {command[0]}` needs {package}, which is not installed; "
        f"get it with: pip install 'lapis-rl[{extra}]'\n"
    )


@pytest.mark.parametrize(
    ("package", "names", "extra"),
    [
        (
            "warp",
            ["lapis.worlds.techtree.TechTreeWorld", "lapis.worlds.voxel.VoxelWorld"],
            "worlds",
        ),
        ("torch", ["lapis.simonsays.SimonSays"], "worlds"),
        ("torch", ["lapis.agent.Policy"], "train"),
    ],
)
def test_a_part_of_the_library_that_needs_more_says_what_to_install(package, names, extra):
    code = without(package) + "import importlib\n"
    for module, _, symbol in (name.rpartition(".") for name in names):
        code += (
            f"try: importlib.import_module({module!r}).{symbol}\n"
            "except ModuleNotFoundError as error: print(error)\n"
        )
    assert run_fresh(code).stdout.splitlines() == [
        f"{name} needs {package}, which is not installed; "
        f"get it with: pip install 'lapis-rl[{extra}]'"
        for name in names
    ]


def test_a_reader_who_has_enough_is_no_error():
    command = [sys.executable, "-m", "lapis", "goals"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_help_loads_no_framework():
    code = "import sys, lapis.cli; lapis.cli.main(['--help']); print(sorted(sys.modules))"
    loaded = run_fresh(code).stdout.splitlines()[-1]
    assert not any(f"'{name}'" in loaded for name in (*FRAMEWORKS, "tyro", "rich"))


@pytest.mark.parametrize("load", [False, True])
def test_doctor_finds_what_is_there(tmp_path, load):
    checks = {check.name: check for check in doctor.examine(tmp_path / "runs", load=load)}
    assert checks["Python"].status == "ok"
    assert checks["numpy"].status == "ok"
    assert checks["torch"].status == "ok"
    assert checks["warp"].status == "ok"
    assert ("devices cpu" in checks["warp"].detail) == load
    assert checks[f"write to {tmp_path}/runs"].status == "ok"
    assert not (tmp_path / "runs").exists()


def test_doctor_says_how_to_install_minetest(monkeypatch):
    monkeypatch.setattr("lapis.worlds.minetest.server.SERVERS", ("no-such-program",))
    check = doctor._minetest()
    assert (check.status, check.fix) == ("missing", "apt-get install minetest-server minetest-data")


@pytest.mark.parametrize("load", [False, True])
def test_doctor_says_what_to_do_about_a_missing_package(monkeypatch, load):
    check = doctor._package("no_such_module", load=load)
    assert check.status == "missing"
    monkeypatch.setitem(doctor.EXTRAS, "no_such_module", "gym")
    check = doctor._package("no_such_module", load=load)
    assert check.fix == "pip install 'lapis-rl[gym]'"


def test_doctor_tells_a_broken_package_from_a_missing_one():
    def describe():
        raise OSError("libcudart.so: cannot open shared object file\nmore")

    check = doctor._package("numpy", describe, load=True)
    assert check.status == "broken"
    assert check.detail == "libcudart.so: cannot open shared object file"
    assert check.fix == "pip install --force-reinstall numpy"


def test_doctor_fails_when_the_core_does(monkeypatch, capsys, tmp_path):
    broken = doctor.Check(name="numpy", status="broken", detail="")
    monkeypatch.setattr(doctor, "examine", lambda runs, load: [broken])
    assert main(["doctor"]) == 1
    assert "The core does not work: numpy" in capsys.readouterr().out


def test_doctor_notices_a_full_disk_and_a_folder_without_write_access(monkeypatch, tmp_path):
    usage = doctor.shutil.disk_usage(tmp_path)._replace(free=10**6)
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: usage)
    assert doctor._disk(tmp_path).status == "broken"

    def refuse(dir):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuse)
    check = doctor._write_access(tmp_path)
    assert check.status == "broken"
    assert "Permission denied" in check.detail


def test_play_names_the_nearest_goal(capsys):
    assert main(["play", "techtree", "--goals", "diamnd"]) == 2
    assert "did you mean `diamond`?" in capsys.readouterr().err


def test_bench_knows_its_subjects(capsys):
    assert main(["bench", "trian"]) == 2
    assert "did you mean `train`?" in capsys.readouterr().err


def test_bench_train_prints_speed_and_its_split(monkeypatch, capsys):
    import lapis.recipes

    # The recipe is cut down so that the test takes a second, not a minute.
    small = dataclasses.replace(lapis.recipes.demo(), world_count=8)
    monkeypatch.setattr("lapis.recipes.demo", lambda: small)
    assert main(["bench", "train", "--updates", "1"]) == 0
    printed = dict(line.split(" ", 1) for line in capsys.readouterr().out.splitlines())
    assert float(printed["train.steps_per_second"]) > 0
    assert 0 < float(printed["train.share_in_operators"]) <= 1
    assert printed["train.worlds"] == "8"


def test_simulate_draws_its_figures(tmp_path, capsys):
    arguments = ["--output", str(tmp_path), "--seeds", "1", "--updates", "200"]
    assert main(["simulate", *arguments]) == 0
    names = [f"simulation_{number}.png" for number in (1, 2, 3)]
    assert sorted(path.name for path in tmp_path.glob("*.png")) == names
    assert "Simulated learner, 107 goals" in capsys.readouterr().out
