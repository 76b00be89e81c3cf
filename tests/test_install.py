"""The wheel in a fresh virtual environment, as a user would have it.

Nothing is downloaded: what the wheel needs is linked from the environment of the tests, package by
package, so that what is not linked is not there.
"""

import importlib.metadata
import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).parents[1]
SITE = Path(sysconfig.get_paths()["purelib"])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from this repository."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(REPOSITORY)], check=True)
    (path,) = folder.glob("*.whl")
    return path


class Environment:
    """A fresh virtual environment with links to some of the packages that are installed here."""

    def __init__(self, folder, packages):
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        self.bin = folder / "bin"
        (site,) = (folder / "lib").glob("python*/site-packages")
        for package in packages:
            for name in top_level(package):
                if not (site / name).exists():
                    (site / name).symlink_to(SITE / name)

    def pip(self, *arguments):
        command = [self.bin / "python", "-m", "pip", "install", "--quiet", "--no-index", *arguments]
        subprocess.run(command, check=True)

    def run(self, program, *arguments, code=0):
        """What a program prints, errors included; `code` is the exit code that it must have."""
        result = subprocess.run(
            [self.bin / program, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            cwd=self.bin,
        )
        assert result.returncode == code, result.stdout
        return result.stdout


def top_level(package):
    """The files and folders of site-packages that belong to an installed package."""
    files = importlib.metadata.files(package) or []
    return {path.parts[0] for path in files if path.parts[0] not in ("..", "__pycache__")}


def with_requirements(*packages):
    """The packages and all that they need, by what is installed here."""
    found, queue = set(), list(packages)
    while queue:
        package = queue.pop().lower().replace("_", "-")
        if package in found or not is_installed(package):
            continue
        found.add(package)
        for requirement in importlib.metadata.requires(package) or []:
            if "extra ==" not in requirement:
                queue.append(name_of(requirement))
    return found


def is_installed(package):
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def name_of(requirement):
    end = next((i for i, c in enumerate(requirement) if c in " <>=!~;[("), len(requirement))
    return requirement[:end]


def test_the_wheel_has_its_name_its_types_and_its_data(wheel):
    assert wheel.name.startswith("lapis_rl-")
    names = zipfile.ZipFile(wheel).namelist()
    assert "lapis/py.typed" in names
    assert "lapis/data/voxel.safetensors" in names
    assert "lapis/minecraft/data/goals.json" in names
    assert not [name for name in names if not name.startswith(("lapis/", "lapis_rl-"))]


def test_it_works_with_numpy_alone(wheel, tmp_path):
    environment = Environment(tmp_path / "venv", ["numpy"])
    environment.pip(str(wheel))
    printed = environment.run(
        "python",
        "-c",
        "import numpy as np\n"
        "from lapis.curriculum import LearningProgress\n"
        "teacher = LearningProgress(3)\n"
        "teacher.update(np.array([1, 0, 0]), np.array([1, 1, 0]))\n"
        "print(teacher.sample(4, np.random.default_rng(0)).shape)",
    )
    assert printed == "(4,)\n"
    listed = json.loads(environment.run("python", "-m", "pip", "list", "--format", "json"))
    assert {row["name"] for row in listed} - {"pip", "setuptools"} == {"lapis-rl", "numpy"}
    assert "usage: lapis COMMAND" in environment.run("lapis", "--help")
    error = environment.run("lapis", "train", "demo", code=1)
    assert "pip install 'lapis-rl[train]'" in error


USE = """
import gymnasium
import lapis.simonsays.gym

tree = gymnasium.make("lapis/SimonSaysTechTree-v0", render_mode="ansi")
tree.reset(seed=0)
print(tree.render().splitlines()[0].partition(":")[0])
voxel = gymnasium.make("lapis/SimonSaysVoxel-v0", render_mode="rgb_array", size=16)
voxel.reset(seed=0)
print(voxel.render().shape)
"""

TYPED = """
import numpy as np
from lapis.agent import Policy
from lapis.curriculum import LearningProgress
from lapis.recipes import demo
from lapis.simonsays import SimonSays
from lapis.simonsays.gym import make_tech_tree

reveal_type(LearningProgress(3).probabilities())
reveal_type(demo().ppo.learning_rate)
reveal_type(SimonSays)
reveal_type(Policy)
reveal_type(make_tech_tree())
wrong: int = demo().device
"""


def test_with_the_extra_gym_both_ids_work_and_types_are_seen(wheel, tmp_path):
    packages = with_requirements("numpy", "torch", "warp-lang", "gymnasium", "mypy")
    environment = Environment(tmp_path / "venv", packages)
    environment.pip(f"{wheel}[gym]")
    assert environment.run("python", "-c", USE) == "Simon says\n(256, 256, 3)\n"

    script = tmp_path / "typed.py"
    script.write_text(TYPED)
    cache = str(tmp_path / "mypy")
    command = ["-m", "mypy", "--cache-dir", cache, "--follow-imports", "silent", str(script)]
    result = environment.run("python", *command, code=1)
    revealed = [line.partition("Revealed type is ")[2] for line in result.splitlines()]
    assert "numpy.ndarray" in revealed[0], result
    assert revealed[1] in ('"float"', '"builtins.float"'), result
    assert "lapis.simonsays.protocol.SimonSays" in revealed[2], result
    assert "lapis.agent.policy.Policy" in revealed[3], result
    assert revealed[4] == '"lapis.simonsays.gym.views.SimonSaysEnv"', result
    assert 'expression has type "str", variable has type "int"' in result
