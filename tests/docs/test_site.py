"""The documentation site builds without a warning, and its navigation leads to every page."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = "https://github.com/lapis-rl/lapis/blob/main/"
IMAGES = "https://raw.githubusercontent.com/lapis-rl/lapis/main/"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The built site, made from copies so that the working tree stays as it is."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(ROOT / "zensical.toml", folder)
    shutil.copytree(ROOT / "docs", folder / "docs")
    (folder / "src").symlink_to(ROOT / "src")
    finished = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return folder / "site"


def pages_of(entries: list) -> Iterator[str]:
    """The Markdown files of a navigation, in order."""
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, list):
            yield from pages_of(entry)
        else:
            yield from pages_of(list(entry.values()))


def test_navigation_has_every_page_once():
    config = tomllib.loads((ROOT / "zensical.toml").read_text())
    listed = list(pages_of(config["project"]["nav"]))
    docs = ROOT / "docs"
    assert sorted(listed) == sorted(
        path.relative_to(docs).as_posix() for path in docs.rglob("*.md")
    )


def test_site_builds_without_a_warning_and_has_the_docstrings(site):
    text = (site / "api" / "curriculum.html").read_text()
    assert 'id="lapis.curriculum.LearningProgress"' in text
    assert "Samples the tasks whose success probability is changing" in text
    assert (site / "index.html").is_file()


def test_every_api_entry_is_rendered(site):
    for page in (ROOT / "docs" / "api").glob("*.md"):
        names = re.findall(r"^::: (\S+)$", page.read_text(), re.MULTILINE)
        html = (site / "api" / page.name).with_suffix(".html")
        if page.name == "README.md":
            html = site / "api" / "index.html"
        text = html.read_text()
        assert ":::" not in text, f"{page.name}: an entry was left as it is"
        for name in names:
            assert name in text, f"{page.name}: {name} is missing"


def test_addresses_in_the_readme_are_of_files_that_exist():
    text = (ROOT / "README.md").read_text()
    addresses = re.findall(r"\]\(([^)]+)\)", text)
    inside = [a for a in addresses if a.startswith((REPOSITORY, IMAGES))]
    assert inside, "the search is broken"
    for address in inside:
        path = address.removeprefix(REPOSITORY).removeprefix(IMAGES).partition("#")[0]
        assert (ROOT / path).is_file(), address
    # The README is also the page of the package, where a relative address leads nowhere.
    assert all(address.startswith("https://") for address in addresses)
