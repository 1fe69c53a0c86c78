"""What the runtimes in this installation need from a machine, and what they show: read from the files by LIEF.

A build for every platform (`make platforms`) has five; others have the one of this machine, which its own compiler made
and which may need a C library as new as there.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from zipfile import ZipFile

import fmpy
import lief
import pytest

import fmu
from blocks import Diagram
from cython_kernels import engine
from cython_kernels.plain_c.platforms import PLATFORMS, local
from fmu import runtime

BUILT = runtime.platforms()
EVERY = set(BUILT) == {platform.name for platform in PLATFORMS}
HEADERS = Path(fmpy.__file__).parent / "c-code"
GLIBC = (2, 17)


def parsed(platform: str, fmi: str = "2.0"):
    """The runtime of a platform; skips if it was not built."""
    if platform not in BUILT:
        pytest.skip(f"no runtime for {platform} in this installation: make platforms")
    return lief.parse(runtime.binary(platform, fmi))


def fmi_functions(fmi: str) -> set[str]:
    """The functions that the header of a version of FMI declares."""
    text = (HEADERS / f"fmi{fmi[0]}Functions.h").read_text()
    return set(re.findall(r"FMI\d_Export\s+\w+\s+(fmi\d\w+);", text))


def glibc_needed(library) -> set[tuple[int, ...]]:
    """The versions of glibc that an ELF file asks for."""
    asked = [aux.name for need in library.symbols_version_requirement for aux in need.get_auxiliary_symbols()]
    assert all(name.startswith("GLIBC_") for name in asked)
    return {tuple(map(int, name.removeprefix("GLIBC_").split("."))) for name in asked}


@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
@pytest.mark.parametrize("platform", [p.name for p in PLATFORMS])
def test_a_runtime_shows_the_functions_of_one_version_of_fmi_only(platform, fmi):
    library = parsed(platform, fmi)
    if isinstance(library, lief.PE.Binary):
        shown = {entry.name for entry in library.get_export().entries}
    else:
        shown = {symbol.name for symbol in library.exported_symbols}
    if isinstance(library, lief.MachO.Binary):
        shown = {name.removeprefix("_") for name in shown} - {"_mh_dylib_header", "__dso_handle", "__mh_dylib_header"}
    assert shown == fmi_functions(fmi)


@pytest.mark.parametrize("platform", ["x86_64-linux", "aarch64-linux"])
def test_on_linux_it_needs_the_c_library_only(platform):
    library = parsed(platform)
    assert set(library.libraries) <= {"libc.so.6", "libm.so.6", "libdl.so.2", "ld-linux-aarch64.so.1"}
    weak = {s.name for s in library.imported_symbols if s.binding == lief.ELF.Symbol.BINDING.WEAK}
    assert weak <= {"__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable"}
    from_libc = {s.name for s in library.imported_symbols if s.symbol_version.has_auxiliary_version}
    assert {s.name for s in library.imported_symbols} - weak <= from_libc
    stack = [s for s in library.segments if s.type == lief.ELF.Segment.TYPE.GNU_STACK]
    assert not stack[0].has(lief.ELF.Segment.FLAGS.X)
    if EVERY or platform != local().name:
        assert max(glibc_needed(library)) <= GLIBC


def test_on_windows_it_needs_what_every_windows_10_has():
    library = parsed("x86_64-windows")
    needed = {name.name.lower() for name in library.imports}
    assert {name for name in needed if not re.fullmatch(r"kernel32\.dll|api-ms-win-crt-\w+-l1-1-0\.dll", name)} == set()
    assert [type(entry) for entry in library.debug if not isinstance(entry, lief.PE.Repro)] == []
    mathematics = {entry.name for name in library.imports if "math" in name.name for entry in name.entries}
    assert {"floor", "ceil"} <= mathematics  # and not those of zig, which are large


@pytest.mark.parametrize("platform", ["x86_64-darwin", "aarch64-darwin"])
def test_on_darwin_it_needs_the_system_library_only(platform):
    library = parsed(platform)
    needed = {entry.name for entry in library.libraries} - {"@rpath/keelblocks.dylib"}
    assert needed == {"/usr/lib/libSystem.B.dylib"}
    assert library.build_version.minos[:2] == [11, 0]
    assert library.has_code_signature or platform == "x86_64-darwin"  # darwin refuses arm64 code without one


def test_the_fat_library_of_darwin_holds_both():
    for platform in ("x86_64-darwin", "aarch64-darwin"):
        parsed(platform)
    fat = lief.MachO.parse(runtime.binary("darwin64"))
    types = [slice.header.cpu_type for slice in fat]
    assert types == [lief.MachO.Header.CPU_TYPE.X86_64, lief.MachO.Header.CPU_TYPE.ARM64]
    for platform, slice in zip(("x86_64-darwin", "aarch64-darwin"), fat, strict=True):
        alone = lief.parse(runtime.binary(platform))
        assert {s.name for s in slice.exported_symbols} == {s.name for s in alone.exported_symbols}
        assert slice.fat_offset % (1 << 14) == 0


@pytest.mark.parametrize("platform", [p.name for p in PLATFORMS])
def test_a_runtime_carries_nothing_of_the_machine_that_built_it(platform):
    library = parsed(platform)
    content = runtime.binary(platform)
    root = Path(__file__).resolve().parents[3]
    for text in (str(root), str(Path.home()) + "/", sys.prefix, "/tmp/", ".pdb", "site-packages"):
        assert text.encode() not in content
    if isinstance(library, lief.ELF.Binary):
        sections = {section.name for section in library.sections}
        assert {name for name in sections if name.startswith((".debug", ".symtab", ".note.gnu.build-id"))} == set()


def test_the_engine_of_a_portable_build_needs_an_old_c_library_too():
    if not EVERY or sys.platform != "linux":
        pytest.skip("not a build for every platform: make platforms")
    library = lief.parse(engine.__file__)
    assert max(glibc_needed(library)) <= GLIBC
    loaders = {"ld-linux-aarch64.so.1", "ld-linux-x86-64.so.2"}  # which gives each thread its variables
    assert set(library.libraries) <= {"libc.so.6", "libm.so.6", *loaders}
    assert not library.has(lief.ELF.DynamicEntry.TAG.RPATH)
    assert not library.has(lief.ELF.DynamicEntry.TAG.RUNPATH)


@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_an_fmu_for_linux_and_windows_is_small(models, tmp_path, fmi):
    for platform in ("x86_64-linux", "x86_64-windows"):
        parsed(platform)
    diagram: Diagram = models.guided_vessel()
    path = fmu.export(diagram, tmp_path / "m.fmu", fmi=fmi, platforms=["linux64", "win64"])
    with ZipFile(path) as archive:
        assert sum(name.startswith("binaries/") for name in archive.namelist()) == 2
    assert path.stat().st_size <= 130_000
