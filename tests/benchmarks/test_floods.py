"""The floods that are measured: every type of message is one of them."""

import pytest
from benchmarks import floods

from bigben_protocol import ClientMessage


def test_every_type_of_message_is_a_flood() -> None:
    flooding = {type(message) for messages in floods.MESSAGES.values() for message in messages}
    assert flooding == {*ClientMessage.__args__}


def test_an_unknown_flood_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        floods.main(["pings"])
    assert "there is no flood pings" in capsys.readouterr().err
