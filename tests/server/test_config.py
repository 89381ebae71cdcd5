"""Settings from the environment: each one good and bad, and what the operator reads."""

import os
import re
import subprocess
import sys
from dataclasses import fields, replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

import pytest
from tests.support.paths import ROOT

import bigben_server
from bigben_server import config
from bigben_server.config import BadSetting, Limits, Settings, from_environment

KEY: Final = "k" * 32
OTHER: Final = "o" * 32
USUAL: Final = Settings()
OPERATORS: Final = Path(__file__).parents[2] / "docs" / "operators.md"

NUMBERS: Final = {
    "BIGBEN_FRAME_BYTES": ("frame_bytes", 256),
    "BIGBEN_MESSAGES_PER_SECOND": ("messages_per_second", 1),
    "BIGBEN_BURST": ("burst", 1),
    "BIGBEN_QUEUE_BYTES": ("queue_bytes", 65_536),
    "BIGBEN_CONNECTIONS_PER_ADDRESS": ("connections_per_address", 1),
    "BIGBEN_CONNECTS_PER_SECOND": ("connects_per_second", 1),
    "BIGBEN_CONNECTIONS_PER_PLAYER": ("connections_per_player", 1),
    "BIGBEN_RACES_PER_CONNECTION": ("races_per_connection", 1),
    "BIGBEN_RACES_PER_ADDRESS": ("races_per_address", 1),
    "BIGBEN_ROOMS_PER_MINUTE": ("rooms_per_minute", 1),
    "BIGBEN_ROOMS_PER_ADDRESS": ("rooms_per_address", 1),
    "BIGBEN_SEATS_PER_ADDRESS": ("seats_per_address", 1),
    "BIGBEN_GUESTS_PER_ADDRESS": ("guests_per_address", 1),
    "BIGBEN_API_PER_SECOND": ("api_per_second", 1),
    "BIGBEN_WORK_PER_SECOND": ("work_per_second", 1),
}
"""The limits, and the least that each may be."""
# Any: each field has a type of its own.
TEXTS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "BIGBEN_HOST": ("::", {"host": "::"}),
    "BIGBEN_PORT": ("0", {"port": 0}),
    "BIGBEN_DATA": ("/srv/big ben", {"data": Path("/srv/big ben")}),
    "BIGBEN_REDIS_URL": ("redis://redis:6379/0", {"redis_url": "redis://redis:6379/0"}),
    "BIGBEN_REDIS_WAIT": ("2", {"redis_wait": 2}),
    "BIGBEN_REDIS_UNSAFE": ("1", {"redis_unsafe": True}),
    "BIGBEN_PREFIX": ("Friends-2.play_here", {"prefix": "Friends-2.play_here"}),
    "BIGBEN_SECRET": (KEY, {"secret": KEY}),
    "BIGBEN_SECRET_OLD": (KEY, {"old_secret": KEY}),
    "BIGBEN_RANKED": ("verified", {"ranked": "verified"}),
    "BIGBEN_WEBHOOKS": ("public", {"webhooks": "public"}),
    "BIGBEN_PAGE": ("https://play.example/", {"page": "https://play.example"}),
    "BIGBEN_DISCORD_APP": ("1" * 19, {"discord_app": "1" * 19}),
    "BIGBEN_ORIGINS": ("https://a.example", {"origins": ("https://a.example",)}),
    "BIGBEN_THINKERS": ("3", {"thinkers": 3}),
    "BIGBEN_DAILY_GRADES": (
        "any, EASY easy,hard hard hard fiendish",
        {"daily_grades": ("any", "easy", "easy", "hard", "hard", "hard", "fiendish")},
    ),
    "BIGBEN_METRICS_HOST": ("::1", {"metrics_host": "::1"}),
    "BIGBEN_METRICS_PORT": ("9100", {"metrics_port": 9100}),
    "BIGBEN_BEHIND_PROXY": ("2", {"behind_proxy": 2}),
    "BIGBEN_TRUSTED": (
        "10.0.0.1/8, 2001:db8::/32 192.0.2.1",
        {"trusted": tuple(map(ip_network, ("10.0.0.0/8", "2001:db8::/32", "192.0.2.1")))},
    ),
    "BIGBEN_LOG": ("json", {"log": "json"}),
    "BIGBEN_HOUSE": ("1", {"house": True}),
    "BIGBEN_HOUSE_THINKERS": ("2", {"house_thinkers": 2}),
    "BIGBEN_LOG_LEVEL": ("debug", {"log_level": "debug"}),
    "BIGBEN_ISSUER_DISCORD_KEY": (KEY, {"issuers": {"discord": (KEY,)}}),
}
"""The others, a value that is not the usual one, and what it sets."""


def complaint(**environ: str) -> str:
    """What the operator reads; no key is repeated."""
    with pytest.raises(BadSetting) as caught:
        from_environment(environ)
    text = str(caught.value)
    assert text.endswith(".")
    assert len(text) < 200
    assert not any(value in text for name, value in environ.items() if "KEY" in name and value)
    return text


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("BIGBEN_SECERT", "did you mean BIGBEN_SECRET?"),
        ("BIGBEN_BEHIND_PROXIES", "did you mean BIGBEN_BEHIND_PROXY?"),
        ("BIGBEN_TRUSTED_PROXIES", "did you mean BIGBEN_TRUSTED?"),
        ("BIGBEN_ISSUER_DISCORD_KEY_NEW", "did you mean BIGBEN_ISSUER_DISCORD_KEY?"),
        ("BigBen_Secret", "did you mean BIGBEN_SECRET?"),
        ("BIGBEN_XYZ", "docs/operators.md lists all."),
    ],
)
def test_a_name_that_nothing_reads_is_refused(name: str, meant: str) -> None:
    said = complaint(**{name: KEY})
    assert said == f"{name} is no setting; {meant} Correct its name, or remove it."


def test_a_name_that_nothing_reads_may_be_empty() -> None:
    assert from_environment({"BIGBEN_SECERT": ""}) == USUAL


def test_what_other_programs_of_the_project_read_is_no_mistake() -> None:
    """One file of settings may serve the server, the bot and Docker Compose."""
    files = ("docker-compose.yml", "docker-compose.proxy.yml", "docs/proxy/Caddyfile")
    code = [*ROOT.glob("bots/**/*.py"), *ROOT.glob("house/**/*.py"), *ROOT.glob("terminal/**/*.py")]
    texts = [path.read_text() for path in (*(ROOT / file for file in files), *code)]
    read = {name for text in texts for name in re.findall(r"BIGBEN_[A-Z_]*[A-Z]\b", text)}
    assert len(read) > 30
    for name in read - {"BIGBEN_ISSUER"}:  # the beginning of a name
        value = TEXTS[name][0] if name in TEXTS else "100000" if name in NUMBERS else KEY
        from_environment({name: value})


def test_without_settings_a_server_serves_this_machine_with_a_redis_of_its_own() -> None:
    assert from_environment({}) == USUAL
    assert (USUAL.host, USUAL.port, USUAL.redis_url, USUAL.secret) == ("127.0.0.1", 8765, "", "")


def test_every_setting_is_tested_here() -> None:
    """All but those that a server sets for its own workers."""
    source = Path(config.__file__).read_text()
    read = set(re.findall(r"BIGBEN_[A-Z_]+", source)) - {
        "BIGBEN_",
        "BIGBEN_ISSUER_",
        "BIGBEN_ISSUER_KEY",
        "BIGBEN_ISSUER_DISCORD_KEY_OLD",
    }
    assert read == TEXTS.keys()
    assert NUMBERS.keys() == {f"BIGBEN_{limit.name.upper()}" for limit in fields(Limits)}
    tested = {name for _, sets in TEXTS.values() for name in sets}
    of_workers = {"metrics_folder", "worker"}
    assert tested | {"limits"} | of_workers == {field.name for field in fields(Settings)}
    assert {name for name, _ in NUMBERS.values()} == {field.name for field in fields(Limits)}


def test_every_setting_is_in_the_operators_guide() -> None:
    guide = OPERATORS.read_text().replace("ISSUER_NAME", "ISSUER_DISCORD")
    assert [name for name in (*NUMBERS, *TEXTS) if f"`{name}`" not in guide] == []


def test_the_operators_guide_has_the_usual_value_of_every_limit() -> None:
    told: dict[str, str] = {}
    for names, usual in re.findall(r"^\| (`BIGBEN.*?) \| (.*?) \|", OPERATORS.read_text(), re.M):
        told.update(zip(names.split(", "), usual.split(", "), strict=False))
    for name, (limit, _) in NUMBERS.items():
        assert told[f"`{name}`"] == f"`{getattr(Limits(), limit)}`"


@pytest.mark.parametrize("name", TEXTS)
def test_every_setting_sets_what_it_says(name: str) -> None:
    value, sets = TEXTS[name]
    assert from_environment({name: value}) == replace(USUAL, **sets)


@pytest.mark.parametrize("name", NUMBERS)
def test_every_limit_can_be_set(name: str) -> None:
    limit, least = NUMBERS[name]
    for number in (least, 100_000):
        settings = from_environment({name: str(number)})
        assert settings == replace(USUAL, limits=replace(Limits(), **{limit: number}))


@pytest.mark.parametrize("name", [*NUMBERS, *TEXTS])
def test_an_empty_setting_is_not_set(name: str) -> None:
    """Compose files pass on variables that nobody has set."""
    assert from_environment({name: ""}) == USUAL


@pytest.mark.parametrize("text", ["-1", "1.5", "many", " ", "0x10", "1_000", "１００", "9" * 5_000])
@pytest.mark.parametrize(
    "name", [*NUMBERS, "BIGBEN_PORT", "BIGBEN_BEHIND_PROXY", "BIGBEN_THINKERS"]
)
def test_a_text_that_is_not_a_number_is_refused_with_the_accepted_range(
    name: str, text: str
) -> None:
    said = complaint(**{name: text})
    assert re.fullmatch(rf"{name} is a number from \d+ to \d+, not '.*'\.", said)


@pytest.mark.parametrize("name", NUMBERS)
def test_a_limit_has_a_least_and_a_most(name: str) -> None:
    _, least = NUMBERS[name]
    assert f"from {least} to" in complaint(**{name: str(least - 1)})
    assert "not '2147483649'" in complaint(**{name: str(2**31 + 1)})


@pytest.mark.parametrize("text", ["10.0.0.0/33", "proxy", "10.0.0.0-10.0.0.9", "2001:db8:::/32"])
def test_what_is_no_network_is_not_trusted(text: str) -> None:
    said = complaint(BIGBEN_TRUSTED=f"127.0.0.1, {text}")
    assert said == f"BIGBEN_TRUSTED lists addresses or networks like 10.0.0.0/8, not {text!r}."


@pytest.mark.parametrize("text", ["0.0.0.0/0", "::/0"])
def test_not_everybody_is_trusted(text: str) -> None:
    assert complaint(BIGBEN_TRUSTED=text).startswith(f"BIGBEN_TRUSTED={text} would let everybody")


def test_the_log_has_two_forms_and_four_levels() -> None:
    assert complaint(BIGBEN_LOG="xml") == "BIGBEN_LOG is text or json, not 'xml'."
    said = "BIGBEN_LOG_LEVEL is info or debug or warning or error, not 'INFO'."
    assert complaint(BIGBEN_LOG_LEVEL="INFO") == said


def test_a_port_is_at_most_65535() -> None:
    assert from_environment({"BIGBEN_PORT": "65535"}).port == 65_535
    assert complaint(BIGBEN_PORT="65536").startswith("BIGBEN_PORT is a number from 0 to 65535")


@pytest.mark.parametrize("name", ["BIGBEN_SECRET", "BIGBEN_ISSUER_DISCORD_KEY"])
def test_a_key_has_32_bytes_at_least(name: str) -> None:
    assert complaint(**{name: "k" * 31}) == (
        f"{name} needs at least 32 bytes; `openssl rand -hex 32` makes one."
    )
    from_environment({name: "é" * 16})


def test_a_key_that_is_not_utf_8_is_refused() -> None:
    raw = os.fsdecode(b"\xff" * 32)
    assert complaint(BIGBEN_SECRET=raw).startswith("BIGBEN_SECRET is not UTF-8;")


def test_the_old_key_of_an_issuer_is_accepted_while_keys_change() -> None:
    name = "BIGBEN_ISSUER_DISCORD_KEY"
    settings = from_environment(
        {name: KEY, f"{name}_OLD": OTHER, "BIGBEN_ISSUER_ARCADE_KEY": OTHER}
    )
    assert settings.issuers == {"discord": (KEY, OTHER), "arcade": (OTHER,)}
    assert from_environment({f"{name}_OLD": OTHER}).issuers == {}
    assert "_KEY_OLD needs at least 32 bytes" in complaint(**{name: KEY, f"{name}_OLD": "short"})


def test_an_issuers_name_is_that_of_its_variable_with_dashes() -> None:
    assert from_environment({"BIGBEN_ISSUER_MY_CLUB_KEY": KEY}).issuers == {"my-club": (KEY,)}


@pytest.mark.parametrize("own", ["GUEST", "LINK"])
def test_no_other_issuer_speaks_for_the_servers_own_players(own: str) -> None:
    said = complaint(**{f"BIGBEN_ISSUER_{own}_KEY": KEY})
    assert said.endswith(f"{own.lower()} is this server, whose key is BIGBEN_SECRET.")


@pytest.mark.parametrize("name", ["BIGBEN_ISSUER__KEY", "BIGBEN_ISSUER_KEY", "BIGBEN_ISSUER_Ü_KEY"])
def test_an_issuer_has_a_name(name: str) -> None:
    assert "names no issuer" in complaint(**{name: KEY})


@pytest.mark.parametrize("text", ["none", "Verified", "all,verified", " "])
def test_ranked_is_all_or_verified(text: str) -> None:
    assert complaint(BIGBEN_RANKED=text) == f"BIGBEN_RANKED is all or verified, not {text!r}."
    assert from_environment({"BIGBEN_RANKED": "all"}).ranked == "all"


@pytest.mark.parametrize("text", ["bb:", "{bb}", "a b", "*", "é", "bb\n", "b" * 33])
def test_a_prefix_has_no_sign_that_means_something_in_a_key(text: str) -> None:
    allowed = "up to 32 letters, digits, dots, dashes and underscores"
    assert complaint(BIGBEN_PREFIX=text) == f"BIGBEN_PREFIX has {allowed}, not {text!r}."


def test_origins_are_separated_by_spaces_or_commas() -> None:
    settings = from_environment({"BIGBEN_ORIGINS": "https://a.example, http://B.example:8080/ "})
    assert settings.origins == ("https://a.example", "http://b.example:8080")


@pytest.mark.parametrize(
    "text", ["*", "play.example", "ws://a.example", "https://*.example", "https://a/b"]
)
def test_an_origin_is_written_as_browsers_send_it(text: str) -> None:
    assert complaint(BIGBEN_ORIGINS=f"https://fine.example {text}") == (
        f"BIGBEN_ORIGINS lists addresses like https://play.example, not {text!r}."
    )


@pytest.mark.parametrize(
    "text", ["play.example", "ws://a", "https://a/b", 'https://a"', "https://"]
)
def test_the_public_address_is_one_that_a_browser_opens(text: str) -> None:
    said = f"BIGBEN_PAGE is an address like https://play.example, not {text!r}."
    assert complaint(BIGBEN_PAGE=text) == said


@pytest.mark.parametrize("text", ["Big Ben", "1" * 14, "1" * 21, "1" * 18 + "\n", "１" * 18])
def test_an_application_of_discord_is_named_by_its_digits(text: str) -> None:
    said = complaint(BIGBEN_DISCORD_APP=text)
    assert said.startswith("BIGBEN_DISCORD_APP is the Application ID")
    assert said.endswith(f"15 to 20 digits, not {text[:40]!r}.")


def test_the_environment_of_the_process_is_read() -> None:
    """A command line that is started with a bad setting says so, in one line."""
    root = Path(bigben_server.__file__).parents[1]
    path = os.pathsep.join([str(root), str(root.parent / "protocol"), str(root.parent / "rules")])
    done = subprocess.run(
        [sys.executable, "-m", "bigben_server.cli"],
        env={"PYTHONPATH": path, "BIGBEN_PORT": "eighty"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == ("bigben serve: BIGBEN_PORT is a number from 0 to 65535, not 'eighty'.\n")
