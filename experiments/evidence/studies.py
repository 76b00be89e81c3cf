"""What was trained for the tables of `experiments/results`, as arguments of `lapis reproduce`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from experiments.evidence import RESULTS

__all__ = ["STUDIES", "run_study"]

FROZEN = Path(__file__).parents[1] / "settings.json"
"""Settings of each treatment, chosen on seeds 0 to 4."""

_OTHERS = ["--first-seed", "100", "--seeds", "5", "--treatments"]
_OTHERS += ["uniform,uniform_dynamic,unidirectional,bidirectional,learnability"]
_CLAIM = ["--first-seed", "100", "--seeds", "10", "--settings", str(FROZEN)]
STUDIES: dict[str, list[str]] = {
    "techtree_h200": ["--seeds", "5", "--frames", "20000000"],
    "demo": [
        *("--recipe", "demo", "--first-seed", "100", "--seeds", "10", "--evaluations", "10"),
        *("--treatments", "paper,no_floor,unidirectional_no_floor,optimism_no_floor"),
    ],
    "demo_early": [
        *("--recipe", "demo", "--first-seed", "100", "--seeds", "5", "--frames", "3194880"),
        *("--evaluations", "3", "--treatments", "unidirectional,no_floor"),
    ],
    "techtree_variants": [
        *("--treatments", "bidirectional,rivals,ablations", "--seeds", "3"),
        *("--frames", "12000000"),
    ],
    "techtree_laptop": ["--seeds", "3"],
    "pixels": [
        *("--recipe", "voxel", "--first-seed", "100", "--seeds", "2", "--frames", "100000000"),
        *("--evaluations", "4"),
    ],
    "xland": [
        *("--recipe", "xland", *_OTHERS, "--frames", "400000", "--evaluations", "4"),
        *("--settings", str(FROZEN.with_name("settings_xland.json"))),
    ],
    "craftax": [
        *("--recipe", "craftax", *_OTHERS, "--frames", "600000", "--evaluations", "3"),
        *("--settings", str(FROZEN.with_name("settings_craftax.json"))),
    ],
    "claims": [
        *_CLAIM,
        *("--treatments", "paper,no_floor,floors", "--frames", "30000000", "--evaluations", "20"),
    ],
    "claims_variants": [
        *_CLAIM,
        *("--treatments", "bidirectional,rivals,ablations", "--frames", "12000000"),
    ],
}
"""By the folder that keeps their tables."""


def run_study(name: str, device: str, jobs: int | None) -> int:
    """Trains what is left of a study and keeps its tables; the exit code of `lapis reproduce`."""
    runs = Path("runs/evidence") / name
    command = [sys.executable, "-m", "lapis", "reproduce", *STUDIES[name]]
    command += ["--device", device, "--folder", str(runs)]
    if jobs is not None:
        command += ["--jobs", str(jobs)]
    code = subprocess.run(command, check=False).returncode
    if (runs / "tables").is_dir():
        shutil.copytree(runs / "tables", RESULTS / name, dirs_exist_ok=True)
    return code
