"""What Discord stores, and what its HTTP requests do with it."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.discord.standin import interactions
from tests.discord.standin.activities import Activities
from tests.discord.standin.clock import StandinClock
from tests.discord.standin.commands import Commands
from tests.discord.standin.interactions import Interaction
from tests.discord.standin.logins import Logins
from tests.discord.standin.messages import EPHEMERAL, LOADING, File, Message, NewId, pings
from tests.discord.standin.people import ATTACH_FILES, SEND_MESSAGES, VIEW_CHANNEL, Channel, User
from tests.discord.standin.problems import (
    EMPTY_MESSAGE,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    THREAD_ARCHIVED,
    UNKNOWN_CHANNEL,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    UNKNOWN_USER,
    UNKNOWN_WEBHOOK,
    Json,
    Problem,
    invalid,
)
from tests.discord.standin.roles import Roles

OWNER: Final = User("80351110224678900", "Operator")
"""To whom the application belongs."""
OLD_S: Final = 3600.0
"""From this age on, messages may be edited less often."""


@dataclass(frozen=True)
class Call:
    """A request, taken apart."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Json
    files: Mapping[str, File]
    authorization: str = ""

    @property
    def token(self) -> str:
        """Of the interaction that it answers; empty where it answers none."""
        return self.path.get("interaction_token") or self.path.get("webhook_token") or ""


class State:
    """Everything that Discord stores: messages, interactions, commands."""

    def __init__(self, bot: User, application: str, clock: StandinClock, new_id: NewId) -> None:
        self.commands = Commands()
        self.roles = Roles(new_id)
        self.activities = Activities(new_id)
        self.logins = Logins(self, application, OWNER, new_id)
        self.channels: dict[str, Channel] = {}
        self.messages: dict[str, Message] = {}
        self.interactions: dict[str, Interaction] = {}
        """By their tokens."""
        self.archived: set[str] = set()
        """Ids of channels that are threads and rest."""
        self._nonces: dict[str, Message] = {}
        self.pings: list[str] = []
        """Whom any message has rung for."""
        self.careless: list[Json] = []
        """Bodies with words that leave it to Discord whom they mention, edits among them."""
        self._bot = bot
        self._application = application
        self._clock = clock
        self._new_id = new_id

    # The application

    def me(self, call: Call) -> Json:
        """The bot's account."""
        return {**self._bot.payload(), "mfa_enabled": False, "locale": "en-US", "verified": True}

    def application(self, call: Call) -> Json:
        """The application that the bot belongs to."""
        return {
            "id": self._application,
            "name": self._bot.name,
            "icon": None,
            "description": "",
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "flags": self.activities.flags,
            "flags_new": str(self.activities.flags),
            "redirect_uris": self.logins.redirects,
            "interactions_endpoint_url": None,
            "role_connections_verification_url": None,
            "owner": OWNER.payload(),
            "approximate_guild_count": 1,
            "approximate_user_install_count": 0,
            "approximate_user_authorization_count": 0,
            "explicit_content_filter": 0,
            "team": None,
            "type": None,
            "integration_types_config": {"0": {}, "1": {}},
            "event_webhooks_status": 1,
            "event_webhooks_types": [],
            "eligible_oauth2_scopes": [],
        }

    def direct(self, call: Call) -> Json:
        """The direct messages between the bot and a user, opened if need be."""
        wanted = str(call.body["recipient_id"])
        for channel in self.channels.values():
            if channel.guild is None and wanted in [user.id for user in channel.members]:
                return {**channel.payload(), "flags": 0}
        known = {one.user.id: one.user for one in self.interactions.values()}
        if wanted not in known:
            raise UNKNOWN_USER
        channel = Channel(self._new_id(), "", members=(known[wanted],))
        self.channels[channel.id] = channel
        return {**channel.payload(), "flags": 0}

    def get_commands(self, call: Call) -> list[Json]:
        """What was synced."""
        return self.commands.stored

    def put_commands(self, call: Call) -> list[Json]:
        """A sync."""
        assert isinstance(call.body, list), "the contract lets only lists through"
        embedded = self.activities.enabled
        return self.commands.put(call.body, self._application, self._new_id, embedded=embedded)

    # Roles

    def make_role(self, call: Call) -> Json:
        """A new role of a guild."""
        return self.roles.make(call.path["guild_id"], call.body)

    def give_role(self, call: Call) -> None:
        """A member has it from now on."""
        self.roles.give(call.path["guild_id"], call.path["user_id"], call.path["role_id"])

    def take_role(self, call: Call) -> None:
        """A member has it no more."""
        self.roles.take(call.path["guild_id"], call.path["user_id"], call.path["role_id"])

    # Through the channel's own routes

    def post(self, call: Call) -> Json:
        """A new message by the bot's own permission."""
        channel = self._channel(call)
        if not channel.bot_may & SEND_MESSAGES:
            raise MISSING_PERMISSIONS
        nonce = call.body.get("nonce") if call.body.get("enforce_nonce") else None
        if len(nonce or "") > 25:
            raise invalid("nonce: more than 25 letters")
        if nonce not in self._nonces:
            message = self._new_message(channel, call)
            if nonce is None:
                return message.payload()
            self._nonces[nonce] = message
        return self._nonces[nonce].payload()

    def edit(self, call: Call) -> Json:
        """Any message of the bot's that is not ephemeral."""
        message = self._in_channel(call)
        if message.channel.id in self.archived:
            raise THREAD_ARCHIVED
        self._change(message, call)
        return message.payload()

    def delete(self, call: Call) -> None:
        """The same messages."""
        self._in_channel(call).deleted = True

    # Through an interaction

    def callback(self, call: Call) -> Json | None:
        """The first answer to an interaction, within three seconds."""
        interaction = self.interactions.get(call.path["interaction_token"])
        if interaction is None or interaction.id != call.path["interaction_id"]:
            raise UNKNOWN_INTERACTION
        kind, data = call.body["type"], call.body.get("data") or {}
        interaction.acknowledge(kind, self._clock.now())
        inner = Call(call.path, call.query, data, call.files)
        try:
            self._answer(interaction, kind, inner)
        except Problem:
            interaction.answer = 0  # What is refused has acknowledged nothing.
            raise
        return interaction.callback() if call.query.get("with_response") == "1" else None

    def _answer(self, interaction: Interaction, kind: int, inner: Call) -> None:
        data = inner.body
        match kind:
            case interactions.MESSAGE:
                interaction.original = self._respond(interaction, inner)
            case interactions.DEFER_MESSAGE:
                interaction.original = self._promise(interaction, data)
            case interactions.DEFER_UPDATE:
                interaction.original = interaction.message
            case interactions.UPDATE:
                assert interaction.message is not None, "only components are answered so"
                interaction.original = interaction.message
                self._change(interaction.message, inner)
            case interactions.LAUNCH:
                if not self.activities.enabled:
                    raise invalid("type: the application has no Activity")
                place, user = interaction.channel, interaction.user
                interaction.instance = self.activities.launch(place, user)
            case _:
                interaction.choices = [(c["name"], c["value"]) for c in data["choices"]]
                _check_choices(interaction.choices)

    def follow_up(self, call: Call) -> Json:
        """One more message; the first after a promise is what was promised."""
        interaction = self._live(call)
        promised = interaction.original
        if promised is not None and promised.thinking and not promised.deleted:
            self._change(promised, call)
            return promised.payload()
        message = self._respond(interaction, call)
        interaction.followups.append(message)
        return message.payload()

    def original(self, call: Call) -> Json:
        """The first answer, as it stands."""
        return self._original(call).payload()

    def edit_original(self, call: Call) -> Json:
        """Also keeps a promise."""
        message = self._original(call)
        self._change(message, call)
        return message.payload()

    def delete_original(self, call: Call) -> None:
        """Also what is ephemeral."""
        self._original(call).deleted = True

    def edit_follow_up(self, call: Call) -> Json:
        """Any message that came of this interaction."""
        interaction = self._live(call)
        mine = [interaction.original, *interaction.followups]
        message = self.messages.get(call.path["message_id"])
        if message is None or message not in mine or message.deleted:
            raise UNKNOWN_MESSAGE
        self._change(message, call)
        return message.payload()

    def unanswered(self) -> list[Interaction]:
        """Those that nobody has acknowledged in time: their users read that nobody responded."""
        now = self._clock.now()
        return [one for one in self.interactions.values() if one.late(now)]

    # Which message a request is to change

    def by_id(self, call: Call) -> Message | None:
        """The one that the path names."""
        return self.messages.get(call.path["message_id"])

    def answered(self, call: Call) -> Message | None:
        """The first answer to an interaction."""
        interaction = self.interactions.get(call.path["webhook_token"])
        return interaction.original if interaction else None

    def updated(self, call: Call) -> Message | None:
        """The message whose component was used, if the callback changes it."""
        interaction = self.interactions.get(call.path["interaction_token"])
        changes = call.body.get("type") == interactions.UPDATE
        return interaction.message if interaction and changes else None

    def is_old(self, message: Message) -> bool:
        """Whether it is so old that it may be edited less often."""
        return self._clock.now() - message.created > OLD_S

    # How

    def _channel(self, call: Call) -> Channel:
        channel = self.channels.get(call.path["channel_id"])
        if channel is None:
            raise UNKNOWN_CHANNEL
        if not channel.bot_may & VIEW_CHANNEL:
            raise MISSING_ACCESS
        return channel

    def _in_channel(self, call: Call) -> Message:
        channel = self._channel(call)
        message = self.messages.get(call.path["message_id"])
        if message is None or message.channel != channel or message.only_for or message.deleted:
            raise UNKNOWN_MESSAGE
        return message

    def _live(self, call: Call) -> Interaction:
        interaction = self.interactions.get(call.path["webhook_token"])
        if interaction is None or call.path["webhook_id"] != self._application:
            raise UNKNOWN_WEBHOOK
        interaction.check_token(self._clock.now())
        return interaction

    def _original(self, call: Call) -> Message:
        message = self._live(call).original
        if message is None or message.deleted:
            raise UNKNOWN_MESSAGE
        return message

    def _respond(self, interaction: Interaction, call: Call) -> Message:
        guild = interaction.channel.guild
        hushed = guild is not None and not (guild.bot_is_member or guild.guests_speak)
        ephemeral = hushed or bool((call.body.get("flags") or 0) & EPHEMERAL)
        only_for = interaction.user if ephemeral else None
        return self._new_message(interaction.channel, call, only_for)

    def _promise(self, interaction: Interaction, data: Json) -> Message:
        flags = LOADING | ((data.get("flags") or 0) & EPHEMERAL)
        only_for = interaction.user if flags & EPHEMERAL else None
        message = self._message(interaction.channel, only_for)
        message.flags |= LOADING
        self.messages[message.id] = message
        return message

    def _message(self, channel: Channel, only_for: User | None) -> Message:
        flags = EPHEMERAL if only_for else 0
        now = self._clock.now()
        return Message(self._new_id(), channel, self._bot, now, only_for, flags=flags)

    def _new_message(self, channel: Channel, call: Call, only_for: User | None = None) -> Message:
        message = self._message(channel, only_for)
        if not call.body:
            raise EMPTY_MESSAGE
        _check_files(channel, call)
        message.change(call.body, call.files, self._new_id, self._clock.now(), call.token)
        self._listen(call.body)
        self.messages[message.id] = message
        return message

    def _change(self, message: Message, call: Call) -> None:
        promised = message.thinking
        _check_files(message.channel, call)
        message.change(call.body, call.files, self._new_id, self._clock.now(), call.token)
        self._listen(call.body, new=promised)
        if not promised:
            message.edited = time.time()  # by the clock that makes ids, as on Discord

    def _listen(self, body: Json, *, new: bool = True) -> None:
        """Note whom a message mentions; an edit rings for nobody."""
        if new:
            self.pings += filter(self.roles.rings, pings(body))
        allowed = body.get("allowed_mentions") or {}
        # A role or a user who is named is meant.
        none: Json = {"roles": [], "users": []}
        if body.get("content") and {**allowed, **none} != {"parse": [], **none}:
            self.careless.append(body)


def _check_files(channel: Channel, call: Call) -> None:
    """Whether files may be sent along. Raises Problem."""
    if call.files and channel.denied & ATTACH_FILES:
        raise MISSING_PERMISSIONS


def _check_choices(choices: list[tuple[str, str | int]]) -> None:
    if len(choices) > 25:
        raise invalid("data.choices: more than 25")
    for name, value in choices:
        if not 1 <= len(name) <= 100 or not 1 <= len(str(value)) <= 100:
            raise invalid(f"data.choices: {name!r} is not 1 to 100 letters")
