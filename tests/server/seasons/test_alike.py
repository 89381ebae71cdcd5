"""Organisers learn which attempts of closed weeks are alike, and nobody else learns anything."""

import asyncio
from random import Random

import pytest
from msgspec import UNSET
from tests.server.guests import Guest, running
from tests.server.seasons.clubs import HOUR, club, member
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON

from bigben_protocol import (
    Alike,
    Diff,
    GetAlike,
    Join,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Refused,
    Reveal,
    Room,
    Snapshot,
)
from bigben_server.rooms.deals import weeks
from bigben_server.storage.client import Client
from bigben_server.storage.race_log import Store

MOVES = 22
"""Of each attempt, before its player gives up."""


async def attempt(one: Guest, race: RaceId, clock: Clock[int], chance: Random) -> None:
    """Make moves by chance alone: the same chance makes the same moves."""
    one.say(Join(race))
    await one.until(Room, lambda room: room.race == race)
    one.say(Ready(race))
    legal = (await one.until(Snapshot)).legal
    for n in range(1, MOVES + 1):
        clock.now += 1_000
        told = await one.ask(Move(race, n, chance.choice(legal)), Diff)
        assert told.legal is not UNSET
        legal = told.legal
    clock.now += 1_000
    await one.ask(Move(race, MOVES + 1, "resign"), Diff)
    clock.now += HOUR


async def test_a_planted_pair_is_told_to_organisers_alone(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weeks, "LOOK_S", 0.01)
    clock = Clock(NOON)
    async with running(client, clock, thinkers=1) as app:
        ann, _, code, season = await club(app)
        players: dict[str, tuple[Guest, PlayerId]] = {}
        for name in ("Bob", "Cid", "Second Bob"):
            guest, me = await member(app, name, code)
            players[name] = guest, me.player
        asks = GetAlike(season.season)
        for week in (1, 2):
            shown = season.weeks[week - 1]
            clock.now = shown.opens_at
            race = RaceId(f"week.{season.season}.{week}")
            async with asyncio.timeout(PATIENCE_S):
                while not await Store(client).events(race):  # noqa: ASYNC110  # nobody tells
                    await asyncio.sleep(0)
            for name, (guest, _) in players.items():
                chance = Random(f"{week} {'Bob' if 'Bob' in name else name}")
                await attempt(guest, race, clock, chance)
            told = await ann.ask(asks, Alike)
            while told.done < told.of:
                told = await ann.until(Alike)
            assert (told.compared, told.pairs) == ((0, ()) if week == 1 else (3, told.pairs))
            clock.now = shown.closes_at
            await players["Bob"][0].until(Reveal)
        (bob, bob_is), (_, second_is) = players["Bob"], players["Second Bob"]
        assert (await bob.ask(asks, Refused)).id == "season.organisers"
        told = await ann.ask(asks, Alike)
        steps = [told.done]
        while told.done < told.of:
            told = await ann.until(Alike)
            steps.append(told.done)
        assert steps == sorted({*steps})
        assert (told.compared, told.one_in) == (3, 10_000)
        (pair,) = told.pairs
        assert ({*pair.players}, {*pair.names}) == ({bob_is, second_is}, {"Bob", "Second Bob"})
        assert (pair.kind, pair.weeks, pair.explained_by) == ("copied", (1, 2), 1)
        assert pair.score >= 100
        assert {one.player for one in pair.choices} == {second_is}
        kept = [one async for one in client.scan_iter("*:analysis:*")]
        assert sum(not one.endswith(b":progress") for one in kept) == 2
        for one in kept:
            assert "guest:" not in str(await client.get(one))
