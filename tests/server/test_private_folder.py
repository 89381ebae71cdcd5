"""A folder that nobody else may enter, on the real file system."""

import os
import stat
from pathlib import Path

import pytest

from bigben_server.storage.embedded import make_private


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_it_is_made_for_us_alone(tmp_path: Path) -> None:
    make_private(tmp_path / "new" / "data")
    assert mode(tmp_path / "new" / "data") == 0o700


def test_a_private_one_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    tmp_path.chmod(0o700)
    make_private(tmp_path)
    assert mode(tmp_path) == 0o700


@pytest.mark.parametrize("too_open", [0o755, 0o770, 0o701])
def test_an_empty_one_is_closed_to_others(tmp_path: Path, too_open: int) -> None:
    tmp_path.chmod(too_open)
    make_private(tmp_path)
    assert mode(tmp_path) == 0o700


def test_one_full_of_other_things_is_refused_and_not_closed(tmp_path: Path) -> None:
    (tmp_path / "letter").touch()
    tmp_path.chmod(0o755)
    with pytest.raises(PermissionError, match=r"other users can enter .*`chmod 700`"):
        make_private(tmp_path)
    assert mode(tmp_path) == 0o755


def test_one_of_another_user_is_refused(tmp_path: Path) -> None:
    theirs = Path("/")
    if os.geteuid() == 0:
        theirs = tmp_path / "theirs"
        theirs.mkdir(mode=0o700)
        os.chown(theirs, 4711, -1)
    with pytest.raises(PermissionError, match=r"belongs to another user \(uid \d+\)"):
        make_private(theirs)


def test_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "ours")
    with pytest.raises(NotADirectoryError, match="is a link and not a folder"):
        make_private(tmp_path / "link")


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        make_private(tmp_path / "file")
