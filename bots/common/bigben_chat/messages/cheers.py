"""What players call to each other, on a board."""

from collections.abc import Iterable

from bigben_chat.messages import formatting
from bigben_chat.texts import Say
from bigben_protocol import Cheered, PlayerId, Room
from bigben_protocol.cheer_lines import cheer_lines


def called(cheers: Iterable[Cheered], room: Room, me: PlayerId, say: Say) -> list[str]:
    """A small line for each."""
    names = {seat.player: formatting.name(seat.name) for seat in room.seats}
    return [f"-# 💬 {line}" for line in cheer_lines(cheers, names, me, say.language)]
