"""Resources: every form of location that tools give, and clear words about files that cannot be used."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import quote

import pytest
from fmpy.fmi1 import FMICallException

from cython_kernels.engine import fnv1a_hash


def refused(one, location=None):
    """The message with which an instance is refused."""
    with pytest.raises(FMICallException):
        one.instantiate(location=location)
    assert one.categories[-1] == "logStatusError"
    assert one.allocated == 0
    return one.messages[-1]


FORMS = {
    "uri": lambda p: p.as_uri(),
    "uri with a slash": lambda p: p.as_uri() + "/",
    "one slash": lambda p: "file:" + quote(str(p)),
    "localhost": lambda p: "file://localhost" + quote(str(p)),
    "capitals": lambda p: "FILE://" + quote(str(p)),
    "not encoded": lambda p: f"file://{p}",
    "all of it encoded": lambda p: "file:///" + "".join(f"%{byte:02X}" for byte in str(p).encode()[1:]),
    "and in small digits": lambda p: "file:///" + "".join(f"%{byte:02x}" for byte in str(p).encode()[1:]),
    "plain path": str,
    "plain path with a slash": lambda p: f"{p}/",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("folder", ["plain", "with space", "fjørd ⚓", "100% #1"])
def test_locations_in_every_form(exported, tool, tmp_path, form, folder):
    one = tool(exported("mixed"))
    place = tmp_path / folder / "resources"
    shutil.copytree(one.folder / "resources", place)
    one.instantiate(location=FORMS[form](place))
    one.initialize()
    assert one.get("position") == [0.25]


def test_a_relative_path(exported, tool, tmp_path, monkeypatch):
    one = tool(exported("mixed"))
    shutil.copytree(one.folder / "resources", tmp_path / "resources")
    monkeypatch.chdir(tmp_path)
    one.instantiate(location="resources")


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("", "is empty"),
        ("https://example.org/resources", "is not a file: URI"),
        ("file://elsewhere/resources", "names another computer"),
        ("file:///a%00b", "has a %%00 in it"),
        ("file://", "names another computer"),
        ("file:", "names no folder"),
        ("file://localhost/%2g%zz/%a/%", "No such file or directory"),  # %zz is no hexadecimal number and stays
        ("file:///no/such/place", "No such file or directory"),
        *((f"file://{drive}", "No such file or directory") for drive in ("C:/no", "z|\\no", "q:")),
        *((f"file://{server}/no", "names another computer") for server in ("[::1]", "C:no", "~", "C.no")),
    ],
)
def test_locations_that_lead_nowhere(exported, tool, location, reason):
    message = refused(tool(exported("mixed")), location)
    assert reason in message
    assert "''" not in message or not location  # no file is named where there is none
    assert f"resource location '{location.replace('%', '%%')}'" in message


@pytest.mark.parametrize("name", ["plan.bin", "variables.bin"])
def test_a_missing_file_is_named(exported, tool, name):
    one = tool(exported("mixed"))
    path = one.folder / "resources" / name
    path.unlink()
    assert f"cannot read '{path}': No such file or directory" in refused(one)


@pytest.mark.parametrize("name", ["plan.bin", "variables.bin"])
def test_a_file_that_is_cut_short_or_damaged_is_named(exported, tool, name):
    one = tool(exported("guided_vessel"))
    path: Path = one.folder / "resources" / name
    whole = path.read_bytes()

    def message(content: bytes) -> str:
        path.write_bytes(content)
        text = refused(one)
        assert f"'{path}'" in text
        return text

    for size in (0, 5, 40, 100, len(whole) - 1):
        assert "the file is truncated" in message(whole[:size])
    for place in range(16, len(whole), 97):
        changed = bytes([whole[place] ^ 0x40])
        text = message(whole[:place] + changed + whole[place + 1 :])
        assert any(why in text for why in ("damaged", "truncated", "another version"))
    assert "the file is damaged" in message(whole + b"\0")
    assert "its first bytes are wrong" in message(b"PK\x03\x04" + whole[4:])
    assert "its first bytes are wrong" in message(bytes(len(whole)))
    path.write_bytes(whole)
    one.instantiate()


def test_a_folder_in_the_place_of_a_file(exported, tool):
    one = tool(exported("mixed"))
    path = one.folder / "resources" / "plan.bin"
    path.unlink()
    path.mkdir()
    assert f"cannot read '{path}'" in refused(one)


@pytest.mark.parametrize("foreign", ["fragile", "plant"])  # with as many states, and with more
def test_variables_of_another_plan_are_refused(exported, tool, foreign):
    one, other = tool(exported("mixed")), tool(exported(foreign))
    shutil.copy(other.folder / "resources" / "variables.bin", one.folder / "resources" / "variables.bin")
    assert "the file belongs to another plan.bin" in refused(one)


def test_a_wrong_guid_is_refused_with_both(exported, tool):
    right = tool(exported("mixed")).guid
    message = refused(tool(exported("mixed"), guid="{0000}"))
    assert "the GUID {0000} is not that of" in message
    assert right in message


def rewritten(path: Path, place: int, checked_from: int, version: int) -> None:
    """Give a file another version, and the checksum that fits."""
    content = bytearray(path.read_bytes())
    content[24:28] = version.to_bytes(4, "little")
    content[place : place + 8] = fnv1a_hash(bytes(content[checked_from:])).to_bytes(8, "little")
    path.write_bytes(content)


@pytest.mark.parametrize("version", [0, 999])
def test_files_of_another_version_are_told_from_damaged_ones(exported, tool, version):
    one = tool(exported("mixed"))
    plan, variables = one.folder / "resources" / "plan.bin", one.folder / "resources" / "variables.bin"
    whole = plan.read_bytes()
    rewritten(plan, 16, 24, version)
    assert f"cannot use '{plan}': it was written by another version of Keelblocks than this binary" in refused(one)
    plan.write_bytes(whole)
    rewritten(variables, 8, 16, version)
    assert f"cannot use '{variables}': the file was written by another version" in refused(one)


def test_a_missing_folder_is_named(exported, tool):
    one = tool(exported("mixed"))
    shutil.rmtree(one.folder / "resources")
    message = refused(one)
    assert f"cannot read '{one.folder}/resources/plan.bin': No such file or directory" in message
    assert f"resource location '{(one.folder / 'resources').as_uri()}'" in message
