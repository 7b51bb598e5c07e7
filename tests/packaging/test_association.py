"""A double-click on a session or a lesson: the entries that Linux desktops read."""

from __future__ import annotations

import configparser
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from association import TYPES, associate, desktop_entry, mime_package
from environment import TroubleError

SPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"


def entry_of(text: str) -> dict[str, str]:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read_string(text)
    return dict(parser["Desktop Entry"])


def test_both_suffixes_are_described():
    root = ET.fromstring(mime_package())
    found = {kind.get("type"): kind.find(f"{SPACE}glob").get("pattern") for kind in root}
    assert found == {
        "application/x-pe-desktop-session": "*.pelab",
        "application/x-pe-desktop-lesson": "*.pelesson",
    }


@pytest.mark.parametrize("program", ["/opt/pe desktop/bin/pe-desktop", '/o"dd/$HOME/`x`/50%/back\\slash'])
def test_the_program_is_started_whatever_its_path_holds(program):
    entry = entry_of(desktop_entry(Path(program)))
    # The value is unescaped first, then the quoted word is, then %% is a percent sign.
    line = entry["Exec"].replace("\\\\", "\\")
    word = re.fullmatch(r'"((?:[^"`$\\]|\\["`$\\])+)" %f', line)
    assert word is not None
    assert re.sub(r'\\(["`$\\])', r"\1", word[1]).replace("%%", "%") == program
    assert entry["MimeType"].rstrip(";").split(";") == list(TYPES)


def test_entries_go_to_the_users_own_folder(tmp_path):
    variables = {"XDG_DATA_HOME": str(tmp_path / "data"), "PATH": str(tmp_path)}
    written = associate(tmp_path / "pe-desktop", variables, "linux")
    assert written == [
        tmp_path / "data/mime/packages/pe-desktop.xml",
        tmp_path / "data/applications/pe-desktop.desktop",
    ]
    assert all(path.is_file() for path in written)


def test_without_that_variable_they_go_below_home(tmp_path):
    written = associate(tmp_path / "pe-desktop", {"HOME": str(tmp_path), "PATH": str(tmp_path)}, "linux")
    assert written[1] == tmp_path / ".local/share/applications/pe-desktop.desktop"


def test_elsewhere_one_sentence_says_what_to_do(tmp_path):
    with pytest.raises(TroubleError, match="Open with"):
        associate(tmp_path, {}, "win32")


def test_a_folder_that_is_a_file_is_told(tmp_path):
    (tmp_path / "data").write_text("")
    with pytest.raises(TroubleError, match="cannot be written"):
        associate(tmp_path, {"XDG_DATA_HOME": str(tmp_path / "data")}, "linux")
