"""The marks `DEVIATION:` in the code and the rows of docs/deviations.md say the same."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECTION_OF = {
    "curriculum": "The curriculum",
    "simonsays": "Simon Says",
    "agent": "The agent and the trainer",
    "train": "The agent and the trainer",
    "recipes": "The agent and the trainer",
    "worlds/techtree": "The tech-tree world",
    "worlds/voxel": "The voxel world",
    "worlds/minerl": "Minecraft through MineRL",
    "worlds/remote/far/minerl": "Minecraft through MineRL",
    "minecraft": "Minecraft's rules",
    "report": "The report",
}
COMMON_WORDS = 2
"""Of four letters or more, that a mark and its row must share."""


def marks():
    """Section, file relative to its part's folder, and words of each mark up to its full stop."""
    for path in sorted((ROOT / "src/lapis").rglob("*.py")):
        name = path.relative_to(ROOT / "src/lapis").as_posix()
        for found in re.finditer(
            r"DEVIATION:(.*?)(?:\.\s|\n\s*[^#\s]*\"\"\"|\n\n)", path.read_text(), re.S
        ):
            part = next((each for each in SECTION_OF if name.startswith(f"{each}/")), None)
            assert part is not None, f"{name} has a DEVIATION, but its part has no section"
            yield SECTION_OF[part], name.removeprefix(f"{part}/"), found[1]


def sections():
    """Rows and bullets of each section of the page."""
    text = (ROOT / "docs/deviations.md").read_text()
    return {
        title: re.findall(r"^(?:\||- ).*(?:\n  .*)*", body, re.M)
        for title, body in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    }


def words(text):
    # Endings differ between a comment and a row: the first five letters tell words apart.
    return {word[:5] for word in re.findall(r"[a-z]{4,}", text.lower())}


def files_in(row):
    return set(re.findall(r"`([\w/]+\.py)`", row))


def test_every_mark_has_a_row_that_names_its_file_and_says_the_same():
    rows = sections()
    found = list(marks())
    count = sum(path.read_text().count("DEVIATION:") for path in (ROOT / "src/lapis").rglob("*.py"))
    assert len(found) == count, "a mark has no end: close it with a full stop"
    for section, file, text in found:
        near = [row for row in rows[section] if file in files_in(row)]
        assert near, f"no row of `{section}` names {file}: {text.strip()}"
        best = max(len(words(text) & words(row)) for row in near)
        assert best >= COMMON_WORDS, f"no row of `{section}` says of {file}: {text.strip()}"


def test_every_file_that_a_row_names_has_a_mark():
    marked = {(section, file) for section, file, _ in marks()}
    for section, rows in sections().items():
        for row in rows:
            for file in files_in(row):
                assert (section, file) in marked, f"{file} of `{section}` has no mark"
