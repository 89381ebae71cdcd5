"""A folder that only the user who runs the server may enter. It puts nothing into the folder."""

import os
import stat
from pathlib import Path

_ANYBODY_ELSE = stat.S_IRWXG | stat.S_IRWXO


def make_private(folder: Path) -> None:
    """Create `folder` with mode 0700, or see that it is already that private.

    An empty folder of ours that is open to others is tightened. One with something in it is
    refused: a slip such as naming /tmp or a home folder must not lock everybody else out.
    A symbolic link is refused: whoever owns it could point it elsewhere later.

    Raises OSError.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(f"{folder} is a link and not a folder")
    if found.st_uid != os.geteuid():
        raise PermissionError(f"{folder} belongs to another user (uid {found.st_uid})")
    if found.st_mode & _ANYBODY_ELSE:
        if any(folder.iterdir()):
            raise PermissionError(
                f"other users can enter {folder}, which is not empty (`chmod 700` closes it)"
            )
        folder.chmod(0o700)
