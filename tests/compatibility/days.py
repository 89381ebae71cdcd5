"""Two days of play on a server behind a relay, with the client that front ends use."""

import asyncio
from contextlib import AsyncExitStack
from random import Random
from typing import Final

import jwt
from tests.compatibility.relay import ISSUER_KEY, Relay, hand
from tests.fairness.wins import WINS_739
from tests.rules.recorded import GAMES
from tests.support.patience import PATIENCE_S

from bigben_client import Backoff, Client
from bigben_protocol import JSON, MSGPACK, Phase

EVENING: Final = 1_795_118_400_000
"""2026-11-19 20:00 UTC."""
MORNING: Final = EVENING + 13 * 3_600_000
DISCORD: Final = "discord:80351110224678912"
WEEK: Final = "/api/leaderboard?period=weekly&date=2026-W47"
PLAYED: Final = "daily.2026-11-19.bigben.standard"


class Players(AsyncExitStack):
    """All players, who connect through the relay."""

    def __init__(self, relay: Relay) -> None:
        super().__init__()
        self.relay = relay
        self._random = Random(9)

    async def client(self, name: str, codec: str, *, token: str = "", nonce: bytes = b"") -> Client:
        """A client whose nonces consist of this byte, or are empty."""
        return await self.enter_async_context(
            Client(
                self.relay.url,
                name=name,
                token=token,
                subprotocol=codec,
                client="recorded/1",
                backoff=Backoff(first=0.05, longest=0.2),
                nonce_source=lambda size: nonce * size,
            )
        )

    async def move(self, one: Client, race: str, *texts: str, ms: int = 700) -> None:
        """Play these moves, with some time between them."""
        for text in texts:
            self.relay.wait(ms)
            await one.move(race, text)

    async def moves(self, one: Client, race: str, count: int) -> None:
        """Play any legal moves, preferably home."""
        for _ in range(count):
            legal = one.views[race].legal
            home = [move for move in legal if " f" in move]
            text = self._random.choice(home or legal)
            await self.move(one, race, text, ms=self._random.choice((300, 1_000, 2_500)))


async def until_phase(one: Client, race: str, phase: Phase) -> None:
    """Wait until the race is in this phase for this client, with its cards if it is running."""
    news = one.events()
    async with asyncio.timeout(PATIENCE_S):
        while one.rooms[race].phase != phase or (phase == "running" and race not in one.views):
            await anext(news)


async def both_ready(players: Players, race: str, *racers: Client) -> None:
    """Get ready, and let the countdown end."""
    for racer in racers:
        await racer.ready(race)
    for racer in racers:
        await until_phase(racer, race, "countdown")
    players.relay.wait(3_000)
    for racer in racers:
        await until_phase(racer, race, "running")


def discord_token(now: int) -> str:
    """A token as the Discord bot makes it for a user."""
    claims = {
        "iss": "discord",
        "sub": DISCORD,
        "name": "Grace",
        "iat": now // 1000,
        "exp": now // 1000 + 366 * 86_400,
        "groups": ["discord:1042"],
    }
    return jwt.encode(claims, ISSUER_KEY, algorithm="HS256")


async def refusals(players: Players, race: str) -> None:
    """Requests that are refused; the last one is not a message."""
    one = await hand(players.relay.url, JSON)
    await one.say({"type": "ping", "sent": 5})
    await one.until("pong")
    await one.say({"type": "hello", "name": "Eve"})
    await one.until("welcome")
    for frame in (
        {"type": "join", "race": "NOROOM", "ref": 1},
        {"type": "move", "race": race, "n": 1, "move": "turn"},
        {"type": "get-record", "race": race, "player": DISCORD, "ref": 2},
        {"type": "get-leaderboard", "rules": "none", "ref": 3},
        {"type": "get-leaderboard", "date": "2030-01-01", "ref": 4},
        {"type": "create", "practice": True, "seed": "5e", "ref": 5},
    ):
        await one.say(frame)
        await one.until("refused")
    await one.say({"type": "create", "practice": True, "seed": "5e" * 32, "ref": 6})
    race = (await one.until("room"))["race"]
    await one.say({"type": "ready", "race": race, "ref": 7})
    await one.until("progress")
    for n, text, kind in (
        (1, "3 fdn", "refused"),
        (1, "nonsense", "refused"),
        (2, "12 fdn", "refused"),
        (1, "12 fdn", "diff"),
        (1, "12 fdn", "diff"),
        (1, "4 f5", "refused"),
    ):
        await one.say({"type": "move", "race": race, "n": n, "move": text})
        await one.until(kind)
    await one.say({"type": "move", "race": race, "n": "one", "move": "turn"})
    assert await one.closed() == 1007


async def evening(players: Players, ada: Client, bob: Client, grace: Client) -> None:
    """Create a group, and play a practice game, a daily and a room to the end."""
    [group] = (await ada.create_group("The Aces")).groups
    await bob.join_group(group.code)

    practice = (await ada.create(practice=True, seed=GAMES["won_standard"].seed)).race
    await ada.ready(practice)
    await players.move(ada, practice, *GAMES["won_standard"].moves[:7], "undo", "undo")
    await players.move(ada, practice, "resign")
    await until_phase(ada, practice, "closed")
    await ada.leave(practice)

    for one in (ada, bob, grace):
        assert (await one.join("daily")).race == PLAYED
        await one.ready(PLAYED)
        await players.moves(one, PLAYED, 8)
    await players.move(ada, PLAYED, "resign")
    await players.move(bob, PLAYED, "resign", ms=0)

    room = (await ada.create(undo=True, limit_ms=600_000)).race
    await bob.join(room)
    cyd = await players.client("Cyd", MSGPACK)
    await cyd.watch(room)
    await both_ready(players, room, ada, bob)
    first, *others = WINS_739
    await players.move(ada, room, first, "undo", first, *others, ms=1501)
    assert ada.views[room].state == "won"
    await players.move(bob, room, first, *others[:5], "resign")
    for one in (ada, bob, cyd):
        await until_phase(one, room, "closed")
    await refusals(players, PLAYED)
    await cyd.leave(room)
    await ada.standings(room)
    await cyd.record(room, ada.player)


async def morning(players: Players, ada: Client, bob: Client, grace: Client) -> None:
    """Start a daily in each of two rule sets, a live race and a practice game."""
    for one, name, count in ((ada, "daily", 10), (bob, "daily", 5), (grace, "daily.book", 6)):
        daily = (await one.join(name)).race
        await one.ready(daily)
        await players.moves(one, daily, count)

    room = (await grace.create(undo=True)).race
    await bob.join(room)
    await both_ready(players, room, grace, bob)
    await players.moves(grace, room, 5)
    await players.moves(bob, room, 7)
    await players.move(bob, room, "undo")

    practice = (await ada.create(practice=True)).race
    await ada.ready(practice)
    await players.moves(ada, practice, 6)

    waiting = await bob.create(invite_only=True, limit_ms=0)
    assert waiting.invite
    cyd = await players.client("Cyd", JSON)
    await cyd.join(waiting.invite)
    await cyd.ready(waiting.race)

    link = await ada.link()
    phone = await players.client("", JSON, token=link.token)
    assert phone.player == ada.player
    await phone.join("daily")
    await players.moves(phone, "daily.2026-11-20.bigben.standard", 1)
    await players.client("Ada Lovelace", MSGPACK, token=ada.token)


async def two_days(relay: Relay) -> dict[str, str]:
    """Play, and return the tokens of the players who will return, by player."""
    relay.wait_until(EVENING)
    async with relay.running():
        async with Players(relay) as players:
            await relay.start()
            relay.open()
            ada = await players.client("Ada", JSON, nonce=b"\1")
            bob = await players.client("Bob ♣", MSGPACK)
            grace = await players.client("", MSGPACK, token=discord_token(EVENING), nonce=b"\3")
            await evening(players, ada, bob, grace)
            await relay.stop()
            relay.wait_until(MORNING)
            await relay.start()
            await relay.get(WEEK, lambda board: board["total"] == 3)
            relay.open()
            for one in (ada, bob, grace):
                await until_phase(one, PLAYED, "closed")
            await morning(players, ada, bob, grace)
            tokens = {str(one.player): one.token for one in (ada, bob, grace)}
        await relay.stop()
    return tokens
