"""Platforms by the names of both versions of FMI: which there are, where an FMU has them, and words about others."""

from __future__ import annotations

import struct

import pytest

import fmu
from blocks.basic import Gain
from blocks.errors import ExportError
from cython_kernels.plain_c.platforms import PLATFORMS, find, local, names
from fmu import runtime
from fmu.runtime.fat_binary import join
from fmu.runtime.stored import ALWAYS, file_name, stored

X86_64, ARM64 = 0x01000007, 0x0100000C  # processors in <mach/machine.h>


def mach_o(processor: int, size: int = 100) -> bytes:
    """The beginning of a 64-bit Mach-O file, and something after it."""
    return struct.pack("<IIIIIIII", 0xFEEDFACF, processor, 3, 6, 0, 0, 0, 0) + bytes([processor & 255]) * size


@pytest.fixture
def built(monkeypatch, tmp_path):
    """Pretends that these runtimes were built, each with this content."""

    def pretend(**contents: bytes) -> None:
        monkeypatch.setattr(runtime, "BINARIES", tmp_path)
        for platform in PLATFORMS:
            if content := contents.get(platform.name.replace("-", "_")):
                (tmp_path / platform.name).mkdir()
                for version in "23":
                    file = tmp_path / platform.name / file_name(version)
                    file.write_bytes(stored(content, [(ALWAYS, [], 0)]))

    return pretend


def binaries(*arguments) -> dict[str, bytes]:
    """The libraries of an FMU."""
    return {path: library.content for path, library in runtime.libraries(*arguments).items()}


def test_a_platform_has_a_name_in_each_version_of_fmi():
    folders = {p.name: (runtime.folder(p.name, "2.0"), runtime.folder(p.name, "3.0"), p.suffix) for p in PLATFORMS}
    assert folders == {
        "x86_64-linux": ("linux64", "x86_64-linux", ".so"),
        "aarch64-linux": ("aarch64-linux", "aarch64-linux", ".so"),
        "x86_64-windows": ("win64", "x86_64-windows", ".dll"),
        "x86_64-darwin": ("darwin64", "x86_64-darwin", ".dylib"),
        "aarch64-darwin": ("darwin64", "aarch64-darwin", ".dylib"),
    }
    assert runtime.folder("win64", "3.0") == "x86_64-windows"
    assert [p.name for p in find("darwin64")] == ["x86_64-darwin", "aarch64-darwin"]
    assert all(find(name) for name in names())


def test_this_machine_has_a_platform_and_its_runtime_is_there():
    assert find(local().name) == (local(),)
    assert local().name in runtime.platforms()
    assert runtime.fmi_platform() == (local().fmi2, local().suffix)


@pytest.mark.parametrize(
    ("machine", "system", "bits", "expected"),
    [
        ("AMD64", "win32", 64, ("x86_64-windows", "win64", ".dll")),
        ("arm64", "darwin", 64, ("aarch64-darwin", "darwin64", ".dylib")),
        ("aarch64", "linux", 64, ("aarch64-linux", "aarch64-linux", ".so")),
        ("x86_64", "linux", 32, ("x86-linux", "linux32", ".so")),
        ("AMD64", "win32", 32, ("x86-windows", "win32", ".dll")),
        ("riscv64", "linux", 64, ("riscv64-linux", "riscv64-linux", ".so")),
    ],
)
def test_the_platform_of_other_machines(monkeypatch, machine, system, bits, expected):
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr("sys.maxsize", 2 ** (bits - 1) - 1)
    here = local()
    assert (here.name, here.fmi2, here.suffix) == expected
    assert find(here.name) == (here,)


def test_an_fmu_has_the_platforms_asked_for_by_either_name(built):
    built(x86_64_linux=b"linux", x86_64_windows=b"windows", aarch64_linux=b"arm")
    assert runtime.platforms() == ["x86_64-linux", "aarch64-linux", "x86_64-windows"]
    assert binaries(["win64", "x86_64-linux", "linux64"], "2.0", "model") == {
        "binaries/win64/model.dll": b"windows",
        "binaries/linux64/model.so": b"linux",
    }
    assert list(binaries(None, "3.0", "model")) == [
        "binaries/x86_64-linux/model.so", "binaries/aarch64-linux/model.so", "binaries/x86_64-windows/model.dll",
    ]  # fmt: skip
    assert runtime.binary("aarch64-linux") == b"arm"
    assert binaries([], "2.0", "model") == {}


def test_darwin_is_one_library_in_fmi_2_and_two_in_fmi_3(built):
    intel, arm = mach_o(X86_64), mach_o(ARM64)
    built(x86_64_darwin=intel, aarch64_darwin=arm)
    assert binaries(None, "2.0", "m") == {"binaries/darwin64/m.dylib": join([intel, arm])}
    assert binaries(["darwin64"], "3.0", "m") == {
        "binaries/x86_64-darwin/m.dylib": intel, "binaries/aarch64-darwin/m.dylib": arm,
    }  # fmt: skip
    assert binaries(["aarch64-darwin"], "2.0", "m") == {"binaries/darwin64/m.dylib": arm}
    assert runtime.binary("darwin64") == join([intel, arm])


def test_a_fat_file_says_where_the_code_for_each_processor_is():
    files = [mach_o(X86_64, 20_000), mach_o(ARM64, 100)]
    fat = join(files)
    magic, count = struct.unpack_from(">II", fat)
    assert (magic, count) == (0xCAFEBABE, 2)
    for number, (file, processor) in enumerate(zip(files, (X86_64, ARM64), strict=True)):
        found, variant, place, size, alignment = struct.unpack_from(">IIIII", fat, 8 + 20 * number)
        assert (found, variant, size) == (processor, 3, len(file))
        assert place % (1 << alignment) == 0
        assert alignment == 14
        assert fat[place : place + size] == file
    assert fat.endswith(files[1])


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([mach_o(X86_64), b"\x7fELF" + bytes(60)], "no 64-bit little-endian Mach-O"),
        ([b""], "no 64-bit little-endian Mach-O"),
        ([mach_o(ARM64), mach_o(ARM64, 5)], "two files to be joined are for the same processor, 0x100000c"),
    ],
)
def test_only_mach_o_files_for_different_processors_are_joined(files, message):
    with pytest.raises(ValueError, match=message):
        join(files)


def test_words_about_a_platform_that_does_not_exist():
    with pytest.raises(ExportError, match=r"there is no platform 'win46'; did you mean 'win64'"):
        runtime.binary("win46")
    with pytest.raises(ExportError, match=r"there is no platform 'amiga'; valid: .*darwin64, .*x86_64-linux"):
        runtime.folder("amiga", "3.0")


def test_words_about_a_platform_that_was_not_built(built):
    built(x86_64_linux=b"linux")
    expected = (
        r"there is no FMU runtime for the platform 'win64' here, only for x86_64-linux: build the others with "
        r"`make platforms`, or install a release of Keelblocks"
    )
    with pytest.raises(ExportError, match=expected):
        runtime.binary("win64")
    with pytest.raises(ExportError, match=expected):
        binaries(["linux64", "win64"], "3.0", "model")


def test_an_fmu_for_all_platforms_is_for_all_or_refused(built, tmp_path):
    built(x86_64_linux=b"linux")
    with pytest.raises(ExportError, match=r"there is no FMU runtime for the platform 'aarch64-linux' here"):
        fmu.export(Gain(), tmp_path / "gain.fmu", platforms="all")
