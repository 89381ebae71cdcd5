"""Builds the wheel and tries it in a fresh venv, without running the tests there.

With the base dependencies alone, `bigben deal` must run. With the third-party libraries of this
venv added, every module of every package must import from the wheel, and every command must exist.
With the newest Python of this machine and what operators install, by hashes, the same must hold,
and the server must start with its embedded store.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent

IMPORT_EVERYTHING = """
import importlib, importlib.metadata, pkgutil, sys
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    assert package.__file__.startswith(sys.prefix), f"{name} came from {package.__file__}"
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        if not module.name.endswith(".__main__"):
            importlib.import_module(module.name)
for command in importlib.metadata.distribution("bigben-race").entry_points:
    command.load()
"""

START_THE_SERVER = """
import signal, subprocess, sys
bigben, data = sys.argv[1:]
command = [bigben, "serve", "--port", "0", "--data", data]
pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
with subprocess.Popen(command, text=True, **pipes) as server:
    for line in server.stdout:
        print(line, end="")
        if line.startswith("listening on "):
            server.send_signal(signal.SIGTERM)
sys.exit(server.returncode)
"""

NEWEST = 14
"""Of the versions 3.* in the classifiers of pyproject.toml."""


def main() -> None:
    """Exits with a message if anything is wrong with the wheel."""
    packages = packages_of(ROOT / "pyproject.toml")
    with tempfile.TemporaryDirectory() as folder:
        wheel = build(Path(folder))
        check_contents(wheel, packages)
        fresh = Path(folder, "venv")
        venv.create(fresh, with_pip=False)
        python = str(fresh / "bin" / "python")
        pip = [sys.executable, "-m", "pip", "--python", python]
        run([*pip, "install", "-q", "-c", str(ROOT / "constraints.txt"), str(wheel)], cwd=folder)
        run([str(fresh / "bin" / "bigben"), "deal", "--help"], cwd=folder)
        libraries = {"PYTHONPATH": sysconfig.get_path("purelib")}
        run([python, "-c", IMPORT_EVERYTHING, *packages], cwd=folder, env=libraries)
        print(f"Wheel: {len(packages)} packages install and import")
        if newest := newest_python():
            check_with(newest, wheel, packages, Path(folder))
            print(f"Wheel: the same with {newest.name}, and the server starts")
        else:
            print("Wheel: no newer Python was found here to try it with")


def newest_python() -> Path | None:
    """The newest Python on PATH or among those of pyenv that is newer than this one."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(NEWEST, sys.version_info.minor, -1):
        name = f"python3.{minor}"
        on_path = shutil.which(name)
        found = sorted(versions.glob(f"3.{minor}.*/bin/{name}"))
        for python in [*found, *([Path(on_path)] if on_path else [])]:
            # One of pyenv's on PATH may only say that it is not switched on.
            runs = subprocess.run([python, "-c", "import venv"], capture_output=True, check=False)
            if runs.returncode == 0:
                return python
    return None


def check_with(python: Path, wheel: Path, packages: Sequence[str], folder: Path) -> None:
    """Install the wheel like operators, for this Python; import everything, start the server."""
    fresh = folder / python.name
    run([str(python), "-m", "venv", "--without-pip", str(fresh)], cwd=folder)
    theirs = str(fresh / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", theirs, "install", "-q"]
    run([*pip, "--require-hashes", "-r", str(ROOT / "requirements.txt")], cwd=folder)
    run([*pip, "--no-deps", str(wheel)], cwd=folder)
    run([theirs, "-W", "error", "-c", IMPORT_EVERYTHING, *packages], cwd=folder)
    data = folder / "data"
    run([theirs, "-c", START_THE_SERVER, str(fresh / "bin" / "bigben"), str(data)], cwd=folder)
    run([str(fresh / "bin" / "bigben"), "admin", "--data", str(data), "check"], cwd=folder)


def packages_of(pyproject: Path) -> list[str]:
    """The import names of the packages that the wheel must contain."""
    settings = tomllib.loads(pyproject.read_text())
    folders = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    return [Path(folder).name for folder in folders]


def build(folder: Path) -> Path:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder)]
    run([*command, str(ROOT)], cwd=folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def check_contents(wheel: Path, packages: Sequence[str]) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    found = sorted(top for top in tops if not top.endswith(".dist-info"))
    if found != sorted(packages):
        sys.exit(f"The wheel contains {found} at its top, but should contain {sorted(packages)}.")
    if "bigben_web/files/index.html" not in names:
        sys.exit("The wheel lacks the page: bigben_web/files/index.html is missing.")
    if "bigben_protocol/texts/en.toml" not in names:
        sys.exit("The wheel lacks the texts: bigben_protocol/texts is incomplete.")
    scripts = (ROOT / "server/bigben_server/storage/lua").glob("*.lua")
    if lost := {f"bigben_server/storage/lua/{script.name}" for script in scripts} - set(names):
        sys.exit(f"The wheel lacks scripts for Redis: {sorted(lost)}.")
    if untyped := [package for package in packages if f"{package}/py.typed" not in names]:
        sys.exit(f"The wheel lacks py.typed for {untyped}.")


def run(command: Sequence[str], *, cwd: str | Path, env: Mapping[str, str] | None = None) -> None:
    """Run a command quietly. If it fails, exit with its output."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=cwd,
        env=clean | dict(env or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        words = [word for word in command if "\n" not in word]
        sys.exit(f"{done.stdout}\nThe wheel does not work. This failed: {' '.join(words)}")


if __name__ == "__main__":
    main()
