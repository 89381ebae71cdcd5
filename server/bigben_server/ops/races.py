"""The commands about one race: close, void. Servers may run, and hear of it like from a peer."""

import argparse
import asyncio
from typing import Final

from bigben_protocol import RaceId
from bigben_server.leaderboards.recorder import finishes_of, record
from bigben_server.leaderboards.settler import Settler
from bigben_server.ops.command import AdminCommand, Argument, Outcome, now_ms, of_races
from bigben_server.ops.rebuild import rebuild
from bigben_server.race import daily, lobby, timers
from bigben_server.race.events import Cancelled, Voided
from bigben_server.race.state import Race
from bigben_server.storage.admin.appending import append, read_room
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.race_log import Store
from bigben_server.storage.schema import may_write

MOST_TRIES: Final = 100
"""How often to read a race again in which players or servers are always first."""
LONGEST_REASON: Final = 200


async def read(store: Store, code: RaceId) -> Race | None:
    """The race as it is stored; None if there is none. Raises StoreLost and Damaged."""
    if race := await read_room(store, code):
        for player, status in (await store.statuses(code, list(race.seats))).items():
            race.take_status(player, status)
    return race


async def end(store: Store, code: RaceId, void: str = "") -> Race:
    """End a race now, as its time limit would, and with a reason make it void; then it is written.

    A room that has not started is cancelled. Call ``recorded`` next. It is idempotent. Raises
    NotDone, StoreLost and Damaged.
    """
    for _ in range(MOST_TRIES):
        race, now = await read(store, code), now_ms()
        if race is None:
            raise NotDone(f"there is no race {code}")
        due_at = timers.due_at(race, now)
        if race.phase(now) == "countdown" and now < due_at:  # its cards come first
            await asyncio.sleep((due_at - now) / 1000)
            continue
        appends = [] if race.ended else [*timers.tick(race, now, closing=True)]
        if race.ended and void and not race.void:
            appends.append(race.write(Voided(now, void)))
        if not appends:
            return race
        # On the agenda servers find it, if this process dies before all of it is recorded.
        await append(store, appends, {code: now} if race.ended else {})
    raise NotDone(f"{code} changes all the time; try again")


async def recorded(store: Store, settler: Settler, race: Race) -> None:
    """Record the end of a race, and settle it unless a server is just settling."""
    await record(store, settler, finishes_of(race, race.seats.values()), race)
    await settler.settle()


async def named(store: Store, name: str) -> Race:
    """The race that the operator has named as players do. Raises Refusal and NotDone."""
    is_daily = daily.is_daily(name)
    code = daily.daily_named(name, now_ms()).id if is_daily else lobby.code_named(name)
    if (race := await read(store, code)) is None:
        raise NotDone(f"there is no race {code}")
    return race


async def _close(store: Store, options: argparse.Namespace) -> Outcome:
    race = await named(store, options.race)
    if race.ended:
        raise NotDone(f"{race.id} has ended already")
    if race.opened.kind == "daily" and now_ms() < race.closes_at:
        raise NotDone(
            f"{race.id} is open to everybody until its day is over, at 24:00 UTC"
            "; if something is wrong with it, make it void"
        )
    race = await end(store, race.id)
    await recorded(store, _settler(store, options), race)
    if isinstance(race.ended, Cancelled):
        return Outcome(f"{race.id} had not started, and is cancelled.", _facts(race))
    text = f"{race.id} is closed. Games that were being played have timed out."
    return Outcome(text, _facts(race))


async def void_race(store: Store, options: argparse.Namespace) -> Outcome:
    race = await named(store, options.race)
    reason = " ".join("".join(filter(str.isprintable, options.reason)).split())
    if not 0 < len(reason) <= LONGEST_REASON:
        raise NotDone(f"say the reason in at most {LONGEST_REASON} characters; players read it")
    if race.opened.kind == "practice":
        raise NotDone(f"{race.id} is practice, which counts nowhere")
    if race.phase(now_ms()) in ("open", "cancelled"):
        raise NotDone(f"{race.id} has not started and has no results; you can close it")
    races = await make_void(store, race, reason, options)
    race = await read(store, race.id) or race
    seats = sum(seat.over for seat in race.seats.values())
    text = f"{race.id} is void: {race.void}\nIts results ({seats}) are kept and count nowhere."
    if races:
        text += (
            f" Boards, ratings and histories were rebuilt from the results of {of_races(races)}."
        )
    return Outcome(text, {**_facts(race), "void": race.void, "results": seats, "rebuilt": races})


async def make_void(store: Store, race: Race, reason: str, options: argparse.Namespace) -> int:
    """Make a race void, and end it first. Return of how many races the boards were rebuilt.

    If it is interrupted, call it again.
    """
    if not await may_write(store, Voided(0, reason)):
        raise NotDone(
            "A server of an older version is running, which can't read void races"
            "; do it again when none is left."
        )
    settler = _settler(store, options)
    boards, ledger, reason = settler.boards, settler.ledger, race.void or reason
    # First, so that nothing that is recorded or settled from now on counts.
    await ledger.void(race.id, reason)
    async with ledger.lease(wait=True):
        counts = await ledger.has_begun(race.id)
        await boards.displace(await boards.results(race.id))
    await recorded(store, settler, await end(store, race.id, reason))
    # Points are sums, and each rating follows from the ones before it.
    return await rebuild(store, options.progress, ranked=options.ranked) if counts else 0


def _settler(store: Store, options: argparse.Namespace) -> Settler:
    return Settler(Boards(store, options.ranked), Ledger(store))


def _facts(race: Race) -> dict[str, str]:
    return {"race": race.id, "kind": race.opened.kind, "phase": race.phase(now_ms())}


_RACE: Final = Argument("race", "a room's code, daily, or daily.2026-11-21.bigben.standard")
COMMANDS: Final = (
    AdminCommand(
        "close",
        "end a race now, as its time limit would; cancel a room that has not started",
        _close,
        (_RACE,),
        asks="End {race} now, for all who play in it?",
    ),
    AdminCommand(
        "void",
        "end a race and take its results off all boards for ever; they are kept",
        void_race,
        (_RACE, Argument("reason", "a sentence for everybody who looks at the race")),
        asks="Take the results of {race} off all boards for ever?",
    ),
)
