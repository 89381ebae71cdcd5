"""A user at their client: types commands, taps buttons, and sees what Discord would show them."""

from typing import TYPE_CHECKING

from tests.discord.standin import interactions
from tests.discord.standin.activities import Instance
from tests.discord.standin.commands import Given
from tests.discord.standin.components import BUTTON, SELECT, Button, Select
from tests.discord.standin.interactions import Interaction, Kind
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel, User
from tests.discord.standin.problems import Json

if TYPE_CHECKING:
    from tests.discord.standin.server import Discord


class Answer:
    """What came of something a user did."""

    def __init__(self, interaction: Interaction, discord: "Discord", before: int) -> None:
        """``before``: how many versions its message had when it was used."""
        self.interaction = interaction
        self._discord = discord
        self._before = before

    async def acknowledged(self) -> int:
        """The type of the callback, once it came."""
        what = f"{self.interaction.kind} {self.interaction.data} is acknowledged"
        return await self._discord.changes.until(lambda: self.interaction.answer, what)

    async def shown(self) -> Message:
        """The message that it brought or changed, once there is no more than that to wait for.

        The bot may leave a message as it is that shows the result by another edit.
        """
        await self.acknowledged()
        what = f"{self.interaction.kind} {self.interaction.data} is answered"
        return await self._discord.changes.until(self._kept, what)

    async def opened(self) -> Instance:
        """The frame that it opened."""
        await self.acknowledged()
        assert self.interaction.instance is not None, "it was answered otherwise"
        return self.interaction.instance

    async def followed_up(self, number: int = 1) -> Message:
        """The message that came besides the first answer."""
        what = f"{self.interaction.data} is followed up {number} times"
        found = await self._discord.changes.until(
            lambda: self.interaction.followups[number - 1 :], what
        )
        return found[0]

    def _kept(self) -> Message | None:
        message = self.interaction.original
        if message is None or message.thinking:
            return None
        deferred = self.interaction.answer == interactions.DEFER_UPDATE
        return None if deferred and not self._is_changed(message) else message

    def _is_changed(self, message: Message) -> bool:
        """Whether it was answered, or shows something else than when it was used.

        An answer to an earlier tap may come twice, if the bot heard too late that it was taken.
        """
        if any(version.by == self.interaction.token for version in message.versions):
            return True
        used, now = message.versions[self._before - 1], message.versions[-1]
        return (used.content, used.components) != (now.content, now.components)


class Person:
    """A user at their client."""

    def __init__(self, user: User, discord: "Discord") -> None:
        self.user = user
        self._discord = discord

    @property
    def name(self) -> str:
        """Their display name."""
        return self.user.name

    def sees(self, channel: Channel) -> list[Message]:
        """All messages that this user sees there."""
        everything = self._discord.state.messages.values()
        return [m for m in everything if m.channel == channel and m.visible_to(self.user)]

    async def types(self, channel: Channel, path: str, given: Given | None = None) -> Answer:
        """Send a command like ``bigben move``."""
        data = self._discord.state.commands.data(path, given or {})
        return await self._does("command", channel, data)

    async def opens_app(self, channel: Channel) -> Answer:
        """Choose the application in Discord's own list of those that open in a frame."""
        return await self._does("command", channel, self._discord.state.commands.entry_point())

    async def half_types(
        self, channel: Channel, path: str, given: Given, focused: str
    ) -> list[tuple[str, str | int]]:
        """Stop in the middle of an option: the names and values that it is completed to."""
        data = self._discord.state.commands.data(path, given, focused=focused)
        answer = await self._does("autocomplete", channel, data)
        await answer.acknowledged()
        return answer.interaction.choices

    async def presses(self, message: Message, label: str) -> Answer:
        """Tap the button whose label contains this."""
        return await self.taps(message, message.button(label))

    async def taps(self, message: Message, button: Button) -> Answer:
        """Tap this button, which the message may just have lost."""
        assert not button.disabled, f"{button.label!r} is disabled"
        assert not button.url, f"{button.label!r} is a link"
        data: Json = {"custom_id": button.custom_id, "component_type": BUTTON}
        return await self._uses(message, data)

    async def chooses(self, message: Message, value: str, *, menu: int = 0) -> Answer:
        """Choose an option of one of the message's menus."""
        return await self.uses_menu(message, message.selects[menu], value)

    async def uses_menu(self, message: Message, select: Select, value: str) -> Answer:
        """Choose an option of this menu, which the message may just have lost."""
        assert value in select.values, f"{value!r} is none of {select.values}"
        assert not select.disabled, f"{select.placeholder!r} is disabled"
        data: Json = {
            "custom_id": select.custom_id,
            "component_type": SELECT,
            "values": [value],
        }
        return await self._uses(message, data)

    async def _uses(self, message: Message, data: Json) -> Answer:
        assert message.visible_to(self.user), f"{self.name} does not see this message"
        return await self._does("component", message.channel, data, message)

    async def _does(
        self, kind: Kind, channel: Channel, data: Json, message: Message | None = None
    ) -> Answer:
        discord = self._discord
        number = discord.new_id()
        interaction = Interaction(
            number,
            f"token-{number}",
            kind,
            self.user,
            channel,
            discord.clock.now(),
            data,
            message,
            discord.state.roles.of(channel.guild, self.user),
        )
        before = len(message.versions) if message is not None else 0
        discord.state.interactions[interaction.token] = interaction
        payload = interaction.payload(discord.application)
        await discord.network.carry(f"event of {self.name}")
        await discord.gateway.dispatch("INTERACTION_CREATE", payload)
        return Answer(interaction, discord, before)
