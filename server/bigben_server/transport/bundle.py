"""The page's modules as two scripts: one that the start page needs, and one that may come later.

There is no build. The server joins the files at its start, and each module stays a file that
browsers can also load by itself. A module becomes a function that returns what it exports; modules
stand after those that they import, which is possible since none imports one that imports it. What
a module of the first script loads by ``import()`` is in the second, with all that only it needs.
"""

import hashlib
import re
from collections.abc import Mapping
from graphlib import TopologicalSorter
from posixpath import dirname, join, normpath
from typing import Final

FIRST: Final = "/bundle.js"
LATER: Final = "/later.js"

_IMPORT: Final = re.compile(
    r"""^import\s*(?P<names>\{[^}]*\}|\*\s+as\s+\w+)\s*from\s*"(?P<path>\.[^"]+)";$""", re.MULTILINE
)
_LOAD: Final = re.compile(r"""\bimport\("(?P<path>\.[^"]+)"\)""")
_EXPORT: Final = re.compile(
    r"^export (?=(?:async )?(?:function\*?|class|const) (?P<name>\w+))", re.MULTILINE
)
_OTHER: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def scripts(modules: Mapping[str, str], main: str) -> dict[str, str]:
    """By their paths, a module that does what ``main`` does, and the one that it loads, if any.

    ``modules`` are texts by path, ``/board/cards.js``. Raises ValueError for a module that imports
    or exports in another form than the page's own.
    """
    first = _needed(modules, {main})
    loaded = {path for module in first for path in _named(_LOAD, modules, module)} - first.keys()
    later = {path: of for path, of in _needed(modules, loaded).items() if path not in first}
    names = {path: f"${at}" for at, path in enumerate(sorted({*first, *later}))}
    *before, begun = [_joined(path, modules[path], names, main) for path in _order(first)]
    if not later:
        return {FIRST: "\n".join([*before, begun])}
    shared = sorted({names[path] for of in later.values() for path in of & first.keys()})
    # Under the name of just these modules: no script takes what a newer server's has.
    mark = hashlib.sha256("".join([*before, begun]).encode()).hexdigest()[:12]
    lent = f"export const $of{mark} = {{ {', '.join(shared)} }};"
    taken = f'import {{ $of{mark} }} from "{FIRST}";\nconst {{ {", ".join(shared)} }} = $of{mark};'
    rest = [_joined(path, modules[path], names, main) for path in _order(later) if path in later]
    given = f"export {{ {', '.join(names[path] for path in sorted(loaded))} }};"
    return {FIRST: "\n".join([*before, lent, begun]), LATER: "\n".join([taken, *rest, given])}


def _needed(modules: Mapping[str, str], roots: set[str]) -> dict[str, set[str]]:
    """The modules that these need and they themselves, with what each imports."""
    needed: dict[str, set[str]] = {}
    to_read = list(roots)
    while to_read:
        path = to_read.pop()
        if path not in needed:
            needed[path] = _named(_IMPORT, modules, path)
            to_read += needed[path]
    return needed


def _order(needed: Mapping[str, set[str]]) -> list[str]:
    """The same at each start: the order of what does not need one another is that of the paths."""
    return list(
        TopologicalSorter({path: sorted(needed[path]) for path in sorted(needed)}).static_order()
    )


def _joined(path: str, text: str, names: Mapping[str, str], main: str) -> str:
    """A module as part of a script; ``main`` stays as it is, because it may await."""

    def imported(found: re.Match[str]) -> str:
        names_of = names[_path(path, found["path"])]
        if found["names"].startswith("*"):
            return f"const {found['names'].split()[-1]} = {names_of};"
        return f"const {found['names'].replace(' as ', ': ')} = {names_of};"

    def loaded(found: re.Match[str]) -> str:
        return f'import("{LATER}").then((later) => later.{names[_path(path, found["path"])]})'

    exported = [found["name"] for found in _EXPORT.finditer(text)]
    text = _EXPORT.sub("", _IMPORT.sub(imported, _LOAD.sub(loaded, text)))
    if other := _OTHER.search(text):
        raise ValueError(f"{path}: a bundle can't take {other[0]!r}")
    if path == main:
        return f"// {path}\n{text}"
    returned = f"return {{ {', '.join(exported)} }};"
    return f"// {path}\nconst {names[path]} = (() => {{\n{text}\n{returned}\n}})();"


def _named(form: re.Pattern[str], modules: Mapping[str, str], path: str) -> set[str]:
    return {_path(path, found["path"]) for found in form.finditer(modules[path])}


def _path(importer: str, named: str) -> str:
    return normpath(join(dirname(importer), named))
