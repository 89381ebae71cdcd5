"""The browser page over plain HTTP: its files, their headers, and nothing else."""

import http
import json
import re
from importlib.resources import files

import pytest
from websockets.http11 import Response

from bigben_server.transport.http import LANGUAGES, POLICY, answer_page, page

INDEX = answer_page("/").body.decode()


def named(path: str) -> Response:
    found = answer_page(path)
    assert found.status_code is http.HTTPStatus.OK, path
    return found


def test_the_page_and_every_file_that_it_names_exist() -> None:
    for path in re.findall(r'(?:href|src)="([^"]+)"', INDEX):
        named(path)


def test_every_module_is_fetched_at_once_and_not_one_after_the_other() -> None:
    modules = {path for path in page() if path.endswith(".js") and "/texts/" not in path}
    preloaded = set(re.findall(r'rel="modulepreload" href="([^"]+)"', INDEX))
    assert preloaded == modules - {"/main.js"}


@pytest.mark.parametrize("path", [path for path in page() if path.endswith(".js")])
def test_every_module_that_a_module_imports_exists(path: str) -> None:
    text = named(path).body.decode()
    assert text.startswith("//")
    folder = path.rpartition("/")[0]
    for there in re.findall(r'^(?:import|\} from).*"(\.[^"]+)";$', text, re.MULTILINE):
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


def test_each_language_is_a_file_and_no_more() -> None:
    texts = files("bigben_web").joinpath("files", "texts")
    codes = sorted(entry.name.removesuffix(".js") for entry in texts.iterdir())
    assert json.loads(named(LANGUAGES).body) == codes
    assert {"de", "en"} <= set(codes)
