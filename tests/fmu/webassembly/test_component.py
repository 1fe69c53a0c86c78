"""FMUs with a component of WebAssembly, in wasmtime: the functions of the draft, and the numbers of the binary."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from zipfile import ZipFile

import fmpy
import numpy as np
import pytest
from component_host import ComponentHost
from fmpy.fmi3 import FMU3Model
from fmpy.validation import validate_fmu
from lxml import etree

import fmu
from blocks.errors import ExportError
from fmu.exporting import component
from fmu.runtime.webassembly.component import component as component_of
from fmu.runtime.webassembly.format import IMPORTS, Section, module_of
from fmu.runtime.webassembly.interfaces import CO_SIMULATION, MODEL_EXCHANGE

needs_zig = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("ziglang") is None, reason="needs ziglang: pip install 'keelblocks[platforms]'"
    ),
    pytest.mark.skipif(importlib.util.find_spec("wasmtime") is None, reason="needs wasmtime: pip install wasmtime"),
]
NONE_REQUIRED = (False, False, [])  # neither events nor early return, and no variables within steps


def marked(test):
    for mark in needs_zig:
        test = mark(test)
    return test


@pytest.fixture(scope="module")
def path(models, tmp_path_factory) -> Path:
    """An FMU with both kinds of binary."""
    target = tmp_path_factory.mktemp("component") / "vessel.fmu"
    return fmu.export(models.guided_vessel(), target, step=models.step, fmi="3.0", layered_standards="wasm")


@pytest.fixture(scope="module")
def alone(models, tmp_path_factory) -> Path:
    """An FMU for co-simulation that has no other binary."""
    target = tmp_path_factory.mktemp("alone") / "vessel.fmu"
    how = {"interfaces": "cs", "platforms": [], "layered_standards": ["wasm"]}
    return fmu.export(models.guided_vessel(), target, fmi="3.0", **how)


@marked
def test_a_step_gives_the_bits_of_the_binary(path):
    names = ("eta", "nu", "error")
    run = fmpy.simulate_fmu(str(path), stop_time=10.0, output_interval=0.1, fmi_type="CoSimulation", output=names)
    host = ComponentHost(path, "co-simulation")
    assert host.free("common", "get-version") == "3.0"
    assert host.instantiate(None, *NONE_REQUIRED)
    assert host("enter-initialization-mode", None, 0.0, 10.0) == "ok"
    assert host("exit-initialization-mode") == "ok"
    rows = [host.values(*names)]
    for k in range(100):
        done = host("do-step", k * 0.1, 0.1, True)
        assert getattr(done, "last-successful-time") == pytest.approx(0.1 * (k + 1))
        assert not getattr(done, "terminate-simulation")
        rows.append(host.values(*names))
    assert np.array(rows).tobytes() == np.hstack([run[name].reshape(len(run), -1) for name in names]).tobytes()
    assert host("terminate") == "ok"
    host.drop()


@marked
def test_states_parameters_and_derivatives(path):
    host = ComponentHost(path, "co-simulation")
    host.instantiate(None, *NONE_REQUIRED)
    gain = [host.references["autopilot.heading.kp"]]
    assert host("set-float64", gain, [5.0]) == "ok"
    assert host("get-float64", gain) == [5.0]
    host("enter-initialization-mode", None, 0.0, None)
    host("exit-initialization-mode")
    saved = host("get-fmu-state")
    assert isinstance(saved, bytes)
    host("do-step", 0.0, 1.0, True)
    there = host.values("eta")
    assert host("set-fmu-state", saved) == "ok"
    host("do-step", 0.0, 1.0, True)
    assert host.values("eta") == there
    assert host("set-fmu-state", saved[:-1]) == "error"
    assert host("reset") == "ok"
    assert host("get-number-of-variable-dependencies", host.references["eta"]) > 0
    (first, *_) = host("get-variable-dependencies", host.references["eta"])
    assert first.kind == "constant", "at the start, a state is its parameter"


@marked
def test_what_is_refused_is_said_in_legal_text(path):
    host = ComponentHost(path, "co-simulation")
    assert not host.instantiate("another", *NONE_REQUIRED)
    assert host.messages[-1][:3] == ("one", "error", "logStatusError")
    assert "the instantiation token another is not that of 'variables.bin'" in host.messages[-1][3]
    host.instantiate(None, *NONE_REQUIRED)
    assert host("get-float64", [99_999]) == "error"
    assert host.messages[-1][3] == "fmi3GetFloat64: there is no variable with value reference 99999"
    assert host("get-string", []) == []
    assert host("set-input-derivatives", [], []) == "ok"
    assert host("get-clock", [0]) == "error"
    gain = host.references["autopilot.heading.kp"]
    assert host("set-clock", [gain], [True, True]) == "error"
    assert host.messages[-1][3] == "fmi3SetClock: autopilot.heading.kp has 1 elements, but nValues is 2"
    what = "[static]co-simulation-instance.instantiate-co-simulation"
    # a name that does not fit into a message, which ends within a character
    for name in ("å" * 2000, "x" + "å" * 2000):
        assert host.free("co-simulation", what, name, host.description.instantiationToken, False, True, *NONE_REQUIRED)
        assert name[:100] in host.messages[-1][3]


@marked
def test_model_exchange_is_another_export(path, tmp_path):
    host = ComponentHost(path, "model-exchange")
    assert host.instantiate()
    host("enter-initialization-mode", None, 0.0, None)
    host("exit-initialization-mode")
    update = host("update-discrete-states")
    assert not getattr(update, "new-discrete-states-needed")
    assert host("enter-continuous-time-mode") == "ok"
    count = host("get-number-of-continuous-states")
    states = [0.1 * k for k in range(count)]
    assert host("set-time", 0.5) == "ok"
    assert host("set-continuous-states", states) == "ok"
    native = FMU3Model(
        guid=host.description.instantiationToken, unzipDirectory=fmpy.extract(path, unzipdir=tmp_path),
        modelIdentifier=host.description.modelExchange.modelIdentifier, instanceName="one",
    )  # fmt: skip
    native.instantiate()
    native.enterInitializationMode()
    native.exitInitializationMode()
    native.updateDiscreteStates()
    native.enterContinuousTimeMode()
    native.setTime(0.5)
    from ctypes import c_double

    there = (c_double * count)(*states)
    found = (c_double * count)()
    native.setContinuousStates(there, count)
    native.getContinuousStateDerivatives(found, count)
    assert host("get-continuous-state-derivatives") == list(found)
    completed = host("completed-integrator-step", True)
    assert not getattr(completed, "enter-event-mode")
    native.terminate()
    native.freeInstance()


@marked
def test_it_is_where_the_draft_has_it(path):
    assert validate_fmu(str(path)) == []
    with ZipFile(path) as archive:
        assert "binaries/wasm32-wasip2/guided_vessel.wasm" in archive.namelist()
        manifest = etree.fromstring(archive.read("extra/org.modelica.fmi-ls-wasm/manifest.xml"))
    schema = Path(fmpy.__file__).parent / "schema" / "fmi3" / "fmi3LayeredStandardManifest.xsd"
    etree.XMLSchema(etree.parse(schema)).assertValid(manifest)
    assert manifest.get("{http://fmi-standard.org/fmi-ls-manifest}fmi-ls-name") == "org.modelica.fmi-ls-wasm"


@marked
def test_one_interface_and_no_other_binary(alone):
    names = ZipFile(alone).namelist()
    assert [name for name in names if name.startswith("binaries/")] == ["binaries/wasm32-wasip2/guided_vessel.wasm"]
    assert not any(name.startswith("sources/") for name in names)
    with pytest.raises(AssertionError, match="does not export model-exchange"):
        ComponentHost(alone, "model-exchange").instantiate()


def test_words_without_zig_and_for_fmi_2(models, tmp_path, monkeypatch):
    with pytest.raises(ExportError, match=r"^the layered standard wasm is of FMI 3\.0, not of 2\.0: fmi='3\.0'"):
        fmu.export(models.guided_vessel(), tmp_path / "v.fmu", layered_standards="wasm")
    monkeypatch.setattr(component.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ExportError, match=r"^a component of WebAssembly is compiled by zig .*: pip install 'ziglang>="):
        fmu.export(models.guided_vessel(), tmp_path / "v.fmu", fmi="3.0", layered_standards="wasm")
    assert list(tmp_path.iterdir()) == []


def test_a_module_that_cannot_be_one_of_an_fmu():
    with pytest.raises(ValueError, match="imports no memory"):
        component_of(module_of([]), [CO_SIMULATION])
    table = b"\1\3env\5table\1\x70\0\1"
    with pytest.raises(ValueError, match="imports more than functions and a memory"):
        component_of(module_of([Section(IMPORTS, table)]), [CO_SIMULATION])


def test_the_interfaces_have_the_functions_of_fmi():
    """Those of the headers, but what a component has in other ways, or what FMI 3.0 has no more."""
    header = (Path(fmpy.__file__).parent / "c-code" / "fmi3FunctionTypes.h").read_text()
    methods = {f.name for i in (CO_SIMULATION, MODEL_EXCHANGE) for f in (i.factory, *i.methods)}
    known = {name.replace("-", "").lower() for name in methods}
    in_header = {
        word.removeprefix("fmi3").removesuffix("TYPE").lower()
        for word in header.replace("(", " ").replace(")", " ").split()
        if word.startswith("fmi3") and word.endswith("TYPE")
    }
    others = {
        "getversion", "freeinstance", "freefmustate", "serializedfmustatesize", "serializefmustate",
        "deserializefmustate", "instantiatescheduledexecution", "activatemodelpartition",
    }  # fmt: skip
    assert in_header - known == others
    assert known - in_header == {"setinputderivatives"}
