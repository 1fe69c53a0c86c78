"""Source-code FMUs: what is in them, and that the tools of others compile them to what the binaries compute."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import fmpy
import numpy as np
import pytest
from fmpy.model_description import read_build_description
from fmpy.validation import validate_fmu

import fmu
from blocks.errors import ExportError
from cython_kernels.plain_c.compilers import own_compiler
from cython_kernels.plain_c.platforms import PLATFORMS
from fmu import runtime
from fmu.exporting.build_description import COMPILERS, NO_FILES
from fmu.exporting.source_code import COMPILED, source_files
from fmu.runtime.build.runtimes import fmi_headers

TOOLS = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
CMAKE = shutil.which("cmake", path=TOOLS)
PREFIXED = """
#define pasteA(a,b) a ## b
#define pasteB(a,b) pasteA(a,b)
#ifdef FMI2_OVERRIDE_FUNCTION_PREFIX
#define fmi2FullName(name) name
#else
#define fmi2FullName(name) pasteB(FMI2_FUNCTION_PREFIX, name)
#endif
"""
needs_compiler = pytest.mark.skipif(not own_compiler(), reason="needs a C compiler")


@pytest.fixture(params=["2.0", "3.0"])
def fmi(request):
    """A version of FMI."""
    return request.param


@pytest.fixture
def exported_sources(models, tmp_path, fmi):
    """An FMU without binaries."""
    path = tmp_path / "source.fmu"
    return fmu.export(models.guided_vessel(), path, step=models.step, fmi=fmi, platforms=[], sources=True)


def test_an_fmu_can_hold_its_sources(exported_sources):
    with ZipFile(exported_sources) as archive:
        names = archive.namelist()
    assert {"sources/fmu.c", "sources/engine.c", "sources/buildDescription.xml", "resources/plan.bin"} <= set(names)
    assert [name for name in names if name.startswith("binaries/")] == []
    described = fmpy.read_model_description(exported_sources)
    assert described.buildConfigurations[0].modelIdentifier == "guided_vessel"
    assert described.buildConfigurations[0].sourceFileSets[0].sourceFiles == [COMPILED]
    assert validate_fmu(str(exported_sources)) == []
    assert "c-code" in fmpy.supported_platforms(exported_sources)


def test_sources_come_beside_binaries_and_only_if_wanted(models, tmp_path):
    with_both = fmu.export(models.mixed(), tmp_path / "both.fmu", sources=True)
    names = ZipFile(with_both).namelist()
    assert "sources/fmu.c" in names
    assert set(runtime.libraries(None, "2.0", "mixed").keys()) <= set(names)
    plain = fmu.export(models.mixed(), tmp_path / "plain.fmu")
    assert [name for name in ZipFile(plain).namelist() if name.startswith("sources/")] == []
    assert b"SourceFiles" not in ZipFile(plain).read("modelDescription.xml")


def test_sources_are_complete_and_of_one_version_of_fmi(fmi):
    other = {"2.0": "fmi3", "3.0": "fmi2"}[fmi]
    files = source_files("some_model", fmi, ["pid"], resources={"plan.bin": b"KEELPLAN"})
    text = {Path(name).name: content.decode() for name, content in files.items()}
    included = {name for content in text.values() for name in re.findall(r'^#include "(.+)"$', content, re.M)}
    assert included - text.keys() == {f"fmi{fmi[0]}Functions.h"}
    assert [name for name in text if name.startswith(other)] == []
    assert text.keys() - included == {COMPILED, "buildDescription.xml"}
    assert f"fmi{fmi[0]}.c" in text
    assert f"#define FMI{fmi[0]}_FUNCTION_PREFIX some_model_\n" in text[COMPILED]
    assert re.findall(r"entry\(k, s, \"(\w+)\"", text["engine.c"]) == ["pid"]
    assert "pid_outputs(" in text["engine.c"]
    assert "sea_outputs(" not in text["engine.c"]


def test_the_build_description_is_valid(tmp_path, exported_sources, fmi):
    with ZipFile(exported_sources) as archive:
        archive.extract("sources/buildDescription.xml", tmp_path)
    configurations = read_build_description(tmp_path, validate=True)
    assert len(configurations) == len(COMPILERS)
    for configuration, compiler in zip(configurations, COMPILERS, strict=True):
        assert configuration.modelIdentifier == "guided_vessel"
        (files,) = configuration.sourceFileSets
        assert (files.language, files.sourceFiles) == ("C99", [COMPILED])
        defined = [d.name for d in files.preprocessorDefinitions]
        assert defined == [f"FMI{fmi[0]}_OVERRIDE_FUNCTION_PREFIX", *([NO_FILES] if compiler.no_files else [])]
    root = ElementTree.parse(tmp_path / "sources" / "buildDescription.xml").getroot()
    platforms = {c.get("platform") for c in root.findall("BuildConfiguration")} - {None}
    assert platforms <= {platform.name for platform in PLATFORMS}
    assert [files.get("compiler") for files in root.iter("SourceFileSet")] == [c.command for c in COMPILERS]
    assert root[0].get("platform") is None, "FMPy takes the first, wherever it is"


@needs_compiler
def test_functions_have_the_prefix_of_the_model_for_static_linking(exported_sources, tmp_path, fmi):
    with ZipFile(exported_sources) as archive:
        archive.extractall(tmp_path / "fmu")
    headers = tmp_path / "headers"  # as the standard has them; those of FMPy leave out the prefix
    shutil.copytree(fmi_headers(), headers)
    header = headers / "fmi2Functions.h"
    header.write_text(header.read_text().replace("#define fmi2FullName(name) name", PREFIXED, 1))

    def symbols(*flags):
        source = tmp_path / "fmu" / "sources" / COMPILED
        command = [*own_compiler(), "-std=c99", "-O0", "-c", *flags, f"-I{headers}", str(source), "-o", "fmu.o"]
        subprocess.run(command, cwd=tmp_path, check=True)
        return (tmp_path / "fmu.o").read_bytes()

    function = f"fmi{fmi[0]}DoStep".encode()
    assert b"guided_vessel_" + function in symbols()
    shared = symbols(f"-DFMI{fmi[0]}_OVERRIDE_FUNCTION_PREFIX")
    assert b"guided_vessel_" + function not in shared
    assert function in shared


@pytest.mark.slow
@needs_compiler
@pytest.mark.skipif(CMAKE is None, reason="FMPy compiles with cmake: pip install cmake")
def test_fmpy_compiles_it_to_what_the_binary_computes(exported_sources, models, tmp_path, fmi):
    binary = fmu.export(models.guided_vessel(), tmp_path / "binary.fmu", step=models.step, fmi=fmi)
    environment = os.environ | {"PATH": TOOLS, "CC": shlex.join(own_compiler())}
    command = [sys.executable, "-m", "fmpy", "compile", str(exported_sources), "--all-warnings", "--warning-as-error"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert validate_fmu(str(exported_sources)) == []
    compiled, expected = (
        fmpy.simulate_fmu(str(path), stop_time=20.0, output_interval=0.1, fmi_type="CoSimulation")
        for path in (exported_sources, binary)
    )
    assert len(expected) == 201
    for name in expected.dtype.names:
        np.testing.assert_array_equal(compiled[name], expected[name])


def test_words_about_sources_that_are_not_there(monkeypatch, tmp_path, models):
    monkeypatch.setattr(runtime, "READABLE_ENGINE_C", tmp_path / "engine.c")
    expected = r"the C file engine\.c of the FMU runtime cannot be read: No such file .*; build it with `make build`"
    with pytest.raises(ExportError, match=expected):
        fmu.export(models.mixed(), tmp_path / "m.fmu", sources=True)
    assert not (tmp_path / "m.fmu").exists()
