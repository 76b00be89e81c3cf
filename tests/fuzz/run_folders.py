"""Damaged run folders: python -m tests.fuzz.run_folders --cases 2000"""

import hashlib
import os
import random
import shutil
from pathlib import Path

import safetensors.torch

from tests.fuzz import base, cases
from tests.fuzz.mutations import mutate_file, mutate_tensor

CASES = 2000
FILES = ("config.json", "goals.json", "metrics.jsonl", "evaluation.jsonl", "recipe.txt", "git.txt")
PARTS = ("state.json", "tensors.safetensors", "SHA256SUMS")
COMMANDS = {
    "resume": (20, ["resume", "run", "--updates", "4", "--quiet"]),
    "begin again": (4, ["resume", "run", "--updates", "4", "--quiet", "--from-start"]),
    "report": (1, ["report", "run", "--output", "out.html"]),
    "both": (1, ["report", "run", "other", "--output", "out/report.html"]),
    "compact": (8, ["report", "run", "--compact", "out"]),
    "evaluate": (8, ["evaluate", "run", "--attempts", "1", "--per-goal"]),
    "export": (8, ["export", "run", "out.safetensors"]),
    "inspect": (3, ["inspect", "run", "--worlds", "2", "--steps", "4", "--json", "out.json"]),
    "watch": (3, ["watch", "run", "--steps", "1", "--pixels", "16", "--output", "out.gif"]),
}


def prepare(rng: random.Random, root: Path) -> cases.Case:
    """Copies a run, damages the copy, and draws commands."""
    kind = "voxel" if rng.random() < 0.25 else "techtree"
    place = root / "place"
    for name, seed in (("run", 0), ("other", 1)):
        shutil.copytree(base.made() / f"{kind}-{seed}", place / name)
    outside = root / "outside"
    shutil.copytree(place / "run", outside / "run")
    (outside / "victim").write_text("as it was\n")
    drawn = {_drawn_file(rng, place / "run") for _ in range(rng.choice((1, 1, 1, 2, 3)))}
    # What lies deepest first: nothing is damaged twice.
    files = sorted(drawn, key=lambda path: (-len(path.parts), path))
    damage = [_damage(rng, path, place, outside) for path in files]
    if rng.random() < 0.7:
        damage.append(_refresh_sums(place / "run"))
    weights = [weight for weight, _ in COMMANDS.values()]
    chosen = rng.choices(
        [command for _, command in COMMANDS.values()], weights, k=rng.choice((1, 1, 1, 2))
    )
    return cases.Case(damage, chosen, is_long=cases.is_long(damage))


def _damage(rng: random.Random, path: Path, place: Path, outside: Path) -> str:
    name = str(path.relative_to(place))
    kind = rng.random()
    if kind < 0.35 and path.name == "tensors.safetensors":
        return _damage_tensors(rng, path)
    if kind < 0.6 and path.is_file():
        return mutate_file(rng, path)
    kind = rng.randrange(7)
    if kind == 0 and path.is_file():
        return _swap(rng, path, place)
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    if kind == 1:
        return f"{name} removed"
    if kind == 2:
        (path / "inner").mkdir(parents=True)
        return f"{name} is a folder"
    if kind == 3:
        path.write_bytes(b"a file")
        return f"{name} is a file of six bytes"
    if kind == 4:
        os.mkfifo(path)
        return f"{name} is a pipe"
    targets = {
        "the same elsewhere": outside / name,
        "a victim": outside / "victim",
        "nowhere": outside / "new",
        "itself": path,
        "the other run": place / "other" / path.relative_to(place / "run"),
        "a device": Path("/dev/zero"),
        "a place inside": place / "run" / "recipe.txt",
    }
    which = rng.choice(list(targets))
    path.symlink_to(targets[which])
    return f"{name} is a link to {which}"


def _drawn_file(rng: random.Random, run: Path) -> Path:
    """A file or folder of the run, checkpoints as often as the rest."""
    newest = sorted((run / "checkpoints").glob("update-*"))
    if rng.random() < 0.5:
        checkpoint = newest[-1] if rng.random() < 0.8 else rng.choice(newest)
        return rng.choice((*(checkpoint / part for part in PARTS), checkpoint))
    names = (*FILES, *FILES, "checkpoints", "tensorboard", "env.txt")
    return run / rng.choice(names)


def _is_plain(run: Path) -> bool:
    checkpoints = run / "checkpoints"
    return checkpoints.is_dir() and not checkpoints.is_symlink()


def _damage_tensors(rng: random.Random, path: Path) -> str:
    tensors = safetensors.torch.load(path.read_bytes())
    name = rng.choice(sorted(tensors))
    if rng.random() < 0.1:
        tensors[rng.choice(("game", "policy/x", name + "/a", "\x1b[2J"))] = tensors.pop(name)
        words = "gone or elsewhere"
    else:
        tensors[name], words = mutate_tensor(rng, tensors[name])
    path.write_bytes(safetensors.torch.save({k: v.contiguous() for k, v in tensors.items()}))
    return f"{path.parent.name} {name}: {words}"


def _swap(rng: random.Random, path: Path, place: Path) -> str:
    """The file is that of another run, or another file of this one."""
    other = place / "other" / path.relative_to(place / "run")
    if rng.random() < 0.3:
        other = place / "other" / rng.choice(FILES)
    path.write_bytes(other.read_bytes())
    return f"{path.name} is {other.relative_to(place)}"


def _refresh_sums(run: Path) -> str:
    """The checksums of all checkpoints agree with what they hold now."""
    for folder in (run / "checkpoints").glob("update-*") if _is_plain(run) else ():
        names = PARTS[:2]
        if folder.is_symlink() or not all((folder / name).is_file() for name in names):
            continue
        if any((folder / name).is_symlink() for name in PARTS):
            continue
        sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
        if not (folder / "SHA256SUMS").is_dir():
            (folder / "SHA256SUMS").unlink(missing_ok=True)
            lines = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
            (folder / "SHA256SUMS").write_text(lines)
    return "fresh checksums"


if __name__ == "__main__":
    cases.main(prepare, base.preload, CASES)
