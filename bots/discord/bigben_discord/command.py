"""The ``bigben-discord`` command."""

from bigben_chat import command_line

_SETTINGS = """\
  BIGBEN_DISCORD_TOKEN        the bot's token, from Discord's developer portal
  BIGBEN_ISSUER_DISCORD_KEY   the key that the race server knows it by, 32 bytes or more
  BIGBEN_DISCORD_DATA         a folder for what the bot must not forget (data)
  BIGBEN_DISCORD_SECRET       the client secret: players log in with Discord (nobody does)
  BIGBEN_LOGIN_HOST           where the login listens (127.0.0.1)
  BIGBEN_LOGIN_PORT           and on which port (8767); a proxy sends it /login
  BIGBEN_BEHIND_PROXY         how many proxies forward the players' addresses to it (0)
"""


def main() -> int:
    """Run or check the bot; the exit code."""
    return command_line.main("Discord", _SETTINGS)
