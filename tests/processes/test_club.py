"""A club of forty races for eight weeks, by a clock of its own, on two servers that are killed."""

import asyncio
import random
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import pytest
from tests.compatibility.stopped_clock import FILE, StoppedClock
from tests.processes.playing import client, heard, serving, until
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess

from bigben_client import Client, RefusedError, ask_receipt
from bigben_protocol import Plan, Reveal, Season
from bigben_protocol.seasons import (
    AddMember,
    Change,
    ChangeWeek,
    LeaveSeason,
    PutBack,
    SeasonWeek,
    TakeOut,
    VoidWeek,
)
from bigben_server.ops.admin import admin
from bigben_server.storage.client import chunks

HOUR: Final = 3_600_000
BERLIN: Final = ZoneInfo("Europe/Berlin")
PLAN: Final = Plan("Sunday Club", "2026-10-02", zone="Europe/Berlin", scale="")
"""Summer time ends in its fourth week."""
MEMBERS: Final = 40
PLAYED: Final = 0.8
"""How likely a member plays a week."""


def at(day: str) -> int:
    return round(datetime.fromisoformat(day).replace(tzinfo=BERLIN).timestamp() * 1000)


@dataclass
class Club:
    clock: StoppedClock
    servers: Sequence[ServerProcess]
    members: list[Client]
    """The first one organises, and the last one is in the club only once they are added."""
    draw: random.Random
    season: str = ""
    told: list[str] = field(default_factory=list)
    """What anybody could read of the season, as long as its races were not closed."""
    added: bool = False
    """Whether the last member may race."""
    receipts: dict[str, str] = field(default_factory=dict)
    """By race."""

    @property
    def organiser(self) -> Client:
        return self.members[0]

    async def change(self, change: Change, by: Client | None = None) -> Season:
        return await (by or self.organiser).change_season(self.season, change)

    async def shown(self) -> Season:
        return await self.draw.choice(self.members).season(self.season)

    async def week(self, number: int, phase: str) -> SeasonWeek:
        """A week, once it is in this phase."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                week = (await self.shown()).weeks[number - 1]
                if week.phase == phase and (week.race or phase == "to come"):
                    return week

    def read(self) -> str:
        """What a visitor without an account reads."""
        server = self.draw.choice(self.servers)
        address = f"http://127.0.0.1:{server.port}/api/seasons/{self.season}"
        with urllib.request.urlopen(address) as answer:
            return str(answer.read(), "utf-8")

    async def race(self, number: int, again: str = "") -> None:
        """Play a week from its opening to its close; ``again`` its second deal."""
        before = (await self.shown()).weeks[number - 1]
        self.clock.set(before.opens_at - 1)
        self.told.append(self.read())
        for one in self.draw.sample(self.members, 3):
            with pytest.raises(RefusedError) as refused:
                await one.join(f"week.{self.season}.{number}{again}")
            assert refused.value.code == "unknown"
        self.clock.set(before.opens_at)
        week = await self.week(number, "open")
        assert week.commitment == before.commitment
        playing = [one for one in self.members if self.draw.random() < PLAYED]
        self.draw.shuffle(playing)
        for some in chunks(playing, 10):
            self.clock.set(self.clock() + self.draw.randrange(HOUR))
            async with asyncio.TaskGroup() as group:
                for one in some:
                    group.create_task(self.play(one, week.race))
                if self.draw.random() < 0.4:
                    group.create_task(self.killed(self.draw.choice(self.servers)))
            self.told.append(self.read())
        self.clock.set(week.closes_at)
        await self.closed(week)

    async def play(self, one: Client, race: str) -> None:
        """Play some moves and give up, or be timed out at the close."""
        draw = random.Random(f"{one.player} {race}")
        if one is self.members[-1] and not self.added:
            with pytest.raises(RefusedError, match="members"):
                await one.join(race)
            return
        await one.join(race)
        await one.ready(race)
        await until(one, lambda: race in one.views)
        for _ in range(draw.randrange(6)):
            view = one.views[race]
            if view.state != "playing" or not view.legal:
                return
            await one.move(race, draw.choice(view.legal))
        if draw.random() < 0.9 and one.views[race].state == "playing":
            await one.move(race, "resign")

    async def killed(self, server: ServerProcess) -> None:
        await server.kill()
        await server.start()

    async def closed(self, week: SeasonWeek) -> None:
        """Take the receipt of a week, whose deal nobody was told before."""
        async with client(self.servers[0], "Visitor") as visitor:
            room = await visitor.watch(week.race)
            async with asyncio.timeout(PATIENCE_S):
                while room.phase != "closed":
                    room = await visitor.watch(week.race)
            reveal = await heard(visitor, Reveal)
            assert reveal.commitment == week.commitment
            for text in self.told:
                assert reveal.server_seed not in text
                assert reveal.seed not in text
            self.receipts[week.race] = await ask_receipt(visitor, room, reveal)


@asynccontextmanager
async def club(folder: Path, draw: random.Random) -> AsyncIterator[Club]:
    clock = StoppedClock(folder / "clock")
    clock.set(at("2026-09-28T12:00"))
    env = {FILE: str(folder / "clock"), "PYTHONPATH": str(ROOT)}
    command = (sys.executable, "-m", "tests.processes.clocked_server")
    async with AsyncExitStack() as stack:
        servers = [
            await stack.enter_async_context(serving(folder / "data", env=env, command=command))
            for _ in range(2)
        ]
        named = [(draw.choice(servers), f"Member {n}") for n in range(MEMBERS)]
        members = [await stack.enter_async_context(client(*one)) for one in named]
        founded = Club(clock, servers, members, draw)
        (group,) = (await founded.organiser.create_group("The Aces")).groups
        await members[-1].create_group("Elsewhere")
        clock.set(clock() + 1)
        for one in members[1:-1]:
            await one.join_group(group.code)
        made = await founded.organiser.make_season(group.group, PLAN)
        founded.season = made.season
        assert [datetime.fromtimestamp(w.opens_at / 1000, BERLIN).hour for w in made.weeks] == [
            18
        ] * 8
        yield founded


@pytest.mark.timeout(600)  # eight weeks, on cores that others use too
async def test_the_table_of_a_club_is_what_its_receipts_add_up_to(tmp_path: Path) -> None:
    async with club(tmp_path, random.Random(27)) as aces:
        await aces.race(1)
        third = (await aces.shown()).weeks[2]
        moved = ChangeWeek(3, third.opens_at + 24 * HOUR, third.closes_at + 12 * HOUR)
        await aces.change(moved)
        for number in (2, 3, 4):
            await aces.race(number)
        assert (await aces.shown()).weeks[2].opens_at == moved.opens_at
        await aces.change(AddMember(aces.members[-1].player))
        aces.added = True
        await aces.race(5)
        now = aces.clock()
        again = VoidWeek(5, "The door was closed.", now + HOUR, now + 24 * HOUR)
        await aces.change(again)
        await aces.race(5, ".2")
        await aces.change(LeaveSeason(), by=aces.members[7])
        await aces.race(6)
        results = (await aces.shown()).weeks[5].results
        for one in (results[0], results[3]):
            await aces.change(TakeOut(6, one.player, "Played twice."))
        await aces.change(PutBack(6, results[3].player))
        await aces.race(7)
        await aces.race(8)
        left = aces.members[7]
        if any(row.player == left.player for row in (await aces.shown()).rows):
            await aces.change(LeaveSeason(), by=left)  # a later result has brought the row back
        season = await aces.shown()
        assert season.phase == "over"
        assert recomputed(tmp_path, aces, out=f"6={results[0].player}", left=left.player) == [
            (row.place, row.total, row.moved, row.player) for row in season.rows if row.place
        ]
        argv = ["--data", str(aces.servers[0].data), "rebuild-boards"]
        assert await asyncio.to_thread(admin, argv) == 0
        assert (await aces.shown()).rows == season.rows
        assert [type(one.change) for one in season.changes][:2] == [ChangeWeek, AddMember]


def recomputed(folder: Path, aces: Club, *, out: str, left: str) -> list[tuple[int, int, int, str]]:
    """The table as the script in the documents makes it of the receipts alone."""
    files = [folder / f"{race}.json" for race in aces.receipts]
    for file, receipt in zip(files, aces.receipts.values(), strict=True):
        file.write_text(receipt, "utf-8")
    command: list[str | Path] = [
        sys.executable,
        ROOT / "docs" / "season_table.py",
        "--out",
        out,
        "--left",
        left,
    ]
    said = subprocess.run([*command, *files], capture_output=True, check=True, text=True)
    rows = [line.split("\t") for line in said.stdout.splitlines()]
    return [
        (int(row[0]), round(float(row[2]) * 100), 0 if row[1] == "new" else int(row[1]), row[-2])
        for row in rows
    ]
