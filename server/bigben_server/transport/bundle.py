"""The page's modules as one script, and its styles as one sheet: two requests instead of eighty.

There is no build. The server joins the files at its start, and each module stays a file that
browsers can also load by itself. A module becomes a function that returns what it exports; modules
stand after those that they import, which is possible since none imports one that imports it.
"""

import re
from collections.abc import Mapping
from graphlib import TopologicalSorter
from posixpath import dirname, join, normpath
from typing import Final

_IMPORT: Final = re.compile(
    r"""^import\s*(?P<names>\{[^}]*\}|\*\s+as\s+\w+)\s*from\s*"(?P<path>\.[^"]+)";$""", re.MULTILINE
)
_EXPORT: Final = re.compile(
    r"^export (?=(?:async )?(?:function\*?|class|const) (?P<name>\w+))", re.MULTILINE
)
_OTHER: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def script(modules: Mapping[str, str], main: str) -> str:
    """One module that does what ``main`` does; ``modules`` are texts by path, ``/board/cards.js``.

    Raises ValueError for a module that imports or exports in another form than the page's own.
    """
    needed: dict[str, set[str]] = {}
    to_read = [main]
    while to_read:
        path = to_read.pop()
        if path not in needed:
            needed[path] = {_path(path, found["path"]) for found in _IMPORT.finditer(modules[path])}
            to_read += needed[path]
    names = {path: f"${at}" for at, path in enumerate(sorted(needed))}
    order = TopologicalSorter(needed).static_order()
    return "\n".join(_joined(path, modules[path], names, whole=path == main) for path in order)


def _joined(path: str, text: str, names: Mapping[str, str], *, whole: bool) -> str:
    """A module as part of the script; ``main`` stays as it is, because it may await."""

    def imported(found: re.Match[str]) -> str:
        names_of = names[_path(path, found["path"])]
        if found["names"].startswith("*"):
            return f"const {found['names'].split()[-1]} = {names_of};"
        return f"const {found['names'].replace(' as ', ': ')} = {names_of};"

    exported = [found["name"] for found in _EXPORT.finditer(text)]
    text = _EXPORT.sub("", _IMPORT.sub(imported, text))
    if other := _OTHER.search(text):
        raise ValueError(f"{path}: a bundle can't take {other[0]!r}")
    if whole:
        return f"// {path}\n{text}"
    returned = f"return {{ {', '.join(exported)} }};"
    return f"// {path}\nconst {names[path]} = (() => {{\n{text}\n{returned}\n}})();"


def _path(importer: str, named: str) -> str:
    return normpath(join(dirname(importer), named))
