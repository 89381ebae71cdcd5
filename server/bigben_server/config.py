"""The settings of a server, read from the environment once; see ``docs/operators.md``."""

import errno
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from socket import gaierror
from typing import Final, Literal, cast, get_args

from bigben_protocol import Grade
from bigben_server.scoring.results import Ranked
from bigben_solver.choosing import ANY, NONE

Network = IPv4Network | IPv6Network
Webhooks = Literal["off", "public", "any"]
"""``public``: https, and no private address."""

_LEAST: Final = {"frame_bytes": 256, "queue_bytes": 65_536}
"""The limits that must be more than one."""


class BadSetting(ValueError):
    """A setting can't be used. The text is a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one peer, player or address may ask for, from ``BIGBEN_`` and the field's name."""

    frame_bytes: int = 16_384
    messages_per_second: int = 50
    burst: int = 100
    queue_bytes: int = 1_048_576
    connections_per_address: int = 64
    connects_per_second: int = 30
    connections_per_player: int = 8
    races_per_connection: int = 20
    races_per_address: int = 400
    """Races that all guests of an address follow at once."""
    rooms_per_minute: int = 20
    """Rooms, practice games and groups that a player makes, at once or in the long run."""
    rooms_per_address: int = 120
    """The same for all guests of an address. A school class is forty who begin at once."""
    seats_per_address: int = 2_000
    """Seats that all guests of an address take in a day, but for practice: what is played in them
    is kept. A school class of forty plays fifty games each."""
    guests_per_address: int = 200
    """New guests in a minute, at once or in the long run."""
    api_per_second: int = 20
    work_per_second: int = 1_500
    """What all guests of an address, or a player of another issuer, may ask for; a move is one."""


@dataclass(frozen=True, slots=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = 8765
    data: Path = Path("data")
    worker: int = 0
    """Which of several on one port this process is; 0 if it is alone, or their parent."""
    page: str = ""
    """The public address of the page; empty if it is only where the browser found it."""
    discord_app: str = ""
    """The id of the application whose Activity shows the page; empty for none."""
    origins: tuple[str, ...] = ()
    behind_proxy: int = 0
    """How many proxies put the address that they were asked from into X-Forwarded-For."""
    trusted: tuple[Network, ...] = ()
    """Where these proxies are; empty for anywhere."""
    redis_url: str = ""
    """Empty for the embedded Redis."""
    redis_wait: int = 0
    """How many replicas must have a move before it is acknowledged."""
    redis_unsafe: bool = False
    """Whether to start although Redis may lose what it acknowledges."""
    prefix: str = "bb"
    """All keys and channels in Redis begin with it and a colon."""
    secret: str = ""
    """Signs guests' tokens and makes the dailies' seeds; empty for one that Redis keeps."""
    old_secret: str = ""
    """Tokens that it signed are still accepted."""
    ranked: Ranked | None = None
    """None means all; ``bigben admin`` then keeps the setting that the boards were made for."""
    log: str = "text"
    """Or ``json``."""
    log_level: str = "info"
    issuers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keys by issuer, each at least 32 bytes; there are two while an operator changes them."""
    limits: Limits = Limits()
    thinkers: int = 1
    """How many processes compute hints, analyses and grades; 0 for none."""
    webhooks: Webhooks = "off"
    """Whether organisers of seasons may have news sent, and to which addresses."""
    house: bool = False
    """Whether a process with the house players runs beside the server."""
    daily_grades: tuple[str, ...] = ("easy", "easy", "medium", "medium", "hard", "fiendish", "hard")
    """The grade of the dailies from Monday to Sunday, ``any``, or ``none`` for no chosen deals."""
    house_thinkers: int = 1
    """How many processes think for the house players."""
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    """None for no metrics."""
    metrics_folder: Path | None = None
    """Where a worker writes its metrics, for its parent to serve."""


OF_WORKERS: Final = ("worker", "metrics_folder")
"""Fields that no variable sets: a server sets them for its own workers."""
_GROUPED: Final = ("limits", "issuers")
"""Fields that several variables set."""
_OTHERS: Final = (
    *("SERVER", "NAME", "DISCORD_TOKEN", "DISCORD_DATA", "HOUSE_PACE"),
    *("DISCORD_SECRET", "LOGIN", "LOGIN_HOST", "LOGIN_PORT"),
    *("MATRIX_HOMESERVER", "MATRIX_TOKEN", "MATRIX_DATA", "BOT_METRICS_PORT"),
    *("PUBLISH", "SITE", "UPSTREAMS", "SERVER_MEMORY", "REDIS_MEMORY", "CHROMIUM", "FIREFOX"),
)
"""What the other programs of this project, Docker Compose, Caddy and the tests read."""
_ORIGIN: Final = re.compile(r"""https?://[^/?#@*\s<>"']+""")
_ISSUER_KEY: Final = re.compile("BIGBEN_ISSUER_(?:(.*)_)?KEY")


def variable(name: str) -> str:
    """The variable that sets a field of Settings or Limits.

    >>> variable("port"), variable("old_secret")
    ('BIGBEN_PORT', 'BIGBEN_SECRET_OLD')
    """
    return "BIGBEN_SECRET_OLD" if name == "old_secret" else f"BIGBEN_{name.upper()}"


VARIABLES: Final = tuple(
    variable(one.name)
    for one in (*fields(Settings), *fields(Limits))
    if one.name not in (*OF_WORKERS, *_GROUPED)
)
"""All but the keys of issuers."""


def from_environment(environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings in ``BIGBEN_…`` variables; an empty one counts as not set. Raises BadSetting."""
    _check_names(environ)
    usual = Settings()
    limits = {
        name: _number(environ, f"BIGBEN_{name.upper()}", common, _LEAST.get(name, 1), 2**31)
        for name, common in asdict(usual.limits).items()
    }
    return Settings(
        host=environ.get("BIGBEN_HOST") or usual.host,
        port=_number(environ, "BIGBEN_PORT", usual.port, 0, 65_535),
        data=Path(environ.get("BIGBEN_DATA") or usual.data),
        page=_page(environ.get("BIGBEN_PAGE", "")),
        discord_app=_application(environ.get("BIGBEN_DISCORD_APP", "")),
        origins=_origins(environ.get("BIGBEN_ORIGINS", "")),
        behind_proxy=_number(environ, "BIGBEN_BEHIND_PROXY", usual.behind_proxy, 0, 10),
        trusted=_networks(environ.get("BIGBEN_TRUSTED", "")),
        redis_url=environ.get("BIGBEN_REDIS_URL", ""),
        redis_wait=_number(environ, "BIGBEN_REDIS_WAIT", usual.redis_wait, 0, 100),
        redis_unsafe=_number(environ, "BIGBEN_REDIS_UNSAFE", 0, 0, 1) == 1,
        prefix=_prefix(environ.get("BIGBEN_PREFIX") or usual.prefix),
        secret=_secret(environ, "BIGBEN_SECRET"),
        old_secret=_secret(environ, "BIGBEN_SECRET_OLD"),
        ranked=cast(Ranked, _one_of(environ, "BIGBEN_RANKED", "all", "verified"))
        if environ.get("BIGBEN_RANKED")
        else None,
        log=_one_of(environ, "BIGBEN_LOG", "text", "json"),
        log_level=_one_of(environ, "BIGBEN_LOG_LEVEL", "info", "debug", "warning", "error"),
        issuers=_issuers(environ),
        limits=Limits(**limits),
        daily_grades=_grades(environ.get("BIGBEN_DAILY_GRADES", "")) or usual.daily_grades,
        thinkers=_number(environ, "BIGBEN_THINKERS", usual.thinkers, 0, 64),
        webhooks=cast(Webhooks, _one_of(environ, "BIGBEN_WEBHOOKS", "off", "public", "any")),
        house=_number(environ, "BIGBEN_HOUSE", 0, 0, 1) == 1,
        house_thinkers=_number(environ, "BIGBEN_HOUSE_THINKERS", usual.house_thinkers, 1, 64),
        metrics_host=environ.get("BIGBEN_METRICS_HOST") or usual.metrics_host,
        metrics_port=_number(environ, "BIGBEN_METRICS_PORT", 0, 0, 65_535)
        if environ.get("BIGBEN_METRICS_PORT")
        else None,
    )


def _check_names(environ: Mapping[str, str]) -> None:
    """Raises BadSetting for a variable that nothing reads: what it was meant for is not set."""
    known = {*VARIABLES, *(f"BIGBEN_{one}" for one in _OTHERS)}
    for name in sorted(environ):
        ours = environ[name] and name.upper().startswith("BIGBEN_")
        if ours and name not in known and not _ISSUER_KEY.fullmatch(name.removesuffix("_OLD")):
            ends = [
                one.removeprefix("BIGBEN_") for one in (*VARIABLES, "BIGBEN_ISSUER_DISCORD_KEY")
            ]
            meant = get_close_matches(name.upper().removeprefix("BIGBEN_"), ends, 1)
            hint = f"did you mean BIGBEN_{meant[0]}?" if meant else "docs/operators.md lists all."
            raise BadSetting(f"{name[:60]} is no setting; {hint} Correct its name, or remove it.")


def _number(environ: Mapping[str, str], name: str, usual: int, least: int, most: int) -> int:
    if not (text := environ.get(name)):
        return usual
    # Ten digits are enough for each of them, and int() raises for more than 4,300.
    if not (re.fullmatch("[0-9]{1,10}", text) and least <= int(text) <= most):
        raise BadSetting(f"{name} is a number from {least} to {most}, not {text[:40]!r}.")
    return int(text)


def _one_of(environ: Mapping[str, str], name: str, usual: str, *others: str) -> str:
    text = environ.get(name) or usual
    if text not in (usual, *others):
        raise BadSetting(f"{name} is {usual} or {' or '.join(others)}, not {text[:40]!r}.")
    return text


def _secret(environ: Mapping[str, str], name: str) -> str:
    text = environ.get(name, "")
    if text and len(os.fsencode(text)) < 32:
        raise BadSetting(f"{name} needs at least 32 bytes; `openssl rand -hex 32` makes one.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadSetting(f"{name} is not UTF-8; `openssl rand -hex 32` makes one.") from None
    return text


def _prefix(text: str) -> str:
    if not re.fullmatch("[A-Za-z0-9_.-]{1,32}", text):
        raise BadSetting(
            "BIGBEN_PREFIX has up to 32 letters, digits, dots, dashes and underscores, not "
            f"{text[:40]!r}."
        )
    return text


def _page(text: str) -> str:
    """As an origin: the page is at its root."""
    page = text.rstrip("/")
    if page and not _ORIGIN.fullmatch(page.lower()):
        raise BadSetting(f"BIGBEN_PAGE is an address like https://play.example, not {text[:40]!r}.")
    return page


def _application(text: str) -> str:
    if text and not re.fullmatch("[0-9]{15,20}", text):
        raise BadSetting(
            "BIGBEN_DISCORD_APP is the Application ID on the page General Information of your "
            f"application, 15 to 20 digits, not {text[:40]!r}."
        )
    return text


def _origins(text: str) -> tuple[str, ...]:
    """In the form that browsers send."""
    origins = tuple(origin.rstrip("/").lower() for origin in text.replace(",", " ").split())
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise BadSetting(
                f"BIGBEN_ORIGINS lists addresses like https://play.example, not {origin[:40]!r}."
            )
    return origins


def _networks(text: str) -> tuple[Network, ...]:
    networks: list[Network] = []
    for one in text.replace(",", " ").split():
        try:
            network = ip_network(one, strict=False)
        except ValueError:
            raise BadSetting(
                f"BIGBEN_TRUSTED lists addresses or networks like 10.0.0.0/8, not {one[:60]!r}."
            ) from None
        if not network.prefixlen:
            raise BadSetting(
                f"BIGBEN_TRUSTED={one} would let everybody choose their own address; list only "
                "your proxies."
            )
        networks.append(network)
    return tuple(networks)


def _grades(text: str) -> tuple[str, ...]:
    grades = tuple(text.replace(",", " ").lower().split())
    known = [*filter(None, get_args(Grade)), ANY, NONE]
    if grades and (len(grades) != 7 or not {*grades} <= {*known}):
        raise BadSetting(
            "BIGBEN_DAILY_GRADES lists seven grades from Monday to Sunday, each one of "
            f"{', '.join(known)}; not {' '.join(grades)[:60]!r}."
        )
    return grades


def _issuers(environ: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """From ``BIGBEN_ISSUER_DISCORD_KEY`` and, while keys change, ``…_KEY_OLD``."""
    issuers: dict[str, tuple[str, ...]] = {}
    for name in environ:
        named = _ISSUER_KEY.fullmatch(name)
        if not (named and environ[name]):
            continue
        issuer = (named[1] or "").lower().replace("_", "-")
        if not re.fullmatch("[a-z0-9-]{1,32}", issuer):
            raise BadSetting(f"{name} names no issuer; write it like BIGBEN_ISSUER_DISCORD_KEY.")
        if issuer in ("guest", "link"):
            raise BadSetting(f"{name}: {issuer} is this server, whose key is BIGBEN_SECRET.")
        keys = (_secret(environ, name), _secret(environ, f"{name}_OLD"))
        issuers[issuer] = tuple(key for key in keys if key)
    return issuers


@contextmanager
def binding(settings: Settings) -> Iterator[None]:
    """Around the code that binds the port. Raises BadSetting."""
    host, port = settings.host, settings.port
    try:
        yield
    except (OSError, UnicodeError) as error:  # UnicodeError: the host can't be a name
        match error:
            case gaierror() | UnicodeError() | OSError(errno=errno.EADDRNOTAVAIL):
                text = (
                    f"{host[:60]!r} is no address of this machine; --host (BIGBEN_HOST) is "
                    "127.0.0.1 for players on this machine only, 0.0.0.0 for everybody."
                )
            case OSError(errno=errno.EADDRINUSE):
                text = (
                    f"port {port} is taken, perhaps by a server that runs already; stop that one, "
                    "or choose another port with --port (BIGBEN_PORT; make serve PORT=…)."
                )
            case OSError(errno=errno.EACCES):
                text = (
                    f"port {port} is reserved for the system; choose one from 1024 on with --port "
                    "(BIGBEN_PORT), and let a proxy forward that one."
                )
            case _:
                text = f"can't listen on {host[:60]!r}, port {port}: {error}."
        raise BadSetting(text) from error
