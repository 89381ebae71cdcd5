"""What strangers install is whole, typed and pinned; and a table leads them to each folder."""

import ast
import re
import tomllib
from importlib.metadata import distributions, requires
from pathlib import Path
from typing import Any

import pytest
from tests.support.paths import ROOT

SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES: list[str] = SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
ROOTS = sorted({str(Path(package).parent) for package in PACKAGES})
CONSTRAINTS = (ROOT / "constraints.txt").read_text()
SERVER = ROOT / "server" / "bigben_server"
FOLDERS = sorted(init.parent for init in SERVER.glob("*/__init__.py"))


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def named(requirement: str) -> str:
    """The project that a requirement names: "redis" for "redis[hiredis]>=6"."""
    match = re.match(r"[\w.-]+", requirement)
    assert match, requirement
    return canonical(match[0])


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_of_the_wheel_exists_and_is_typed(package: str) -> None:
    """A program that imports one is checked against its types."""
    assert (ROOT / package / "__init__.py").is_file()
    assert (ROOT / package / "py.typed").is_file()


def test_every_package_in_the_tree_is_in_the_wheel() -> None:
    """It works after `pip install`, not only in a checkout."""
    found = {
        str(init.parent.relative_to(ROOT))
        for pattern in ("*/bigben_*/__init__.py", "*/*/bigben_*/__init__.py")
        for init in ROOT.glob(pattern)
        if init.relative_to(ROOT).parts[0] not in (".venv", "build")
    }
    assert found == set(PACKAGES)


def test_a_second_chat_platform_has_little_code_of_its_own() -> None:
    """What any platform of plain text needs is in bigben_chat."""
    files = (ROOT / "bots/matrix/bigben_matrix").rglob("*.py")
    assert sum(len(file.read_text().splitlines()) for file in files) < 1_500


def test_a_package_is_in_the_list_of_every_tool() -> None:
    """One that is added is tested, typed and held to the contracts, or this says what to add."""
    tool = SETTINGS["tool"]
    prefix = "$MYPY_CONFIG_FILE_DIR/"
    assert sorted(tool["hatch"]["build"]["dev-mode-dirs"]) == ROOTS
    assert sorted(path for path in tool["pytest"]["pythonpath"] if path != ".") == ROOTS
    assert sorted(p.removeprefix(prefix) for p in tool["mypy"]["mypy_path"] if "/" in p) == ROOTS
    assert sorted(tool["pyright"]["extraPaths"]) == ROOTS
    assert sorted(tool["ruff"]["src"]) == ROOTS
    assert set(ROOTS) <= set(tool["mypy"]["files"])
    assert set(ROOTS) <= set(tool["pyright"]["include"])
    assert sorted(tool["importlinter"]["root_packages"]) == sorted(
        ["research", *(Path(package).name for package in PACKAGES)]
    )


def test_the_constraints_pin_all_direct_and_indirect_dependencies() -> None:
    """A checkout installs the same next year as today."""
    project = SETTINGS["project"]
    extras = project["optional-dependencies"].values()
    direct = {named(one) for group in [project["dependencies"], *extras] for one in group}
    direct.discard(canonical(project["name"]))
    # A few are not for every Python.
    installed = {canonical(package.name) for package in distributions()}
    assert len(direct - installed) <= 1
    needed = direct | {
        named(requirement)
        for name in direct & installed
        for requirement in requires(name) or []
        if ";" not in requirement
    }
    pinned = {canonical(name) for name in re.findall(r"^([\w.-]+)==", CONSTRAINTS, re.MULTILINE)}
    assert needed <= pinned


def test_the_constraints_are_only_names_and_versions() -> None:
    """They work with every index: an address may be that of one machine."""
    lines = [line for line in CONSTRAINTS.splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    assert "://" not in CONSTRAINTS


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_folder_of_the_server_is_described_in_one_sentence_and_in_the_readme(
    folder: Path,
) -> None:
    """A reader finds every folder in one table, and learns from one line whether to read on."""
    described = ast.get_docstring(ast.parse((folder / "__init__.py").read_text()))
    assert described
    assert re.fullmatch(r"[A-Z][^.!?]+\.", described)
    assert f"\n| `{folder.name}/` | " in (ROOT / "README.md").read_text()
