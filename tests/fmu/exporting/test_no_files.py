"""The C of FMUs on machines without files: the resources are compiled in, and nothing asks for a file."""

from __future__ import annotations

import shutil
import subprocess

import pytest

import benchmarks.wine
import fmu
from benchmarks.compilers.trying import COMPILERS, Sources, command_of, packages_for, runner_of, version_of
from cython_kernels.plain_c.compilers import own_compiler
from fmu.exporting.build_description import NO_FILES
from fmu.exporting.resources_in_c import resources_in_c
from fmu.runtime.build.runtimes import fmi_headers

GCC = COMPILERS[0]
MINGW = next(compiler for compiler in COMPILERS if compiler.platform.endswith("windows"))
FILES = {"fopen", "fclose", "fread", "fseek", "ftell", "ferror", "strerror", "__errno_location", "open", "read"}
needs_gcc = pytest.mark.skipif(not command_of(GCC), reason="needs gcc")


@pytest.fixture(scope="module", params=["2.0", "3.0"])
def sources(request, models, tmp_path_factory) -> Sources:
    """An FMU with its sources, unpacked, and the numbers of its binary."""
    folder = tmp_path_factory.mktemp("sources")
    path = fmu.export(
        models.guided_vessel(), folder / "v.fmu", step=models.step, fmi=request.param, sources=True, end=20.0
    )
    return Sources.unpacked(path, folder / "v", 0.1, 100)


def test_bytes_and_names_are_in_the_table():
    text = resources_in_c({"plan.bin": bytes(range(50)), "variables.bin": b"\xff"})
    assert "    unsigned long long numbers[7];\n    unsigned char bytes[50];" in text
    assert "\n0x706050403020100, 0xf0e0d0c0b0a0908, " in text
    assert "\n0x3130\n" in text
    assert '{"variables.bin", kb_resource_1.bytes, sizeof kb_resource_1.bytes},' in text
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.skipif(shutil.which("nm") is None or not own_compiler(), reason="needs a C compiler and nm")
def test_no_function_for_files_is_asked_for(sources, tmp_path):
    def undefined(*flags: str) -> set[str]:
        override = f"-DFMI{sources.fmi[0]}_OVERRIDE_FUNCTION_PREFIX"
        strict = ["-std=c99", "-O1", "-pedantic", "-Wall", "-Wextra", "-Werror", override, *flags]
        place = [f"-I{sources.folder / 'sources'}", "-isystem", str(fmi_headers())]
        source = str(sources.folder / "sources" / "fmu.c")
        subprocess.run([*own_compiler(), *strict, *place, "-c", source, "-o", "fmu.o"], cwd=tmp_path, check=True)
        listed = subprocess.run(["nm", "-u", "fmu.o"], cwd=tmp_path, check=True, capture_output=True, text=True)
        return {line.split()[-1].lstrip("_").split("@")[0] for line in listed.stdout.splitlines()}

    names = {name.lstrip("_") for name in FILES}
    assert undefined() & names
    assert not undefined(f"-D{NO_FILES}") & names


@pytest.mark.slow
@needs_gcc
def test_it_computes_what_the_binary_computes_wherever_the_resources_are(sources):
    program = sources.compile(GCC, f"-D{NO_FILES}")
    found = sources.run(GCC, program, location="file:///this/is/not/there")
    assert sources.differing(found) == 0


@pytest.mark.slow
@needs_gcc
def test_another_model_is_still_refused(sources, tmp_path):
    header = sources.folder / "sources" / "model.h"
    text = header.read_text()
    try:
        header.write_text(text.replace('TOKEN "{', 'TOKEN "{0'))
        program = sources.compile(GCC, f"-D{NO_FILES}")
    finally:
        header.write_text(text)
    with pytest.raises(RuntimeError):
        sources.run(GCC, program)
    done = subprocess.run([program], capture_output=True, text=True)
    assert done.returncode == 1
    assert "is not that of 'variables.bin', which is" in done.stdout


def test_wine_is_found_where_debian_has_it_only(tmp_path, monkeypatch):
    program = tmp_path / "wine64"
    monkeypatch.setattr(benchmarks.wine, "PROGRAMS", (str(program), "no-wine-of-this-name"))
    assert runner_of(MINGW) is None
    program.touch(mode=0o755)
    assert runner_of(MINGW) == [str(program)]


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.command)
def test_every_compiler_of_the_build_description_gives_the_same_bits(sources, compiler):
    if not command_of(compiler) or runner_of(compiler) is None:
        pytest.skip(f"{compiler.command} is not here: {packages_for(compiler)}")
    assert version_of(compiler)
    assert sources.differing(sources.run(compiler, sources.compile(compiler))) == 0
