"""Plants faults in a copy of the project, one at a time, and looks which of them the tests find.

    python -m tools.mutants planted                 all of tools/planted_faults.toml: `make mutants`
    python -m tools.mutants planted --only NAME     one of them
    python -m tools.mutants drawn --count 200       small changes, drawn by a seed
    python -m tools.mutants drawn --list            which these are

Each planted fault breaks a promise of the documents, and names the tests that must find it. A drawn
fault is one operator, condition, number or statement, changed in a place that a seed chooses. The
files of tests that run this function in their own process look for it, the most special ones first,
until a test fails; `tools/reach.py` finds these files once. The outcomes are lines of JSON in
build/mutants; a drawn fault that has one there is not tried again.
"""

import argparse
import ast
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

from tools.reach import REACHED

ROOT: Final = Path(__file__).parent.parent
PLANTED: Final = ROOT / "tools" / "planted_faults.toml"
BUILD: Final = ROOT / "build" / "mutants"

DRAWN_FROM: Final = (
    "rules/**/*.py",
    "server/bigben_server/race/**/*.py",
    "server/bigben_server/storage/**/*.py",
    "client/bigben_client/evidence/*.py",
)
SEARCHED_BY: Final = (
    "tests/rules",
    "tests/solver",
    "tests/protocol",
    "tests/client",
    "tests/server",
    "tests/fairness",
    "tests/wire",
    "tests/clusters",
)
"""The folders of tests that run much of the project in their own process."""

Outcome = Literal["found", "missed"]


@dataclass(frozen=True)
class Fault:
    """One changed file of the project."""

    name: str
    """One line: what is wrong, or the place and the change."""
    file: str
    text: str
    """The whole file, changed."""
    tests: tuple[str, ...]
    """Files of tests that look for it, in this order."""


def planted() -> list[Fault]:
    """The faults of the table. Raises ValueError if one no longer fits the code."""
    return [_planted(**row) for row in tomllib.loads(PLANTED.read_text())["fault"]]


def _planted(name: str, promise: str, file: str, old: str, new: str, tests: list[str]) -> Fault:
    text = (ROOT / file).read_text()
    if text.count(old) != 1:
        raise ValueError(f"{name}: {file} has the old text {text.count(old)} times, not once")
    for test in tests:
        if not (ROOT / test.partition("::")[0]).exists():
            raise ValueError(f"{name}: there is no {test}")
    document = promise.partition(":")[0]
    if not (ROOT / document).is_file():
        raise ValueError(f"{name}: there is no document {document}")
    return Fault(name, file, text.replace(old, new), tuple(tests))


def drawn(count: int, seed: int) -> list[Fault]:
    """Small changes of all places in ``DRAWN_FROM``; the same for the same files and seed."""
    paths = [path for pattern in DRAWN_FROM for path in sorted(ROOT.glob(pattern))]
    reached = _reached()
    return Random(seed).sample([one for path in paths for one in _mutants(path, reached)], count)


Place = tuple[str, int]
"""A file and the first line of a function in it, with its decorators; 0 for no function."""


def _reached() -> Mapping[Place, tuple[str, ...]]:
    """The files of tests that run a function, those that run few others first."""
    if not REACHED.exists():
        workers = ("-p", "tools.reach", "-n", "4", "--dist", "loadfile")
        command = (sys.executable, "-m", "pytest", "-q", *workers, *SEARCHED_BY)
        # Without a check: a test that profiles itself fails beside another profiler.
        subprocess.run(command, cwd=ROOT)
    told: list[tuple[int, str, list[Place]]] = []
    for worker in REACHED.glob("*.json"):
        for tests, places in json.loads(worker.read_text()).items():
            told.append((len(places), tests, [(file, line) for file, line in places]))
    found: dict[Place, dict[str, None]] = {}
    for _, tests, places in sorted(told):
        for file, line in places:
            found.setdefault((file, line), {})[tests] = None
            found.setdefault((file, 0), {})[tests] = None
    return {place: tuple(files) for place, files in found.items()}


def _mutants(path: Path, reached: Mapping[Place, tuple[str, ...]]) -> Iterator[Fault]:
    text, file = path.read_text(), str(path.relative_to(ROOT))
    lines = text.splitlines(keepends=True)
    for function, node in _walk(ast.parse(text)):
        for changed in _changes(node):
            assert isinstance(node, ast.expr | ast.stmt)
            assert node.end_lineno is not None, "parsed from a text"
            assert node.end_col_offset is not None, "parsed from a text"
            before = "".join(lines[: node.lineno - 1]).encode()
            before += lines[node.lineno - 1].encode()[: node.col_offset]
            after = lines[node.end_lineno - 1].encode()[node.end_col_offset :]
            after += "".join(lines[node.end_lineno :]).encode()
            new = ast.unparse(ast.fix_missing_locations(changed))
            old = " ".join((ast.get_source_segment(text, node) or "").split())
            name = f"{file}:{node.lineno}:{node.col_offset} {old[:60]} -> {new[:60]}"
            new = f"({new})" if isinstance(changed, ast.expr) else new
            tests = reached.get((file, function), ())
            yield Fault(name, file, (before + new.encode() + after).decode(), tests)


def _walk(node: ast.AST, function: int = 0) -> Iterator[tuple[int, ast.AST]]:
    """All parts of a program, each with the first line of its function.

    Not those in f-strings: before Python 3.12 nobody knows where they stand.
    """
    yield function, node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        function = min(one.lineno for one in (node, *node.decorator_list))
    if not isinstance(node, ast.JoinedStr):
        for child in ast.iter_child_nodes(node):
            yield from _walk(child, function)


SWAPPED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
CALCULATED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}


def _changes(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """What may stand in place of this part of a program."""
    match node:
        case ast.Compare(left, [operator], [right]):
            yield ast.Compare(left, [SWAPPED[type(operator)]()], [right])
        case ast.BoolOp(ast.And(), values):
            yield ast.BoolOp(ast.Or(), values)
        case ast.BoolOp(ast.Or(), values):
            yield ast.BoolOp(ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.BinOp(left, operator, right) if type(operator) in CALCULATED:
            yield ast.BinOp(left, CALCULATED[type(operator)](), right)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as number):
            yield ast.Constant(number + 1)
        case ast.Expr(ast.Call() | ast.Await()) | ast.AugAssign() | ast.Raise() | ast.Continue():
            yield ast.Pass()
        case ast.Return(ast.expr()):
            yield ast.Return(None)
        case _:
            pass


def outcome_of(fault: Fault, tree: Path) -> dict[str, Any]:
    """Plant the fault in this copy of the project, run its tests, and take it back."""
    target = tree / fault.file
    honest = target.read_text()
    target.write_text(fault.text)
    outcome: Outcome = "missed"
    by = ""
    try:
        if fault.tests:
            done = _pytest(tree, fault.tests)
            failed = re.findall(r"^(?:FAILED|ERROR) tests/.*", done.stdout, re.MULTILINE)
            if failed:
                outcome, by = "found", failed[0]
            elif done.returncode != 0:
                raise RuntimeError(f"{fault.name}: pytest did not run.\n{done.stdout}{done.stderr}")
    finally:
        target.write_text(honest)
    return {"name": fault.name, "outcome": outcome, "by": by[:300]}


def _pytest(tree: Path, tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
    # The project is installed in editable form; the copy must come before it, also in processes.
    folders = tomllib.loads((tree / "pyproject.toml").read_text())["tool"]["pytest"]["pythonpath"]
    path = os.pathsep.join(str(tree / folder) for folder in folders)
    options = ("-x", "-q", "--tb=line", "-p", "no:cacheprovider")
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, *tests],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )


def copied(number: int) -> Path:
    """A copy of what git knows of the project, with today's changes."""
    tree = BUILD / f"tree{number}"
    shutil.rmtree(tree, ignore_errors=True)
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for file in filter(None, files.stdout.split("\0")):
        if (ROOT / file).is_file():
            (tree / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, tree / file)
    return tree


def main() -> None:
    """Exits with 1 if a planted fault was missed."""
    arguments = _parser().parse_args()
    if arguments.kind == "planted":
        faults = [one for one in planted() if fnmatch.fnmatch(one.name, arguments.only)]
        results = BUILD / "planted.jsonl"
    else:
        faults = drawn(arguments.count, arguments.seed)
        results = BUILD / f"drawn-{arguments.seed}.jsonl"
    if arguments.list:
        print("\n".join(one.name for one in faults))
        return
    results.parent.mkdir(parents=True, exist_ok=True)
    known = _known(results) if arguments.kind == "drawn" else {}
    trees = [copied(number) for number in range(arguments.jobs)]
    with results.open("a" if known else "w") as lines, ThreadPoolExecutor(arguments.jobs) as pool:

        def tried(fault: Fault) -> dict[str, Any]:
            tree = trees.pop()
            try:
                return outcome_of(fault, tree)
            finally:
                trees.append(tree)

        asked = [
            partial(known.__getitem__, one.name)
            if one.name in known
            else pool.submit(tried, one).result
            for one in faults
        ]
        for number, (fault, answer) in enumerate(zip(faults, asked, strict=True), 1):
            one = answer()
            if fault.name not in known:
                known[fault.name] = one
                print(json.dumps(one), file=lines, flush=True)
            print(f"[{number}/{len(faults)}] {one['outcome']:6} {fault.name}", flush=True)
    missed = [one.name for one in faults if known[one.name]["outcome"] == "missed"]
    print(f"{len(faults) - len(missed)} of {len(faults)} found.")
    if missed and arguments.kind == "planted":
        sys.exit("Missed: " + ", ".join(missed))


def _known(results: Path) -> dict[str, dict[str, Any]]:
    if not results.exists():
        return {}
    return {one["name"]: one for one in map(json.loads, results.read_text().splitlines())}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("kind", choices=("planted", "drawn"))
    parser.add_argument("--only", default="*", help="names of planted faults; * for any letters")
    parser.add_argument("--count", type=int, default=200, help="how many are drawn (200)")
    parser.add_argument("--seed", type=int, default=1, help="what decides which are drawn (1)")
    parser.add_argument("--jobs", type=int, default=2, help="how many are tried at once (2)")
    parser.add_argument("--list", action="store_true", help="only print what would be tried")
    return parser


if __name__ == "__main__":
    main()
