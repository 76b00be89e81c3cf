"""Where runs came from: configuration, commit, command and hardware."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from lapis.report.series import Run

__all__ = ["describe_run", "read_code", "read_commands", "read_environment", "settings_text"]


def describe_run(run: Run) -> dict[str, str]:
    """What is known of a run, by what it is called."""
    environment = read_environment(run.texts["env.txt"])
    return {
        "seed": str(run.seed),
        "length": f"{run.updates[-1]:,} updates, {run.frames[-1]:,} frames",
        "command": "\n".join(read_commands(run.texts["recipe.txt"])),
        "commit": read_code(run.texts["git.txt"]),
        "device": environment.get("device", "?"),
        "machine": f"{environment.get('platform', '?')}, {environment.get('cpus', '?')} CPUs",
        "software": f"Python {environment.get('python', '?')}; {environment['packages']}",
    }


def read_code(text: str) -> str:
    """The commit that git.txt tells first, and whether files had been changed since."""
    # A line `commit: ...`, one that heads the list of changed files, the list, and `diff:`.
    found = re.search(r"^commit: (.*)\n.*\n((?:.*\n)*?)diff:", text, re.MULTILINE)
    if found is None:
        return text.partition("\n")[0] or "unknown"
    count = len(found[2].splitlines())
    files = f"{count} file{'' if count == 1 else 's'}"
    return found[1] + (f" and changes in {files}" if count else "")


def read_commands(text: str) -> list[str]:
    """The commands of recipe.txt: the first, then each resume."""
    lines = [line for line in text.splitlines() if not line.startswith("recipe: ")]
    return [line.removeprefix("command: ") for line in lines]


def read_environment(text: str) -> dict[str, str]:
    """The head of env.txt, and the versions of what computes."""
    head, _, packages = text.partition("\n\n")
    found = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    versions = dict(line.split("==", 1) for line in packages.splitlines() if "==" in line)
    computing = ("lapis", "numpy", "torch", "warp-lang")
    found["packages"] = ", ".join(
        f"{name} {versions[name]}" for name in computing if name in versions
    )
    return found


def settings_text(config: Mapping[str, Any], indent: str = "") -> str:
    """Settings line by line, lists on one line each."""
    lines = []
    for name, value in config.items():
        if isinstance(value, Mapping):
            lines += [f"{indent}{name}:", settings_text(value, indent + "  ")]
        else:
            text = ", ".join(map(str, value)) if isinstance(value, list) else json.dumps(value)
            lines.append(f"{indent}{name}: {text}")
    return "\n".join(lines)
