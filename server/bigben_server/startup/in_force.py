"""Which settings are in force and where each comes from, without what is secret in them."""

import re
from collections.abc import Collection, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Final, NamedTuple

from bigben_server.config import OF_WORKERS, Limits, Settings, variable

_SET: Final = "(set, and not shown)"
_DEFAULT: Final = "default"
_ELSEWHERE: Final = {
    "ranked": ("all", _DEFAULT),
    "redis_url": ("(the embedded Redis)", _DEFAULT),
    "secret": ("(made by the first server)", "Redis, which keeps it"),
}
"""What is in force instead of an empty setting, and where that comes from."""
_SECRET: Final = re.compile("secret|password|key")
_USERINFO: Final = re.compile("(?<=//)([^/@:]*).*@")
"""To the last @, also where a password has signs that a URL may not have."""
_PASSWORD: Final = re.compile("((?:[?&]|^)[^=&]*(?:pass|secret|key)[^=&]*=)[^&]*", re.IGNORECASE)


class InForce(NamedTuple):
    """One setting."""

    name: str
    """``BIGBEN_PORT``, for the option ``--port`` too."""
    value: str
    """As the variable has it; what is secret in it is left out."""
    source: str
    """``environment``, ``option --port``, ``default``, or what else keeps it."""


def in_force(
    settings: Settings, environ: Mapping[str, str], options: Collection[str] = ()
) -> list[InForce]:
    """All settings. ``options`` are the fields that the command line has set."""
    found = [
        _one(field.name, settings, environ, options)
        for field in fields(settings)
        if field.name not in (*OF_WORKERS, "limits", "issuers")
    ]
    found += [_one(field.name, settings.limits, environ, ()) for field in fields(Limits)]
    for issuer, keys in settings.issuers.items():
        name = f"BIGBEN_ISSUER_{issuer.upper().replace('-', '_')}_KEY"
        names = (name, f"{name}_OLD")[: len(keys)]
        found += [InForce(each, _SET, "environment") for each in names]
    return found


def differing(settings: Settings) -> list[InForce]:
    """The settings that are not the usual ones, in the same words."""
    usual = {one.name: one.value for one in in_force(Settings(), {})}
    return [one for one in in_force(settings, {}) if one.value != usual.get(one.name)]


def _one(
    name: str, of: Settings | Limits, environ: Mapping[str, str], options: Collection[str]
) -> InForce:
    value, named = getattr(of, name), variable(name)
    if name in options:
        return InForce(named, _text(name, value), f"option --{name.replace('_', '-')}")
    if environ.get(named):
        return InForce(named, _text(name, value), "environment")
    if name in _ELSEWHERE and not value:
        return InForce(named, *_ELSEWHERE[name])
    return InForce(named, _text(name, value), _DEFAULT)


def _text(name: str, value: object) -> str:
    match value:
        case str() if _SECRET.search(name):
            return _SET if value else ""
        case str() if name == "redis_url":
            return without_password(value)
        case bool():
            return f"{value:d}"
        case tuple():
            return " ".join(map(str, value))
        case str() | int() | Path():
            return str(value)
        case None:
            return ""
        case _:
            raise AssertionError(f"{name} has no form")


def without_password(url: str) -> str:
    """The URL of a Redis without what only its user knows.

    >>> without_password("redis+sentinel://ada:pass@a:26379,b:26379/main?sentinel_password=x")
    'redis+sentinel://ada:***@a:26379,b:26379/main?sentinel_password=***'
    """
    return _PASSWORD.sub(r"\1***", _USERINFO.sub(r"\1:***@", url))
