"""`/bigben cheer`: the others see it on their boards, unless they want no cheers."""

from tests.discord.playing import plays_until, room_of
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord
from tests.discord.test_room import board_of

from bigben_chat.connections.cheers_heard import MOST, SHOWN_S, CheersHeard
from bigben_discord.bot import BigBen
from bigben_protocol import Cheered, Cheers, RaceId

RACE = RaceId("K7QPXM")


async def test_a_cheer_is_on_the_others_board_at_its_next_edit_unless_they_want_none(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob*", locale="de")
    lobby = await room_of(ada, bob, channel)
    for one, ready in ((ada, "Ready"), (bob, "Ready")):
        await (await one.presses(lobby, ready)).followed_up()
    board = await board_of(world, ada, channel)
    edits = len(board.versions)
    told = await (await bob.types(channel, "bigben cheer", {"cheer": "well"})).shown()
    assert (told.content, told.only_for) == ("💬 Du: Gut gespielt!", bob.user)
    again = await (await bob.types(channel, "bigben cheer", {"cheer": "wow"})).shown()
    assert "Du hast gerade erst etwas zugerufen" in again.content
    assert len(board.versions) == edits, "a cheer edits nothing"

    called = "-# 💬 Bob\\*: Well played!"
    board = await plays_until(lambda shown: called in shown.content, ada, board)
    plain = await (await ada.types(channel, "bigben board", {"cheers": False})).shown()
    assert "💬" not in plain.content
    assert "💬" not in lobby.content
    assert world.public(channel) == [lobby]


def test_a_board_shows_the_latest_cheers_of_the_last_minute() -> None:
    now = [0.0]
    heard = CheersHeard(lambda: now[0])
    heard.receive(Cheers(RACE, tuple(Cheered("luck") for _ in range(9))))
    now[0] = SHOWN_S - 1
    heard.receive(Cheers(RACE, (Cheered("well"),)))
    assert [one.cheer for one in heard.recent(RACE)] == ["luck"] * (MOST - 1) + ["well"]
    now[0] = SHOWN_S
    assert [one.cheer for one in heard.recent(RACE)] == ["well"]
    assert heard.recent("OTHERS") == []
