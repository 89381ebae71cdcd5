"""``bigben login``: be the player that you are in Discord, by a code to confirm on the page."""

from argparse import ArgumentParser, Namespace

from bigben_client import BadAddress
from bigben_terminal.complaint import Complaint
from bigben_terminal.display.faces import printable
from bigben_terminal.language import say, told
from bigben_terminal.servers.connecting import FRONT_END, add_login_server, run_online
from bigben_terminal.servers.login_service import Forgotten, LoginService
from bigben_terminal.servers.one_player import be


def add_arguments(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.description = """Log in with Discord: open the address that is shown in a browser, log in
    there and confirm the code. From then on you are the same player here and there."""
    add_login_server(parser)


def run(arguments: Namespace) -> int:
    """Log in and keep the player. Returns the exit code. Raises Complaint."""
    try:
        service = LoginService(arguments.server)
    except BadAddress as error:
        raise Complaint(told(error)) from None
    link = ""
    while not link:
        try:
            link = _confirmed(service)
        except Forgotten:
            print(say("login.forgotten"))
    return run_online(be(arguments.server, link))


def _confirmed(service: LoginService) -> str:
    """The one-time link of the player, who has confirmed a new code."""
    code = service.begin(FRONT_END)
    print(say("login.open", page=printable(code.page)))
    print(f"\n    {printable(code.user_code)}\n")
    print(say("login.waiting", count=code.expires_in // 60), flush=True)
    return service.wait(code)
