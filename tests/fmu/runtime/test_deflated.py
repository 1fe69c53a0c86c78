"""Libraries are deflated when they are built; what an FMU holds is the library, wherever its bytes came from."""

from __future__ import annotations

import struct
import zipfile
import zlib

import pytest

from fmu import runtime
from fmu.exporting.archive import pack
from fmu.runtime import deflated, stored
from fmu.runtime.fat_binary import join
from fmu.runtime.stored import ALWAYS, file_name

CONTENT = b"\x7fELF" + bytes(range(256)) * 40


def thin(processor: int) -> bytes:
    """What a Mach-O file for a processor begins with, and something after it."""
    return struct.pack("<IIIIIIII", 0xFEEDFACF, processor, 3, 6, 0, 0, 0, 0) + bytes([processor & 255]) * 5000


@pytest.fixture
def library(monkeypatch, tmp_path):
    """Puts a library where that of a platform is looked for."""
    monkeypatch.setattr(runtime, "BINARIES", tmp_path)

    def put(platform: str, content: bytes) -> None:
        (tmp_path / platform).mkdir()
        for version in "23":
            path = tmp_path / platform / file_name(version)
            path.write_bytes(stored.stored(content, [(ALWAYS, [], 0), ("end", [], 100)]))

    return put


@pytest.fixture
def compressed(monkeypatch):
    """The contents that are deflated while an FMU is made."""
    found = []

    def noted(content, *level):
        found.append(content)
        return deflated.deflate(content, *level)

    monkeypatch.setattr(stored, "deflate", noted)
    monkeypatch.setattr(runtime, "deflate", noted)
    return found


def unpacked(platform: str, fmi: str, tmp_path) -> bytes:
    """The library for a platform as it comes out of an FMU."""
    path = tmp_path / "model.zip"
    path.write_bytes(pack({}, runtime.libraries([platform], fmi, "model")))
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        (info,) = archive.infolist()
        assert info.compress_type == zipfile.ZIP_DEFLATED
        assert info.external_attr >> 16 == 0o755
        return archive.read(info)


def test_a_library_that_was_deflated_ahead_is_not_deflated_again(library, compressed, tmp_path):
    library("x86_64-linux", CONTENT)
    assert CONTENT[:100] in compressed
    compressed.clear()
    assert unpacked("linux64", "2.0", tmp_path) == CONTENT
    assert compressed == [b""]


def test_a_fat_file_is_made_of_what_its_parts_were_deflated_to(library, compressed, tmp_path):
    parts = thin(0x01000007), thin(0x0100000C)
    for platform, part in zip(("x86_64-darwin", "aarch64-darwin"), parts, strict=True):
        library(platform, part)
    compressed.clear()
    assert unpacked("darwin64", "2.0", tmp_path) == join(parts)
    assert not {part[:100] for part in parts} & set(compressed)


def test_streams_follow_one_another_to_one_end():
    whole = deflated.joined((part, deflated.deflate(part)) for part in (b"one", b"", CONTENT, b"two"))
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    assert stream.decompress(whole.deflated) == whole.content == b"one" + CONTENT + b"two"
    assert stream.eof
    assert stream.unused_data == b""
    assert deflated.inflate(deflated.deflate(CONTENT)) == CONTENT
