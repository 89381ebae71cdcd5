"""Every game can be raced, practised and played as a daily, on a real server over real WebSockets.

Nobody is sent a card before the close that their own game has not shown.
"""

import asyncio
import json
import re
import urllib.request
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import pytest
from msgspec import to_builtins
from tests.support.server_process import UNHURRIED, ServerProcess, serving
from tests.support.torture import each_kind
from tests.wire.peer import Peer, peer

from bigben_protocol import (
    JSON,
    MSGPACK,
    Create,
    Diff,
    GetLeaderboard,
    GetRecord,
    Hello,
    Join,
    Leaderboard,
    Move,
    Ready,
    Record,
    Refused,
    Resume,
    Reveal,
    Room,
    ServerMessage,
    Snapshot,
    Standings,
    View,
    Watch,
    Welcome,
)
from bigben_rules import GAMES, Game, commitment, shuffle
from bigben_rules.position import shows

CARD: Final = re.compile(r"\b(?:10|[2-9AJQK])[CDHS]\b")
NONCE: Final = "5e" * 32
MOST_MOVES: Final = 80
LOST_AFTER: Final = 7
"""The move after which a racer loses the connection."""

HOSTILE: Final = (
    *("nonsense", "peek", "fdn", "KS", "", "\0", "undo", "UNDO ", "3 3", "w w", "99 fdn", "w 13"),
    *("swap 0", "swap 7 -1", "swap 13 52", "turn 7", "s w", "s f1", "13 h", "7 h", "h f1"),
    *("f1 h", "f1 w"),
)
"""What is legal in no position of any game."""

every_game = pytest.mark.parametrize("game", each_kind(GAMES))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("server"), UNHURRIED) as server:
        yield server
        assert server.complaints() == []
        assert not CARD.search(server.log())


def cards_in(messages: Sequence[ServerMessage]) -> set[str]:
    """Every card that these messages name, wherever they do."""
    return set(CARD.findall(json.dumps(to_builtins(messages))))


def cards_of(view: View) -> set[str]:
    return {card for pile in view.piles.values() for card in pile.up}


async def play(one: Peer, view: View, random: Random, *, most: int = MOST_MOVES) -> View:
    """Random legal moves, up to this number; every card that is sent is one that they showed."""
    seen = cards_of(view)
    while view.legal and view.n < most:
        move = random.choice(view.legal)
        diff = await one.ask(Move(view.race, view.n + 1, move), Diff)
        view = view.after(diff)
        seen |= cards_of(view)
        assert cards_in([diff]) <= seen
    return view


async def end(one: Peer, view: View) -> None:
    """Resign, if the game is not over."""
    if view.state == "playing":
        await one.ask(Move(view.race, view.n + 1, "resign"), Diff)


async def seated(one: Peer, race: str) -> View:
    """Begin in this race, as soon as the cards are dealt."""
    await one.say(Ready(race, NONCE))
    return View.of(await one.until(Snapshot))


def folded(record: Record) -> View:
    """The view after all moves of a record, from nothing but its steps."""
    row = record.standing
    piles = dict(record.piles)
    view = View(record.race, 0, "playing", 0, 0, piles, ())
    for n, ((ms, move), steps) in enumerate(zip(record.moves, record.steps, strict=True), 1):
        view = view.after(Diff(record.race, n, move, steps, row.state, row.home, ms))
    return view


@every_game
async def test_a_live_race_in_every_game(server: ServerProcess, game: Game) -> None:
    url, rules = server.url, game.variants[-1]
    async with (
        peer(url, JSON, name="") as ada,
        peer(url, MSGPACK, name="Bob") as bob,
        peer(url, JSON, name="Dora") as dora,
    ):
        welcome = await ada.ask(Hello("Ada"), Welcome)
        room = await ada.ask(Create(game.name, rules), Room)
        race = room.race
        assert (room.rules.game, room.rules.rules) == (game.name, rules)
        await bob.ask(Join(race), Room)
        await dora.ask(Watch(race), Room)
        view, bobs = await asyncio.gather(seated(ada, race), seated(bob, race))
        view = await play(ada, view, Random(1), most=LOST_AFTER)
        for text in HOSTILE:
            refused = await ada.ask(Move(race, view.n + 1, text), Refused)
            assert refused.code in ("illegal", "notation")
            told = CARD.findall(refused.text.replace(repr(text), ""))
            assert set(told) <= cards_of(view), refused
        bobs = await play(bob, bobs, Random(2), most=LOST_AFTER)
        async with peer(url, MSGPACK, name="") as again:
            ada.socket.transport.abort()
            await again.ask(Hello(token=welcome.token), Welcome)
            await again.say(Resume(race))
            assert View.of(await again.until(Snapshot)).piles == view.piles
            view = await play(again, view, Random(3))
            own = await again.ask(GetRecord(race), Record)
            assert folded(own).piles == view.piles
            assert not own.order
            assert (await dora.ask(GetRecord(race, welcome.player), Refused)).code == "phase"
            assert not cards_in(dora.heard), "a spectator learns no card"
            await end(again, view)
            await end(bob, await play(bob, bobs, Random(4)))
            await check_the_close(dora, game, room)


async def check_the_close(dora: Peer, game: Game, room: Room) -> None:
    """The deal and all moves of a closed race hold by the rules, and the places by the results."""
    final = await dora.until(Standings, lambda standings: standings.final)
    reveal = await dora.until(Reveal)
    assert reveal.commitment == room.commitment == commitment(bytes.fromhex(reveal.server_seed))
    for row in final.rows:
        record = await dora.ask(GetRecord(room.race, row.player), Record)
        order = shuffle(game.pack, bytes.fromhex(reveal.seed))
        assert record.order == order
        position = game.deal(order, room.rules.rules)
        for _, move in record.moves:
            if move != "resign":
                position, _ = position.apply(position.parse(move))
        assert (row.home, row.state == "won") == (position.progress, position.won)
        assert row.state in ("won", "blocked", "resigned")
        piles = {name: (pile.up, pile.down) for name, pile in folded(record).piles.items()}
        assert piles == position.piles()
    if not game.description.decides:
        assert [row.place for row in final.rows] == [1, 1]


@every_game
async def test_practice_in_every_game_with_undo(server: ServerProcess, game: Game) -> None:
    """A move that has shown a card can't be undone; any other can."""
    seed = "ab" * 32
    position = game.deal(shuffle(game.pack, bytes.fromhex(seed)), "standard")
    async with peer(server.url) as ada:
        room = await ada.ask(Create(game.name, practice=True, seed=seed), Room)
        view = await seated(ada, room.race)
        for _ in range(12):
            if not view.legal:
                break
            move = Random(view.n).choice(view.legal)
            position, steps = position.apply(position.parse(move))
            diff = await ada.ask(Move(view.race, view.n + 1, move), Diff)
            before, view = view, view.after(diff)
            assert view.can_undo is not shows(steps)
            undo = Move(view.race, view.n + 1, "undo")
            if shows(steps):
                assert not cards_in([await ada.ask(undo, Refused)])
                continue
            view = view.after(await ada.ask(undo, Diff))
            assert view.piles == before.piles
            view = view.after(await ada.ask(Move(view.race, view.n + 1, move), Diff))


@every_game
async def test_a_daily_in_every_game_with_its_board(server: ServerProcess, game: Game) -> None:
    async with peer(server.url) as ada, peer(server.url, name="Bob") as bob:
        room = await ada.ask(Join(f"daily.{game.name}"), Room)
        assert room.race.endswith(f".{game.name}.standard")
        await bob.ask(Join(room.race), Room)
        for one, luck in ((ada, 1), (bob, 2)):
            await end(one, await play(one, await seated(one, room.race), Random(luck)))
        asked = GetLeaderboard(game=game.name)
        board = await ada.ask(asked, Leaderboard)
        assert board.board == room.race
        assert {row.name for row in board.rows} == {"Ada", "Bob"}
        if not game.description.decides:
            assert {row.place for row in board.rows} == {1}
    http = server.url.replace("ws:", "http:")
    address = f"{http}/api/leaderboard?game={game.name}"
    with await asyncio.to_thread(urllib.request.urlopen, address) as response:
        assert json.load(response)["total"] == 2
