"""Each mistake of a player gets a clear answer, and the server continues."""

import asyncio
import base64
from collections.abc import Iterator

import pytest
from tests.support.server_process import ServerProcess, serving
from tests.wire.peer import Peer, peer, race_to_the_end

from bigben_protocol import (
    CODECS,
    JSON,
    ClientMessage,
    Code,
    Create,
    Diff,
    GetLeaderboard,
    Hello,
    Join,
    Leave,
    Left,
    Move,
    Ping,
    Pong,
    Ready,
    Refused,
    Rematch,
    Room,
    Snapshot,
    Watch,
    Welcome,
)
from bigben_rules import GAMES

either_codec = pytest.mark.parametrize("subprotocol", CODECS)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all tests; at the end it works and its log has no complaint."""
    with serving(tmp_path_factory.mktemp("server")) as one:
        yield one
        asyncio.run(race_to_the_end(one.url))
        assert one.complaints() == []


async def practice(one: Peer) -> Snapshot:
    """A practice game whose cards are shown."""
    room = await one.ask(Create(practice=True, seed="5e" * 32, ref=1), Room)
    return await one.ask(Ready(room.race, ref=2), Snapshot)


async def refusal_of(one: Peer, message: ClientMessage) -> tuple[Code, str]:
    """The refusal of this message; the connection must still work."""
    answer = await one.ask(message, Refused)
    assert (await one.ask(Ping(1), Pong)).sent == 1
    return answer.code, answer.text


# Moves


@either_codec
async def test_a_repeated_move_gets_its_original_diff_and_is_played_once(
    server: ServerProcess, subprotocol: str
) -> None:
    async with peer(server.url, subprotocol) as one:
        shown = await practice(one)
        move = Move(shown.race, 1, shown.legal[0])
        first = await one.ask(move, Diff)
        again = await one.ask(move, Diff)
        assert again == first
        assert first.legal
        assert (await one.ask(Move(shown.race, 2, first.legal[0]), Diff)).n == 2


@either_codec
async def test_another_move_with_the_same_number_is_refused_and_changes_nothing(
    server: ServerProcess, subprotocol: str
) -> None:
    async with peer(server.url, subprotocol) as one:
        shown = await practice(one)
        await one.ask(Move(shown.race, 1, shown.legal[0]), Diff)
        assert await refusal_of(one, Move(shown.race, 1, shown.legal[1])) == (
            "conflict",
            "You already played a different move 1.",
        )
        room = await one.ask(Join(shown.race, ref=3), Room)
        assert room.seats[0].moves == 1


@pytest.mark.parametrize(
    ("n", "move", "answer"),
    [
        (0, "turn", ("gap", "Moves are numbered from 1.")),
        (2, "turn", ("gap", "Your next move is number 1.")),
        (2**31, "turn", ("gap", "Your next move is number 1.")),
        (1, "undo", ("illegal", "Nothing to undo since the last card was dealt.")),
    ],
)
async def test_an_illegal_move_is_refused_with_its_number(
    server: ServerProcess, n: int, move: str, answer: tuple[Code, str]
) -> None:
    async with peer(server.url) as one:
        shown = await practice(one)
        assert await refusal_of(one, Move(shown.race, n, move)) == answer
        assert [m.ref for m in one.heard if isinstance(m, Refused)] == [n]


@pytest.mark.parametrize(
    "text", ["", " ", "castle", "3 3 3 3 3 3", "\x1b[2J\x00", "\N{RIGHT-TO-LEFT OVERRIDE}3 w"]
)
async def test_text_that_is_not_a_move_is_quoted_safely(server: ServerProcess, text: str) -> None:
    async with peer(server.url) as one:
        shown = await practice(one)
        code, said = await refusal_of(one, Move(shown.race, 1, text))
        assert code == "notation"
        assert said.isprintable(), "a terminal would obey the rest"
        assert len(said) < 200


async def test_a_move_is_acknowledged_on_a_connection_that_had_left_the_race(
    server: ServerProcess,
) -> None:
    async with peer(server.url) as one:
        shown = await practice(one)
        await one.ask(Leave(shown.race, ref=3), Left)
        assert (await one.ask(Move(shown.race, 1, shown.legal[0]), Diff)).n == 1


# Races


@pytest.mark.parametrize(
    ("race", "answer"),
    [
        ("ZZZZZZ", "There is no race ZZZZZZ; check its name."),
        ("zz-zz zz", "There is no race ZZZZZZ; check its name."),
        ("", "A race is named daily, or by the six-letter code of its room."),
        ("\0\0\0\0\0\0", "A race is named daily, or by the six-letter code of its room."),
        ("{room}}:{", "A race is named daily, or by the six-letter code of its room."),
        ("daily.2020-02-30.bigben.book", "There is no day '2020-02-30'; write it like 2026-11-21."),
        (
            "daily.day",
            "No daily race is called 'day'; the rules are standard, book, open, and the "
            f"games {', '.join(GAMES)}.",
        ),
        (
            "daily.2020-01-01.bigben.standard",
            "There is no race daily.2020-01-01.bigben.standard; check its name.",
        ),
    ],
)
async def test_an_unknown_race_is_refused(server: ServerProcess, race: str, answer: str) -> None:
    async with peer(server.url) as one:
        for message in (Join(race, ref=1), Watch(race, ref=1), Move(race, 1, "turn")):
            assert await refusal_of(one, message) == ("unknown", answer)


@pytest.mark.parametrize("race", ["daily", "daily.open"])
async def test_a_daily_has_no_rematch_even_if_it_must_be_read_first(
    server: ServerProcess, race: str
) -> None:
    async with peer(server.url) as one:
        assert (await refusal_of(one, Rematch(race)))[0] == "phase"


async def test_a_board_with_an_invalid_date_is_refused(server: ServerProcess) -> None:
    async with peer(server.url) as one:
        code, text = await refusal_of(one, GetLeaderboard(date="yesterday!", ref=1))
        assert code in ("board", "unknown")
        assert "'yesterday!'" in text
        assert text.endswith(".")


# Names and tokens


async def test_another_message_before_hello_is_refused(server: ServerProcess) -> None:
    async with peer(server.url, name="") as one:
        answer = await one.ask(Join("daily", ref=1), Refused)
        assert (answer.code, answer.text) == ("hello", "Say hello first.")
        assert await one.closed() == (1008, "Say hello first.")


async def test_a_second_hello_is_refused(server: ServerProcess) -> None:
    async with peer(server.url) as one:
        assert await refusal_of(one, Hello("Eve")) == ("hello", "You have said hello already.")


@either_codec
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "at least one letter"),
        ("   ", "at least one letter"),
        ("Ada\r\nBob", "no control"),
        ("\x1b[31mAda", "no control"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}adA", "direction"),
        ("A" * 33, "at most 32 letters"),
    ],
)
async def test_a_name_that_cannot_be_shown_is_refused_with_the_reason(
    server: ServerProcess, subprotocol: str, name: str, reason: str
) -> None:
    async with peer(server.url, subprotocol, name="") as one:
        refusal = await one.ask(Hello(name), Refused)
        assert refusal.code == "name"
        assert reason in refusal.text
        assert refusal.text.endswith(".")
        assert await one.closed() == (1008, refusal.text)


@either_codec
async def test_a_name_of_ten_thousand_letters_is_not_a_valid_message(
    server: ServerProcess, subprotocol: str
) -> None:
    async with peer(server.url, subprotocol, name="") as one:
        await one.say(Hello("x" * 10_000))
        assert await one.closed() == (1007, "Expected `str` of length <= 200 - at `$.name`")


def _base64(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


BAD_TOKENS = {
    "nonsense": "nonsense",
    "unsigned": _base64('{"alg":"none"}') + "." + _base64('{"iss":"guest"}') + ".",
    "nested deeply": f"{_base64('[' * 1_400)}.{_base64('{}')}.",
    "not base64": "\N{SNOWMAN}.\0.\n",
}


@pytest.mark.parametrize("token", BAD_TOKENS.values(), ids=BAD_TOKENS)
async def test_an_invalid_token_is_refused(server: ServerProcess, token: str) -> None:
    async with peer(server.url, name="") as one:
        refusal = await one.ask(Hello(token=token), Refused)
        assert refusal.code == "token"
        assert token not in refusal.text
        assert await one.closed() == (1008, refusal.text)


async def test_a_token_with_one_letter_changed_is_refused(server: ServerProcess) -> None:
    async with peer(server.url, name="") as one:
        token = (await one.ask(Hello("Ada"), Welcome)).token
    changed = token[:-10] + ("A" if token[-10] != "A" else "B") + token[-9:]
    async with peer(server.url, name="") as one:
        assert (await one.ask(Hello(token=changed), Refused)).code == "token"


# Too much


async def test_a_peer_that_sends_too_fast_is_refused_and_then_closed(server: ServerProcess) -> None:
    async with peer(server.url) as one:
        frames = CODECS[JSON].encode(Ping(1))
        for _ in range(300):
            await one.send(frames)
        refusal = await one.until(Refused)
        assert refusal.code == "rate"
        assert await one.closed() == (1008, refusal.text)
