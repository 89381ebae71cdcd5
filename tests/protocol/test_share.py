"""The card to share says what a table says, and nothing but public progress."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.protocol.played import RACE, Told, games
from tests.support.torture import examples

from bigben_protocol import (
    PlayerId,
    RaceId,
    RaceInfo,
    Record,
    Rules,
    Standing,
    State,
)
from bigben_protocol.share import hours_of, share_text, signs
from bigben_protocol.types import Kind
from bigben_server.rooms import descriptions

VECTORS = json.loads(Path(__file__).with_name("share_vectors.json").read_text(encoding="utf-8"))
GAMES = {game.name: game for game in descriptions.games().games}
BIG_BEN = GAMES["bigben"]
ADA = PlayerId("guest:ada")
OVER: list[State] = ["won", "blocked", "resigned", "timed out"]


# Any: vectors as JSON has them.
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("vector", VECTORS, ids=[vector["says"] for vector in VECTORS])
def test_the_text_is_as_the_table_says(vector: dict[str, Any], language: str) -> None:
    room = {"host": "", "players": 0, "rules": {}, **vector["room"]}
    info = msgspec.convert(room, RaceInfo)
    seat = msgspec.convert({"player": ADA, "name": "Ada", **vector["seat"]}, Standing)
    text = share_text(
        info,
        seat,
        game=GAMES[info.rules.game],
        players=vector["players"],
        streak=vector.get("streak", 0),
        hours=vector.get("hours", ()),
        language=language,
    )
    assert text == vector[language]


@examples(50)
@given(
    one=games(),
    other=games(),
    kind=st.sampled_from(["daily", "live", "deadline"]),
    state=st.sampled_from(OVER),
    moves=st.integers(0, 400),
    ms=st.integers(0, 10**8),
    place=st.integers(1, 200),
    streak=st.integers(0, 400),
    language=st.sampled_from(["en", "de"]),
)
def test_two_games_with_the_same_public_progress_have_the_same_text(
    one: list[Told],
    other: list[Told],
    kind: Kind,
    state: State,
    moves: int,
    ms: int,
    place: int,
    streak: int,
    language: str,
) -> None:
    # Other cards, played otherwise; as many home, with the same number of moves, at the same time.
    home = min(one[-1].snapshot.home, other[-1].snapshot.home)
    ends = [next(told for told in game if told.snapshot.home == home) for game in (one, other)]
    assume(ends[0].piles != ends[1].piles)
    race = RaceId("daily.2026-11-21.bigben.standard") if kind == "daily" else RACE
    room = RaceInfo(race, kind, "running", Rules(), host="Bob", players=9)
    texts = {
        share_text(
            room,
            Standing(ADA, "Ada", state, moves, told.snapshot.home, ms, ms, place),
            game=BIG_BEN,
            players=200,
            streak=streak,
            language=language,
        )
        for told in ends
    }
    assert len(texts) == 1


def test_hours_are_shown_only_when_the_race_is_closed() -> None:
    room = RaceInfo(RACE, "live", "running", Rules(), host="Bob", players=2)
    with pytest.raises(ValueError, match="closed"):
        share_text(room, Standing(ADA, "Ada", "won"), game=BIG_BEN, hours=[(1, 9)] * 12)


@pytest.mark.parametrize("total", [52, 104])
def test_more_cards_home_never_fill_less(total: int) -> None:
    filled = [["□◔◑◕■".index(sign) for sign in signs(home, total)] for home in range(total + 1)]
    assert all(len(one) == 12 and one == sorted(one, reverse=True) for one in filled)
    assert filled == sorted(filled)
    assert set(signs(0, total)) == {"□"}
    assert set(signs(total, total)) == {"■"}


@examples(20)
@given(game=games())
def test_the_hours_are_those_of_the_foundations_at_the_end(game: list[Told]) -> None:
    first, last = game[0].snapshot, game[-1].snapshot
    steps = tuple(told.diff.steps for told in game if told.diff)
    seat = Standing(ADA, "Ada", "resigned", last.n, last.home)
    record = Record(RACE, seat, (), (), piles=first.piles, steps=steps)
    hours = hours_of(record, BIG_BEN)
    assert sum(have for have, _ in hours) == last.home
    assert [whole for _, whole in hours] == [8, *[9] * 8, *[8] * 3]
    assert [have for have, _ in hours] == [
        len(last.piles[f"f{hour}"].up) for hour in (12, *range(1, 12))
    ]


@examples(5)
@pytest.mark.parametrize("name", ["clock", "watch", "travellers", "hideandseek", "germanclock"])
@given(data=st.data())
def test_where_ranks_are_collected_the_kings_come_last(name: str, data: st.DataObject) -> None:
    game = data.draw(games(name=name))
    first, last = game[0].snapshot, game[-1].snapshot
    steps = tuple(told.diff.steps for told in game if told.diff)
    seat = Standing(ADA, "Ada", "resigned", last.n, last.home)
    hours = hours_of(Record(RACE, seat, (), (), piles=first.piles, steps=steps), GAMES[name])
    assert [whole for _, whole in hours] == [4] * 13
    by_rank = {slot.goal: len(last.piles[slot.pile].up) for slot in GAMES[name].slots if slot.goal}
    assert [have for have, _ in hours] == [
        by_rank[rank] for rank in ("Q", "A", *map(str, range(2, 11)), "J", "K")
    ]


def test_a_record_without_piles_has_squares() -> None:
    record = Record(RACE, Standing(ADA, "Ada", "won"), (), ())
    assert all(hours_of(record, game) == () for game in GAMES.values())
