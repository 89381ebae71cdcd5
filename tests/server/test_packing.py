"""Packed races: whatever the logs of a race have, they come back byte for byte."""

import json
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server import unpack_by_hand
from tests.server.stage import ADA
from tests.support.paths import ROOT

from bigben_protocol import PlayerId, RaceId, State
from bigben_rules import GAMES
from bigben_server.race.events import Entry, SeatAppend, SeatStatus
from bigben_server.storage.entries import RawLog, entry_of
from bigben_server.storage.packing.parts import Part, unpack_part
from bigben_server.storage.packing.value import Logs, Packed, pack, unpack
from bigben_server.storage.packing.words import DICTIONARY

RACE = RaceId("K7QPXM")
LOGS: Logs = {
    None: [(b"1-0", [b"1", b'{"type":"closed","at":1795262400000}'])],
    ADA.id: [(b"1-0", [b"1", b"900 3 f9", b"is", b"1 13 900 900 1795262400000 playing"])],
}


def raw(entries: Sequence[Sequence[str]]) -> RawLog:
    return [(id_.encode(), [word.encode() for word in words]) for id_, *words in entries]


def comes_back(logs: Logs) -> None:
    value = pack(RACE, logs)
    back = unpack(RACE, value)
    assert Packed(RACE, value).log(None) == back.get(None, ())
    assert back == {player: [(i, [*words]) for i, words in log] for player, log in logs.items()}


# What may be in a log

texts = st.one_of(
    st.binary(max_size=80),
    st.sampled_from(
        (b"is", b"0", b"1", b"7 turn", b"1 12 0 7 9 playing", b"ab" * 32, b"1795262400000")
    ),
)
entries = st.tuples(
    st.sampled_from((b"0-1", b"1-0", b"2-0", b"9-0", b"any")), st.lists(texts, max_size=5)
)
any_logs = st.dictionaries(
    st.none() | st.text(max_size=9).map(PlayerId), st.lists(entries, max_size=4), max_size=4
)


@given(any_logs)
def test_any_logs_come_back(logs: Logs) -> None:
    comes_back(logs)


numbers = st.integers(0, 2**45)
moves = st.sampled_from(("begin", "turn", "3 f9", "w f13", "swap 5", "swap 13 4", "undo", "resign"))
states: st.SearchStrategy[State] = st.sampled_from(get_args(State))


@st.composite
def seats(draw: st.DrawFn) -> RawLog:
    """A seat with unlikely moves, times and statuses, some of them in one entry."""
    first, n = draw(st.integers(0, 1)), 0
    written: list[list[str]] = []
    for count in draw(st.lists(st.integers(1, 3), min_size=1, max_size=6)):
        appends = []
        for n in range(first, first + count):
            entry = Entry(n, draw(numbers), draw(moves | st.text(max_size=5)))
            status = SeatStatus(draw(states), *(draw(numbers) for _ in range(5)))
            appends.append(SeatAppend(RACE, ADA.id, entry, status, n - 1))
        written.append(entry_of(appends))
        first = n + 1
    return raw(written)


@given(st.dictionaries(st.text(max_size=9).map(PlayerId), seats(), max_size=3))
def test_any_moves_times_and_statuses_come_back(logs: Logs) -> None:
    comes_back(logs)


def test_a_seat_of_a_large_field_is_read_without_the_others() -> None:
    players = [PlayerId(f"guest:{n:024x}") for n in range(50)]
    logs: dict[PlayerId | None, RawLog] = dict.fromkeys([None, *players], LOGS[ADA.id])
    logs[None] = LOGS[None]
    comes_back(logs)
    value = pack(RACE, logs)
    assert Packed(RACE, value).log(None) == Packed(RACE, value).logs()[None]
    packed = Packed(RACE, value[:-9] + bytes(9))  # the last part is damaged
    assert packed.log(None) == LOGS[None]
    assert packed.log(players[3]) == LOGS[ADA.id]
    assert [packed.last(player) for player in players] == [LOGS[ADA.id][-1:]] * 50
    assert packed.log(PlayerId("nobody")) == packed.last(PlayerId("nobody")) == ()
    with pytest.raises(ValueError, match="can't be unpacked"):
        packed.log(players[49])


def test_two_threads_read_one_large_field(monkeypatch: pytest.MonkeyPatch) -> None:
    players = [PlayerId(f"guest:{n:024x}") for n in range(50)]
    logs: dict[PlayerId | None, RawLog] = {None: LOGS[None], **dict.fromkeys(players, LOGS[ADA.id])}
    packed, found = Packed(RACE, pack(RACE, logs)), list[RawLog]()
    others = [Thread(target=lambda: found.append(packed.log(players[40])))]

    class Players(dict[PlayerId, RawLog]):
        """While one thread goes through them, another one reads a seat."""

        def __iter__(self) -> Iterator[PlayerId]:
            while others:
                other = others.pop()
                other.start()
                other.join()
            return super().__iter__()

    def read(race: RaceId, part: bytes) -> Part:
        return unpack_part(race, part)._replace(last=Players(unpack_part(race, part).last))

    monkeypatch.setattr("bigben_server.storage.packing.value.unpack_part", read)
    found.append(packed.log(players[3]))
    assert found == [LOGS[ADA.id]] * 2


# Values of before

PACKED = sorted(Path(__file__).with_name("packed").glob("*.bin"))


def kept_beside(value: Path) -> tuple[RaceId, Logs]:
    """The race of a value in the folder, and its logs."""
    (race,), *entries = map(json.loads, value.with_suffix(".jsonl").read_text().splitlines())
    logs = dict[PlayerId | None, list[tuple[bytes, list[bytes]]]]()
    for player, id_, *words in entries:
        logs.setdefault(player, []).append((id_.encode(), [word.encode() for word in words]))
    return race, {**logs}


@pytest.mark.parametrize("value", PACKED, ids=lambda value: value.stem)
def test_a_value_of_the_first_format_is_read_for_ever(value: Path) -> None:
    race, logs = kept_beside(value)
    assert unpack(race, value.read_bytes()) == logs
    assert unpack(race, pack(race, logs)) == logs


@pytest.mark.parametrize("value", PACKED, ids=lambda value: value.stem)
def test_the_document_says_enough_to_read_such_a_value(value: Path) -> None:
    _, logs = kept_beside(value)
    assert unpack_by_hand.unpack(value.read_bytes(), documented_dictionary()) == logs


def test_there_is_such_a_value_of_each_game() -> None:
    assert {*GAMES} <= {value.stem for value in PACKED}


@pytest.mark.parametrize("game", GAMES)
def test_a_race_takes_a_small_part_of_its_logs(game: str) -> None:
    race, logs = kept_beside(Path(__file__).with_name("packed") / f"{game}.jsonl")
    entries = [entry for log in logs.values() for entry in log]
    assert 8 * len(pack(race, logs)) < sum(len(b"".join(words)) for _, words in entries)


def documented_dictionary() -> bytes:
    _, _, block = (ROOT / "docs" / "packed.md").read_text().rpartition("## The dictionary")
    text = re.sub("<(0[0-9])>", lambda code: chr(int(code[1], 16)), block.split("```")[1].lstrip())
    assert sha256(text.encode()).hexdigest() in block
    return text.encode()


def test_the_dictionary_is_that_of_the_document() -> None:
    assert documented_dictionary() == DICTIONARY


# What is not what was packed


@given(st.integers(0), st.integers(1, 255))
def test_a_damaged_value_is_refused(at: int, other: int) -> None:
    value = bytearray(pack(RACE, LOGS))
    value[at % (len(value) - 1)] ^= other  # some bits of the last byte have no meaning
    with pytest.raises(ValueError, match="can't be unpacked"):
        unpack(RACE, bytes(value))


@given(st.integers(0))
def test_a_value_without_its_end_is_refused(length: int) -> None:
    value = pack(RACE, LOGS)
    with pytest.raises(ValueError, match="can't be unpacked"):
        unpack(RACE, value[: length % len(value)])


@given(st.binary(max_size=200))
def test_other_bytes_are_refused(value: bytes) -> None:
    with pytest.raises(ValueError, match="can't be unpacked"):
        unpack(RACE, b"\1" + value)


def test_a_value_of_a_later_format_is_refused() -> None:
    with pytest.raises(ValueError, match="its format is 02"):
        unpack(RACE, b"\2" + pack(RACE, LOGS)[1:])


def test_the_value_of_another_race_is_refused() -> None:
    with pytest.raises(ValueError, match="is the race b'K7QPXM'"):
        unpack(RaceId("QQQQQQ"), pack(RACE, LOGS))
