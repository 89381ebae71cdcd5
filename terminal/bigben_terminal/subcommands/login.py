"""``bigben login``: be the player that you are in Discord, by a code to confirm on the page."""

from argparse import ArgumentParser, Namespace

from bigben_client import BadAddress, Client, RefusedError
from bigben_terminal.complaint import Complaint
from bigben_terminal.display.faces import printable, safe
from bigben_terminal.language import say, told
from bigben_terminal.local_files import tokens
from bigben_terminal.servers.connecting import (
    FRONT_END,
    add_login_server,
    confirmed,
    connected,
    options,
    run_online,
)
from bigben_terminal.servers.login_service import Forgotten, LoginService


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
    return run_online(keep(arguments.server, link))


def _confirmed(service: LoginService) -> str:
    """The one-time link of the player, who has confirmed a new code."""
    code = service.begin(FRONT_END)
    print(say("login.open", page=printable(code.page)))
    print(f"\n    {printable(code.user_code)}\n")
    print(say("login.waiting", count=code.expires_in // 60), flush=True)
    return service.wait(code)


async def keep(server: str, link: str) -> None:
    """Be this player here from now on, and perhaps the guest too who has played here so far."""
    before = tokens.load(server)
    guest = tokens.holder(before)
    async with connected(server, "", link=link) as client:
        print(say("login.done", name=safe(client.name), options=options(server)))
        if guest is None or not guest.player.startswith("guest:"):
            return
        # Both may have the same name, by which the guest goes on to be found, whatever comes now.
        tokens.save(server, before, guest.name)
        tokens.save(server, client.token)
        if await _tied(client, before, guest):
            tokens.forget_player(server, guest.player)
            tokens.save(server, client.token, client.name)
        else:
            who = options(server, guest.name)
            print(say("login.kept", guest=safe(guest.name), options=printable(who)))


async def _tied(client: Client, token: str, guest: tokens.Holder) -> bool:
    """Whether the guest belongs to this account from now on, which the player decides."""
    names = {"guest": safe(guest.name), "end": guest.player[-4:], "name": safe(client.name)}
    print(say("login.tie", **names))
    if not confirmed(say("login.tie_sure")):
        return False
    try:
        await client.tie(token)
    except RefusedError as refused:
        raise Complaint(told(refused)) from None
    print(say("login.tied", **names))
    return True
