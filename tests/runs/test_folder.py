import os
import subprocess
import sys
from contextlib import closing

import numpy as np
import pytest

from lapis.runs import RunError, RunFolder, provenance
from lapis.runs.provenance import describe_code, describe_environment

CONFIG = {"updates": 3, "ppo": {"learning_rate": 3e-05, "gamma": 0.999}, "seed": 2**80}


def create(path, **changes):
    settings = {"config": CONFIG, "recipe": "demo", "command": ["lapis", "train", "demo"]}
    return RunFolder.create(path, **{**settings, **changes})


def git(directory, *arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *identity, *arguments], cwd=directory, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "code.py").write_text("first = 1\n")
    git(folder, "add", "code.py")
    return folder


def test_a_new_run_holds_what_is_needed_to_repeat_it(tmp_path):
    run = create(
        tmp_path / "runs" / "a",
        command=["lapis", "train", "demo", "--run", "two words"],
        device="a fine device",
        goals=["log", "planks"],
        groups=["surface", "surface"],
    )
    files = "checkpoints config.json env.txt evaluation.jsonl git.txt goals.json metrics.jsonl"
    assert sorted(os.listdir(run.path)) == [*files.split(), "recipe.txt"]
    assert run.read_config() == CONFIG
    assert run.read_recipe() == "demo"
    assert run.read_goals() == (("log", "planks"), ("surface", "surface"))
    assert "command: lapis train demo --run 'two words'\n" in (run.path / "recipe.txt").read_text()
    environment = (run.path / "env.txt").read_text()
    assert "device: a fine device\n" in environment
    assert f"numpy=={np.__version__}\n" in environment
    assert os.listdir(tmp_path / "runs") == ["a"]


def test_a_run_is_never_overwritten_and_the_error_names_the_fix(tmp_path):
    run = create(tmp_path / "a")
    with pytest.raises(FileExistsError, match=r"lapis resume .*/a`, or choose another .*--run"):
        create(tmp_path / "a", config={})
    assert run.read_config() == CONFIG


def test_an_empty_directory_may_become_a_run(tmp_path):
    (tmp_path / "a").mkdir()
    assert create(tmp_path / "a").read_config() == CONFIG


def test_a_failed_creation_leaves_nothing(tmp_path):
    with pytest.raises(TypeError, match="not JSON serializable"):
        create(tmp_path / "a", config={"x": object()})
    with pytest.raises(ValueError, match="groups has 1 entries for 2 goals"):
        create(tmp_path / "a", goals=["a", "b"], groups=["g"])
    assert os.listdir(tmp_path) == []


def test_open_says_what_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no config.json and no metrics.jsonl"):
        RunFolder.open(tmp_path)


def test_metrics_can_be_read_while_they_are_written(tmp_path):
    run = create(tmp_path / "a")
    with run.writing() as log:
        log.append({"update": 1, "success": [0.5]})
        np.testing.assert_array_equal(RunFolder.open(run.path).read_metrics()["success"], [[0.5]])


def test_evaluations_have_a_log_of_their_own(tmp_path):
    run = create(tmp_path / "a")
    assert run.read_evaluations() == {}
    with run.writing(), closing(run.evaluation_log()) as log:
        log.append({"update": 4, "successes": [3, 0]})
        np.testing.assert_array_equal(run.read_evaluations()["successes"], [[3, 0]])
    assert run.read_metrics() == {}


def test_a_folder_without_evaluations_gets_its_log_when_it_is_written(tmp_path):
    run = create(tmp_path / "a")
    (run.path / "evaluation.jsonl").unlink()
    assert RunFolder.open(run.path).read_evaluations() == {}
    with run.writing(), closing(run.evaluation_log()) as log:
        assert log.last_update == -1
    assert (run.path / "evaluation.jsonl").read_bytes() == b""


def test_one_process_at_a_time_writes(tmp_path):
    run = create(tmp_path / "a")
    with (
        run.writing(),
        pytest.raises(RunError, match="written by another process"),
        run.writing(),
    ):
        pass
    with run.writing() as log:
        log.append({"update": 1})


def test_the_lock_of_a_process_that_was_killed_holds_nobody_up(tmp_path):
    run = create(tmp_path / "a")
    code = (
        "import sys, time; from lapis.runs import RunFolder\n"
        "with RunFolder.open(sys.argv[1]).writing(): print('locked', flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", code, run.path]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"locked\n"
        with pytest.raises(RunError, match="written by another process"), run.writing():
            pass
        process.kill()
    with run.writing() as log:
        log.append({"update": 1})


def test_a_folder_that_may_not_be_written_can_be_read(tmp_path):
    run = create(tmp_path / "a")
    with run.writing() as log:
        log.append({"update": 1})
    (run.path / ".lock").unlink()
    run.path.chmod(0o555)
    try:
        assert RunFolder.open(run.path).read_metrics()["update"].tolist() == [1]
        if os.geteuid():  # Permissions do not hold for root.
            with pytest.raises(PermissionError), run.writing():
                pass
    finally:
        run.path.chmod(0o755)


def test_a_folder_without_repository_says_so(tmp_path):
    assert describe_code(tmp_path) == f"{tmp_path}: not in a git repository\n"


def test_a_machine_without_git_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert describe_code(tmp_path) == "git is not installed: commit and diff are unknown\n"


def test_a_repository_without_commit_gives_its_staged_diff(repository):
    text = describe_code(repository)
    assert "commit: none yet\n" in text
    assert "+first = 1\n" in text


def test_commit_new_files_and_diff_are_recorded(repository):
    git(repository, "commit", "-qm", "first")
    (repository / "code.py").write_text("second = 2\n")
    (repository / "new.py").write_text("")
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=repository, text=True)
    text = describe_code(repository)
    assert f"commit: {commit}" in text
    assert "?? new.py\n" in text
    assert "-first = 1\n+second = 2\n" in text


def test_two_folders_of_one_repository_are_described_once_and_ignored_ones_not_at_all(repository):
    (repository / ".gitignore").write_text("installed/\n")
    (repository / "inner").mkdir()
    (repository / "installed").mkdir()
    assert describe_code(repository, repository / "inner").count("commit:") == 1
    assert "not in a git repository" in describe_code(repository / "installed")


def test_an_endless_diff_is_cut_with_a_note(repository, monkeypatch):
    monkeypatch.setattr(provenance, "DIFF_LIMIT", 20)
    assert "[cut here: the diff has" in describe_code(repository)


def test_the_environment_names_python_and_processors():
    text = describe_environment("cpu")
    assert f"executable: {sys.executable}\n" in text
    assert f"cpus: {os.cpu_count()}\n" in text


def test_importing_runs_loads_no_framework():
    code = (
        "import sys, lapis.runs; print({m.split('.')[0] for m in sys.modules} & {'torch', 'rich'})"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"


@pytest.mark.parametrize(
    "name",
    [
        *("metrics.jsonl", "evaluation.jsonl", "config.json", "recipe.txt", ".lock"),
        *("checkpoints", "tensorboard", "checkpoints/.writing-update-000000001"),
    ],
)
def test_links_out_of_a_run_are_not_written_through(tmp_path, name):
    run = create(tmp_path / "run")
    outside = tmp_path / "outside"
    link = run.path / name
    if link.is_dir():
        link.rename(outside)
    else:
        outside.write_bytes(link.read_bytes() + b"half" if link.exists() else b"mine")
        link.unlink(missing_ok=True)
    link.symlink_to(outside)
    before = outside.read_bytes() if outside.is_file() else sorted(outside.iterdir())
    with pytest.raises(RunError, match=r"is a link to .*outside, out of the run"), run.writing():
        pass
    assert (outside.read_bytes() if outside.is_file() else sorted(outside.iterdir())) == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["outside", "run"]


def test_links_within_a_run_are_left_to_it(tmp_path):
    run = create(tmp_path / "run")
    (run.path / "log").symlink_to("metrics.jsonl")
    with run.writing() as log:
        log.append({"update": 1})
    assert (run.path / "log").read_bytes() == b'{"update":1}\n'


@pytest.mark.parametrize("name", ["recipe.txt", "checkpoints/update-000000001/state.json"])
def test_a_pipe_in_a_run_is_refused_before_anything_is_read(tmp_path, name):
    path = create(tmp_path / "run").path / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    with pytest.raises(RunError, match=f"{name} is neither a file nor a folder"):
        RunFolder.open(tmp_path / "run")
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(RunError, match=f"{name} is neither a file nor a folder"):
        RunFolder.open(tmp_path / "run")


@pytest.mark.parametrize("name", ["recipe.txt", "checkpoints", "tensorboard"])
def test_a_file_in_place_of_a_folder_is_told_before_anything_is_written(tmp_path, name):
    run = create(tmp_path / "run")
    path = run.path / name
    if path.is_dir():
        path.rmdir()
    path.unlink(missing_ok=True)
    path.mkdir() if name == "recipe.txt" else path.write_text("")
    with pytest.raises(RunError, match=f"{name} must be a f"), run.writing():
        pass
    path.rmdir() if path.is_dir() else path.unlink()
    path.symlink_to(path)  # There is nothing at the end of it, and nothing can be made there.
    with pytest.raises(RunError, match=f"{name} must be a f"), run.writing():
        pass
