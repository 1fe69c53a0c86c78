"""Sections of the runtime: which kernels are where, how they are found in a library, and what an FMU gets of them."""

from __future__ import annotations

import hashlib
import re
import shutil
import struct
from pathlib import Path
from zipfile import ZipFile

import pytest
from fmpy.fmi1 import FMICallException

import cython_kernels
import fmu
from blocks.basic import Formula, Gain
from blocks.control import PID
from blocks.errors import ExportError
from cython_kernels.plain_c.engine_parts import END, LIBRARIES, EngineC
from cython_kernels.plain_c.platforms import PLATFORMS
from fmu import runtime
from fmu.runtime.build.linking import MARKER, section_starts
from fmu.runtime.code_signature import can_be_signed, signature_place, signed
from fmu.runtime.stored import ALWAYS, Runtime, file_name, read, stored

BUILT = [name for name in runtime.platforms() if name in {platform.name for platform in PLATFORMS}]


@pytest.fixture(scope="module", params=["ENGINE_C", "READABLE_ENGINE_C"])
def parts(request) -> EngineC:
    """The engine of this installation, as it is compiled and as people read it."""
    return EngineC(getattr(runtime, request.param).read_text(encoding="utf-8"))


def joined(found: Runtime, kernels) -> bytes:
    """The library with these kernels."""
    return b"".join(content for content, _ in found.library(kernels))


def test_a_section_is_called_after_the_file_of_its_kernels(parts):
    sections = parts.sections()
    assert {*sections["guidance_line_of_sight"]} == {"line_of_sight", "line_of_sight_pi"}
    assert sections["environment_wave_load"] == ["wave_load"]
    assert "unit_delay" in sections["basic_discrete"]  # whose outputs are in basic_math
    assert [*sections][-2:] == [LIBRARIES, END]
    assert sections[END] == []
    own = {name: kernels for name, kernels in sections.items() if name.startswith("elementary_")}
    others = [kernel for name, kernels in sections.items() if name not in own for kernel in kernels]
    assert sorted(others) == sorted([*parts.kernels, LIBRARIES])
    assert own["elementary_cbrt"] == [*Formula.kernels, "mooring", "mooring_dynamics", "tether"]
    assert "line_of_sight" in own["elementary_atan2"]
    assert "pierson_moskowitz_sea" in own["elementary_pow"]
    registry = Path(cython_kernels.__file__).with_name("registry.pxd").read_text(encoding="utf-8")
    assert parts.kernels == re.findall(r'^    if entry\(k, s, b"(\w+)"', registry, re.M)


def test_the_engine_with_some_kernels_is_one_with_no_others(parts):
    text = parts.only(["pid", "gain"])
    some = EngineC(text)
    assert some.kernels == ["gain", "pid"]
    assert [*some.sections()] == ["basic_math", "control_pid", LIBRARIES, END]
    assert "plan_advance(" in text
    assert "tether_outputs(" not in text
    assert some.only(some.kernels) == text
    code, _, rest = parts.section("control_pid").partition("\nKB_KERNELS")
    assert rest == "(control_pid)\n"
    assert [*EngineC(code).sections()] == ["control_pid", LIBRARIES, END]
    assert "plan_advance(" not in code
    with pytest.raises(KeyError):
        parts.only(["pod"])
    with pytest.raises(ValueError, match="not the C of the engine"):
        EngineC("int main(void) { return 0; }\n")
    with pytest.raises(ValueError, match="in the C of core/saved_state this is no function: 'static int unknown;'"):
        EngineC(text + "\nstatic int unknown;\n")
    with pytest.raises(ValueError, match="find_kernel has lines that are not known here"):
        EngineC(text.replace("entry(k, s, ", "entry(k, other, "))


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("platform", BUILT)
def test_what_was_built_here_is_in_the_sections_of_the_engine(parts, platform, version):
    found = read((runtime.BINARIES / platform / file_name(version)).read_bytes())
    kept = {section.name: [*section.kernels] for section in found.sections}
    assert [name for name in kept if name not in (ALWAYS, "signature")] == [*parts.sections()]
    assert {name: kept[name] for name in parts.sections()} == parts.sections()
    whole, some = joined(found, found.kernels), joined(found, {"pid"})
    place = 0
    for section in found.sections[:-1] if found.sections[-1].name == "signature" else found.sections:
        own, place = slice(place, place + section.size), place + section.size
        assert section.name in (ALWAYS, "signature") or whole[own].startswith(MARKER.format(section.name).encode())
        assert some[own] == (bytes(section.size) if section.kernels and "pid" not in section.kernels else whole[own])
    assert signed(whole) == whole
    assert signed(some) == some


def test_an_fmu_has_the_kernels_that_its_model_needs(tmp_path):
    for fmi in ("2.0", "3.0"):
        archive = ZipFile(fmu.export(PID(1.0, 0.1), tmp_path / "pid.fmu", fmi=fmi))
        libraries = [archive.read(name) for name in archive.namelist() if name.startswith("binaries/")]
        assert len(libraries) == len(runtime.libraries(None, fmi, "pid"))
        for library in libraries:
            assert set(re.findall(rb"keelblocks section (\w+);", library)) == {b"control_pid", b"end"}


def test_an_fmu_refuses_a_plan_that_needs_another_kernel(tool, tmp_path):
    one, other = (tool(fmu.export(block, tmp_path / f"{block.kernel}.fmu")) for block in (Gain(2.0), PID(1.0, 0.1)))
    shutil.copytree(other.folder / "resources", one.folder / "resources", dirs_exist_ok=True)
    with pytest.raises(FMICallException):
        one.instantiate()
    assert one.messages[-1].endswith("plan.bin': it needs a kernel that this binary does not have")


def test_words_about_a_runtime_without_a_kernel(parts, monkeypatch, tmp_path):
    monkeypatch.setattr(runtime, "BINARIES", tmp_path)
    (tmp_path / "x86_64-windows").mkdir()
    for version in "23":
        (tmp_path / "x86_64-windows" / file_name(version)).write_bytes(stored(b"code", [(ALWAYS, ["gain"], 0)]))
    assert runtime.binary("win64", "2.0", ["gain"]) == b"code"
    with pytest.raises(ExportError) as refused:
        fmu.export(PID(1.0, 0.1), tmp_path / "pid.fmu")
    assert str(refused.value) == (
        "the FMU runtime for x86_64-windows here has no kernel 'pid': it was built of other sources; build it with "
        "`make build`, for all platforms with `make platforms`"
    )
    monkeypatch.setattr(runtime, "READABLE_ENGINE_C", tmp_path / "engine.c")
    runtime.READABLE_ENGINE_C.write_text(parts.only(["gain"]), encoding="utf-8")
    with pytest.raises(
        ExportError, match=r"^the C of the FMU runtime here has no kernel 'pid': it was built of other "
    ):
        fmu.export(PID(1.0, 0.1), tmp_path / "pid.fmu", platforms=[], sources=True)
    assert not (tmp_path / "pid.fmu").exists()


def code(name: str, seed: int) -> bytes:
    """An object: something of its format, its marker, and code that is like no other's."""
    return b"\x7fobject" + MARKER.format(name).encode() + hashlib.sha512(bytes([seed])).digest() * 4


OBJECTS = {"sea": code("sea", 1), "sail": code("sail", 2), "end": code("end", 3)}


def linked(*objects: bytes) -> bytes:
    """A library of objects, as a linker makes it."""
    return b"head" + b"".join(content[7:] for content in objects) + b"tail"


def test_sections_are_found_by_their_markers():
    library = linked(*OBJECTS.values())
    assert section_starts(library, OBJECTS) == {name: library.index(f"n {name};".encode()) - 17 for name in OBJECTS}
    related = library.replace(OBJECTS["sea"][40:48], b"patched!")  # as linkers patch addresses
    assert related != library
    assert section_starts(related, OBJECTS) == section_starts(library, OBJECTS)


def test_a_linker_that_does_as_it_likes_is_noticed():
    sea, sail, end = OBJECTS.values()
    assert section_starts(linked(sail, sea, end), OBJECTS) == {}
    assert section_starts(linked(sea, end), OBJECTS) == {}
    assert section_starts(linked(sea, sail, sail, end), OBJECTS) == {}
    assert section_starts(linked(sea[:60], sail + sea[60:], end), OBJECTS) == {}


def test_what_is_left_out_is_zeros_and_the_rest_stays_where_it_is():
    library = linked(*OBJECTS.values())
    starts = section_starts(library, OBJECTS)
    kernels = {"sea": ["jonswap_sea", "regular_wave"], "sail": ["sail"], "end": []}
    found = read(stored(library, [(ALWAYS, [], 0), *((name, kernels[name], place) for name, place in starts.items())]))
    assert found.kernels == {"jonswap_sea", "regular_wave", "sail"}
    assert joined(found, found.kernels) == library
    first, second = starts["sail"], starts["end"]
    assert joined(found, ["sail"]) == b"head" + bytes(first - 4) + library[first:]
    assert joined(found, ["regular_wave"]) == library[:first] + bytes(second - first) + library[second:]
    assert joined(found, []) == b"head" + bytes(second - 4) + library[second:]
    assert len(found.library([])) == 3  # what is left out is one part


def mach_o(code: bytes) -> bytes:
    """A Mach-O file with some code, signed as <mach-o/loader.h> and <kern/cs_blobs.h> have it, pages of 4 kB."""
    end = 48 + len(code)
    head = struct.pack("<8I", 0xFEEDFACF, 0x0100000C, 0, 6, 1, 16, 0, 0)
    content = head + struct.pack("<4I", 0x1D, 16, end, 2000) + code
    pages = [content[at : at + 4096] for at in range(0, end, 4096)]
    hashes = b"".join(hashlib.sha256(page).digest() for page in pages)
    directory = struct.pack(">9I4B", 0xFADE0C02, 0, 0x20400, 2, 88, 80, 0, len(pages), end, 32, 2, 0, 12)
    blob = struct.pack(">5I", 0xFADE0CC0, 0, 1, 0, 20) + directory.ljust(80, b"\0") + b"library\0" + hashes
    return content + blob.ljust(2000, b"\0")


def test_a_library_for_darwin_is_signed_anew():
    whole, cut = bytes(range(256)) * 50, bytes(range(256)) * 10 + bytes(256 * 40)
    assert signature_place(mach_o(whole)) == 48 + len(whole)
    assert signed(mach_o(whole)) == mach_o(whole)
    found = read(stored(mach_o(whole), [(ALWAYS, [], 0), ("sea", ["sea"], 48 + 2560), ("end", [], 48 + len(whole))]))
    assert [section.name for section in found.sections] == [ALWAYS, "sea", "end", "signature"]
    assert joined(found, ["sea"]) == mach_o(whole)
    assert joined(found, []) == mach_o(cut)
    other = mach_o(whole).replace(struct.pack(">I", 0xFADE0C02), struct.pack(">I", 0xFADE0C01))
    with pytest.raises(ValueError, match="not one directory"):
        signed(other)
    assert [can_be_signed(content) for content in (mach_o(whole), mach_o(cut), other)] == [True, True, False]
    assert not can_be_signed(mach_o(whole)[:3000] + b"?" + mach_o(whole)[3001:])
    assert signed(b"\x7fELF" + whole) == b"\x7fELF" + whole
