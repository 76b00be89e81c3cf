"""What the package says of itself: names, extras, types, and how to cite it."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import lapis
from lapis.cli import EXTRA
from lapis.extras import DISTRIBUTION, EXTRAS, install_command, missing_package, needed_by

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_distribution_has_the_name_that_messages_tell(project):
    assert project["name"] == DISTRIBUTION == "lapis-rl"


def test_every_extra_that_is_named_exists(project):
    named = {*EXTRAS.values(), "worlds", *EXTRA.values()}
    assert named <= set(project["optional-dependencies"])


def test_extras_refer_to_this_distribution_and_to_extras_there_are(project):
    extras = project["optional-dependencies"]
    for requirements in extras.values():
        for requirement in requirements:
            if requirement.startswith("lapis"):
                name, _, inner = requirement.rstrip("]").partition("[")
                assert name == DISTRIBUTION
                assert set(inner.split(",")) <= set(extras)


def test_the_core_needs_numpy_alone(project):
    assert [requirement.partition(">")[0] for requirement in project["dependencies"]] == ["numpy"]


def test_types_are_for_everyone():
    assert (Path(lapis.__file__).parent / "py.typed").is_file()


def test_the_citation_is_of_this_version():
    lines = (ROOT / "CITATION.cff").read_text().splitlines()
    assert f"version: {lapis.__version__}" in lines


def test_a_missing_package_is_named_with_the_whole_command():
    error = ModuleNotFoundError("No module named 'torch.nn'", name="torch.nn")
    assert missing_package(error, "this") == (
        "this needs torch, which is not installed; get it with: pip install 'lapis-rl[train]'"
    )
    assert missing_package(error, "this", "gym").endswith("pip install 'lapis-rl[gym]'")
    assert missing_package(ModuleNotFoundError("x", name="unheard_of"), "this") is None
    assert install_command() == "pip install lapis-rl"


def test_what_no_extra_brings_is_passed_on():
    error = ModuleNotFoundError("No module named 'unheard_of'", name="unheard_of")
    with pytest.raises(ModuleNotFoundError) as raised, needed_by("this", "gym"):
        raise error
    assert raised.value is error


def error_without(package, command, folder):
    """What `lapis` prints to stderr when it fails where the package is not installed."""
    # None in sys.modules: the import system takes the package for one that is not there.
    code = f"import sys; sys.modules[{package!r}] = None; from lapis.cli import main; "
    finished = subprocess.run(
        [sys.executable, "-c", f"{code}sys.exit(main({command.split()!r}))"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert finished.returncode == 1
    return finished.stderr


@pytest.mark.parametrize(
    ("world", "package"), [("craftax", "craftax"), ("xland", "xminigrid"), ("xland", "jax")]
)
def test_a_world_whose_library_is_missing_says_what_to_install(world, package, tmp_path):
    last = error_without(package, f"train {world}", tmp_path).strip().splitlines()[-1]
    assert last.endswith(f"get it with: pip install 'lapis-rl[{world}]'")


@pytest.mark.parametrize(
    ("command", "who"),
    [
        ("reproduce --on ray --frames 1000", "`--on ray`"),
        (
            "train techtree --world remote --world.transport ray --simonsays.goals collect_wood "
            "--policy.no-action-prior --policy.no-action-items --no-checkpoint-worlds",
            "`--world.transport ray`",
        ),
    ],
)
def test_a_command_that_wants_ray_names_the_extra_that_brings_it(command, who, tmp_path):
    assert error_without("ray", command, tmp_path) == (
        f"error: {who} needs ray, which is not installed; get it with: "
        "pip install 'lapis-rl[ray]'\n"
    )


def test_the_tests_are_found_beside_another_package_of_their_name(tmp_path):
    """OpenSimplex, which Crafter needs, installs one, and far ends load worlds of these tests."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "__init__.py").touch()
    find = "import importlib.util; print(importlib.util.find_spec('tests.worlds.remote.far_toy'))"
    finished = subprocess.run(
        [sys.executable, "-c", find],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [ROOT / "src", ROOT, tmp_path]))},
    )
    assert str(ROOT / "tests" / "worlds" / "remote" / "far_toy.py") in finished.stdout, (
        finished.stderr
    )
