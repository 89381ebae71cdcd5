"""Players who return to stored data: what they receive, and what they do."""

from functools import partial
from typing import Final

from tests.compatibility.conversation import Frame
from tests.compatibility.days import DISCORD, MORNING, WEEK
from tests.compatibility.relay import Hand, Relay, hand

from bigben_protocol import JSON, MSGPACK

HOUR: Final = 3_600_000
BOARDS: Final[tuple[Frame, ...]] = (
    {"date": "2026-11-19"},
    {"date": "2026-11-20"},
    {"date": "2026-11-19", "around": True, "count": 2},
    {"period": "weekly", "date": "2026-W47"},
    {"period": "weekly", "date": "2026-W47", "by": "rating"},
    {"period": "monthly", "date": "2026-11"},
    {"period": "all-time"},
    {"period": "all-time", "by": "rating"},
    {"period": "weekly", "date": "2026-W47", "group": "the-aces"},
    {"period": "weekly", "date": "2026-W47", "group": "discord:1042"},
    {"rules": "book"},
)


async def ask_all(one: Hand, races: list[str], players: list[str]) -> None:
    """Request everything that is stored about these races and players."""
    ref = 100
    for race in races:
        for kind in ("get-standings", "get-record"):
            ref += 1
            await one.say({"type": kind, "race": race, "ref": ref})
            await answer(one, ref)
        for player in players:
            ref += 1
            await one.say({"type": "get-record", "race": race, "player": player, "ref": ref})
            await answer(one, ref)
    for board in BOARDS:
        ref += 1
        await one.say({"type": "get-leaderboard", **board, "ref": ref})
        await answer(one, ref)
    for player in players:
        ref += 1
        await one.say({"type": "get-profile", "against": player, "ref": ref})
        await answer(one, ref)
    ref += 1
    await one.say({"type": "get-groups", "ref": ref})
    await answer(one, ref)


async def answer(one: Hand, ref: int) -> Frame:
    """The answer with this ``ref``."""
    while True:
        frame = await one.hear()
        if frame.get("ref") == ref:
            return frame


async def back(
    relay: Relay, token: str, races: list[str], codec: str
) -> tuple[Hand, dict[str, Frame]]:
    """A player who returns with their token, and their games by race."""
    one = await hand(relay.url, codec)
    await one.say({"type": "hello", "token": token})
    await one.until("welcome")
    games = {}
    for ref, race in enumerate(races, start=1):
        await one.say({"type": "resume", "race": race, "ref": ref})
        await answer(one, ref)
        # Other messages that belong to the answer come before the next answer.
        await one.say({"type": "ping", "sent": ref})
        while (frame := await one.hear())["type"] != "pong":
            if frame["type"] == "snapshot":
                games[race] = frame
    return one, games


async def play_on(relay: Relay, one: Hand, game: Frame, *texts: str) -> None:
    """Continue a game; an empty text is any legal move."""
    for text in texts:
        relay.wait(900)
        move = {"race": game["race"], "n": game["n"] + 1, "move": text or game["legal"][0]}
        await one.say({"type": "move", **move})
        game = await one.until("diff")


async def coming_back(relay: Relay, tokens: dict[str, str], races: dict[str, list[str]]) -> None:
    """Return to the data, play on, and let the time run out."""
    relay.wait_until(MORNING + HOUR // 6)
    async with relay.running():
        await relay.start()
        relay.open()
        hands = {}
        for (player, token), codec in zip(tokens.items(), (JSON, MSGPACK, JSON), strict=True):
            hands[player] = await back(relay, token, races[player], codec)
        for player, (one, _) in hands.items():
            await ask_all(one, races[player], [*tokens])
        for one, games in hands.values():
            for game in games.values():
                if game["state"] == "playing":
                    undo = ["undo", ""] if game.get("can_undo") else []
                    await play_on(relay, one, game, *undo, "", "deal")
        for path in (WEEK, *(f"/api/players/{player}?against={DISCORD}" for player in tokens)):
            await relay.get(path)
        for one, _ in hands.values():
            await one.leave()
        for now, races_rated in ((MORNING + 4 * HOUR, (2, 3, 2)), (MORNING + 16 * HOUR, (3, 4, 2))):
            await relay.stop()
            relay.wait_until(now)
            await relay.start()
            for player, count in zip(tokens, races_rated, strict=True):
                await relay.get(f"/api/players/{player}", partial(has_rated, count))
            relay.open()
            for player, token in tokens.items():
                hands[player] = await back(relay, token, races[player], MSGPACK)
        *_, (player, (one, _)) = hands.items()
        await ask_all(one, races[player], [*tokens])
        await relay.get(WEEK)
        await relay.stop()


def has_rated(count: int, profile: Frame) -> bool:
    """Whether this many races count in the player's rating."""
    return any(tally.get("rated") == count for tally in profile["tallies"])
