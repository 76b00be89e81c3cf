"""Where a result came from: the code, the machine and the packages, as text for people to read."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

__all__ = ["describe_code", "describe_environment"]

DIFF_LIMIT = 10_000_000
"""Characters of a diff that are kept; more is data that nobody meant to record."""


def describe_code(*directories: Path) -> str:
    """Commit, changed files and diff of the repositories that hold `directories`.

    Each repository is described once. Files that git ignores (a package installed into a virtual
    environment inside somebody's repository) do not count as part of it.
    """
    if shutil.which("git") is None:
        return "git is not installed: commit and diff are unknown\n"
    sections: dict[str, str] = {}
    for directory in directories:
        root = _repository(directory)
        if root is None:
            sections.setdefault(str(directory), f"{directory}: not in a git repository\n")
        elif root not in sections:
            sections[root] = _describe_repository(root)
    return "\n".join(sections.values())


def describe_environment(device: str) -> str:
    """Python, machine, device and the version of every installed package."""
    packages = {
        (distribution.metadata["Name"] or "?").lower(): distribution.version
        for distribution in importlib.metadata.distributions()
    }
    head = {
        "python": sys.version.replace("\n", " "),
        "executable": sys.executable,
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cpus": str(os.cpu_count()),
        "device": device,
    }
    lines = [f"{name}: {value}" for name, value in head.items()]
    lines += ["", *(f"{name}=={version}" for name, version in sorted(packages.items()))]
    return "\n".join(lines) + "\n"


def _repository(directory: Path) -> str | None:
    """The root of the repository that holds `directory` and does not ignore it."""
    root = _git(directory, "rev-parse", "--show-toplevel")
    if root is None or _git(directory, "check-ignore", "--quiet", ".") is not None:
        return None
    return root.strip()


def _describe_repository(root: str) -> str:
    place = Path(root)
    commit = _git(place, "rev-parse", "HEAD")
    status = _git(place, "status", "--short")
    diff = _git(place, "diff", "HEAD") if commit is not None else _git(place, "diff", "--cached")
    diff = diff or ""
    if len(diff) > DIFF_LIMIT:
        diff = diff[:DIFF_LIMIT] + f"\n[cut here: the diff has {len(diff)} characters]\n"
    return (
        f"repository: {root}\n"
        f"commit: {commit.strip() if commit is not None else 'none yet'}\n"
        f"changed files (?? marks new ones, which the diff leaves out):\n{status or ''}"
        f"diff:\n{diff}"
    )


def _git(directory: Path, *arguments: str) -> str | None:
    """What git prints, or None where it fails."""
    result = subprocess.run(
        ["git", "-C", str(directory), *arguments],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return result.stdout if result.returncode == 0 else None
