"""Every Python and shell block of the README and the docs runs; what cannot run is checked."""

import re
import sys
from pathlib import Path

import pytest
import torch

from tests.docs.blocks import (
    LANGUAGES,
    PAGES,
    ROOT,
    Block,
    blocks_of,
    check_command,
    commands_of,
    run_command,
    run_python,
)

IDS = [str(page.relative_to(ROOT)) for page in PAGES]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where a page's blocks run: empty but for the repository's tables and examples."""
    for name in ("examples", "experiments"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    known = set(sys.modules)
    threads = torch.get_num_threads()
    yield tmp_path
    torch.set_num_threads(threads)
    for name in set(sys.modules) - known:  # Files of the page, which another page may have too.
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_blocks_run_in_order(page: Path, folder: Path):
    namespace: dict = {"__name__": page.stem}
    for block in blocks_of(page):
        if block.language == "python":
            if name := re.match(r"# (\w+\.py)\n", block.code):  # A file that the reader saves.
                (folder / name[1]).write_text(block.code)
            if block.not_run is None:
                run_python(block, namespace)
            else:
                compile(block.code, block.place, "exec")
        elif block.language == "bash":
            for command in commands_of(block.code):
                if block.not_run is None:
                    run_command(command, folder)
                else:
                    check_command(command)


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_blocks_that_do_not_run_say_why(page: Path):
    for block in blocks_of(page):
        assert block.not_run != "", f"{block.place}: `not run` needs a reason"


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_block_names_its_language(page: Path):
    for block in blocks_of(page):
        assert block.language in LANGUAGES, f"{block.place}: {block.language or 'no language'}"


def page_with(tmp_path: Path, text: str) -> list[Block]:
    page = tmp_path / "page.md"
    page.write_text(text)
    return blocks_of(page)


def test_a_comment_marks_the_next_block_alone(tmp_path):
    first, second = page_with(
        tmp_path,
        "Text.\n\n<!-- not run: needs a GPU -->\n```bash\nlapis train voxel\n```\n"
        "```python\nx = 1\n```\n",
    )
    assert (first.language, first.not_run, first.line) == ("bash", "needs a GPU", 4)
    assert (second.language, second.not_run, second.code) == ("python", None, "x = 1\n")


def test_a_mark_without_a_block_is_an_error(tmp_path):
    with pytest.raises(AssertionError, match="no block follows"):
        page_with(tmp_path, "<!-- not run: why -->\nText.\n")


def test_commands_are_lines_without_comments():
    code = "# nothing\nlapis goals  # prints\n\nlapis train demo \\\n    --seed 3\n"
    assert [command.split()[:2] for command in commands_of(code)] == [
        ["lapis", "goals"],
        ["lapis", "train"],
    ]


@pytest.mark.parametrize(
    "command",
    [
        "lapis train demo --seed 3 --ppo.learning-rate 1e-4",
        "lapis reproduce --seeds 5",
        ".venv/bin/lapis play voxel",
        "make demo",
        "make PYTHON=python3.12 test",
        "pip install 'lapis-rl[train]'",
        "python -m benchmarks.noise",
    ],
)
def test_good_commands_pass(command):
    check_command(command)


@pytest.mark.parametrize(
    "command",
    [
        "lapis train dmeo",
        "lapis train demo --sede 3",
        "lapis tarin demo",
        "lapis reproduce --seeds five",
        "make dmeo",
        "pip install lapis",
        "pip install 'lapis-rl[trian]'",
        "python -m benchmarks.nothing",
        "frobnicate",
    ],
)
def test_bad_commands_fail(command):
    with pytest.raises((AssertionError, SystemExit)):
        check_command(command)


def test_a_block_that_raises_fails_with_its_page_and_line(tmp_path):
    (block,) = page_with(tmp_path, "\n\n```python\nx = 1\nx / 0\n```\n")
    with pytest.raises(ZeroDivisionError) as error:
        run_python(block, {})
    assert error.traceback[-1].lineno == 4  # Counted from 0.
