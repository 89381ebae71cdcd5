"""Builds the wheel and tries it in a fresh venv, without running the tests there.

With the base dependencies alone, `bigben deal` must run. With the third-party libraries of this
venv added, every module of every package must import from the wheel, and every command must exist.
"""

import os
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
