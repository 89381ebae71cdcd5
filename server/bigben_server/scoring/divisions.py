"""The division in which a result is ranked: people, bots, or guests if they are ranked apart.

Each division has its own boards, points and ratings, as if nobody else had taken part.
"""

from typing import Final, Literal

from bigben_protocol import PlayerId

Ranked = Literal["all", "verified"]
"""Which players are on people's boards: all, or only those whose identity an issuer other than this
server confirms. Anybody can be a guest as often as they like."""
Division = Literal["", "guests", "bots"]

PEOPLE: Final = ""
GUESTS: Final = "guests"
BOTS: Final = "bots"
DIVISIONS: Final[tuple[Division, ...]] = (PEOPLE, GUESTS, BOTS)

DELETED: Final = "deleted player"
"""The name of every deleted player."""
DELETED_PREFIX: Final = "deleted:"
DELETED_GUEST: Final = f"{DELETED_PREFIX}guest-"
"""If guests are ranked apart, so are the results of deleted guests."""


def is_guest(player: PlayerId) -> bool:
    """Whether only this server knows the player, or did before they were deleted."""
    return player.startswith(("guest:", DELETED_GUEST))


def division_of(player: PlayerId, ranked: Ranked, *, bot: bool) -> Division:
    if bot:
        return BOTS
    return GUESTS if ranked == "verified" and is_guest(player) else PEOPLE


def is_division(scope: str, ranked: Ranked) -> bool:
    """Whether a board with this scope belongs to a division, and not to a group.

    A group of players may be called ``guests``: older versions had no such division.
    """
    return scope in (PEOPLE, BOTS) or (scope == GUESTS and ranked == "verified")


def deleted_id(player: PlayerId, new: str) -> PlayerId:
    """The new id for the results of a deleted player; ``new`` is random text."""
    return PlayerId(f"{DELETED_GUEST if is_guest(player) else DELETED_PREFIX}{new}")
