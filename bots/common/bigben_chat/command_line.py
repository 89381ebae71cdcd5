"""The command of a bot: its help, and what to install where the bot can't run.

Imports nothing that the base install lacks, before a bot runs.
"""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from importlib import import_module


def main(platform: str, settings: str, checks: str) -> int:
    """Do what was typed; the exit code. The module ``cli`` of the platform's package does it.

    ``settings``: the end of the help. ``checks``: what ``check`` says.
    """
    name = platform.lower()
    command = f"bigben-{name}"
    parser = ArgumentParser(
        command,
        description=f"Run the {platform} bot of a Big Ben race server, until a signal stops it.",
        epilog=settings,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "check", nargs="?", choices=["check"], help=f"do not run it: say {checks}, and if not, why"
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
