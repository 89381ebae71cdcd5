"""The page's modules: each import finds its file, and none imports one that imports it.

The page has no build step that would say so. With a circle, what a module finds in another depends
on which of them a browser loads first.
"""

import re
from graphlib import TopologicalSorter
from importlib.resources import files
from pathlib import Path

FILES = Path(str(files("bigben_web") / "files"))

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
