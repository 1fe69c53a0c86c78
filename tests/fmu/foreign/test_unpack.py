"""FMUs that must not be unpacked, or cannot be: each with a message that names the file and the reason."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

import pytest
from foreign_fmus import build

from blocks import simulate
from blocks.errors import FmuError, FmuWarning, ParameterError
from fmu import FmuBlock
from fmu.foreign.unpack import Package, open_fmu


def archive(folder: Path, *entries: tuple[str | zipfile.ZipInfo, bytes], name: str = "bad.fmu") -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for entry, data in entries:
            file.writestr(entry, data)
    return path


def with_mode(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../evil.txt", "leads out of its folder, '../evil.txt'"),
        ("resources/../../evil.txt", "leads out of its folder"),
        ("..\\evil.txt", "leads out of its folder"),
        ("/etc/evil", "absolute path, '/etc/evil'"),
        ("C:/evil.txt", "absolute path, 'C:/evil.txt'"),
        ("c:evil.txt", "absolute path"),
        ("\\\\server\\evil.txt", "absolute path"),
        ("a\nb", "which is none"),
    ],
)
def test_no_path_leaves_the_folder(tmp_path: Path, name: str, said: str) -> None:
    path = archive(tmp_path, ("modelDescription.xml", b"<a/>"), (name, b"evil"))
    with pytest.raises(FmuError) as caught:
        Package(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)
    assert [p.name for p in tmp_path.iterdir()] == ["bad.fmu"]


@pytest.mark.parametrize(
    ("mode", "said"), [(stat.S_IFLNK | 0o777, "holds a link, 'resources/x'"), (stat.S_IFIFO | 0o644, "no plain file")]
)
def test_only_plain_files(tmp_path: Path, mode: int, said: str) -> None:
    path = archive(tmp_path, (with_mode("resources/x", mode), b"/etc/passwd"))
    with pytest.raises(FmuError, match=said):
        Package(path)


def test_a_gigabyte_of_zeros_is_refused_before_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "zeros.fmu"
    packer, zeros = zlib.compressobj(9, zlib.DEFLATED, -15), bytes(1 << 24)
    packed, checksum = b"", 0
    for _ in range(4):
        packed += packer.compress(zeros)
        checksum = zlib.crc32(zeros, checksum)
    packed += packer.flush()
    with zipfile.ZipFile(path, "w") as file:
        info = zipfile.ZipInfo("resources/zeros.bin")
        file.writestr(info, packed)
        info.compress_type, info.file_size, info.CRC = zipfile.ZIP_DEFLATED, 1_000_000_000, checksum
    with pytest.raises(FmuError, match=r"zeros.fmu unpacks from [\d,]+ to 1,000,000,000 bytes, which no FMU does"):
        Package(path)


def test_too_large_even_without_compression(tmp_path: Path) -> None:
    path = tmp_path / "large.fmu"
    with zipfile.ZipFile(path, "w") as file:
        info = zipfile.ZipInfo("resources/a.bin")
        file.writestr(info, b"a")
        info.file_size = info.compress_size = 5_000_000_000
    with pytest.raises(FmuError, match="unpacks to 5 GB; 4 GB are the limit"):
        Package(path)


def test_a_table_of_contents_that_lies_about_sizes(tmp_path: Path) -> None:
    """A file that is larger than it says is not unpacked beyond what it says."""
    path = tmp_path / "liar.fmu"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("resources/a.bin", bytes(1_000_000))
        file.infolist()[0].file_size = 100
    with pytest.raises(FmuError, match=r"liar.fmu: resources/a.bin cannot be unpacked: Bad CRC-32"):
        Package(path).folder()


def test_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fmu.foreign.unpack.MAX_FILES", 3)
    path = archive(tmp_path, *((f"resources/{i}", b"") for i in range(4)))
    with pytest.raises(FmuError, match="holds 4 files; 3 are the limit"):
        Package(path)


def test_a_file_that_is_there_twice(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = archive(tmp_path, ("a.txt", b"1"), ("a.txt", b"2"))
    with pytest.warns(FmuWarning, match=r"bad.fmu holds the file a.txt more than once; the last one is used"):
        package = Package(path)
    assert package.read("a.txt") == (package.folder() / "a.txt").read_bytes() == b"2"


def test_of_a_file_that_is_there_twice_both_are_checked(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = archive(tmp_path, (with_mode("a.txt", stat.S_IFLNK | 0o777), b"/etc/passwd"), ("a.txt", b"2"))
    with pytest.raises(FmuError, match=r"holds a link, 'a.txt'"):
        Package(path)


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all" * 100, bytes(10_000)])
def test_what_is_no_zip(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "text.fmu"
    path.write_bytes(content)
    with pytest.raises(
        FmuError, match=r"text.fmu is no FMU: it (is empty|is not a zip file|begins as a zip file, but is cut off)"
    ):
        FmuBlock(path)


def test_what_is_not_there_or_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FmuError, match=r"there is no FMU .*none\.fmu"):
        FmuBlock(tmp_path / "none.fmu")
    with pytest.raises(FmuError, match="is a folder; an FMU is a zip file"):
        FmuBlock(tmp_path)


def test_cut_off_and_damaged_files(tmp_path: Path) -> None:
    """Wherever it is cut off, and whichever byte is another one: a message, or a block that evaluates."""
    whole = build("tank", tmp_path).read_bytes()
    path = tmp_path / "damaged.fmu"
    for size in range(0, len(whole), len(whole) // 20):
        path.write_bytes(whole[:size])
        with pytest.raises(FmuError, match=r"damaged.fmu"):
            FmuBlock(path)
    refused = 0
    for at in range(0, len(whole), len(whole) // 60):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :])
        try:
            Package(path).folder()
        except FmuError as problem:
            refused += "damaged.fmu" in str(problem)
    assert refused > 30


def test_what_is_unpacked_is_what_was_packed_and_goes_with_the_package(tmp_path: Path) -> None:
    path = archive(
        tmp_path, ("modelDescription.xml", b"<a/>"), ("resources/søk og finn.txt", "blåbær".encode()),
        (with_mode("resources/tool", stat.S_IFREG | 0o755), b"#!"), ("resources\\deep\\x.txt", b"x"), ("empty/", b""),
        name="my böat 100%.fmu",
    )  # fmt: skip
    package = Package(path)
    folder = package.folder()
    assert (folder / "resources" / "søk og finn.txt").read_text(encoding="utf-8") == "blåbær"
    assert (folder / "resources" / "deep" / "x.txt").read_bytes() == b"x"
    assert (folder / "resources" / "tool").stat().st_mode & 0o777 == 0o700
    assert package.folder() == folder
    del package
    assert not folder.exists()


def test_equal_files_are_unpacked_once_and_have_equal_checksums(tmp_path: Path) -> None:
    path = archive(tmp_path, ("a.txt", b"a"))
    copy = tmp_path / "copy.fmu"
    copy.write_bytes(path.read_bytes())
    assert open_fmu(path) is open_fmu(tmp_path / "." / "bad.fmu")
    assert open_fmu(path).checksum == open_fmu(copy).checksum


def test_a_file_that_changes_meanwhile(tmp_path: Path) -> None:
    package = Package(archive(tmp_path, ("a.txt", b"a")))
    archive(tmp_path, ("a.txt", b"another one"))
    with pytest.raises(FmuError, match="has changed since it was opened"):
        package.folder()


def test_the_command_line_says_it_without_a_traceback(tmp_path: Path) -> None:
    path = archive(tmp_path, ("../evil.txt", b"evil"))
    command = [sys.executable, "-c", "from blocks.cli import main; main()", "show", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == f"Error: {path} holds a file that leads out of its folder, '../evil.txt'; it is not unpacked\n"


# --- what is no FMU, and what to do about it --------------------------------------------------------------------------


def test_what_a_file_is_instead(tmp_path: Path) -> None:
    whole = build("tank", tmp_path).read_bytes()
    for name, content, said in (
        ("empty", b"", "it is empty"),
        ("text", b"hello", "it is not a zip file"),
        ("cut", whole[:-30], "it begins as a zip file, but is cut off or damaged; copy or export it again"),
    ):
        (tmp_path / f"{name}.fmu").write_bytes(content)
        with pytest.raises(FmuError) as caught:
            FmuBlock(tmp_path / f"{name}.fmu")
        assert str(caught.value) == f"{tmp_path / name}.fmu is no FMU: {said}"


def test_an_fmu_that_was_zipped_with_its_folder(tmp_path: Path) -> None:
    path = archive(tmp_path, ("tank/modelDescription.xml", b"<a/>"))
    with pytest.raises(FmuError, match=r"there is tank/modelDescription.xml: zip what is in that folder, not the"):
        FmuBlock(path)


def test_a_system_is_no_fmu(tmp_path: Path) -> None:
    path = archive(tmp_path, ("SystemStructure.ssd", b"<a/>"), ("resources/a.fmu", b"a"), name="plant.ssp")
    with pytest.raises(FmuError, match=r"plant.ssp: .* it is no FMU but an SSP: open it with fmu.read_ssp"):
        FmuBlock(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files on this platform")
def test_what_is_no_file(tmp_path: Path) -> None:
    circle, pipe = tmp_path / "circle.fmu", tmp_path / "pipe.fmu"
    circle.symlink_to(circle)
    os.mkfifo(pipe)
    with pytest.raises(FmuError, match=r"circle.fmu"):
        FmuBlock(circle)
    with pytest.raises(FmuError, match=r"pipe.fmu is no FMU: it is no plain file"):
        FmuBlock(pipe)
    with pytest.raises(FmuError, match="the path of an FMU has a character that no path can have"):
        FmuBlock(f"{tmp_path}/a\0b.fmu")
    with pytest.raises(ParameterError, match=r"FmuBlock.path must be the path of an FMU, not 5"):
        FmuBlock(5)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"FmuBlock.parameters must be values by names, .*, not \['k'\]"):
        FmuBlock(build("tank", tmp_path), parameters=["k"])  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["a b.fmu", "pumpe-åøæ-насос.fmu", "100%25 %20#?.fmu", "quote'&<.fmu", "no_ending"])
def test_paths_of_all_kinds(tmp_path: Path, name: str) -> None:
    folder = tmp_path / f"folder of {name}"
    folder.mkdir()
    path = build("tank", tmp_path).rename(folder / name)
    assert simulate(FmuBlock(path), 0.2, step=0.1).values("heated_tank.steps").tolist() == [0.0, 1.0, 2.0]


def test_no_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = build("tank", tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(FmuError, match=r"tank.fmu: its modelDescription.xml cannot be put into .*nowhere.*TMPDIR"):
        FmuBlock(path)


def test_the_working_directory_may_change_before_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build("tank", tmp_path)
    monkeypatch.chdir(tmp_path)
    block = FmuBlock("tank.fmu")
    monkeypatch.chdir("/")
    assert simulate(block, 0.1, step=0.1).values("heated_tank.steps")[-1] == 1.0
