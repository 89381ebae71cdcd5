"""Tokens: who may speak for whom, until when, and what anybody else's token comes to."""

import base64
import hmac
import json
import traceback
from typing import Final

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.stage import ADA
from tests.support.times import NOON

from bigben_protocol import PlayerId
from bigben_server.accounts.tokens import GUEST, GUEST_TOKEN_S, LINK, LINK_S, Issuers
from bigben_server.race.events import Player, Refusal

SECRET: Final = b"the server's secret"
KEY: Final = "k" * 32
OTHER_KEY: Final = "o" * 32
ISSUERS: Final = Issuers(SECRET, {"discord": (KEY,), "arcade": (OTHER_KEY,)})
SECONDS: Final = NOON // 1000

CLAIMS: Final[dict[str, object]] = {
    "iss": "discord",
    "sub": "discord:8035",
    "name": "Zoë",
    "exp": SECONDS + 60,
}
NOT_VALID: Final = "This token is not valid here; say hello without it."


def base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def signed(claims: object, key: str = KEY, **header: object) -> str:
    """A token made by hand, so that nothing keeps it from being wrong."""
    text = claims if isinstance(claims, bytes) else json.dumps(claims).encode()
    head = json.dumps({"alg": "HS256", "typ": "JWT", **header}).encode()
    body = f"{base64url(head)}.{base64url(text)}"
    return f"{body}.{base64url(hmac.digest(key.encode(), body.encode(), 'sha256'))}"


def reason(token: str, now: int = NOON, issuers: Issuers = ISSUERS) -> str:
    """Why the token is refused; nothing of it is in anything that could be logged."""
    with pytest.raises(Refusal) as caught:
        issuers.check(token, now)
    assert caught.value.code == "token"
    logged = "".join(traceback.format_exception(caught.value))
    for part in token.split("."):
        assert len(part) < 8 or part not in logged
    return str(caught.value)


# Whoever it should be


def test_a_guest_is_known_again_by_the_token_they_were_given() -> None:
    token = ISSUERS.mint(GUEST, ADA, NOON)
    assert ISSUERS.check(token, NOON)[0] == ADA
    assert Issuers(SECRET, {}).check(token, NOON)[0] == ADA, "on every process with the secret"


def test_a_front_end_speaks_for_its_own_players() -> None:
    assert ISSUERS.check(signed(CLAIMS), NOON)[0] == Player(PlayerId("discord:8035"), "Zoë")


def test_a_name_that_does_not_fit_is_made_to_and_the_player_is_let_in() -> None:
    for name, shown in {"Zo\u202eë": "Zoë", "": "Player", "x" * 99: "x" * 32}.items():
        assert ISSUERS.check(signed({**CLAIMS, "name": name}), NOON)[0].name == shown


def test_claims_that_mean_nothing_here_are_passed_over() -> None:
    more = {"aim": 2**60, "jti": "17", "admin": True}
    assert ISSUERS.check(signed({**CLAIMS, **more}), NOON)[0].id == "discord:8035"


def test_a_token_is_valid_until_it_expires() -> None:
    token = ISSUERS.mint(GUEST, ADA, NOON)
    end = NOON + GUEST_TOKEN_S * 1000
    assert ISSUERS.check(token, end - 1)[0] == ADA
    assert reason(token, end) == "This token has expired; say hello without it."


def test_a_token_is_valid_from_its_start() -> None:
    token = signed({**CLAIMS, "nbf": NOON // 1000})
    assert ISSUERS.check(token, NOON)[0].id == "discord:8035"
    assert reason(token, NOON - 1) == "This token does not hold yet; come back later."


def test_a_guest_stays_the_same_while_the_server_changes_its_secret() -> None:
    before, after = Issuers(b"o" * 32, {}), Issuers(b"n" * 32, {}, b"o" * 32)
    for issuer in (GUEST, LINK):
        assert after.check(before.mint(issuer, ADA, NOON), NOON)[0] == ADA
        assert Issuers(b"n" * 32, {}).check(after.mint(issuer, ADA, NOON), NOON)[0] == ADA


# Whoever it should not be


def test_an_issuer_cannot_speak_for_anothers_players() -> None:
    others = ("guest:ada", "arcade:1", "discord", "discordia:1", "", ":", " discord:1")
    for sub in (*others, "discord:", "discord:\n", "discord:\ud800", "discord:" + "1" * 101):
        assert reason(signed({**CLAIMS, "sub": sub})) == (
            "This token’s issuer can’t speak for that player."
        )


def test_an_issuer_cannot_sign_for_another() -> None:
    assert reason(signed({**CLAIMS, "iss": "arcade", "sub": "arcade:1"})) == NOT_VALID
    for own in (GUEST, LINK):
        assert reason(signed({**CLAIMS, "iss": own, "sub": "guest:ada"})) == NOT_VALID


def test_keys_given_for_the_servers_own_issuers_are_not_used() -> None:
    issuers = Issuers(SECRET, {GUEST: (KEY,), LINK: (KEY,)})
    for own in (GUEST, LINK):
        assert reason(signed({**CLAIMS, "iss": own, "sub": "guest:ada"}), issuers=issuers)


def test_the_servers_own_keys_are_not_its_secret() -> None:
    for key in (SECRET.decode(), "", "guest tokens"):
        forged = signed({**CLAIMS, "iss": GUEST, "sub": "guest:ada"}, key)
        assert reason(forged) == NOT_VALID


def test_a_token_for_another_audience_is_not_valid_here() -> None:
    assert reason(signed({**CLAIMS, "aud": "elsewhere"})) == NOT_VALID


def test_a_token_of_another_server_is_not_valid_here() -> None:
    elsewhere = Issuers(b"another secret", {})
    assert reason(elsewhere.mint(GUEST, ADA, NOON)) == NOT_VALID


@pytest.mark.parametrize("algorithm", ["none", "nOnE", "HS512", "HS384", "RS256", "", None, 1, []])
def test_only_hs256_is_taken(algorithm: object) -> None:
    assert reason(signed(CLAIMS, alg=algorithm)) == NOT_VALID


def test_an_unsigned_token_is_not_valid() -> None:
    unsigned = jwt.encode(CLAIMS, "", algorithm="none")
    assert reason(unsigned) == NOT_VALID
    head, body, _ = signed(CLAIMS).split(".")
    assert reason(f"{head}.{body}.") == NOT_VALID


def test_a_token_whose_claims_were_changed_is_not_valid() -> None:
    head, _, signature = signed(CLAIMS).split(".")
    body = base64url(json.dumps({**CLAIMS, "sub": "discord:1"}).encode())
    assert reason(f"{head}.{body}.{signature}") == NOT_VALID


def test_an_unknown_issuer_is_refused() -> None:
    assert reason(signed({**CLAIMS, "iss": "elsewhere", "sub": "elsewhere:1"})) == NOT_VALID
    assert reason(signed({**CLAIMS, "iss": "", "sub": ":1"}, "x")) == NOT_VALID


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("value", [None, True, 1.5, [], {}, "left out"])
def test_every_claim_is_there_and_of_its_kind(claim: str, value: object) -> None:
    claims = {**CLAIMS, claim: value}
    if value == "left out":
        del claims[claim]
    assert reason(signed(claims)) == NOT_VALID


@pytest.mark.parametrize("exp", ["soon", "9", -1, 0, float("inf"), "\ud800"])
def test_a_token_has_an_end_that_is_a_number(exp: object) -> None:
    assert reason(signed({**CLAIMS, "exp": exp}))


@pytest.mark.parametrize(
    "token",
    [
        *("", ".", "..", "x", "null", "Bearer x.y.z", "\x00", "é.é.é", "\ud800", "a" * 2048),
        "." * 2048,
        f"{base64url(b'[' * 1500)}.e30.x",
        f"{base64url(b'{}')}.{base64url(b'[' * 1500)}.x",
        signed(b'{"iss":' + b"[" * 700 + b"]" * 700 + b"}"),
        signed(b"\xff\xfe"),
        signed(b'"just text"'),
        signed(b"[]"),
        signed(b'{"exp":' + b"1" * 1400 + b"}"),
    ],
)
def test_garbage_is_refused_in_one_sentence(token: str) -> None:
    assert reason(token).endswith(".")


@given(st.text(st.sampled_from("eyJ0.-_=Aé\n\ud800"), max_size=80))
def test_no_text_is_more_than_refused(token: str) -> None:
    assert reason(token) == NOT_VALID


# Changing keys


def test_while_keys_change_both_are_taken_and_the_new_one_signs() -> None:
    player = Player(PlayerId("discord:8035"), "Zoë")
    old, new = "old" * 11, "new" * 11
    before = Issuers(SECRET, {"discord": (old,)}).mint("discord", player, NOON)
    changing = Issuers(SECRET, {"discord": (new, old)})
    after = Issuers(SECRET, {"discord": (new,)})
    assert changing.check(before, NOON)[0] == player
    assert after.check(changing.mint("discord", player, NOON), NOON)[0] == player
    assert reason(before, issuers=after) == NOT_VALID


# One-time links


def test_a_link_makes_its_user_the_same_player() -> None:
    token = ISSUERS.mint(LINK, ADA, NOON, once="once")
    assert ISSUERS.check(token, NOON) == (ADA, "once")
    assert reason(token, NOON + LINK_S * 1000).startswith("This token has expired")


def test_a_bot_is_a_bot_after_a_link_too() -> None:
    bot = ISSUERS.check(signed({**CLAIMS, "bot": True}), NOON)[0]
    assert bot.bot
    assert ISSUERS.check(ISSUERS.mint(LINK, bot, NOON, once="once"), NOON)[0].bot
    assert ISSUERS.check(ISSUERS.mint(LINK, bot, NOON), NOON)[0].bot


def test_only_this_server_makes_one_time_links() -> None:
    """Others number their lasting tokens; those are used more than once."""
    player, once = ISSUERS.check(signed({**CLAIMS, "jti": "17"}), NOON)
    assert (player.id, once) == ("discord:8035", "")
