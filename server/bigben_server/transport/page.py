"""The browser page over plain HTTP: the files of ``bigben_web``, and no other file."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from bigben_server.transport.plain_http import Answer, cacheable, sentence

FIRST: Final = "/index.html"
LANGUAGES: Final = "/texts/languages.json"
"""The codes of all languages. It is not a file, so that a new language needs one file only."""

TYPES: Final[Mapping[str, str]] = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "svg": "image/svg+xml",
}
"""By the extension of a file; no other file is served."""

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
        # A name of another player can't become part of the page's code, whatever the code does.
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""Content-Security-Policy: nothing inline, and nothing from other hosts."""

HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # The browser asks each time, so that it never mixes the files of two versions.
    "Cache-Control": "no-cache",
}


def answer(path: str, if_none_match: str = "") -> Answer:
    """The answer to a GET of ``path``; its query is ignored."""
    path = path.partition("?")[0]
    file = page().get(FIRST if path == "/" else path)
    if file is None:
        text = "There is nothing here; the game is at /, /health says whether the server is up."
        return sentence(HTTPStatus.NOT_FOUND, text, HEADERS)
    body, kind = file
    return cacheable(body, {**HEADERS, "Content-Type": kind}, if_none_match)


@cache
def page() -> Mapping[str, tuple[bytes, str]]:
    """The body and the type of every file, by path."""
    found = dict(_files(files("bigben_web").joinpath("files"), ""))
    texts = [path.removeprefix("/texts/") for path in found if path.startswith("/texts/")]
    codes = sorted(text.removesuffix(".js") for text in texts)
    return {**found, LANGUAGES: (json.dumps(codes).encode(), TYPES["json"])}


def _files(folder: Traversable, above: str) -> Iterator[tuple[str, tuple[bytes, str]]]:
    for entry in folder.iterdir():
        path = f"{above}/{entry.name}"
        if entry.is_dir():
            yield from _files(entry, path)
        elif (ending := entry.name.rpartition(".")[2]) in TYPES:
            yield path, (entry.read_bytes(), TYPES[ending])
