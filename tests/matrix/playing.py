"""Races on Matrix: what a test makes people do more than once. Asserts little."""

from collections.abc import Collection
from dataclasses import dataclass

from tests.matrix.people import Person
from tests.matrix.seen import Message

from bigben_chat.messages.content import read_id
from bigben_chat.messages.formatting import counted_moves
from bigben_chat.texts import say_in
from bigben_matrix.bot import BigBenMatrix
from bigben_protocol import View


@dataclass(frozen=True)
class Racer:
    """Somebody who plays, in their own language; moves are chosen by what their board shows."""

    person: Person
    bot: BigBenMatrix
    language: str = "en"

    async def direct(self) -> str:
        """The room of their own boards."""
        return await self.person.direct(self.bot.homeserver.user)

    async def speaks(self, room: str) -> None:
        """Have answers in their language from now on."""
        await self.person.says(room, f"!bigben language {self.language}")
        told = say_in(self.language).label("typed.language")
        await self.person.sees(await self.direct(), told)

    def view(self, race: str) -> View:
        """Their game, as the server has shown it to the bot last."""
        player = self.bot.chat.players.get(self.person.user)
        assert player is not None, f"{self.person.name} has not played for long"
        return player.client.views[race]

    async def sees_board(self, race: str, n: int) -> Message:
        """Their board after so many moves."""
        moves = counted_moves(n, "playing", say_in(self.language))

        def shows(message: Message) -> object:
            board = message.picture or "<pre>" in message.html  # text, if it changed by itself
            return board and moves in message.text and race in races(message)

        return await self.person.sees(await self.direct(), shows)

    async def types_move(self, race: str, move: str) -> Message:
        """Play by a command in their own room; the board afterwards."""
        n, direct = self.view(race).n, await self.direct()
        too_soon = say_in(self.language).label("board.typed")
        while self.view(race).n == n:
            said = await self.person.says(direct, move)
            # Nobody types as soon as this: the bot may not know yet that they see their board.
            answer = await self.person.sees(direct, lambda one: one.picture, after=said)
            assert self.view(race).n > n or too_soon in answer.text, answer.text
        return await self.sees_board(race, n + 1)

    async def presses(self, race: str, button: str) -> Message:
        """Play by a reaction to their board; the board afterwards."""
        n = self.view(race).n
        await self.person.presses(await self.sees_board(race, n), button)
        return await self.sees_board(race, n + 1)

    async def plays(self, race: str, moves: int) -> None:
        """Play on: by reactions where the board has them, and now and then by typing and undo."""
        for number in range(moves):
            board = await self.sees_board(race, self.view(race).n)
            verbs = [read_id(id)[0] for id in board.controls.values()]
            if number % 3 == 2 and "undo" in verbs:
                await self.presses(race, "undo")
            elif number % 3 == 1 and "deal" in verbs:
                await self.presses(race, "deal")
            elif legal := self.view(race).legal:
                await self.types_move(race, legal[0])

    async def gives_up(self, race: str) -> None:
        """Resign, and mean it."""
        direct = await self.direct()
        said = await self.person.says(direct, f"!bigben resign {race}")

        def asks(message: Message) -> bool:
            return "giveup" in verbs(message) and race in races(message)

        await self.person.presses(await self.person.sees(direct, asks, after=said), "giveup")

        def over(message: Message) -> bool:
            return "verify" in verbs(message) and race in races(message)

        await self.person.sees(direct, over)


def verbs(message: Message) -> list[str]:
    """What the reactions to a message do."""
    return [read_id(id)[0] for id in message.controls.values()]


def races(message: Message) -> Collection[str]:
    """The races that a message is about."""
    details = (read_id(id.partition("\n")[0])[1] for id in message.controls.values())
    return {detail for of_one in details for detail in of_one}


async def opened(host: Racer, room: str, line: str, *others: Racer) -> tuple[str, Message]:
    """Open a race by typing, and have others join by reaction: its code and public message."""
    said = await host.person.says(room, line)
    lobby = await host.person.sees(room, lambda one: "ready" in verbs(one), after=said)
    (race,) = {read_id(id)[1][0] for id in lobby.controls.values() if read_id(id)[0] == "ready"}

    def joined(message: Message) -> bool:
        return message.id == lobby.id and all(one.person.name in message.text for one in others)

    for racer in others:
        seen = await racer.person.sees(room, lambda one: one.id == lobby.id)
        await racer.person.presses(seen, "join")
    return race, await host.person.sees(room, joined)


async def begun(host: Racer, room: str, line: str, *others: Racer) -> tuple[str, Message]:
    """The same, and all get ready by reaction and see their boards."""
    race, lobby = await opened(host, room, line, *others)
    for racer in (*others, host):
        await racer.person.presses(lobby, "ready")
    for racer in (host, *others):
        await racer.sees_board(race, 0)
    return race, lobby
