"""The ``bigben-matrix`` command."""

from bigben_chat import command_line

_SETTINGS = """\
settings, from the environment:
  BIGBEN_MATRIX_HOMESERVER    where the bot's homeserver answers, https://matrix.example
  BIGBEN_MATRIX_TOKEN         an access token of the bot's account there
  BIGBEN_ISSUER_MATRIX_KEY    the key that the race server knows it by, 32 bytes or more
  BIGBEN_SERVER               where the race server listens (ws://127.0.0.1:8765)
  BIGBEN_PAGE                 where people find it, https://bigben.example (BIGBEN_SERVER)
  BIGBEN_MATRIX_DATA          a folder for what the bot must not forget (data)
  BIGBEN_BOT_METRICS_PORT     on which port Prometheus finds the metrics (there are none)
  BIGBEN_METRICS_HOST         and where (127.0.0.1)

docs/matrix.md leads from an account for the bot to the first race, in ten steps."""


def main() -> int:
    """Run or check the bot; the exit code."""
    return command_line.main("Matrix", _SETTINGS, "whether all that it talks to is right")
