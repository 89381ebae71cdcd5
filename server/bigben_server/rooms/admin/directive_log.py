"""The lines of the log about what an operator has ordered. They name no player and no address."""

from collections.abc import Iterable
from datetime import UTC, datetime

from bigben_server.storage.admin.directives import Ban, Directives
from bigben_server.storage.admin.processes import Process


def changes_of(before: Directives, after: Directives, process: Process) -> list[str]:
    """What has changed for this process.

    Of several workers on one port only the first says what holds for all of them.
    """
    found: list[str] = []
    is_draining = process.id in after.draining
    if is_draining != (process.id in before.draining):
        drained = "drain: no game begins here, and games in progress continue"
        found.append(drained if is_draining else "drain ended: games begin here again")
    if process.worker > 1:
        return found
    if after.announcement != before.announcement:
        if now := after.announcement:
            found.append(f"announce, until {_moment(now.until)}: {now.text}")
        else:
            found.append("announce ended")
    found.extend(_of_bans("a player", before.players, after.players))
    return [*found, *_of_bans("an address", before.networks, after.networks)]


def _of_bans(who: str, before: Iterable[Ban], after: Iterable[Ban]) -> Iterable[str]:
    were, are = {ban.who: ban for ban in before}, {ban.who: ban for ban in after}
    for one, ban in are.items():
        if were.get(one) != ban:
            yield f"ban of {who}, {f'until {_moment(ban.until)}' if ban.until else 'for good'}"
    for _ in were.keys() - are.keys():
        yield f"ban of {who} ended"


def _moment(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
