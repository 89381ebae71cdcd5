"""The login service: it listens while the bot runs, if the bot has the client secret."""

from bigben_discord.config import Settings


class CantListen(Exception):
    """The address of the login service can't be used. Its message is a sentence."""


class LoginService:
    """Answers logins. Knows who the application is only once ``start`` is called."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.port = 0
        """Where it listens; 0 before."""

    @property
    def enabled(self) -> bool:
        """Whether players can log in."""
        return bool(self._settings.secret)
