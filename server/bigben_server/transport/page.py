"""The browser page over plain HTTP: a path to a file and its headers. Knows no socket.

The files are those of ``bigben_web``, read once; no path leads to any other.
"""

import http
import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from bigben_server.transport.answers import Answer, tag_of

FIRST: Final = "/index.html"
LANGUAGES: Final = "/texts/languages.json"
"""Not a file: the codes of the languages there are, so that a new one is one file more."""

TYPES: Final[Mapping[str, str]] = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "svg": "image/svg+xml",
}
"""By the end of a file's name; no other file is served."""

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        # 'self' covers WebSockets to the same address.
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        # What others are called can't become part of the page's code, whatever the code does.
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""Content-Security-Policy: nothing inline, nothing from elsewhere."""

HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # Asked for again each time, and not sent again while it is the same: files of two versions
    # never meet.
    "Cache-Control": "no-cache",
}

_NOTHING: Final = "There is nothing here; the game is at /, /health says whether the server is up."


class File(NamedTuple):
    """What is sent for one path."""

    body: bytes
    kind: str
    tag: str


def answer(path: str, if_none_match: str = "") -> Answer:
    """The answer to a GET of ``path``; its query is passed over."""
    path = path.partition("?")[0]
    file = page().get(FIRST if path == "/" else path)
    if file is None:
        kind = {"Content-Type": "text/plain; charset=utf-8"}
        return Answer(http.HTTPStatus.NOT_FOUND, f"{_NOTHING}\n".encode(), {**HEADERS, **kind})
    headers = {**HEADERS, "ETag": file.tag}
    if file.tag in if_none_match:
        return Answer(http.HTTPStatus.NOT_MODIFIED, b"", headers)
    return Answer(http.HTTPStatus.OK, file.body, {**headers, "Content-Type": file.kind})


@cache
def page() -> Mapping[str, File]:
    """All there is, by path."""
    found = dict(_files(files("bigben_web").joinpath("files"), ""))
    codes = sorted(
        path.removeprefix("/texts/").removesuffix(".js")
        for path in found
        if path.startswith("/texts/")
    )
    return {**found, LANGUAGES: _file(json.dumps(codes).encode(), "json")}


def _files(folder: Traversable, above: str) -> Iterator[tuple[str, File]]:
    for entry in folder.iterdir():
        path = f"{above}/{entry.name}"
        if entry.is_dir():
            yield from _files(entry, path)
        elif (ending := entry.name.rpartition(".")[2]) in TYPES:
            yield path, _file(entry.read_bytes(), ending)


def _file(body: bytes, ending: str) -> File:
    return File(body, TYPES[ending], tag_of(body))
