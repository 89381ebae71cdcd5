"""The page's modules as a few scripts: one that the start page needs, others that come later.

There is no build. The server joins the files at its start, and each module stays a file that
browsers can also load by itself. A module becomes a function that returns what it exports; modules
stand after those that they import, which is possible since none imports one that imports it. What
a module of the first script loads by ``import()`` is in ``later.js``, with all that only it needs;
what it loads from a folder is in a script of that folder, which takes from both what they have.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Set
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
    """By their paths, a module that does what ``main`` does, and those that it loads, if any.

    ``modules`` are texts by path, ``/board/cards.js``. Raises ValueError for a module that imports
    or exports in another form than the page's own.
    """
    owned = _owned(modules, main)

    def later(path: str) -> str:
        return f'import("{_script(path)}").then((later) => later.{names[path]})'

    names = {
        path: f"${at}" for at, path in enumerate(sorted({p for of in owned.values() for p in of}))
    }
    made: dict[str, str] = {}
    lenders: dict[str, str] = {}
    for script, of in owned.items():
        joined = [
            _joined(path, modules[path], names, main, later) for path in _order(of) if path in of
        ]
        taken = [
            f'import {{ {lent} }} from "{other}";\nconst {{ {_list(names, shared)} }} = {lent};'
            for other, lent in lenders.items()
            if (shared := _shared(owned, other, {script}))
        ]
        # Under the name of just these modules: no script takes what a newer server's has.
        mark = lenders[script] = f"$of{hashlib.sha256(''.join(joined).encode()).hexdigest()[:12]}"
        shared = _shared(owned, script, owned.keys() - {script})
        lent = [f"export const {mark} = {{ {_list(names, shared)} }};"] if shared else []
        given = _list(names, _loaded(modules, owned[FIRST]) & of.keys())
        last = [*lent, joined.pop()] if script == FIRST else [*lent, f"export {{ {given} }};"]
        made[script] = "\n".join([*taken, *joined, *last])
    return made


def whole(modules: Mapping[str, str], main: str) -> str:
    """All of it as one script, for a page that may load no other."""
    first = _needed(modules, {main})
    loaded = _loaded(modules, first)
    needed = _needed(modules, {main, *loaded})
    names = {path: f"${at}" for at, path in enumerate(sorted(needed))}

    def here(path: str) -> str:
        return f"Promise.resolve({names[path]})"

    order = _order({**needed, main: needed[main] | loaded})
    return "\n".join(_joined(path, modules[path], names, main, here) for path in order)


_Owned = Mapping[str, Mapping[str, set[str]]]
"""The modules of each script, with what each imports."""


def _owned(modules: Mapping[str, str], main: str) -> _Owned:
    """A module is in the first script that needs it, ``later.js`` before those of folders."""
    owned = {FIRST: _needed(modules, {main})}
    loaded = _loaded(modules, owned[FIRST])
    for script in sorted(map(_script, loaded), key=lambda name: (name != LATER, name)):
        wanted = _needed(modules, {path for path in loaded if _script(path) == script})
        before = {path for other, of in owned.items() if other != script for path in of}
        owned[script] = {path: of for path, of in wanted.items() if path not in before}
    return owned


def _loaded(modules: Mapping[str, str], first: Iterable[str]) -> set[str]:
    return {path for module in first for path in _named(_LOAD, modules, module)} - {*first}


def _script(path: str) -> str:
    """The script in which this module is, if it is loaded by ``import()``."""
    folder = path.split("/")[1:-1]
    return f"/later.{folder[0]}.js" if folder else LATER


def _shared(owned: _Owned, lender: str, takers: Set[str]) -> set[str]:
    """The modules of one script that these others import."""
    imported = {path for taker in takers for of in owned[taker].values() for path in of}
    return imported & owned[lender].keys()


def _list(names: Mapping[str, str], paths: Iterable[str]) -> str:
    return ", ".join(sorted(names[path] for path in paths))


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


def _joined(
    path: str, text: str, names: Mapping[str, str], main: str, load: Callable[[str], str]
) -> str:
    """A module as part of a script; ``main`` stays as it is, because it may await. ``load`` is how
    this script comes by a module that is loaded.
    """

    def imported(found: re.Match[str]) -> str:
        names_of = names[_path(path, found["path"])]
        if found["names"].startswith("*"):
            return f"const {found['names'].split()[-1]} = {names_of};"
        return f"const {found['names'].replace(' as ', ': ')} = {names_of};"

    def loaded(found: re.Match[str]) -> str:
        return load(_path(path, found["path"]))

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
