"""Starts the Synapse of the tests, as its own tool configures it, but as cheap as it can be.

It has a folder in which a module is called synapse; `python -P` does not find that one.
"""

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final

NAME: Final = "matrix.example"
SECRET: Final = "the secret of the tests with which accounts are made"
_UNLIMITED: Final = {"per_second": 1_000_000, "burst_count": 1_000_000}
_LIFTED: Final = {
    "rc_message": _UNLIMITED,
    "rc_room_creation": _UNLIMITED,
    "rc_joins_per_room": _UNLIMITED,
    "rc_joins": {"local": _UNLIMITED, "remote": _UNLIMITED},
    "rc_invites": {"per_room": _UNLIMITED, "per_user": _UNLIMITED, "per_issuer": _UNLIMITED},
    "rc_media_create": _UNLIMITED,
    "rc_profile": _UNLIMITED,
}


def main() -> None:
    """Generate a configuration unless the data folder has one, and be the homeserver."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--port", type=int, required=True)
    asked.add_argument("--limited", action="store_true", help="rate limits as in production")
    asked.add_argument("--encrypting", action="store_true", help="all rooms, from now on")
    given = asked.parse_args()
    server = import_module("synapse.app.homeserver")
    own, ours = given.data / "homeserver.yaml", given.data / "tests.yaml"
    if not own.exists():
        # The same process: most of a start is imports.
        wanted = ["--generate-config", "--server-name", NAME, "--report-stats", "no"]
        folders = ["--config-path", str(own), "--data-directory", str(given.data)]
        server.HomeServerConfig.load_or_generate_config("", [*wanted, *folders])
    settings = _settings(given.data, given.port) | ({} if given.limited else _LIFTED)
    settings["encryption_enabled_by_default_for_room_type"] = "all" if given.encrypting else "off"
    ours.write_text(json.dumps(settings))  # which is YAML, too
    _spare_the_disk()
    sys.argv[1:] = ["-c", str(own), "-c", str(ours)]
    server.main()


def _settings(data: Path, port: int) -> dict[str, Any]:
    log = data / "log.yaml"
    log.write_text(json.dumps(_logging()))
    here = {"port": port, "bind_addresses": ["127.0.0.1"], "type": "http", "tls": False}
    return {
        "listeners": [{**here, "resources": [{"names": ["client"], "compress": False}]}],
        "log_config": str(log),
        "registration_shared_secret": SECRET,
        "bcrypt_rounds": 4,
        "federation_domain_whitelist": [],
        "trusted_key_servers": [],
        "presence": {"enabled": False},
        "user_directory": {"enabled": False},
        "enable_search": False,
        "thumbnail_sizes": [],
        "filter_timeline_limit": -1,
    }


def _logging() -> dict[str, Any]:
    """To standard output: complaints, and on which port it listens."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"plain": {"format": "%(message)s (%(levelname)s %(name)s)"}},
        "handlers": {
            "here": {
                "class": "logging.StreamHandler",
                "formatter": "plain",
                "stream": "ext://sys.__stdout__",
            }
        },
        "loggers": {"synapse.app._base": {"level": "INFO"}},
        "root": {"level": "WARNING", "handlers": ["here"]},
    }


def _spare_the_disk() -> None:
    """Wait for no disk: what is written must outlive the process, not the machine."""
    engine = import_module("synapse.storage.engines.sqlite").Sqlite3Engine
    prepared = engine.on_new_connection

    def connected(self: Any, connection: Any) -> None:
        prepared(self, connection)
        connection.execute("PRAGMA synchronous = OFF;")

    engine.on_new_connection = connected


if __name__ == "__main__":
    main()
