"""What players call to each other, on a board."""

from collections.abc import Iterable

from bigben_chat.notation import filled
from bigben_chat.texts import Say
from bigben_chat.tree import Name, Part, Small, Text, text
from bigben_protocol import CHEERS, Cheered, PlayerId, Room, texts


def called(cheers: Iterable[Cheered], room: Room, me: PlayerId, say: Say) -> list[Text]:
    """A small line for each that the texts have; of a player who has left, none."""
    said = {key: str(words) for key, words in texts.of("cheers", say.language).items()}
    named: dict[PlayerId, Part] = {seat.player: Name(seat.name) for seat in room.seats}
    named |= {me: said["cheer.you"], PlayerId(""): said["cheer.watcher"]}

    def line(one: Cheered) -> Text:
        values = {"name": named[one.player], "cheer": said[f"cheer.{one.cheer}"]}
        return (Small(text("💬 ", filled(said["cheer.told"], values))),)

    return [line(one) for one in cheers if one.cheer in CHEERS and one.player in named]
