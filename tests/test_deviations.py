"""Every `DEVIATION:` in the code names a subject that docs/deviations.md has a section on."""

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
    "minecraft": "Minecraft's rules",
}


def test_every_part_with_deviations_has_its_section():
    sections = set(re.findall(r"^## (.*)$", (ROOT / "docs/deviations.md").read_text(), re.M))
    marked = [
        path.relative_to(ROOT / "src/lapis").as_posix()
        for path in sorted((ROOT / "src/lapis").rglob("*.py"))
        if "DEVIATION:" in path.read_text()
    ]
    assert marked, "no file is marked: the search is broken"
    for path in marked:
        section = next((SECTION_OF[part] for part in SECTION_OF if path.startswith(part)), None)
        assert section in sections, f"{path} has a DEVIATION but docs/deviations.md no section"
