"""Files of the lab open by double-click: entries for the desktops of Linux, in the user's own folders.

Standard library only; used by ``dev.py``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from environment import TroubleError

NAME = "pe-desktop"
TYPES = {
    "application/x-pe-desktop-session": ("PE Desktop session", "pelab", "application/json"),
    "application/x-pe-desktop-lesson": ("PE Desktop lesson", "pelesson", "text/plain"),
}
# Both indexes are made by programs of the desktop; without them it finds the entries at its next start.
INDEXERS = (("update-mime-database", "mime"), ("update-desktop-database", "applications"))


def mime_package() -> str:
    """The description of both kinds of file (freedesktop.org, shared MIME information)."""
    kinds = "".join(
        f'  <mime-type type="{kind}">\n    <comment>{comment}</comment>\n'
        f'    <sub-class-of type="{parent}"/>\n    <glob pattern="*.{suffix}"/>\n  </mime-type>\n'
        for kind, (comment, suffix, parent) in TYPES.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">\n{kinds}</mime-info>\n'
    )


def desktop_entry(program: Path) -> str:
    """The entry that starts the lab with the file that was clicked (freedesktop.org, desktop entries)."""
    return (
        "[Desktop Entry]\nType=Application\nName=PE Desktop\n"
        "Comment=A laboratory for positional encodings\n"
        f"Exec={_quoted(program)} %f\nTerminal=false\n"
        f"Categories=Education;Science;\nMimeType={';'.join(TYPES)};\n"
    )


def _quoted(program: Path) -> str:
    """A path as the Exec line wants it: in quotes, with what the shell and the format would read escaped."""
    text = str(program).replace("%", "%%")
    for special in ("\\", '"', "`", "$"):
        text = text.replace(special, f"\\{special}")
    return '"' + text.replace("\\", "\\\\") + '"'


def associate(program: Path, variables: Mapping[str, str], platform: str = sys.platform) -> list[Path]:
    """Make a double-click on a session or a lesson open `program`.

    Parameters
    ----------
    program : Path
        What starts the lab.
    variables : mapping
        The process's environment; ``XDG_DATA_HOME`` says where the user's entries live.
    platform : str

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    TroubleError
        On another system than Linux, or where the folder cannot be written.
    """
    if not platform.startswith("linux"):
        raise TroubleError("Only Linux desktops are served; elsewhere choose PE Desktop once under “Open with”.")
    data = Path(variables.get("XDG_DATA_HOME") or Path(variables.get("HOME") or Path.home()) / ".local/share")
    written = {
        data / "mime" / "packages" / f"{NAME}.xml": mime_package(),
        data / "applications" / f"{NAME}.desktop": desktop_entry(program),
    }
    try:
        for path, text in written.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise TroubleError(f"{error.filename} cannot be written: {(error.strerror or str(error)).lower()}.") from error
    for indexer, folder in INDEXERS:
        found = shutil.which(indexer, path=variables.get("PATH", os.defpath))
        if found:
            subprocess.run([found, str(data / folder)], check=False, capture_output=True)
    return list(written)
