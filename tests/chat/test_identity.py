"""Who a chat user is to the server: names and tokens that it takes, whatever the platform shows."""

import jwt
from hypothesis import given
from hypothesis import strategies as st

from bigben_chat.connections.identity import Issuer
from bigben_protocol import CODECS, JSON, Hello
from bigben_server.accounts.names import display_name
from bigben_server.accounts.tokens import Issuers
from bigben_server.race.events import Player

KEY = "k" * 32
DISCORD = Issuer("discord", KEY)


def checked(speaks: str, now: float) -> Player:
    """The player whom the server takes this token for."""
    return Issuers(b"s" * 32, {"discord": (KEY,)}).check(speaks, int(now * 1000))[0]


@given(st.text(max_size=32), st.integers(0, 2**63))
def test_every_name_on_discord_is_let_in(shown: str, user: int) -> None:
    player = checked(DISCORD.token(DISCORD.player(user), shown, (), 1000.0), 1000.0)
    assert player.id == DISCORD.player(user)
    assert display_name(player.name) == player.name


def test_the_longest_token_is_one_that_the_server_reads() -> None:
    guilds = [2**63 - number for number in range(100)]
    speaks = DISCORD.token(DISCORD.player(2**63), "\U0001f570" * 32, guilds, 1_795_000_000.0)
    hello = CODECS[JSON].encode(Hello(token=speaks))
    assert CODECS[JSON].decode_client(hello.decode()) == Hello(token=speaks)


def test_a_token_speaks_for_its_user_and_their_guilds() -> None:
    now = 1_795_000_000.0
    speaks = DISCORD.token(DISCORD.player(8035), "Ada", (11, 12), now)
    player = checked(speaks, now)
    assert (player.id, player.name) == ("discord:8035", "Ada")
    assert player.groups == frozenset((DISCORD.group(11), DISCORD.group(12)))


def test_a_token_ends_within_days() -> None:
    claims = jwt.decode(
        DISCORD.token(DISCORD.player(1), "Ada", (), 1000.0), KEY, ["HS256"],
        options={"verify_exp": False, "verify_iat": False},
    )  # fmt: skip
    assert claims["iat"] == 1000
    assert 0 < claims["exp"] - claims["iat"] <= 7 * 86_400


def test_in_direct_messages_there_is_no_group() -> None:
    assert DISCORD.group(0) == ""
