"""What the Discord of these tests refuses, said to it without a browser."""

from typing import Any, Final

import pytest
from tests.discord.standin.activities import Instance
from tests.discord.standin.people import Channel, User
from tests.web.activity.partner import Login, Message, Opcode, Partner

ORIGIN: Final = "https://1.discordsays.com"
SHAKE: Final = {"v": 1, "encoding": "json", "client_id": "1", "frame_id": "f"}
LOCALE: Final = "USER_SETTINGS_GET_LOCALE"
NONCES: Final = [f"{n:08x}-0000-4000-8000-000000000000" for n in range(9)]


class Heard(Partner):
    """A partner whose answers are kept."""

    def __init__(self) -> None:
        ada = User("11", "Ada")
        login = Login(authorize=lambda *_: "code", user_of={"token": ada}.get)
        instance = Instance("i", "2", Channel("3", "general"), [ada])
        super().__init__("1", instance, "f", ada, login, ORIGIN)
        self.said: list[Message] = []
        self.attach(self.said.append)

    def hears(self, *data: Any, origin: str = ORIGIN) -> Message:
        """The last answer to these messages (Any: whatever a page may say)."""
        for one in data:
            self.receive(origin, True, one)
        return self.said[-1]


def frame(command: str, number: int = 0, **rest: Any) -> Message:
    return [Opcode.FRAME, {"cmd": command, "nonce": NONCES[number], **rest}]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (1003, [{"cmd": LOCALE}]),
        (1003, [[7, {}]]),
        (1003, [[0, SHAKE], [0, SHAKE]]),
        (1003, [[0, SHAKE], frame("CAPTURE_LOG"), frame("CAPTURE_LOG")]),
        (1003, [[0, SHAKE], [2, {"code": 1000}], frame(LOCALE)]),
        (4000, [frame(LOCALE)]),
        (4000, [[0, {**SHAKE, "client_id": "2"}]]),
        (4000, [[0, {**SHAKE, "frame_id": "g"}]]),
        (4004, [[0, {**SHAKE, "v": 2}]]),
        (4005, [[0, {**SHAKE, "encoding": "etf"}]]),
        (4005, [[0, {**SHAKE, "more": 1}]]),
        (4005, [[0, SHAKE], [1, {"cmd": LOCALE, "nonce": "1"}]]),
    ],
)
def test_discord_closes_on_what_comes_early_or_twice_or_in_another_form(
    code: int, said: list[Any]
) -> None:
    partner = Heard()
    opcode, payload = partner.hears(*said)
    assert (opcode, payload["code"]) == (Opcode.CLOSE, code)
    assert partner.wrong


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (4000, frame("SHARE_LINK")),
        (4000, frame("SHARE_LINK", args={"message": "Race me", "url": "https://race.example"})),
        (4000, frame("OPEN_EXTERNAL_LINK", args={"url": "javascript:alert()"})),
        (4000, frame("SUBSCRIBE", args={})),
        (4002, frame("GET_GUILDS", args={})),
        (4004, frame("SUBSCRIBE", evt="MESSAGE_CREATE")),
        (4006, frame(LOCALE, args={})),
        (4006, frame("SUBSCRIBE", evt="CURRENT_USER_UPDATE")),
        (4009, frame("AUTHENTICATE", args={"access_token": "token"})),
    ],
)
def test_discord_answers_a_wrong_command_with_an_error(code: int, said: Message) -> None:
    partner = Heard()
    opcode, payload = partner.hears([Opcode.HANDSHAKE, SHAKE], said)
    assert (opcode, payload["evt"], payload["data"]["code"]) == (Opcode.FRAME, "ERROR", code)
    assert payload["nonce"] == said[1]["nonce"]
    assert len(partner.wrong) == 1


@pytest.mark.parametrize("origin", ["https://2.discordsays.com", "null"])
def test_discord_closes_on_another_origin(origin: str) -> None:
    assert Heard().hears([Opcode.HANDSHAKE, SHAKE], origin=origin)[1]["code"] == 4001


def test_discord_does_not_answer_another_window_than_the_frame() -> None:
    partner = Heard()
    partner.receive(ORIGIN, False, [Opcode.HANDSHAKE, SHAKE])
    assert partner.said == []
    assert len(partner.wrong) == 1


def test_a_new_document_shakes_hands_again() -> None:
    partner = Heard()
    partner.hears([Opcode.HANDSHAKE, SHAKE])
    partner.begin()
    assert partner.hears([Opcode.HANDSHAKE, SHAKE])[1]["evt"] == "READY"
    assert partner.wrong == []
