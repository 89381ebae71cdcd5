"""Boards and profiles over plain HTTP: the same answers, as JSON that caches may keep."""

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has none
from tests.server.boards.made import Season, finish, stuck, won
from tests.support.server_process import serving
from tests.support.times import NOON
from tools import describe_api

from bigben_protocol import Games, GetLeaderboard, GetProfile, Leaderboard, PlayerId, Profile
from bigben_protocol.sentence import sentence
from bigben_server.leaderboards.queries import Queries
from bigben_server.leaderboards.seasons import Seasons
from bigben_server.rooms.descriptions import games
from bigben_server.sharing.turns import Turns
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.opening import connect
from bigben_server.storage.race_log import Store
from bigben_server.transport.http import FRESH_S, PAST_S, answer_api

OPENAPI: dict[str, Any] = json.loads(describe_api.text())


@pytest.fixture
async def queries(store: Store) -> Queries:
    season = Season(store)
    await season.day("2026-11-20", {"ada": won(61_000), "bob": stuck(60, 5)})
    await season.boards.record([finish("ada", won(62_000))])
    return Queries(store, clock=lambda: NOON)


def seasons_of(queries: Queries) -> Seasons:
    return Seasons(queries.store, queries.clock, Boards(queries.store))


async def get(queries: Queries, path: str) -> tuple[int, Any]:
    """The status and the body, which is what OPENAPI says it is."""
    response = await answer_api(queries, seasons_of(queries), path)
    read = json.loads(response.body)
    name = path.removeprefix("/api/").partition("?")[0]
    for listed in ("players/{player}", "races/{race}", "seasons/{season}"):
        name = listed if name.startswith(listed.partition("/")[0]) else name
    responses = OPENAPI["paths"][f"/api/{name}"]["get"]["responses"]
    schema = responses[str(response.status_code)]["content"]["application/json"]["schema"]
    Draft202012Validator({**schema, "components": OPENAPI["components"]}).validate(read)
    return response.status_code, read


async def test_the_description_matches_the_code() -> None:
    assert describe_api.FILE.read_text() == describe_api.text(), "run `make docs`"
    for path in OPENAPI["paths"].values():
        for parameter in path["get"].get("parameters", []):
            Draft202012Validator.check_schema(parameter["schema"])
            assert parameter["description"], parameter["name"]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("", GetLeaderboard()),
        ("?date=2026-11-20&start=1&count=1", GetLeaderboard(date="2026-11-20", start=1, count=1)),
        ("?period=weekly&by=rating", GetLeaderboard(period="weekly", by="rating")),
        ("?period=all-time&group=bots", GetLeaderboard(period="all-time", group="bots")),
        ("?game=bigben&rules=survey", GetLeaderboard(rules="book")),
    ],
)
async def test_a_board_is_the_one_that_a_message_gets(
    queries: Queries, query: str, wanted: GetLeaderboard
) -> None:
    status, body = await get(queries, f"/api/leaderboard{query}")
    assert status == 200
    assert msgspec.convert(body, Leaderboard) == await queries.leaderboard("", wanted)


async def test_a_players_own_row_and_the_page_around_it_can_be_requested(queries: Queries) -> None:
    path = "/api/leaderboard?date=2026-11-20&player=guest%3Abob&around=true&count=1"
    _, body = await get(queries, path)
    wanted = GetLeaderboard(date="2026-11-20", around=True, count=1)
    assert msgspec.convert(body, Leaderboard) == await queries.leaderboard("guest:bob", wanted)
    assert body["mine"]["place"] == 2
    assert body["rows"] == [body["mine"]]


async def test_a_profile_is_the_one_that_a_message_gets(queries: Queries) -> None:
    _, body = await get(queries, "/api/players/guest%3Aada?against=guest%3Abob")
    asked = GetProfile("guest:ada", "guest:bob")
    assert msgspec.convert(body, Profile) == await queries.profile(PlayerId(""), asked)
    assert body["against"]["ahead"] == 1


async def test_a_profile_is_there_for_an_id_with_all_that_matrix_allows(queries: Queries) -> None:
    odd = PlayerId("matrix:@zo{e}/7=x?&#:example.org:8448")
    await Season(queries.store).day("2026-11-19", {odd: won(7)})
    path = f"/api/players/{quote(odd, safe='')}?against=guest%3Aada"
    _, body = await get(queries, path)
    assert (body["player"], body["tallies"][0]["played"]) == (odd, 1)
    _, board = await get(queries, f"/api/leaderboard?date=2026-11-19&player={quote(odd)}")
    assert board["mine"]["player"] == odd


async def test_the_games_are_those_that_a_message_gets(queries: Queries) -> None:
    status, body = await get(queries, "/api/games")
    assert status == 200
    assert msgspec.convert(body, Games) == games()


@pytest.mark.parametrize(
    ("path", "status", "text"),
    [
        ("/api/leaderboard?date=2026-02-30", 404, "There is no day '2026-02-30'"),
        ("/api/leaderboard?date=2026-11-22", 404, "opens at 00:00 UTC"),
        ("/api/leaderboard?period=weekly&date=2026-W60", 404, "no such date"),
        ("/api/leaderboard?group=nobody", 404, "There is no group 'nobody'"),
        ("/api/leaderboard?rules=mine", 404, "No rules are called 'mine'"),
        ("/api/leaderboard?start=x", 400, "start: Expected `int`"),
        ("/api/leaderboard?count=101", 400, "count: Expected `int` <= 100"),
        ("/api/leaderboard?period=yearly", 400, "period: Invalid enum value 'yearly'"),
        (
            "/api/leaderboard?page=2",
            400,
            "There is no parameter 'page'; the parameters are period, date",
        ),
        ("/api/leaderboard?ref=2", 400, "There is no parameter 'ref'"),
        ("/api/leaderboard?start=1&start=2", 400, "Give each parameter once"),
        (f"/api/leaderboard?player={'x' * 129}", 400, "player: Expected `str` of length <= 128"),
        ("/api/players/guest%3Anobody", 404, "No player guest:nobody"),
        (f"/api/players/{'x' * 129}", 400, "player: Expected `str` of length <= 128"),
    ],
)
async def test_a_request_for_something_unknown_gets_a_sentence(
    queries: Queries, path: str, status: int, text: str
) -> None:
    got, problem = await get(queries, path)
    assert got == status
    assert text in problem["text"]
    assert problem["text"].endswith(".")


@pytest.mark.parametrize("path", ["/api/", "/api/players/", "/api/x", "/api/players/a/b"])
async def test_other_paths_are_answered_with_where_to_look(queries: Queries, path: str) -> None:
    response = await answer_api(queries, seasons_of(queries), path)
    assert response.status_code == 404
    assert "/api/openapi.json" in json.loads(response.body)["text"]


async def test_caches_keep_a_past_board_longer_than_one_that_changes(queries: Queries) -> None:
    for query, seconds in (
        ("", FRESH_S),
        ("?period=weekly", FRESH_S),
        ("?period=all-time", FRESH_S),
        ("?date=2026-11-20", PAST_S),
        ("?period=monthly&date=2026-10", PAST_S),
    ):
        response = await answer_api(queries, seasons_of(queries), f"/api/leaderboard{query}")
        assert response.headers["Cache-Control"] == f"public, max-age={seconds}"
    response = await answer_api(queries, seasons_of(queries), "/api/leaderboard?date=x")
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("query", "minutes", "seconds"),
    [
        ("?date=2026-11-22", 5, FRESH_S),
        ("?period=weekly&date=2026-W47", 5, FRESH_S),
        ("?period=weekly&date=2026-W47", 15, PAST_S),
        ("?date=2026-11-21", 5, PAST_S),
        ("", 5, FRESH_S),
    ],
)
async def test_just_after_midnight_the_day_before_may_still_change(
    queries: Queries, store: Store, query: str, minutes: int, seconds: int
) -> None:
    monday = NOON + 36 * 3_600_000 + 60_000 * minutes
    then = Queries(store, clock=lambda: monday)
    response = await answer_api(then, seasons_of(then), f"/api/leaderboard{query}")
    assert response.headers["Cache-Control"] == f"public, max-age={seconds}"


async def test_a_client_with_the_current_answer_gets_304(queries: Queries, store: Store) -> None:
    first = await answer_api(queries, seasons_of(queries), "/api/leaderboard")
    tag = first.headers["ETag"]
    assert (first.status_code, bool(first.body)) == (200, True)
    for known in (f'"other", W/{tag}', "*"):
        again = await answer_api(queries, seasons_of(queries), "/api/leaderboard", known)
        assert (again.status_code, again.body) == (304, b"")
    await Season(store).boards.record([finish("bob", won(70_000))])
    changed = await answer_api(queries, seasons_of(queries), "/api/leaderboard", tag)
    assert (changed.status_code, changed.headers["ETag"] != tag) == (200, True)


async def test_without_redis_it_says_to_come_back(tmp_path: Path) -> None:
    client = connect(f"unix://{tmp_path}/nobody.sock")
    queries = Queries(Store(client), clock=lambda: NOON)
    status, problem = await get(queries, "/api/leaderboard")
    await client.aclose()
    assert (status, problem["code"]) == (503, "busy")


async def test_unreadable_data_is_logged_and_its_content_is_not_sent(
    queries: Queries, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await store.ask(("HSET", "bb:history:guest:ada", "K7QPXM", "spoilt"))
    status, problem = await get(queries, "/api/players/guest%3Aada")
    assert (status, problem["text"]) == (500, "The server made a mistake; it has been logged.")
    assert "/api/players/guest%3Aada could not be answered" in caplog.text
    assert "Traceback" in caplog.text


def test_a_real_server_answers_pages_of_any_address(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        address = f"http://127.0.0.1:{server.port}/api/leaderboard"
        with urllib.request.urlopen(address) as response:
            assert json.load(response)["total"] == 0
            assert response.headers["Access-Control-Allow-Origin"] == "*"
            assert response.headers["Content-Type"] == "application/json; charset=utf-8"
            tag = response.headers["ETag"]
        again = urllib.request.Request(address, headers={"If-None-Match": tag})
        with pytest.raises(urllib.error.HTTPError) as unchanged:
            urllib.request.urlopen(again)
        with unchanged.value as response:
            assert response.status == 304
            assert response.headers["ETag"] == tag
            assert "Cache-Control" in response.headers
            assert "Content-Length" not in response.headers
            assert "Content-Type" not in response.headers
        with urllib.request.urlopen(address.replace("leaderboard", "openapi.json")) as response:
            assert json.load(response) == OPENAPI
        assert server.complaints() == []


async def test_who_asks_while_too_many_wait_is_told_at_once_to_ask_again(store: Store) -> None:
    reads = Turns(at_once=1, each=1, most_waiting=0, full=sentence("server.full"))
    queries = Queries(store, clock=lambda: NOON, reads=reads)
    assert (await get(queries, "/api/leaderboard"))[0] == 200
    assert reads.take("another address")
    text = "The server is very busy; try again in a moment."
    problem = {"code": "busy", "text": text, "id": "server.full", "values": {}}
    assert await get(queries, "/api/leaderboard") == (503, problem)
    reads.leave("another address")
    assert (await get(queries, "/api/leaderboard"))[0] == 200
