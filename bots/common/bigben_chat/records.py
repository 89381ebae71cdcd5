"""What a bot stores of every player, on any platform."""

import msgspec

from bigben_chat.store import ChatId
from bigben_client import Kept


class PlayerRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the bot stores of a player, under the kind "player"."""

    race: str = ""
    """The race that they joined or saw last."""
    groups: tuple[ChatId, ...] = msgspec.field(default=(), name="guilds")
    """The groups in which they have played, the latest first."""
    four_colours: bool = True
    text: bool = False
    """Whether they want a text board instead of the picture."""
    seen: str = ""
    """The race whose board they saw last: typed moves go there."""
    races: tuple[str, ...] = ()
    """The races that they joined or saw, the latest first."""
    hints: bool = False
    """Whether their boards mark the cards that can go home."""
    shown: dict[str, int] = {}
    """After how many moves each race was when they saw its board last: what they type is for that
    position. Written when the bot stops; after a crash it may be an earlier one."""
    cheers: bool = True
    """Whether their boards show what others call."""


class KeptRace(msgspec.Struct, frozen=True):
    """What a player saw of one of their races: the evidence to check its end. Kind "kept"."""

    kept: Kept
    at: int
    """When it was written, ms since 1970."""
