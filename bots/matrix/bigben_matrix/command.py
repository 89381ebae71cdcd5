"""The ``bigben-matrix`` command: its help, and what to install where the bot can't run.

Imports nothing that the base install lacks, before it is asked to run the bot.
"""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter

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
    """Run the bot; the exit code."""
    ArgumentParser(
        "bigben-matrix",
        description="Run the Matrix bot of a Big Ben race server, until a signal stops it.",
        epilog=_SETTINGS,
        formatter_class=RawDescriptionHelpFormatter,
    ).parse_args()
    try:
        from bigben_matrix import cli
    except ModuleNotFoundError as error:
        print(
            f"bigben-matrix: {error.name} is not installed: "
            "in the checkout, pip install '.[matrix]'",
            file=sys.stderr,
        )
        return 1
    return cli.main()
