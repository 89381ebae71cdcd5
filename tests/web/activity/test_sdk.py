"""Discord's own SDK, unmodified, judges the Discord of these tests: a wrong parent is noticed."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Frame, Playwright
from tests.discord.standin.activities import Instance
from tests.discord.standin.people import Channel, User
from tests.web.activity.aside import aside
from tests.web.activity.browsing import chromium, frame_in
from tests.web.activity.hosts import SDK, Hosts, hosts_on_loopback
from tests.web.activity.partner import PIP, Login, Opcode

pytestmark = pytest.mark.skipif(
    not SDK.exists(), reason="Discord's SDK is not in web/node_modules; see tools/with_npm.sh"
)
APP: Final = "1234567890123456789"
ASKED: Final = {
    "client_id": APP,
    "scope": ["identify"],
    "response_type": "code",
    "prompt": "none",
    "state": "signed",
    "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    "code_challenge_method": "S256",
}


ADA: Final = User("11", "Ada")
CHANNEL: Final = Channel("3", "general")
BOB: Final = User("12", "Bob")


@asynccontextmanager
async def discord(folder: Path) -> AsyncIterator[Hosts]:
    login = Login(lambda user, _: f"{user.name}'s code", {"Ada's token": ADA}.get)
    async with hosts_on_loopback(APP, login, folder) as hosts:
        yield hosts


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    with aside(lambda: discord(tmp_path_factory.mktemp("hosts"))) as one:
        yield one


class Judge:
    """A page that uses the SDK, in a frame of Ada's."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def does(self, what: str, given: Any = None) -> Any:  # Any: JSON, from and to the page
        """What the SDK makes of the answer."""
        return self.frame.evaluate(f"(given) => sdk.{what}", given)

    def hears(self, event: str) -> Any:
        """The next data of an event that the SDK has taken."""
        return self.frame.evaluate(
            """async (event) => {
              const at = () => heard.findIndex(([of]) => of === event);
              const next = (resolve) => addEventListener("message", () => setTimeout(resolve));
              while (at() < 0) await new Promise(next);
              return heard.splice(at(), 1)[0][1];
            }""",
            event,
        )


def test_the_sdk_takes_all_that_the_parent_says(playwright: Playwright, hosts: Hosts) -> None:
    instance = Instance("i-1-gc-2-3", "1", CHANNEL)
    place = hosts.opens(instance, ADA, path="/judge/")
    with chromium(playwright, hosts.port) as browser, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"https://discord.com/{place.path}")
        judge = Judge(frame_in(page))

        assert judge.hears("READY")["config"]["environment"] == "production"
        judge.does("ready()")
        assert judge.does("commands.authorize(given)", ASKED) == {"code": "Ada's code"}
        who = judge.does("commands.authenticate(given)", {"access_token": "Ada's token"})
        assert who["user"]["global_name"] == "Ada"
        assert judge.does("commands.userSettingsGetLocale()") == {"locale": "en-US"}
        here = judge.does("commands.getInstanceConnectedParticipants()")
        assert [one["global_name"] for one in here["participants"]] == ["Ada"]
        judge.does("commands.setOrientationLockState(given)", {"lock_state": 3})
        shared = judge.does("commands.shareLink(given)", {"message": "Race me", "custom_id": "AB"})
        assert shared["success"]
        assert judge.does("commands.openExternalLink(given)", {"url": "https://race.example/"})

        for event in ("ACTIVITY_LAYOUT_MODE_UPDATE", "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE"):
            judge.does(
                f"subscribe({event!r}, (data) => void heard.push([{event!r}, data])).then(() => 0)"
            )
        place.partner.shows(PIP)
        assert judge.hears("ACTIVITY_LAYOUT_MODE_UPDATE") == {"layout_mode": PIP}
        hosts.opens(instance, BOB)
        now = judge.hears("ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE")
        assert [one["global_name"] for one in now["participants"]] == ["Ada", "Bob"]

        judge.does("close(1000, 'done')")
        place.partner.until(lambda: place.partner.heard[-1][0] == Opcode.CLOSE)
        assert place.partner.wrong == []
        assert judge.frame.evaluate("heard") == []


def test_the_sdk_is_refused_what_discord_refuses(playwright: Playwright, hosts: Hosts) -> None:
    place = hosts.opens(Instance("i-2-gc-2-3", "2", CHANNEL), ADA, path="/judge/")
    place.partner.consents = False
    with chromium(playwright, hosts.port) as browser, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"https://discord.com/{place.path}")
        judge = Judge(frame_in(page))
        judge.hears("READY")
        for code, command, given in (
            (4006, "userSettingsGetLocale", None),
            (4009, "authenticate", {"access_token": "Bob's token"}),
            (4000, "authorize", {**ASKED, "code_challenge_method": "plain"}),
            (4000, "shareLink", {"message": "x" * 1001}),
            (4002, "startPurchase", {"sku_id": "1"}),
            (5000, "authorize", ASKED),
        ):
            refused = judge.does(f"commands.{command}(given).catch((error) => error.code)", given)
            assert refused == code, command
        assert len(place.partner.wrong) == 5
