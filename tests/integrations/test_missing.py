"""Without its library a module says in one line what to install."""

import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
COMMANDS = {
    "sb3": ("stable_baselines3", "pip install 'lapis-rl[sb3]'"),
    "tasks": ("gymnasium", "pip install 'lapis-rl[gym]'"),
    "torchrl": ("torchrl", "pip install 'lapis-rl[torchrl]'"),
    "rllib": ("ray", "pip install 'lapis-rl[rllib]'"),
    "trl": ("trl", "pip install 'lapis-rl[trl]'"),
    "verl": ("verl", "pip install 'verl<=0.7.1'"),
}


def run(code):
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(SOURCE)!r})\n{code}"],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_a_missing_library_gives_a_line_with_the_command(name):
    package, command = COMMANDS[name]
    # None in sys.modules: the import system takes the package for one that is not there.
    blocked = {package, "torch"} - ({"torch"} if name in ("sb3", "tasks", "verl") else set())
    hide = "".join(f"sys.modules[{each!r}] = None\n" for each in sorted(blocked))
    finished = run(f"{hide}import lapis.integrations.{name}")
    assert finished.returncode == 1
    last = finished.stderr.strip().splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: lapis.integrations." + name)
    assert last.endswith(command)


def test_without_ray_a_cluster_is_refused_with_the_command():
    finished = run(
        "sys.modules['ray'] = None\n"
        "from lapis.clusters import join_cluster\n"
        "join_cluster('', 'the scheduler')"
    )
    assert finished.returncode == 1
    assert finished.stderr.strip().splitlines()[-1] == (
        "ModuleNotFoundError: the scheduler needs ray, which is not installed; "
        "get it with: pip install 'lapis-rl[ray]'"
    )


def test_the_package_itself_needs_numpy_alone():
    finished = run(
        "import lapis.integrations, lapis.integrations.gym_vector, lapis.integrations.prime_rl\n"
        "heavy = {'torch', 'gymnasium', 'ray', 'trl', 'stable_baselines3', 'torchrl'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert finished.stdout == "[]\n", finished.stderr
