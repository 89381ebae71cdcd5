"""The command of a bot: its help, and what to install where the bot can't run.

Imports nothing that the base install lacks, before a bot runs.
"""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from importlib import import_module
from typing import Final

_HELP: Final = """\
settings, from the environment:
{settings}\
  BIGBEN_SERVER               where the race server listens (ws://127.0.0.1:8765)
  BIGBEN_PAGE                 where people find it, https://race.example (BIGBEN_SERVER)
  BIGBEN_BOT_METRICS_PORT     on which port Prometheus finds the metrics (there are none)
  BIGBEN_METRICS_HOST         and where (127.0.0.1)

docs/{name}.md leads from nothing to the first race, in ten steps."""


def main(platform: str, settings: str) -> int:
    """Do what was typed; the exit code. The module ``cli`` of the platform's package does it.

    ``settings``: the help for those that no other bot has.
    """
    name = platform.lower()
    command = f"bigben-{name}"
    parser = ArgumentParser(
        command,
        description=f"Run the {platform} bot of a Big Ben race server, until a signal stops it.",
        epilog=_HELP.format(settings=settings, name=name),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "check",
        nargs="?",
        choices=["check"],
        help="do not run it: say whether all that it talks to is right, and if not, why",
    )
    wanted = parser.parse_args().check
    try:
        cli = import_module(f"bigben_{name}.cli")
    except ModuleNotFoundError as error:
        extra = f"in the checkout, pip install '.[{name}]'"
        print(f"{command}: {error.name} is not installed: {extra}", file=sys.stderr)
        return 1
    code: int = cli.check() if wanted else cli.main()
    return code
