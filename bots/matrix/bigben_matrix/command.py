"""The ``bigben-matrix`` command."""

from bigben_chat import command_line

_SETTINGS = """\
  BIGBEN_MATRIX_HOMESERVER    where the bot's homeserver answers, https://matrix.example
  BIGBEN_MATRIX_TOKEN         an access token of the bot's account there
  BIGBEN_ISSUER_MATRIX_KEY    the key that the race server knows it by, 32 bytes or more
  BIGBEN_MATRIX_DATA          a folder for what the bot must not forget (data)
"""


def main() -> int:
    """Run or check the bot; the exit code."""
    return command_line.main("Matrix", _SETTINGS)
