"""The files of the browser page, those that the server makes of them at its start, and the headers
with which they are sent.
"""

import base64
import gzip
import hashlib
import html
import re
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from importlib.resources import as_file, files
from typing import Final, NamedTuple
from urllib.parse import parse_qs

import msgspec
from rjsmin import jsmin  # type: ignore[import-untyped] # it returns a text
from websockets import Response

from bigben_protocol import texts
from bigben_server.config import Settings
from bigben_server.rooms.descriptions import lesson
from bigben_server.transport import bundle
from bigben_server.transport.responses import (
    ANY_PAGE,
    cacheable,
    language_for,
    plain_text,
    takes_gzip,
)

TYPES: Final[Mapping[str, str]] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".ics": "text/calendar; charset=utf-8",
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
OVERLAY: Final = "/overlay"
"""A race over the picture of a stream: a page of its own, with a script of its own."""
IN_FRAME: Final = ".frame.html"
"""What follows the language in the path of the page as one file, ``/en.frame.html``: in a frame of
Discord only what is inline is sure to be run, as there may be no origin that is ``'self'``."""

# 'self' covers WebSockets to the same address. Because of the last two, a name of another player
# can't become part of the page's code, whatever the code does: the one policy that trusted types
# allow names one script, the service worker.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types worker"
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

_OWN: Final = Settings()
_FRAMED: Final = {"frame_id", "instance_id"}
"""What Discord tells a frame in the query of its address."""
_SCRIPT: Final = b'<script type="module" src="/bundle.js"></script>'
_INLINE: Final = re.compile(rb"<(?:script|style)[^>]*>(.+?)</(?:script|style)>", re.DOTALL)


class File(NamedTuple):
    body: bytes
    kind: str
    """Its Content-Type."""
    tag: str
    """Its ETag, without quotes."""
    inline: str
    """The sources of a policy that allow what is inline in it, and nothing else."""


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
    found["/overlay.js"] = str(jsmin(bundle.whole(modules, "/overlay/main.js"))).encode()
    found |= _sheets({path: body for path, body in found.items() if path.endswith(".css")})
    said = {"page": address, "discord": discord_app}
    about = "".join(f' data-{name}="{html.escape(of)}"' for name, of in said.items() if of)
    for code in texts.languages():
        found |= _texts(code, found[bundle.FIRST].decode())
        named = found["/index.html"].replace(b"{about}", about.encode())
        found[f"/{code}"] = named.replace(b"{language}", code.encode())
        overlay = found[f"{OVERLAY}.html"].replace(b"{language}", code.encode())
        found[f"/{code}{OVERLAY}"] = overlay
    if discord_app:
        found |= _framed(bundle.whole(modules, "/main.js"), found)
    found["/"] = found["/index.html"] = found[f"/{texts.DEFAULT}"]
    found[LESSON] = msgspec.json.encode(lesson())
    shell = hashlib.sha256(b"".join(found.get(path, b"") for path in SHELL)).hexdigest()[:16]
    worker = found["/worker.js"].replace(b"{shell}", shell.encode())
    found["/worker.js"] = worker.replace(b"{files}", " ".join(SHELL).encode())
    return {path: _file(path, body) for path, body in found.items()}


def _framed(whole: str, found: Mapping[str, bytes]) -> dict[str, bytes]:
    """The page in each language as one file, with its scripts and styles in it."""
    script = b'<script type="module">%s</script>' % str(jsmin(whole)).encode()
    style = b"<style>%s%s</style>" % (found["/bundle.css"], found["/later.css"])
    made = {}
    for code in texts.languages():
        page = found[f"/{code}"].replace(b'<link rel="stylesheet" href="/bundle.css">', style)
        page = re.sub(rb'<link rel="(?:icon|manifest)"[^>]*>\s*', b"", page)
        made[f"/{code}{IN_FRAME}"] = page.replace(_SCRIPT, script)
    return made


def _sheets(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """The styles of the start page, and all others."""
    first = [f"/style/{name}.css" for name in STYLES]
    last = f"/style/{LAST_STYLE}.css"
    others = sorted(found.keys() - {*first, last, f"/style{OVERLAY}.css"})
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
    inline = _INLINE.findall(body) if path.endswith(IN_FRAME) else []
    hashes = [base64.b64encode(hashlib.sha256(text).digest()).decode() for text in inline]
    allowed = "".join(f" 'sha256-{each}'" for each in hashes)
    return File(body, kind, tag, allowed)


@cache
def _packed(body: bytes) -> bytes:
    """Compressed when it is first asked for: most modules never are, and others wait meanwhile."""
    return gzip.compress(body, mtime=0)


def _headers(app: str, inline: str) -> Mapping[str, str]:
    """Of a file of the page, which an application of Discord may show in a frame.

    There it may have an opaque origin, to which all others are foreign, also its own.
    """
    if not app:
        return HEADERS
    own = f"{app}.discordsays.com"
    policy = POLICY.replace(
        "frame-ancestors 'none'",
        f"frame-ancestors https://discord.com https://*.discord.com https://{own}",
    )
    if inline:
        policy = policy.replace("script-src 'self'", f"script-src 'self'{inline}")
        policy = policy.replace("style-src 'self'", f"style-src 'self'{inline}")
        policy = policy.replace(
            "connect-src 'self'", f"connect-src 'self' https://{own} wss://{own}"
        )
    return {
        **HEADERS,
        **ANY_PAGE,
        "Content-Security-Policy": policy,
        "Cross-Origin-Resource-Policy": "cross-origin",
    }


def answer_page(
    path: str,
    if_none_match: str = "",
    accepts: str = "",
    languages: str = "",
    settings: Settings = _OWN,
) -> Response:
    """The file of the page at ``path``; compressed if that is accepted. A query says only whether
    the page is in a frame of Discord.

    ``languages`` is an Accept-Language: the page itself comes in the one that it likes best.
    """
    path, _, query = path.partition("?")
    app, vary = settings.discord_app, "Accept-Encoding"
    if path in ("/", OVERLAY):
        asked, vary = path, "Accept-Encoding, Accept-Language"
        path = f"/{language_for(languages)}{asked.rstrip('/')}"
        if asked == "/" and app and parse_qs(query).keys() >= _FRAMED:
            path += IN_FRAME
    file = page(settings.page, app).get(path)
    headers = {**_headers(app, file.inline if file else ""), "Vary": vary}
    if file is None:
        text = "There is nothing here; the game is at /, /health says whether the server is up."
        return plain_text(HTTPStatus.NOT_FOUND, text, headers)
    if takes_gzip(accepts):
        headers["Content-Encoding"] = "gzip"
        return cacheable(_packed(file.body), file.kind, f"{file.tag}-gzip", headers, if_none_match)
    return cacheable(file.body, file.kind, file.tag, headers, if_none_match)
