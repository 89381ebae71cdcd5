"""``restored``: after a restore from a backup, takes back what players have seen of open races.

Everything after the backup is lost to the server, and players still know it. So races that were
open then are void, and the dailies of today are dealt again under a higher counter. If it is
interrupted, start it again: nobody has seen the cards of a counter that it skips.
"""

import argparse
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from bigben_protocol import RaceId, texts
from bigben_protocol.sentence import sentence
from bigben_server.ops.command import AdminCommand, Outcome, no_races, now_ms
from bigben_server.ops.races import make_void, read
from bigben_server.race import daily
from bigben_server.race.events import Cancelled, Closed
from bigben_server.race.lobby import rematch_codes
from bigben_server.race.state import Race
from bigben_server.storage.admin import dump, maintenance
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.client import Damaged
from bigben_server.storage.dailies import deal_again
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store


@dataclass(slots=True)
class _Found:
    """What the restored store has."""

    open: list[Race] = field(default_factory=list)
    """The races that had not ended, without practice, which counts nowhere."""
    latest: int = 0
    """The latest time that any race has, ms since 1970; the backup is hardly older."""
    unread: list[Damaged] = field(default_factory=list)


async def _restored(store: Store, options: argparse.Namespace) -> Outcome:
    if servers := await maintenance.servers(store):
        text = "server processes are running" if servers > 1 else "server process is running"
        text = f"{servers} {text}; stop every server first"
        raise NotDone(
            f"{text}, because it has races in memory that the restored store does not have"
        )
    now = now_ms()
    today, seconds = daily.today(now), now // 1000 % 86_400
    found = await _look(store, options)
    if not found.latest:
        raise NotDone(no_races(store))
    at = datetime.fromtimestamp(found.latest / 1000, UTC)
    why = texts.said(sentence("plain.restored"))
    counter = await deal_again(store, today, seconds)
    todays = {which.id for which in daily.all_of(today)}
    void: list[RaceId] = []
    for race in options.progress.each("Open races", found.open):
        if race.id in todays:
            race = await _set_aside(store, race, Boards(store, options.ranked))
        await make_void(store, race, why, options)
        void.append(race.id)
    when = f"at the time of the backup, about {at:%Y-%m-%d %H:%M} UTC"
    said = [
        f"These races were open {when}, and are void: {', '.join(void)}."
        if void
        else f"No race was open {when}.",
        f"The dailies of {today} are dealt again, with the counter {counter}.",
        *(f"Not read, and left as it is: {damaged}." for damaged in found.unread),
        "You can start the servers.",
    ]
    facts = {"void": void, "day": f"{today}", "counter": counter, "backup_at": found.latest}
    return Outcome("\n".join(said), {**facts, "unread": [str(one) for one in found.unread]})


async def _look(store: Store, options: argparse.Namespace) -> _Found:
    """Read all races, without changing anything. Raises StoreLost."""
    found = _Found()
    for code in options.progress.each("Races", (await maintenance.names(store)).rooms):
        try:
            events = await store.events(code)
            found.latest = max(found.latest, 0, *(event.at for event in events))
            ended = any(isinstance(event, Closed | Cancelled) for event in events)
            race = None if ended else await read(store, code)
        except Damaged as damaged:
            found.unread.append(damaged)
            continue
        if race and not race.ended and race.opened.kind != "practice":
            found.open.append(race)
        if race:
            begun = (s.status for s in race.seats.values() if s.status.state == "playing")
            found.latest = max(found.latest, *(one.begun_at + one.ms for one in begun), 0)
    return found


async def _set_aside(store: Store, race: Race, boards: Boards) -> Race:
    """Give today's daily another id, so that its own is free for the one that is dealt again.

    Return it under the new id, which follows from its seed: an interrupted move is finished.
    """
    code = await _new_id(store, race)
    await boards.displace(await boards.results(race.id))
    await dump.copy_race(store, race.id, code, now_ms())
    await People(store).forget_races([race.id], race.seats)
    await store.strike(race.id)
    await dump.delete_race(store, race.id)
    moved = await read(store, code)
    assert moved, "its log was copied"
    return moved


async def _new_id(store: Store, race: Race) -> RaceId:
    for code in rematch_codes(race.opened.server_seed):
        events = await store.events(code, most=1)
        if not events or events[0] == race.opened:
            return code
    raise AssertionError("there is always another code")


COMMANDS: Final = (
    AdminCommand(
        "restored",
        "after a restore from a backup: make void what was open then, deal today's dailies again",
        _restored,
        asks="Was the store restored from a backup? All races that were open then become void.",
    ),
)
