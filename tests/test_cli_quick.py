"""What the command line answers without PyTorch and Warp, which take seconds to load."""

import json
import subprocess
import sys

import pytest

SCRIPT = """
import contextlib, io, json, sys
from lapis.cli import main
for arguments in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = end.code
    loaded = [name for name in ("torch", "warp") if name in sys.modules]
    print(json.dumps([code, arguments, loaded]))
"""

PROMPT = [
    (0, []),
    (0, ["--help"]),
    (0, ["--version"]),
    (2, ["trian"]),
    (2, ["train", "dmeo"]),
    (0, ["train"]),
    (0, ["train", "--help"]),
    (0, ["train", "demo", "--help"]),
    (0, ["train", "demo", "--help-verbose"]),
    (2, ["train", "demo", "--updats", "3"]),
    (2, ["train", "demo", "--updates", "0"]),
    (2, ["train", "demo", "--treatment", "unifrom"]),
    (2, ["train", "demo", "--treatment", "no_flor"]),
    (2, ["train", "demo", "--curriculum", "learnabilty"]),
    (2, ["train", "demo", "--curriculum.floor", "2"]),
    (2, ["train", "techtree-bidirectional"]),
    (2, ["train", "nowhere:recipe"]),
    (0, ["train", "voxel", "--curriculum", "learnability", "--help"]),
    (2, ["train", "demo", "--simonsays.goals", "lgo"]),
    (1, ["train", "--config", "no/such/config.json"]),
    (1, ["train", "demo", "--run", "tests"]),
    (0, ["doctor"]),
    (0, ["resume", "--help"]),
    (2, ["resume", "no/such/run"]),
    (0, ["evaluate", "--help"]),
    (0, ["export", "--help"]),
    (0, ["reproduce", "--help"]),
    (2, ["reproduce", "--treatments", "unifrom"]),
    (2, ["bench", "trian"]),
    (2, ["bench", "train", "--recipe", "dmeo"]),
    (0, ["goals"]),
    (0, ["goals", "--game", "minetest"]),
    (2, ["goals", "--game", "minetest", "--svg", "tree.svg"]),
    (2, ["play", "minetest", "--port", "1"]),
    (2, ["play", "minetest", "--goals", "log"]),
]


def test_it_answers_before_frameworks_are_loaded():
    """One after another in one process: a framework that a command loads shows at its turn."""
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps([arguments for _, arguments in PROMPT]),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert answers == [[code, arguments, []] for code, arguments in PROMPT]


def test_recipes_and_configurations_are_made_without_frameworks():
    code = (
        "import sys\n"
        "from lapis import recipes\n"
        "from lapis.simonsays import SimonSaysConfig\n"
        "from lapis.worlds.techtree import TechTreeConfig\n"
        "from lapis.worlds.voxel import VoxelConfig\n"
        "from lapis.agent import PolicyConfig, PPOConfig\n"
        "configs = [getattr(recipes, name)() for name in recipes.__all__]\n"
        "print(len(configs) == len(recipes.__all__), 'torch' in sys.modules, 'warp' in sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "True False False\n"


def test_a_lazy_package_has_all_its_names_and_no_others():
    import lapis.agent
    import lapis.simonsays
    import lapis.worlds.techtree
    import lapis.worlds.voxel

    for package in (lapis.agent, lapis.simonsays, lapis.worlds.techtree, lapis.worlds.voxel):
        for name in package.__all__:
            assert getattr(package, name) is not None
        with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
            _ = package.nothing
