"""Rematches: one new room for the people of a closed race, whoever calls for it, on any process.

Reads and writes nothing itself: what it wants asked, opened and committed is done by others.
"""

from collections.abc import Callable, Mapping

from bigben_protocol import Join, RaceId, Rematch
from bigben_server.race import commands, lobby
from bigben_server.race.events import Followed, RoomEvent
from bigben_server.race.state import Race
from bigben_server.rooms.batch import Decision, GroupCommit, Request
from bigben_server.rooms.room import Room
from bigben_server.tasks import Tasks

Open = Callable[[RaceId, Request, list[RoomEvent]], None]
"""Opens a room of this name; where Redis has one already, the message is asked again of that."""


class Rematches:
    """The rooms that follow the races of this process."""

    def __init__(
        self,
        held: Mapping[RaceId, Room],
        committer: GroupCommit,
        tasks: Tasks,
        *,
        open_: Open,
        ask: Callable[[RaceId, Request], None],
        clock: Callable[[], int],
        random_bytes: lobby.RandomBytes,
    ) -> None:
        self._held = held
        self._committer = committer
        self._tasks = tasks
        self._open = open_
        self._ask = ask
        self._clock = clock
        self._random_bytes = random_bytes

    def call(self, race: Race, asked: Request, wanted: Rematch, now: int) -> None:
        """Bring one who calls for a rematch into its room, which is opened where there is none.

        ``race`` is the closed one, or a room that was there where the rematch is looked for. Raises
        Refusal.
        """
        if race.opened.kind != "daily" and lobby.code_named(wanted.race) != race.id:
            self._ask(lobby.code_named(wanted.race), asked)
            return
        for code in lobby.rematch_codes(race.opened.server_seed):
            there = self._held.get(code)
            if there is None and code == race.rematch:
                self._ask(code, asked)  # read it, to see whether it is still a room to race in
                return
            if there is None:
                # Raises Refusal for who may not.
                events = commands.rematch(race, asked.player, now, self._random_bytes)
                self._open(code, asked, events)
            elif there.race.is_rematch_of(race) and there.race.phase(now) != "cancelled":
                self._ask(code, asked._replace(message=Join(code, asked.ref)))
            else:
                continue
            self._tasks.start("naming a rematch", self._follow, race.id, code)
            return

    async def _follow(self, closed: RaceId, code: RaceId) -> None:
        """Write into the closed race which room follows it, once that room is known to be there."""
        await self._committer.settled()
        held, there = self._held.get(closed), self._held.get(code)
        if held is None or held.stale or there is None or there.stale or held.race.rematch == code:
            return  # lost, or another process has written it; whoever calls again finds out
        if there.race.is_rematch_of(held.race):
            followed = held.race.write(Followed(code, self._clock()))
            self._committer.add(Decision(closed, None, [followed]))
