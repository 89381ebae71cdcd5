"""The division that a result is ranked in: people, bots, or guests if ranked apart. No Redis.

A division has boards, points and ratings of its own, made as if nobody else had been there.
"""

from typing import Final, Literal

from bigben_protocol import PlayerId

Ranked = Literal["all", "verified"]
"""Which players are on people's boards: all, or only those for whom an issuer other than this
server vouches. Anybody can be a guest as often as they like."""
Division = Literal["", "guests", "bots"]

PEOPLE: Final = ""
GUESTS: Final = "guests"
BOTS: Final = "bots"
DIVISIONS: Final[tuple[Division, ...]] = (PEOPLE, GUESTS, BOTS)

DELETED_PREFIX: Final = "deleted:"
"""The ids of deleted players begin with this."""
DELETED_GUEST: Final = f"{DELETED_PREFIX}guest-"
"""The same for guests: if guests are ranked apart, their results stay in that division."""


def is_guest(player: PlayerId) -> bool:
    """Whether nobody but this server vouches for the player, or did before they were deleted."""
    return player.startswith(("guest:", DELETED_GUEST))


def division_of(player: PlayerId, ranked: Ranked, *, bot: bool) -> Division:
    """The division in which a player's result is ranked."""
    if bot:
        return BOTS
    return GUESTS if ranked == "verified" and is_guest(player) else PEOPLE


def is_division(scope: str, ranked: Ranked) -> bool:
    """Whether a board of this scope is a division's; else it is a group's.

    A group of players may be called ``guests``, from before there was a division of that name.
    """
    return scope in (PEOPLE, BOTS) or (scope == GUESTS and ranked == "verified")


def deleted_id(player: PlayerId, new: str) -> PlayerId:
    """The id under which the results of a deleted player go on; ``new`` is random text."""
    return PlayerId(f"{DELETED_GUEST if is_guest(player) else DELETED_PREFIX}{new}")
