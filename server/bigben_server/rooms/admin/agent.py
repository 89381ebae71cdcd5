"""Carries out the operator's orders in this process, and reports what it does."""

import asyncio
import logging
from collections import Counter, defaultdict
from contextlib import suppress
from itertools import chain
from typing import Final

from msgspec.structs import replace

from bigben_protocol import HOUSE_PLAYERS, Announcement, PlayerId
from bigben_server.accounts.bans import Bans
from bigben_server.counters import COUNTS
from bigben_server.homes import Homes
from bigben_server.race.events import Refusal
from bigben_server.readiness import Readiness
from bigben_server.rooms.admin.directive_log import changes_of
from bigben_server.rooms.admin.policy import COMES_BACK, DELETED, MOVES_AWAY, Policy
from bigben_server.rooms.registry import Rooms
from bigben_server.rooms.session import EncodedOnce, Session
from bigben_server.storage.admin.directives import Directives, DirectiveStore
from bigben_server.storage.admin.processes import REPORT_S, Figures, Process, Processes
from bigben_server.storage.race_log import Store
from bigben_server.tasks import all_set, not_cancelled

_log = logging.getLogger(__name__)

_RESTART: Final = 1012
_LATE_S: Final = 0.25
"""How often to look by how much the event loop is late."""
_AT_ONCE: Final = 200
"""So many sessions or rooms are looked at before others get their turn."""


class Agent:
    """Keeps the policy of one process up to date, and its report of itself."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        sessions: set[Session],
        under_way: tuple[set[asyncio.Event], ...],
        policy: Policy,
        readiness: Readiness,
        process: Process,
        homes: Homes,
    ) -> None:
        """``sessions`` are those that have said hello; ``process`` is what never changes of it.

        ``under_way``: what may still write the names of players. Each is set when it is done.
        """
        # What they read and report is no move, and an operator needs it when replicas are away.
        self._orders = DirectiveStore(store.unconfirmed())
        self._processes = Processes(store.unconfirmed())
        self._rooms, self._sessions, self._under_way = rooms, sessions, under_way
        self._policy, self._readiness = policy, readiness
        self._process, self._clock = process, policy.clock
        self._homes = homes
        self._late_s = 0.0
        self._store_ms = 0
        self._looked = False
        """Whether the orders were read before; those from before the start are not logged."""
        self._keeps_out: frozenset[str] = frozenset()
        """The marks of players who are being deleted, and for whom nothing is written any more."""

    async def keep_orders(self) -> None:
        """Read the orders and report, every few seconds and when they change. Raises StoreLost."""
        ordered = self._rooms.pubsub.ordered
        while not_cancelled():
            ordered.clear()
            await self.look()
            with suppress(TimeoutError):
                async with asyncio.timeout(REPORT_S):
                    await ordered.wait()

    async def look(self) -> None:
        """Read the orders, carry them out, and report. Raises StoreLost."""
        loop = asyncio.get_running_loop()
        orders = await self._orders.read(self._clock())
        await self._take_players(orders)
        await self._keep_out(frozenset(mark for mark, at in orders.deleted.items() if not at))
        process = await self._reported(self._process.id in orders.draining)
        began = loop.time()
        living = await self._processes.report(process)
        self._store_ms = round((loop.time() - began) * 1000)
        self._policy.house = frozenset(chain.from_iterable(one.figures.house for one in living))
        servers = {(one.host, one.port or one.pid) for one in living}  # workers share a port
        self._homes.others = len(servers) > 1
        others = any(one.id not in orders.draining for one in living)
        await self._carry_out(orders, others_serve=others)

    async def leave(self) -> None:
        """This process ends. Raises StoreLost."""
        await self._processes.leave(self._process.id)

    async def watch_loop(self) -> None:
        """Look endlessly by how much the event loop is late."""
        loop = asyncio.get_running_loop()
        while not_cancelled():
            due = loop.time() + _LATE_S
            await asyncio.sleep(_LATE_S)
            self._late_s = max(self._late_s, loop.time() - due)

    # Directives

    async def _take_players(self, orders: Directives) -> None:
        """Take who has another name, and close the connections of players who are deleted.

        Returns when nothing is under way that was decided with an old name.
        """
        policy = self._policy
        await self._close_gone(orders)
        names = orders.names.items() - policy.names.items()
        marks = {mark for mark, _ in orders.deleted.items() - policy.deleted.items()}
        policy.names, policy.deleted = orders.names, orders.deleted
        if not names and not marks:
            return
        for number, session in enumerate(list(self._sessions), start=1):
            assert session.player is not None, "it has said hello"
            session.player = policy.called(session.player)
            if not marks.isdisjoint(session.player.marks):
                session.deleted = True
                session.dismiss(Refusal("token", DELETED))
            await _breathe(number)
        if names:
            await self._rooms.batches.settled()

    async def _close_gone(self, orders: Directives) -> None:
        """Close the connections of players who were tied to an account, or have logged out.

        Players of other issuers come back by themselves, as the account that they are now.
        """
        policy = self._policy
        if (orders.tied, orders.out) == (policy.tied, policy.out):
            return
        policy.tied, policy.out = orders.tied, orders.out
        tied = defaultdict[PlayerId, list[PlayerId]](list)
        for player, now_as in orders.tied.items():
            tied[now_as.account].append(player)
        for number, session in enumerate(list(self._sessions), start=1):
            assert session.player is not None, "it has said hello"
            if session.player.id in tied:
                session.player = session.player.with_tied(*tied[session.player.id])
            if refusal := policy.gone(session.player.id, session.token_at):
                session.dismiss(refusal)
            elif session.player.id in orders.tied:
                session.close(_RESTART, COMES_BACK)
            await _breathe(number)

    async def _keep_out(self, marks: frozenset[str]) -> None:
        """Wait until what was decided for these players before is written, or lost.

        If that takes long, the report goes out without them, and the next look waits again.
        """
        self._keeps_out &= marks
        with suppress(TimeoutError):
            async with asyncio.timeout(REPORT_S):
                if self._keeps_out != marks:
                    await self._rooms.batches.settled()
                    for events in self._under_way:
                        await all_set(events)
                self._keeps_out = marks

    async def _carry_out(self, orders: Directives, *, others_serve: bool) -> None:
        policy, before = self._policy, self._policy.orders
        bans_were = before.players, before.networks
        for line in changes_of(before, orders, self._process) if self._looked else ():
            _log.info("%s", line)
        self._looked = True
        policy.orders, policy.others_serve = orders, others_serve
        policy.is_draining = self._process.id in orders.draining
        if policy.is_draining:
            self._readiness.drain()
        else:
            self._readiness.end_drain()
        if bans_were != (orders.players, orders.networks):
            policy.bans = Bans(orders.players, orders.networks)
            await self._close_banned()
        if before.announcement != orders.announcement:
            await self._announce(before.announcement, orders.announcement)
        if policy.sends_away:
            await self._send_away()

    async def _close_banned(self) -> None:
        for number, session in enumerate(list(self._sessions), start=1):
            assert session.player is not None, "it has said hello"
            player = session.player
            if banned := self._policy.banned(session.address, player.id, *player.tied):
                session.dismiss(banned)
            await _breathe(number)

    async def _announce(self, before: Announcement | None, new: Announcement | None) -> None:
        now = self._clock()
        if new is None:
            if before is None or before.until <= now:
                return  # who was told it knows how long to show it
            new = Announcement("", now)
        message = EncodedOnce(new)
        for number, session in enumerate(list(self._sessions), start=1):
            if session.announcements and not session.gone:
                message.put(session)
                session.flush()
            await _breathe(number)

    async def _send_away(self) -> None:
        """Close the connections of those who do not play; they come back to another process."""
        playing = await self._playing()
        for number, session in enumerate(list(self._sessions), start=1):
            assert session.player is not None, "it has said hello"
            if session.player.id not in playing:
                session.close(_RESTART, MOVES_AWAY)
            await _breathe(number)

    # Reporting

    async def _reported(self, draining: bool) -> Process:
        late_s, self._late_s = self._late_s, 0.0
        races: Counter[str] = Counter()
        now = self._clock()
        for number, room in enumerate(list(self._rooms.values()), start=1):
            races[f"{room.race.opened.kind} {room.race.phase(now)}"] += 1
            await _breathe(number)
        sessions = list(self._sessions)
        players = {session.player.id for session in sessions if session.player}
        figures = Figures(
            connections=len(sessions),
            players=len(players),
            playing=len(await self._playing()),
            front_ends={name: many for name, many in sorted(COUNTS.connections.items()) if many},
            races=dict(sorted(races.items())),
            moves=COUNTS.moves,
            loop_ms=round(late_s * 1000),
            store_ms=self._store_ms,
            house=tuple(sorted(players & HOUSE_PLAYERS)),
        )
        keeps_out = tuple(self._keeps_out)
        process = replace(self._process, draining=draining, keeps_out=keeps_out)
        reasons = tuple(self._readiness.reasons())
        return replace(process, at=now, figures=figures, reasons=reasons)

    async def _playing(self) -> set[PlayerId]:
        """The players with a connection here and a game under way, which may be in a countdown."""
        playing: set[PlayerId] = set()
        now = self._clock()
        for number, room in enumerate(list(self._rooms.values()), start=1):
            race = room.race
            if race.phase(now) in ("countdown", "running"):
                for player in room.subscribers:
                    seat = race.seats.get(player)
                    if seat and not seat.over and (race.live or seat.status.begun_at):
                        playing.add(player)
            await _breathe(number)
        return playing


async def _breathe(number: int) -> None:
    """Let others have their turn of the event loop now and then."""
    if number % _AT_ONCE == 0:
        await asyncio.sleep(0)
