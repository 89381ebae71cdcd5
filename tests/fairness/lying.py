"""A dishonest server: a relay in front of a real one that alters the server's messages.

The relay lies to every client, over JSON or MessagePack. It forwards HTTP requests unchanged. It
runs in a thread, because Playwright's event loop does not allow another one.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from http.client import HTTPConnection
from typing import Final
from urllib.parse import urlsplit

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from bigben_client.evidence.fairness import What
from bigben_protocol import (
    CODECS,
    Chosen,
    Diff,
    Pile,
    PlayerId,
    Record,
    Reveal,
    Room,
    ServerMessage,
    Snapshot,
    Welcome,
    digest,
    house_player,
)
from bigben_rules import commitment, counted, nonce_hash

Lie = Callable[[ServerMessage], ServerMessage]
"""Replaces an honest message."""

OTHER_SEED: Final = "11" * 32


def honest(message: ServerMessage) -> ServerMessage:
    """Change nothing."""
    return message


def another_server_seed(message: ServerMessage) -> ServerMessage:
    """Another seed with a matching commitment, only in the Reveal."""
    if not isinstance(message, Reveal):
        return message
    told = replace(
        message, server_seed=OTHER_SEED, commitment=commitment(bytes.fromhex(OTHER_SEED))
    )
    return replace(told, seed=_seed(told))


def nonces_dropped(message: ServerMessage) -> ServerMessage:
    """Claim that the seed has no nonces."""
    if not isinstance(message, Reveal):
        return message
    told = replace(message, nonces=("",) * len(message.nonces))
    return replace(told, seed=_seed(told))


def nonces_changed(message: ServerMessage) -> ServerMessage:
    """Claim that every seat sent another nonce."""
    if not isinstance(message, Reveal):
        return message
    told = replace(message, nonces=tuple(nonce and OTHER_SEED for nonce in message.nonces))
    return replace(told, seed=_seed(told))


def nonces_never_mixed(message: ServerMessage) -> ServerMessage:
    """Deny that nonces were waited for, and leave out those that came, but the first two."""
    if not isinstance(message, Reveal):
        return message
    nonces = tuple(n if i < 2 else "" for i, n in enumerate(message.nonces))
    told = replace(message, nonces=nonces, nonce_states=(), mixed_at=0)
    return replace(told, seed=_seed(told))


def hashes_changed(message: ServerMessage) -> ServerMessage:
    """At the close, show other hashes than the countdown had, as to a player with another list."""
    if not isinstance(message, Room) or message.phase != "closed":
        return message
    hashes = tuple(sha256(one.encode()).hexdigest() for one in message.nonce_hashes)
    return replace(message, nonce_hashes=hashes)


def a_seat_more(message: ServerMessage) -> ServerMessage:
    """At the close, show a second account that was not there when the nonces were sent."""
    match message:
        case Room(phase="closed", seats=seats, nonce_hashes=hashes):
            more = replace(seats[0], player=PlayerId("guest:another"))
            return replace(message, seats=(*seats, more), nonce_hashes=(*hashes, OTHER_SEED))
        case Reveal(nonces=nonces, nonce_states=states):
            told = replace(message, nonces=(*nonces, OTHER_SEED), nonce_states=(*states, "late"))
            return replace(told, seed=_seed(told))
        case _:
            return message


class OfAnother:
    """Lies about the seat of the player or of another one: ``told`` says which, and how."""

    def __init__(self, told: Callable[[Room | Reveal, int], ServerMessage], *, own: bool) -> None:
        self._told = told
        self._own = own
        self._player = ""
        self._seat = 0

    def __call__(self, message: ServerMessage) -> ServerMessage:
        match message:
            case Welcome(player=player):
                self._player = player
            case Room(seats=seats):
                is_own = [seat.player == self._player for seat in seats]
                if self._own not in is_own:
                    return message
                self._seat = is_own.index(self._own)
                return self._told(message, self._seat)
            case Reveal():
                return self._told(message, self._seat)
            case _:
                pass
        return message


def _a_friends_nonce(message: Room | Reveal, seat: int) -> ServerMessage:
    """Another nonce for a friend, with the hash that fits it, once all honest ones have come."""
    match message:
        case Room(phase="closed", race=race, seats=seats, nonce_hashes=hashes):
            hashed = nonce_hash(race, seats[seat].player, bytes.fromhex(OTHER_SEED))
            return replace(message, nonce_hashes=_with(hashes, seat, hashed))
        case Reveal(nonces=nonces):
            told = replace(message, nonces=_with(nonces, seat, OTHER_SEED))
            return replace(told, seed=_seed(told))
        case _:
            return message


def _a_nonce_dropped(message: Room | Reveal, seat: int) -> ServerMessage:
    """The player's nonce was stored, and is told to have been withheld."""
    if not isinstance(message, Reveal):
        return message
    nonces = _with(message.nonces, seat, "")
    states = (*message.nonce_states[:seat], "withheld", *message.nonce_states[seat + 1 :])
    told = replace(message, nonces=nonces, nonce_states=states)
    return replace(told, seed=_seed(told))


def _a_house_nonce(message: Room | Reveal, seat: int) -> ServerMessage:
    """A seat whose nonce counts is said to be the house's, from the start."""
    if not isinstance(message, Room):
        return message
    house = replace(message.seats[seat], player=house_player("beginner"))
    hashes = message.nonce_hashes
    if hashes and hashes[seat]:
        hashed = nonce_hash(message.race, house.player, bytes.fromhex(OTHER_SEED))
        hashes = _with(hashes, seat, hashed)
    seats = (*message.seats[:seat], house, *message.seats[seat + 1 :])
    return replace(message, seats=seats, nonce_hashes=hashes)


def _another_own_hash(message: Room | Reveal, seat: int) -> ServerMessage:
    """The list of the countdown has another hash at the player's own seat."""
    if not isinstance(message, Room) or message.phase == "open" or not message.nonce_hashes:
        return message
    return replace(message, nonce_hashes=_with(message.nonce_hashes, seat, OTHER_SEED))


def _with(texts: tuple[str, ...], at: int, text: str) -> tuple[str, ...]:
    return (*texts[:at], text, *texts[at + 1 :])


def a_chosen_deal(message: ServerMessage) -> ServerMessage:
    """Claim that another deal of the seed was played, as if the race had asked for a choice."""
    if not isinstance(message, Reveal):
        return message
    seed = counted(bytes.fromhex(message.seed), 16).hex()
    return replace(message, chosen=Chosen(16, certificate=("turn",)), seed=seed)


def a_graded_deal(message: ServerMessage) -> ServerMessage:
    """Claim a grade and a certificate for the first deal, of which nobody asked them."""
    if not isinstance(message, Reveal):
        return message
    return replace(message, chosen=Chosen(0, "easy", ("turn",)))


def dealt_again(message: ServerMessage) -> ServerMessage:
    """Claim at the close that the cards were dealt again, which only a daily's are."""
    if isinstance(message, Room) and message.phase == "closed":
        return replace(message, counter=7)
    return message


def another_order(message: ServerMessage) -> ServerMessage:
    """Exchange the last two cards of the stock, which nobody has seen."""
    if not isinstance(message, Record) or not message.order:
        return message
    cards = list(message.order)
    # The two packs have every card twice: swap two that differ.
    other = max(i for i, card in enumerate(cards) if card != cards[-1])
    cards[other], cards[-1] = cards[-1], cards[other]
    return replace(message, order=tuple(cards))


def another_move(message: ServerMessage) -> ServerMessage:
    """Change the first move of every record."""
    if not isinstance(message, Record) or not message.moves:
        return message
    (ms, text), *rest = message.moves
    return replace(message, moves=((ms, "3 f9" if text == "turn" else "turn"), *rest))


def another_time(message: ServerMessage) -> ServerMessage:
    """Make the last move of every record earlier."""
    if not isinstance(message, Record) or not message.moves:
        return message
    *rest, (ms, text) = message.moves
    return replace(message, moves=(*rest, (max(ms - 1, 0) if ms else 1, text)))


def another_begin(message: ServerMessage) -> ServerMessage:
    """Make every clock of a record start earlier."""
    if not isinstance(message, Record) or not message.begun_at:
        return message
    return replace(message, begun_at=message.begun_at - 1)


def another_start(message: ServerMessage) -> ServerMessage:
    """Claim after the close that the race started earlier."""
    if isinstance(message, Room) and message.phase == "closed" and message.starts_at:
        return replace(message, starts_at=message.starts_at - 1)
    return message


def other_rules(message: ServerMessage) -> ServerMessage:
    """Claim after the close that the race had other rules."""
    if isinstance(message, Room) and message.phase == "closed":
        return replace(message, rules=replace(message.rules, undo=not message.rules.undo))
    return message


class OtherCards:
    """Exchange the lowest cards of the fans at 12 and 1 from the first Snapshot on.

    The digests match, so a client that only applies diffs notices nothing. Moves must not touch
    these two cards.
    """

    def __init__(self) -> None:
        self._piles: dict[str, dict[str, Pile]] = {}

    def __call__(self, message: ServerMessage) -> ServerMessage:
        match message:
            case Snapshot():
                piles = _exchanged(message.piles)
                self._piles[message.race] = piles
                return replace(message, piles=piles, digest=_digest(piles))
            case Diff():
                piles = self._piles[message.race]
                for step in message.steps:
                    source, target = piles[step.source], piles[step.target]
                    down = source.down if source.up else source.down - 1
                    piles[step.source] = Pile(source.up[:-1], down)
                    piles[step.target] = Pile((*target.up, step.card), target.down)
                return replace(message, digest=_digest(piles))
            case _:
                return message


def _exchanged(piles: Mapping[str, Pile]) -> dict[str, Pile]:
    noon, one = piles["12"].up, piles["1"].up
    return {
        **piles,
        "12": Pile((one[0], *noon[1:])),
        "1": Pile((noon[0], *one[1:])),
    }


def _digest(piles: Mapping[str, Pile]) -> int:
    return digest({name: (pile.up, pile.down) for name, pile in piles.items()})


def _seed(told: Reveal) -> str:
    """The seed of a live race, if all of this were true."""
    nonces = "".join(told.nonces)
    return sha256(bytes.fromhex(told.server_seed + nonces)).hexdigest()


LIES: Final[Mapping[str, tuple[Callable[[], Lie], What]]] = {
    "another server seed": (lambda: another_server_seed, "server seed"),
    "nonces dropped": (lambda: nonces_dropped, "nonce"),
    "nonces changed": (lambda: nonces_changed, "nonce"),
    "nonces never mixed": (lambda: nonces_never_mixed, "nonce"),
    "hashes changed": (lambda: hashes_changed, "nonce"),
    "a seat more": (lambda: a_seat_more, "nonce"),
    "a friend's nonce": (lambda: OfAnother(_a_friends_nonce, own=False), "nonce"),
    "a nonce dropped": (lambda: OfAnother(_a_nonce_dropped, own=True), "nonce"),
    "a house nonce": (lambda: OfAnother(_a_house_nonce, own=False), "nonce"),
    "another own hash": (lambda: OfAnother(_another_own_hash, own=True), "nonce"),
    "a chosen deal": (lambda: a_chosen_deal, "choice"),
    "a graded deal": (lambda: a_graded_deal, "choice"),
    "dealt again": (lambda: dealt_again, "choice"),
    "another order": (lambda: another_order, "deal"),
    "another move": (lambda: another_move, "moves"),
    "another time": (lambda: another_time, "times"),
    "another begin": (lambda: another_begin, "start"),
    "another start": (lambda: another_start, "start"),
    "other rules": (lambda: other_rules, "rules"),
    "other cards": (OtherCards, "cards"),
}
"""A factory for each lie about a live race, and what a check must find."""


class LyingServer:
    """A relay with one port for WebSockets and for the page."""

    def __init__(self, real: str, lie: Callable[[], Lie]) -> None:
        """``real`` is the address of the honest server, ``ws://127.0.0.1:8765``."""
        self._real = real
        self._lie = lie
        self.url = ""

    async def run(self, started: threading.Event, stop: asyncio.Event) -> None:
        subprotocols = [Subprotocol(name) for name in CODECS]
        async with serve(
            self._relay,
            "127.0.0.1",
            0,
            subprotocols=subprotocols,
            process_request=self._page,
            compression=None,
        ) as serving:
            host, port = next(iter(serving.sockets)).getsockname()
            self.url = f"ws://{host}:{port}"
            started.set()
            await stop.wait()

    async def _relay(self, near: ServerConnection) -> None:
        assert near.subprotocol is not None, "a client of this protocol"
        codec, lie = CODECS[near.subprotocol], self._lie()
        async with connect(
            self._real, subprotocols=[near.subprotocol], compression=None, proxy=None
        ) as far:
            asking = asyncio.create_task(_pass_on(near, far))
            try:
                async for frame in far:
                    told = lie(codec.decode_server(frame))
                    await near.send(codec.encode(told), text=codec.text)
            except ConnectionClosed:
                pass
            finally:
                asking.cancel()
            await near.close(far.close_code or 1000, far.close_reason or "")

    async def _page(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a plain GET as the real server does; None for a WebSocket's."""
        if "Upgrade" in request.headers:
            return None
        return await asyncio.to_thread(_get, self._real, request.path)


async def _pass_on(near: ServerConnection, far: ClientConnection) -> None:
    """Forward the client's messages unchanged, and its close."""
    try:
        async for frame in near:
            await far.send(frame)
    except ConnectionClosed:
        pass
    await far.close()


def _get(real: str, path: str) -> Response:
    connection = HTTPConnection(urlsplit(real).netloc)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
    finally:
        connection.close()
    hop_by_hop = ("connection", "date", "transfer-encoding")
    headers = [(name, v) for name, v in answer.getheaders() if name.lower() not in hop_by_hop]
    return Response(
        answer.status, answer.reason, Headers([*headers, ("Connection", "close")]), body
    )


@contextmanager
def lying(real: str, lie: Callable[[], Lie]) -> Iterator[LyingServer]:
    """The relay in front of the server at ``real``; ``url`` is its address."""
    server, started = LyingServer(real, lie), threading.Event()
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=(server.run(started, stop),))
    thread.start()
    assert started.wait(10), "the relay listens"
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
