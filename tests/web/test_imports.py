"""The page's modules: none imports one that imports it, and no folder holds too many of them."""

import re
from collections import Counter
from graphlib import TopologicalSorter
from importlib.resources import files
from pathlib import Path

FILES = Path(str(files("bigben_web") / "files"))
MOST_IN_A_FOLDER = 12

IMPORT = re.compile(r"""^(?:im|ex)port\s(?:[^"';]*?\sfrom\s)?["'](\.[^"']+)["'];""", re.MULTILINE)
"""An import of another file of the page; not one in a comment, which is a type."""


def imported(module: Path) -> set[Path]:
    return {(module.parent / name).resolve() for name in IMPORT.findall(module.read_text())}


def imports() -> dict[Path, set[Path]]:
    return {module.resolve(): imported(module) for module in FILES.rglob("*.js")}


def test_every_import_names_a_file_of_the_page() -> None:
    graph = imports()
    assert sum(map(len, graph.values())) > len(graph)
    assert {file for found in graph.values() for file in found} <= graph.keys()


def test_there_is_no_import_circle() -> None:
    TopologicalSorter(imports()).prepare()  # Raises CycleError, which names the files.


def test_no_folder_holds_too_many_modules() -> None:
    count = Counter(module.parent for module in imports())
    assert {folder.name: n for folder, n in count.items() if n > MOST_IN_A_FOLDER} == {}
