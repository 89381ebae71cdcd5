"""The roles of guilds: which there are, and who has them."""

from collections.abc import Callable
from typing import Final

from tests.discord.standin.people import MANAGE_ROLES, MENTION_EVERYONE, Guild, Role, User
from tests.discord.standin.problems import MISSING_PERMISSIONS, UNKNOWN_ROLE, Json

NEW: Final = "POST /guilds/{guild_id}/roles"


class Roles:
    """What the bot and people do with roles, as strictly as Discord."""

    def __init__(self, new_id: Callable[[], str]) -> None:
        self._new_id = new_id
        self._guilds: dict[str, Guild] = {}
        self._roles: dict[str, dict[str, Role]] = {}
        self._given: set[tuple[str, str, str]] = set()

    def put(self, guild: Guild, role: Role) -> Role:
        """A role that there is."""
        self._guilds[guild.id] = guild
        self._roles.setdefault(guild.id, {})[role.id] = role
        return role

    def all(self, guild: Guild) -> list[Role]:
        """All but that of everybody."""
        own = [guild.bot_role] if guild.bot_role else []
        return [*own, *self._roles.get(guild.id, {}).values()]

    def of(self, guild: Guild | None, user: User) -> tuple[str, ...]:
        """The ids of a user's roles."""
        if guild is None:
            return ()
        self._guilds[guild.id] = guild
        return tuple(r for g, u, r in sorted(self._given) if (g, u) == (guild.id, user.id))

    def make(self, guild_id: str, body: Json) -> Json:
        """A new role. Raises Problem."""
        guild = self._managed(guild_id)
        permissions = int(body.get("permissions") or 0)
        mentionable = bool(body.get("mentionable"))
        role = Role(self._new_id(), body.get("name") or "new role", permissions, 1, mentionable)
        return self.put(guild, role).payload()

    def give(self, guild_id: str, user_id: str, role_id: str) -> None:
        """Raises Problem."""
        self._check(guild_id, role_id)
        self._given.add((guild_id, user_id, role_id))

    def take(self, guild_id: str, user_id: str, role_id: str) -> None:
        """Raises Problem."""
        self._check(guild_id, role_id)
        self._given.discard((guild_id, user_id, role_id))

    def rings(self, role_id: str) -> bool:
        """Whether it rings for anybody when the bot mentions it; what is no role here does."""
        for guild_id, roles in self._roles.items():
            if role := roles.get(role_id):
                own = self._guilds[guild_id].bot_role
                return role.mentionable or bool(own and own.permissions & MENTION_EVERYONE)
        return True

    def _check(self, guild_id: str, role_id: str) -> None:
        guild = self._managed(guild_id)
        role = self._roles.get(guild_id, {}).get(role_id)
        if role is None:
            raise UNKNOWN_ROLE
        assert guild.bot_role is not None, "it may manage roles"
        if role.position >= guild.bot_role.position:
            raise MISSING_PERMISSIONS

    def _managed(self, guild_id: str) -> Guild:
        """The guild, in which the bot may manage roles. Raises Problem."""
        guild = self._guilds.get(guild_id)
        if guild is None or not (guild.bot_role and guild.bot_role.permissions & MANAGE_ROLES):
            raise MISSING_PERMISSIONS
        return guild
