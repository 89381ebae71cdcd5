"""The files of the browser page, with those that the server makes of them at its start."""

import gzip
import hashlib
import html
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from typing import Final, NamedTuple

import msgspec
from rjsmin import jsmin  # type: ignore[import-untyped] # it returns a text

from bigben_protocol import texts
from bigben_server.rooms.descriptions import lesson
from bigben_server.transport import bundle

TYPES: Final[Mapping[str, str]] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json; charset=utf-8",
}
"""By the extension of a file; no other file is served."""

STYLES: Final = ("colours", "page", "states", "board", "start")
"""The sheets of the start page, which are one; the others are another, which comes later."""
LAST_STYLE: Final = "forced"
"""The sheet that overrules all others, at the end of both."""
LESSON: Final = "/texts/lesson.json"
"""The deal, the moves and the positions of the lesson."""
PAGE_TABLES: Final = (
    *("games", "house", "cheers", "periods", "page", "fairness", "learn", "share"),
)
"""The tables of texts that the page needs, as one object: ``/texts/en.json``; ``page`` has those of
``shared``, too. There ``sentences`` has what the server says by id, and ``said`` by its English.
The page takes it in halves, ``/texts/en.first.json`` and ``/texts/en.later.json``."""
SHELL: Final = (
    *("/", "/bundle.js", "/bundle.css", "/later.js", "/later.css"),
    *("/icon.svg", "/manifest.webmanifest", "/api/games"),
    *(f"/texts/{code}.{half}.json" for code in texts.languages() for half in ("first", "later")),
)
"""What the service worker keeps, so that the page opens and plays on without a network."""


class File(NamedTuple):
    body: bytes
    kind: str
    """Its Content-Type."""
    tag: str
    """Its ETag, without quotes."""
    packed: bytes
    """The body, compressed by gzip."""


@cache
def page(address: str = "", discord_app: str = "") -> Mapping[str, File]:
    """Every file by its path. The page itself names its public address and the application of
    Discord in which it may be, if there are such.
    """
    with as_file(files("bigben_web").joinpath("files")) as folder:
        found = {
            f"/{file.relative_to(folder).as_posix()}": file.read_bytes()
            for file in folder.rglob("*")
            if file.suffix in TYPES
        }
    modules = {path: body.decode() for path, body in found.items() if path.endswith(".js")}
    scripts = bundle.scripts(modules, "/main.js")
    found |= {path: str(jsmin(script)).encode() for path, script in scripts.items()}
    found |= _sheets({path: body for path, body in found.items() if path.endswith(".css")})
    said = {"page": address, "discord": discord_app}
    about = "".join(f' data-{name}="{html.escape(of)}"' for name, of in said.items() if of)
    for code in texts.languages():
        found |= _texts(code, scripts[bundle.FIRST])
        named = found["/index.html"].replace(b"{about}", about.encode())
        found[f"/{code}"] = named.replace(b"{language}", code.encode())
    found["/"] = found["/index.html"] = found[f"/{texts.DEFAULT}"]
    found[LESSON] = msgspec.json.encode(lesson())
    shell = hashlib.sha256(b"".join(found.get(path, b"") for path in SHELL)).hexdigest()[:16]
    worker = found["/worker.js"].replace(b"{shell}", shell.encode())
    found["/worker.js"] = worker.replace(b"{files}", " ".join(SHELL).encode())
    return {path: _file(path, body) for path, body in found.items()}


def _sheets(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """The styles of the start page, and all others."""
    first = [f"/style/{name}.css" for name in STYLES]
    last = f"/style/{LAST_STYLE}.css"
    others = sorted(found.keys() - {*first, last})
    return {
        "/bundle.css": shortened(b"\n".join(found[path] for path in [*first, last])),
        "/later.css": shortened(b"\n".join(found[path] for path in [*others, last])),
    }


def shortened(sheet: bytes) -> bytes:
    """Styles without comments and spaces; those in quotes stay."""
    told = re.sub(rb'("[^"]*")|/\*.*?\*/', rb"\1", sheet, flags=re.DOTALL)
    return re.sub(rb'("[^"]*")|\s*([{};])\s*|(?<=:)\s+|\s+(?=\s)', rb"\1\2", told).strip()


def _texts(code: str, script: str) -> dict[str, bytes]:
    """All texts of a language, and in halves: first those of which ``script`` names the group.

    A script may put an id together, ``game.${name}.goal``, but it always names its first word.
    """
    said = {key: text for table in PAGE_TABLES for key, text in texts.of(table, code).items()}
    named = {*re.findall(r"""["`](\w+)["`.]""", script)}
    first = {key: text for key, text in said.items() if key.partition(".")[0] in named}
    sentences = {"sentences": texts.of("sentences", code), "plain": texts.plain_texts("en")}
    later = {key: said[key] for key in said if key not in first} | sentences
    return {
        f"/texts/{code}.json": msgspec.json.encode({**said, **sentences}),
        f"/texts/{code}.first.json": msgspec.json.encode(
            {"languages": texts.languages(), "texts": first}
        ),
        f"/texts/{code}.later.json": msgspec.json.encode(later),
    }


def _file(path: str, body: bytes) -> File:
    kind = TYPES[f".{path.rpartition('.')[2]}" if "." in path else ".html"]
    tag = hashlib.sha256(body).hexdigest()[:24]
    return File(body, kind, tag, gzip.compress(body, mtime=0))
