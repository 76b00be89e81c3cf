"""How threads wait and how many there are: what is set, and what of the user's stays."""

import ast
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

import lapis
from lapis import threads
from lapis.threads import SPIN_COUNT, cgroup_quota, prepare, usable_cores

SOURCE = Path(lapis.__file__).parent


def cgroup(tmp_path, own, files):
    """A tree of cgroups, and the file that says which are this process's."""
    for name, text in files.items():
        (tmp_path / "fs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "fs" / name).write_text(text)
    (tmp_path / "own").write_text(own)
    return tmp_path / "fs", tmp_path / "own"


@pytest.mark.parametrize(
    ("own", "files", "quota"),
    [
        ("0::/\n", {"cpu.max": "150000 100000\n"}, 1.5),
        ("0::/\n", {"cpu.max": "max 100000\n"}, math.inf),
        ("0::/\n", {}, math.inf),
        # The smallest of all that a group is in.
        ("0::/a/b\n", {"a/cpu.max": "400000 100000", "a/b/cpu.max": "max 100000"}, 4.0),
        ("0::/a/b\n", {"a/cpu.max": "400000 100000", "a/b/cpu.max": "50000 100000"}, 0.5),
        # A container sees the host's path, but only its own files.
        ("0::/docker/1f\n", {"cpu.max": "200000 100000"}, 2.0),
        # Version 1.
        (
            "3:cpu,cpuacct:/a\n",
            {"cpu/a/cpu.cfs_quota_us": "300000", "cpu/a/cpu.cfs_period_us": "100000"},
            3.0,
        ),
        (
            "3:cpu,cpuacct:/a\n",
            {"cpu/a/cpu.cfs_quota_us": "-1", "cpu/a/cpu.cfs_period_us": "100000"},
            math.inf,
        ),
        (
            "3:cpuset:/a\n",
            {"cpu/a/cpu.cfs_quota_us": "300000", "cpu/a/cpu.cfs_period_us": "100000"},
            math.inf,
        ),
        # Names of groups may hold colons.
        ("0::/a:b\n", {"a:b/cpu.max": "100000 50000"}, 2.0),
    ],
)
def test_the_quota_is_that_of_the_cgroups(tmp_path, own, files, quota):
    assert cgroup_quota(*cgroup(tmp_path, own, files)) == quota


def test_without_cgroups_there_is_no_quota(tmp_path):
    assert cgroup_quota(tmp_path, tmp_path / "nothing") == math.inf


@pytest.mark.parametrize(
    ("affinity", "quota", "cores"),
    [(8, math.inf, 8), (8, 3.9, 3), (8, 0.5, 1), (2, 16.0, 2), (4, 4.0, 4)],
)
def test_cores_are_whole_and_at_least_one(monkeypatch, affinity, quota, cores):
    monkeypatch.setattr(threads, "_cores_of_affinity", lambda: affinity)
    monkeypatch.setattr(threads, "cgroup_quota", lambda root, own: quota)
    assert usable_cores() == cores


def test_threads_are_counted_only_where_a_quota_is_smaller(monkeypatch):
    monkeypatch.setattr(threads, "_cores_of_affinity", lambda: 8)
    for quota, expected in ((math.inf, None), (16.0, None), (2.5, "2")):
        monkeypatch.setattr(threads, "cgroup_quota", lambda root, own, quota=quota: quota)
        environment = {}
        prepare(environment)
        assert environment.get("OMP_NUM_THREADS") == expected


def test_what_the_user_has_set_stays(monkeypatch):
    monkeypatch.setattr(threads, "_cores_of_affinity", lambda: 8)
    monkeypatch.setattr(threads, "cgroup_quota", lambda root, own: 2.0)
    environment = {"GOMP_SPINCOUNT": "7", "OMP_NUM_THREADS": "5"}
    prepare(environment)
    assert environment == {"GOMP_SPINCOUNT": "7", "OMP_NUM_THREADS": "5"}
    environment = {"OMP_WAIT_POLICY": "ACTIVE", "OMP_NUM_THREADS": "5"}
    prepare(environment)
    assert environment == {"OMP_WAIT_POLICY": "ACTIVE", "OMP_NUM_THREADS": "5"}


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_affinity_counts():
    code = (
        "import os\n"
        "os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n"
        "from lapis.threads import usable_cores\n"
        "print(usable_cores())"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout == "1\n"


def packages_with_frameworks():
    """Those of Lapis with a module that imports PyTorch or Warp."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(name.partition(".")[0] in ("torch", "warp") for name in names):
                found.add(path.relative_to(SOURCE).parts[0])
    return sorted(found)


@pytest.mark.parametrize("package", packages_with_frameworks())
def test_every_package_that_uses_pytorch_says_first_how_threads_wait(package):
    code = f"import os, lapis.{package}; print(os.environ['GOMP_SPINCOUNT'])"
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")
    }
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert printed.stdout == f"{SPIN_COUNT}\n", printed.stderr


def test_the_curriculum_alone_leaves_the_environment_as_it_is():
    code = (
        "import os\nbefore = dict(os.environ)\nimport lapis.curriculum\n"
        "print(before == dict(os.environ))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout == "True\n"
