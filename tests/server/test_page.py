"""The browser page over plain HTTP: its files, their headers, and nothing else."""

import base64
import gzip
import hashlib
import http
import json
import re

import pytest
from websockets.http11 import Response

from bigben_protocol import texts
from bigben_server.config import Settings
from bigben_server.transport.page import POLICY, SHELL, answer_page, page, shortened

INDEX = answer_page("/").body.decode()


def named(path: str) -> Response:
    found = answer_page(path)
    assert found.status_code is http.HTTPStatus.OK, path
    return found


def test_the_page_and_every_file_that_it_names_exist() -> None:
    for path in re.findall(r'(?:href|src)="([^"]+)"', INDEX):
        if path != "/api/games":
            named(path)


SCRIPTS = [path for path in page() if re.match(r"/(bundle|later)\b.*\.js$", path)]
OVERLAY = "/overlay.js"
"""The script of another document, with all that it needs, also of the page's modules."""


def test_the_scripts_and_two_sheets_have_each_module_and_style_once() -> None:
    scripts = [named(path).body.decode() for path in SCRIPTS]
    sheets = [named(path).body.decode() for path in ("/bundle.css", "/later.css")]
    alone = ("/main.js", "/worker.js", OVERLAY, *SCRIPTS, "/overlay/")
    modules = [path for path in page() if path.endswith(".js") and not path.startswith(alone)]
    made = [name for script in scripts for name in re.findall(r"const (\$\d+)=\(\(\)=>", script)]
    assert len(made) == len({*made}) == len(modules)
    for path in page():
        if path.startswith("/style/") and path not in ("/style/forced.css", "/style/overlay.css"):
            style = shortened(page()[path].body).decode()
            assert [style in sheet for sheet in sheets].count(True) == 1


def test_a_sheet_loses_comments_and_spaces_and_nothing_in_quotes() -> None:
    style = b'a :hover {\n  content: "{ /* 1 : 2 */ }"; /* why */\n  margin: 0  auto;\n}\n'
    assert shortened(style) == b'a :hover{content:"{ /* 1 : 2 */ }";margin:0 auto;}'


@pytest.mark.parametrize("path", [*SCRIPTS, OVERLAY])
def test_a_script_has_no_comments(path: str) -> None:
    assert "@param" in named("/main.js").body.decode()
    assert "@param" not in named(path).body.decode()


def test_the_service_worker_is_another_one_when_the_shell_is() -> None:
    worker = named("/worker.js").body.decode()
    assert re.search(r'const SHELL = "shell [0-9a-f]{16}";', worker)
    assert f'const FILES = "{" ".join(SHELL)}".split(" ");' in worker
    assert not [path for path in SHELL if path not in page() and path != "/api/games"]


@pytest.mark.parametrize(
    ("accepts", "packed"),
    [
        ("gzip, deflate, br", True),
        ("GZIP;q=0.5", True),
        ("*", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, *", False),
    ],
)
def test_a_file_is_compressed_for_those_who_accept_it(accepts: str, packed: bool) -> None:
    plain, sent = named("/bundle.js"), answer_page("/bundle.js", "", accepts)
    assert sent.headers["Vary"] == "Accept-Encoding"
    assert (sent.headers.get("Content-Encoding") == "gzip") == packed
    body = gzip.decompress(sent.body) if packed else sent.body
    assert body == plain.body
    assert (sent.headers["ETag"] == plain.headers["ETag"]) == (not packed)
    again = answer_page("/bundle.js", sent.headers["ETag"], accepts)
    assert (again.status_code, again.body) == (http.HTTPStatus.NOT_MODIFIED, b"")


@pytest.mark.parametrize(
    "path", [p for p in page() if p.endswith(".js") and p not in (*SCRIPTS, OVERLAY)]
)
def test_every_module_that_a_module_imports_exists(path: str) -> None:
    text = named(path).body.decode()
    assert text.startswith("//")
    folder = path.rpartition("/")[0]
    for there in re.findall(r'(?:^import |^\} from |\bimport\().*?"(\.[^"]+)"', text, re.MULTILINE):
        parts = f"{folder}/{there}".replace("/./", "/").split("/")
        while ".." in parts:
            at = parts.index("..")
            del parts[at - 1 : at + 1]
        named("/".join(parts))


def test_every_file_has_its_type_and_the_policy() -> None:
    assert named("/").headers["Content-Type"] == "text/html; charset=utf-8"
    assert named("/main.js").headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert named("/icon.svg").headers["Content-Type"] == "image/svg+xml"
    for path in [*page(), "/nothing"]:
        headers = answer_page(path).headers
        assert headers["Content-Security-Policy"] == POLICY
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere() -> None:
    assert POLICY.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in POLICY
    assert not re.search(r"https?:|\*", POLICY)
    assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?! type=\"module\" src)", INDEX)


def test_a_file_that_is_known_already_is_not_sent_again() -> None:
    first = named("/main.js")
    again = answer_page("/main.js", first.headers["ETag"])
    assert again.status_code is http.HTTPStatus.NOT_MODIFIED
    assert again.body == b""
    assert answer_page("/main.js", '"another"').status_code is http.HTTPStatus.OK
    assert first.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/../page.py",
        "/..%2fpage.py",
        "//etc/passwd",
        "/texts",
        "/texts/",
        "",
        "/files/",
    ],
)
def test_a_path_that_is_not_a_file_of_the_page_is_not_found(path: str) -> None:
    lost = answer_page(path)
    assert lost.status_code is http.HTTPStatus.NOT_FOUND
    assert b"the game is at /" in lost.body


def test_a_query_is_ignored() -> None:
    assert answer_page("/?from=elsewhere") == answer_page("/")


@pytest.mark.parametrize(
    ("wishes", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fr, en-GB;q=0.5, de;q=0.7", "de"),
        ("EN;q=0.4", "en"),
        ("fr;q=abc, *", "en"),
        ("", "en"),
    ],
)
def test_the_page_comes_in_a_language_that_the_browser_asks_for(wishes: str, language: str) -> None:
    sent = answer_page("/", languages=wishes)
    assert sent.headers["Vary"] == "Accept-Encoding, Accept-Language"
    assert f'<html lang="{language}">'.encode() in sent.body
    assert f'"/texts/{language}.first.json"'.encode() in sent.body


def test_the_page_says_where_it_is_public_and_in_which_application_of_discord_it_may_be() -> None:
    settings = Settings(page="https://play.example", discord_app="123456789012345678")
    sent = answer_page("/", languages="de", settings=settings).body.decode()
    about = 'data-page="https://play.example" data-discord="123456789012345678"'
    assert f'<html lang="de" {about}>' in sent
    escaped = answer_page("/", settings=Settings(page="https://a'&b")).body
    assert b'<html lang="en" data-page="https://a&#x27;&amp;b">' in escaped
    assert INDEX.startswith('<!doctype html>\n<html lang="en">\n')


def in_discord(path: str, **headers: str) -> Response:
    settings = Settings(discord_app="123456789012345678")
    return answer_page(path, settings=settings, **headers)


def test_only_clients_of_discord_may_frame_the_page_of_its_application() -> None:
    for path in ("/", "/bundle.js", "/nothing"):
        headers = in_discord(path).headers
        _, _, ancestors = headers["Content-Security-Policy"].partition("frame-ancestors ")
        assert ancestors.split(";")[0].split() == [
            *("https://discord.com", "https://*.discord.com"),
            "https://123456789012345678.discordsays.com",
        ]
        # In a sandbox the page is foreign to its own server.
        assert headers["Access-Control-Allow-Origin"] == "*"
        assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        alone = answer_page(path).headers
        assert "Access-Control-Allow-Origin" not in alone
        assert alone["Cross-Origin-Resource-Policy"] == "same-origin"


def test_in_a_frame_of_discord_the_page_is_one_file_whose_scripts_and_styles_are_inline() -> None:
    framed = "/?instance_id=i-1-gc-2-3&frame_id=4&platform=desktop"
    sent = in_discord(framed, languages="de")
    page_ = sent.body.decode()
    assert page_.startswith('<!doctype html>\n<html lang="de" data-discord="123456789012345678">\n')
    assert re.findall(r'<(?:script|link|style)[^>]*?(?: src=\S+| rel="(?!preload)\S+)', page_) == []
    (script,), (style,) = (
        re.findall(rf"<{name}[^>]*>(.+?)</{name}>", page_, re.DOTALL)
        for name in ("script", "style")
    )
    assert "import(" not in script
    assert style == "".join(named(f"/{sheet}.css").body.decode() for sheet in ("bundle", "later"))
    policy = sent.headers["Content-Security-Policy"]
    for text in (script, style):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "'unsafe" not in policy
    for path in ("/?frame_id=4", "/", "/index.html?frame_id=4&instance_id=5"):
        assert in_discord(path, languages="de").body != sent.body
    assert answer_page(framed) == answer_page("/")


@pytest.mark.parametrize("language", texts.languages())
def test_the_two_halves_of_the_texts_are_all_of_them(language: str) -> None:
    whole, first, later = (
        json.loads(named(f"/texts/{language}{half}.json").body) for half in ("", ".first", ".later")
    )
    assert first["languages"] == texts.languages()
    assert first["texts"] | later == whole
    assert not first["texts"].keys() & later.keys()
