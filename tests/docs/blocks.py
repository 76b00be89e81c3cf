"""The code blocks of the documentation: found, run, or, where they cannot run, checked.

A page's blocks share one namespace and one folder, and run in the order in which they stand. A
block that cannot run in the tests says so in a comment above it, which readers do not see:

    <!-- not run: trains for ten minutes -->

Its commands are still checked: recipes, flags, make targets and modules must exist.
"""

from __future__ import annotations

import contextlib
import glob
import importlib.util
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
)
LANGUAGES = {"python", "bash", "text", "json", "toml"}
"""What a block may be: Python and bash run, the others are there to be read."""
NOT_RUN = re.compile(r"<!--\s*not run:(.*)-->")
SHELL_SYNTAX = re.compile(r"[|&;<>$`]")
TINY_TRAINING = ("--updates", "1", "--world-count", "16", "--evaluation-attempts", "1")
"""Added to `lapis train`: the command as it stands, on a small scale."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """One fenced block of a page."""

    page: Path
    line: int
    """Of the opening fence, counted from 1."""
    language: str
    """What stands behind the opening fence; empty if nothing does."""
    code: str
    not_run: str | None
    """Why the block is not run; None if it is."""

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    """All fenced blocks of a Markdown page, in order."""
    blocks: list[Block] = []
    lines = page.read_text(encoding="utf-8").splitlines()
    reason: str | None = None
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        fence = re.match(r"( *)```(\w*)", line)
        comment = NOT_RUN.fullmatch(line.strip())
        if fence is None:
            if comment is not None:
                reason = comment.group(1).strip()
            elif line.strip():
                assert reason is None, f"{page.name}:{number}: no block follows `not run`"
            continue
        start = number
        while lines[number].strip() != "```":  # An IndexError is a block without an end.
            number += 1
        blocks.append(
            Block(
                page=page,
                line=start,
                language=fence.group(2),
                code=textwrap.dedent("\n".join(lines[start:number])) + "\n",
                not_run=reason,
            )
        )
        reason = None
        number += 1
    return blocks


def commands_of(code: str) -> Iterator[str]:
    """The commands of a shell block: one per line, longer ones continued with a backslash."""
    for line in code.replace("\\\n", " ").splitlines():
        if shlex.split(line, comments=True):
            yield line


def words_of(command: str) -> list[str]:
    """A command's words; `.venv/bin/lapis` is `lapis`."""
    program, *rest = shlex.split(command, comments=True)
    return [Path(program).name, *rest]


def run_python(block: Block, namespace: dict[str, Any]) -> None:
    """Runs a Python block in the page's namespace; a traceback shows the page and the line."""
    source = "\n" * block.line + block.code
    code = compile(source, str(block.page), "exec", dont_inherit=True)
    exec(code, namespace)


def run_command(command: str, folder: Path) -> None:
    """Runs a shell command in the page's folder; `lapis` runs in this process."""
    words = words_of(command)
    if words[0] == "lapis" and not SHELL_SYNTAX.search(command):
        with contextlib.chdir(folder):
            code = run_lapis(expand(words[1:]))
        assert code == 0, f"`{command}` ended with exit code {code}"
        return
    binaries = Path(sys.executable).parent
    path = f"PATH={shlex.quote(str(binaries))}:$PATH PYTHONPATH={shlex.quote(str(ROOT / 'src'))}"
    finished = subprocess.run(
        ["bash", "-euc", f"export {path}\n{command}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, f"`{command}` failed:\n{finished.stderr}"


def run_lapis(arguments: list[str]) -> int:
    """The exit code of the `lapis` command; training is kept to one small update."""
    from lapis.cli import main

    trains = arguments[0] == "train" and len(arguments) > 1  # Alone it lists the recipes.
    return main([*arguments, *TINY_TRAINING] if trains else arguments)


def expand(words: list[str]) -> list[str]:
    """The words with `*` replaced by the names that match, as a shell does."""
    return [name for word in words for name in (sorted(glob.glob(word)) or [word])]


def check_command(command: str) -> None:
    """Fails if the command could not even start: unknown flag, recipe, target or module."""
    match words_of(command):
        case ["lapis", *arguments]:
            parse_only(arguments)
        case ["make", *targets]:
            for target in targets:
                assert "=" in target or target in make_targets(), f"no make target `{target}`"
        case ["pip", "install", *requirements]:
            for requirement in requirements:
                check_requirement(requirement)
        case ["python", "-m", module, *_]:
            with contextlib.chdir(ROOT):
                assert importlib.util.find_spec(module), f"no module `{module}`"
        case ["python", script, *_]:
            assert (ROOT / script).is_file(), f"no script `{script}`"
        case ["torchrun", *options] if "--" in options:
            check_command(shlex.join(options[options.index("--") + 1 :]))
        case ["export", _] if SHELL_SYNTAX.search(command) is None:
            pass
        case ["git", "clone", _] | ["cd", _] | ["tensorboard", "--logdir", _]:
            pass
        case ["apt-get", "install", *_] | ["gcc", *_]:
            pass
        case words:
            raise AssertionError(f"nothing is known of `{words[0]}`: teach check_command about it")


class Parsed(BaseException):
    """The command line was understood; not an Exception, so that no command catches it."""


def parse_only(arguments: list[str]) -> None:
    """Lets the command parse its arguments, and stops it before it does anything."""
    import tyro

    from lapis.cli import main

    understand = tyro.cli

    def parse_and_stop(*args: Any, **options: Any) -> None:
        understand(*args, **options)
        raise Parsed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tyro, "cli", parse_and_stop)
        try:
            code = main(arguments)
        except Parsed:
            return
    assert code == 0, f"`lapis {shlex.join(arguments)}` ended with exit code {code}"


def make_targets() -> set[str]:
    """The targets of the Makefile that have a name, not a path."""
    return set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def check_requirement(requirement: str) -> None:
    """Fails if it is not this package with extras that it has."""
    match = re.fullmatch(r"lapis-rl(?:\[([\w,-]+)\])?", requirement)
    assert match, f"`pip install {requirement}` is not lapis-rl with extras"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for extra in filter(None, (match.group(1) or "").split(",")):
        assert extra in project["optional-dependencies"], f"lapis-rl has no extra `{extra}`"
