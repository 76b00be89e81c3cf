"""Kernels show their data flow: groups of arguments in order, writes to `_io` and `_out` alone."""

import ast
import functools
import re
from pathlib import Path

import pytest

import lapis.worlds

GROUPS = ["Rules:", "State in:", "In:", "State in/out:", "Out:"]
FILES = [
    path
    for path in sorted(Path(lapis.worlds.__file__).parent.rglob("*.py"))
    if "@wp.kernel" in path.read_text() or "@wp.func" in path.read_text()
]


def functions(path: Path, *decorators: str) -> list[ast.FunctionDef]:
    return [
        node
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(d).split("(")[0] in decorators for d in node.decorator_list)
    ]


@functools.cache
def callable_from(path: Path) -> dict[str, ast.FunctionDef]:
    """What kernels of a file can call: its own functions, and those that it imports."""
    found = {}
    source = Path(lapis.worlds.__file__).parents[2]
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lapis.worlds."):
            imported = source / f"{node.module.replace('.', '/')}.py"
            wanted = {alias.name for alias in node.names}
            if imported.exists():
                found |= {f.name: f for f in functions(imported, "wp.func") if f.name in wanted}
    return found | {f.name: f for f in functions(path, "wp.func", "wp.kernel")}


def root(expression: ast.expr) -> str:
    """`body_io` of `body_io.health[world]`."""
    while isinstance(expression, ast.Attribute | ast.Subscript):
        expression = expression.value
    return ast.unparse(expression)


def written(path: Path, function: ast.FunctionDef) -> set[str]:
    """Names of arguments that are assigned into or handed to a function that writes them."""
    names = set()
    known = callable_from(path)
    for node in ast.walk(function):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AugAssign):
            targets = [node.target]
        names |= {root(t) for t in targets if isinstance(t, ast.Subscript)}
        if isinstance(node, ast.Call) and (called := known.get(ast.unparse(node.func))):
            for argument, given in zip(called.args.args, node.args, strict=True):
                if argument.arg.endswith(("_io", "_out")):
                    names.add(root(given))
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("wp.atomic"):
            names.add(root(node.args[0]))
    return names


def test_there_are_kernels_to_check():
    assert sum(len(functions(path, "wp.kernel")) for path in FILES) >= 10


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_only_arguments_named_so_are_written(path):
    for function in functions(path, "wp.kernel", "wp.func"):
        wrong = {name for name in written(path, function) if not name.endswith(("_io", "_out"))}
        assert not wrong, f"{function.name} writes {sorted(wrong)}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_kernels_write_all_that_they_say_they_write(path):
    for kernel in functions(path, "wp.kernel"):
        names = [argument.arg for argument in kernel.args.args]
        promised = {name for name in names if name.endswith(("_io", "_out"))}
        assert promised == written(path, kernel), kernel.name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_groups_of_arguments_come_in_order(path):
    lines = path.read_text().splitlines()
    for kernel in functions(path, "wp.kernel"):
        header = lines[kernel.lineno - 1 : kernel.body[0].lineno - 1]
        groups = [match[1] for line in header if (match := re.fullmatch(r"\s+# (.*:)", line))]
        assert groups == [group for group in GROUPS if group in groups], kernel.name
        assert groups, f"{kernel.name} has no groups"
        group = ""
        for line in header:
            if match := re.fullmatch(r"\s+# (.*:)", line):
                group = match[1]
            elif match := re.fullmatch(r"\s+(\w+): .*", line):
                _assert_in_group(kernel.name, match[1], group)


def _assert_in_group(kernel: str, argument: str, group: str) -> None:
    suffixes = {"State in:": "_in", "In:": "_in", "State in/out:": "_io", "Out:": "_out"}
    assert argument.endswith(suffixes.get(group, "rules")), f"{kernel}: {argument} under {group}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_kernel_files_build_no_backward_pass(path):
    assert '"enable_backward": False' in path.read_text()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("body_in.health[world] = 1", "body_in"),
        ("body_in.health[world] += 1", "body_in"),
        ("wp.atomic_add(body_in.health, 0, 1)", "body_in"),
        ("craft_one(rules, world, craft, pack_in.inventory)", "pack_in"),
    ],
)
def test_writes_into_fields_are_writes_into_their_struct(line, name):
    path = Path(lapis.worlds.__file__).parent / "voxel" / "handling.py"
    function = ast.parse(f"def rule(body_in, pack_in):\n    {line}").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert written(path, function) == {name}
