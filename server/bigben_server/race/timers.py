"""What time alone does to a race, and when.

The caller of ``tick`` must make its appends durable; if one is refused, it must drop the race and
read it again.
"""

from collections.abc import Sequence

from bigben_server.race import choosing, events
from bigben_server.race.events import Append
from bigben_server.race.state import IDLE_MS, Race


def next_at(race: Race, now: int) -> int:
    """When time alone next changes something, ms since 1970; 0 for never."""
    if race.opened.kind != "deadline" and not race.grace_at:
        return due_at(race, now)
    playing = (seat for seat in race.seats.values() if seat.status.state == "playing")
    return min(map(race.ends_at, playing), default=due_at(race, now))


def due_at(race: Race, now: int) -> int:
    """When time alone next changes the phase, ms since 1970; 0 for never."""
    idle_at = race.opened.at + IDLE_MS
    starts_at = race.mixing_until or race.choosing_until or race.starts_at
    ends = {"open": idle_at, "countdown": starts_at, "running": race.closes_at}
    return ends.get(race.phase(now), 0)


def tick(race: Race, now: int, *, closing: bool = False) -> Sequence[Append]:
    """What is due by time or after the ends of seats. Call it when all appends are durable.

    ``closing``: as if the time of a race that is open or runs were over.
    """
    phase, seats, kind = race.phase(now), race.seats.values(), race.opened.kind
    time_over = closing or now >= due_at(race, now)
    if phase == "open" and time_over:
        return [race.write(events.Cancelled(now))]
    if phase == "countdown" and race.mixing_until and time_over:
        return [race.write(_mixing_over(race, now))]
    if race.choosing_until and now >= race.choosing_until:
        return [race.write(choosing.not_found(now))]
    if phase != "running":
        return []
    if kind == "daily" and not time_over:
        return []  # without a look at its seats, which may be thousands
    playing = [seat for seat in seats if seat.status.state == "playing"]
    if over := [seat for seat in playing if closing or now >= race.ends_at(seat)]:
        return [race.stop(seat) for seat in over]
    unbegun = tuple(seat.player for seat in seats if not seat.status.begun_at)
    # Until a deadline anybody may still join, even if all others have finished.
    waits = not seats or playing or unbegun or kind == "deadline"
    return [race.write(events.Closed(now), unbegun)] if time_over or not waits else []


def _mixing_over(race: Race, now: int) -> events.Renewed | events.Mixed | events.Cancelled:
    """The time for nonces is over: give it once more if nobody was there to take them."""
    alone = now >= race.mixing_until + choosing.ALONE_MS
    # If Redis was away until now, the nonces that were sent are still waiting for it.
    came = any(race.nonces)
    if not race.renewed and (alone or not came):
        return events.Renewed(now + choosing.MIXING_MS, now)
    return choosing.mixed(race.opened.rules, now) if came else events.Cancelled(now)
