"""What a room asks of its deal, for the front ends: the names of the texts that say so."""

from bigben_protocol.server_messages import Room


def wish(room: Room) -> str:
    """What the rules ask for: ``easy`` … ``fiendish``, ``winnable``, or empty for nothing."""
    return room.rules.grade or ("winnable" if room.rules.winnable else "")


def deal_text(room: Room) -> str:
    """The text about the deal for the heading of a room; empty for none.

    Until the deal is chosen it is the wish, and afterwards what came of it. A daily has the grade
    of its weekday, or none.
    """
    if room.kind == "daily":
        return f"grade.{room.grade}" if room.grade else ""
    wanted = wish(room)
    waits = room.mixing or room.choosing or room.phase in ("open", "cancelled")
    if not wanted or room.certified or waits:
        return f"grade.{wanted}" if wanted else ""
    return "grade.unknown"


def choosing_text(room: Room) -> str:
    """The text to show while nonces are mixed or the deal is chosen; empty at all other times."""
    if room.mixing:
        return "choosing.mixing"
    return f"choosing.{wish(room)}" if room.choosing else ""
