"""NVRTC compiles the CUDA C++, without a GPU: no contraction, nothing that a device lacks, no assumption on types."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks.gpu.nvrtc import OPTIONS, Compiled, Nvrtc
from benchmarks.gpu.otters import otters
from benchmarks.model import BenchmarkError
from blocks import Diagram
from blocks.basic import Constant, Gain, Integrator, Sine, Sum
from blocks.environment import JonswapSea, SeaSurface
from blocks.trials.circumstances import driven
from blocks.trials.samples import Sample
from fmu.cuda.export import export_cuda
from fmu.cuda.kernels import kernels_text

ARCHITECTURE = "sm_90"
_FUNCTION = re.compile(r"^\.(?:visible \.)?(?:entry|func)\b.*?\b(\w+)\(.*?^\)\n(?:[^{;]*\n)?\{\n(.*?)^\}", re.M | re.S)
"""Of PTX: its name and body."""
_STORED_THEN_READ = re.compile(r"st\.global\.\w+\s+\[%rd\d+\].*st\.global\.\w+\s+\[%rd\d+\].*?ld\.global", re.S)
WORDS_OF_CPP = """
and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq char8_t char16_t char32_t concept consteval constinit
requires co_await co_return co_yield typeof
"""
KERNELS = {"set_defaults", "start", "step", "parameters_changed", "faults"}


def swing() -> Diagram:
    """Products and sums, an elementary function, a state."""
    diagram = Diagram("swing")
    diagram.add("sine", Sine(0.2, 9.0))
    diagram.add("gain", Gain(2.0))
    diagram.add("sum", Sum("+-"))
    diagram.add("state", Integrator())
    diagram.connect("sine.y", "sum.in1")
    diagram.connect("state.y", "gain.u")
    diagram.connect("gain.y", "sum.in2")
    diagram.connect("sum.y", "state.u")
    diagram.outputs(y=diagram["state"].y)
    return diagram


def source_of(diagram: Diagram, folder: Path, name: str = "model") -> str:
    export_cuda(diagram, folder, step=0.05, name=name)
    return (folder / f"{name}.cu").read_text()


@pytest.fixture(scope="module")
def swinging(nvrtc: Nvrtc, tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    return nvrtc.compile(source_of(swing(), tmp_path_factory.mktemp("swing")), "model.cu", ARCHITECTURE)


def assert_fit_for_a_device(made: Compiled, name: str) -> None:
    """Machine code of all kernels; one rounding each; calls by name to what is in it; no calls in a circle."""
    assert made.log == ""
    assert made.cubin.startswith(b"\x7fELF")
    entries = set(re.findall(r"\.visible \.entry (\w+)", made.ptx))
    assert entries == {f"{name}_all_{kernel}" for kernel in KERNELS}
    assert not re.search(r"\bfma\b|\bmad\.\w+\.f64", made.ptx)
    assert not re.search(r"\b(?:add|sub|mul|div|sqrt)\.(?:f64|approx|full|ftz)", made.ptx)
    assert not re.search(r"\.(?:extern|callprototype|calltargets)\b", made.ptx)
    calls = calls_of(made.ptx)
    assert set().union(*calls.values()) <= calls.keys()
    assert not in_a_circle(calls)


def calls_of(ptx: str) -> dict[str, set[str]]:
    """Which functions each function calls."""
    found = {}
    for match in _FUNCTION.finditer(ptx):
        found[match[1]] = set(re.findall(r"call(?:\.uni)?\s*(?:\([^()]*\),\s*)?(\w+),", match[2]))
    return found


def in_a_circle(calls: dict[str, set[str]]) -> bool:
    """Whether a function calls itself, by way of others perhaps."""
    left = dict(calls)
    while True:
        ends = [name for name, others in left.items() if not others & left.keys()]
        if not ends:
            return bool(left)
        for name in ends:
            del left[name]


def test_a_model(swinging: Compiled) -> None:
    assert_fit_for_a_device(swinging, "model")
    calls = calls_of(swinging.ptx)
    assert any("own_load" in name for name in calls["model_all_step"])
    assert len(calls) > len(KERNELS)


def test_a_kernel_around_the_functions_of_a_model(nvrtc: Nvrtc, tmp_path: Path) -> None:
    body = "model_model m; model_set_defaults(&m); (void)model_start(&m); (void)model_step(&m); *y = m.outputs.y;"
    text = f'{source_of(swing(), tmp_path)}\nextern "C" __global__ void own(double *y) {{ {body} }}\n'
    assert nvrtc.compile(text, "own.cu", ARCHITECTURE).log == ""


def test_other_architectures(nvrtc: Nvrtc, tmp_path: Path) -> None:
    source = source_of(swing(), tmp_path)
    for number in (min(nvrtc.architectures()), max(nvrtc.architectures())):
        assert nvrtc.compile(source, "model.cu", f"sm_{number}").cubin.startswith(b"\x7fELF")


def test_without_the_option_it_would_contract(nvrtc: Nvrtc, swinging: Compiled, tmp_path: Path) -> None:
    contracted = nvrtc.compile(source_of(swing(), tmp_path), "model.cu", ARCHITECTURE, ())
    assert re.search(r"\bfma\.rn\.f64", contracted.ptx)
    start = contracted.ptx.partition("model_all_start(")[2].partition(".entry")[0]
    assert re.search(r"\bfma\.rn\.f64", start)  # the check of own_contracts is not decided by the compiler
    assert "ld.volatile" in swinging.ptx.partition("model_all_start(")[2]


def test_it_does_not_assume_that_types_differ_where_memory_does(nvrtc: Nvrtc) -> None:
    """Views are read by number and by name: on a processor -fno-strict-aliasing is needed for that."""
    text = 'extern "C" __global__ void k(double *a, long long *b) { *a = 1.0; *b = 7; a[1] = *a; }'
    ptx = nvrtc.compile(text, "alias.cu", ARCHITECTURE).ptx
    assert _STORED_THEN_READ.search(ptx), ptx


def test_errors_are_the_compilers(nvrtc: Nvrtc) -> None:
    said = r"does not compile wrong.cu for sm_90: NVRTC_ERROR_COMPILATION(.|\n)*expected"
    with pytest.raises(BenchmarkError, match=said):
        nvrtc.compile("int f( {", "wrong.cu", ARCHITECTURE)


def test_more_parameters_than_constant_memory_holds(nvrtc: Nvrtc, tmp_path: Path) -> None:
    """`__constant__` holds 65 536 bytes of a file."""
    diagram = Diagram("many")
    diagram.add("given", Constant(np.arange(9000.0)))
    diagram.add("gain", Gain(2.0))
    diagram.inputs(u="gain.u")
    diagram.outputs(given="given.y", y="gain.y")
    assert nvrtc.compile(source_of(diagram, tmp_path), "model.cu", ARCHITECTURE).log == ""


def test_ports_that_are_words_of_c_plus_plus(nvrtc: Nvrtc, tmp_path: Path) -> None:
    diagram = Diagram("words")
    for i, word in enumerate(WORDS_OF_CPP.split()):
        diagram.add(f"gain{i}", Gain(2.0))
        diagram.inputs(**{word: f"gain{i}.u"})
    diagram.outputs(y="gain0.y")
    assert nvrtc.compile(source_of(diagram, tmp_path), "model.cu", ARCHITECTURE, (*OPTIONS, "-std=c++20")).log == ""


@pytest.mark.slow
def test_a_model_whose_macros_kernels_would_have_too(nvrtc: Nvrtc, tmp_path: Path) -> None:
    """WAVES_ROWS is the width of a table of waves."""
    diagram = Diagram("sea")
    diagram.add("sea", JonswapSea(significant_height=2.0, peak_period=8.0))
    diagram.add("surface", SeaSurface())
    diagram.connect("sea.waves", "surface.waves")
    diagram.outputs(elevation="surface.elevation")
    assert nvrtc.compile(source_of(diagram, tmp_path, "waves"), "waves.cu", ARCHITECTURE).log == ""


@pytest.mark.slow
def test_otters(nvrtc: Nvrtc) -> None:
    made = nvrtc.compile(otters().source, "otters.cu", ARCHITECTURE)
    assert_fit_for_a_device(made, "otters")


@pytest.mark.slow
@pytest.mark.parametrize("group", range(6))
def test_every_block(all_samples: list[Sample], group: int, nvrtc: Nvrtc, tmp_path: Path) -> None:
    """Each kernel is C++ to NVRTC, with names that CUDA has nothing of. Machine code of it takes minutes."""
    whole = Diagram("together")
    for number, sample in enumerate(all_samples[group::6]):
        whole.add(f"d{number}", driven(sample))
    source = source_of(whole, tmp_path)
    functions = source[: source.index(kernels_text("model"))]
    assert nvrtc.compile(functions, "model.cu", ARCHITECTURE, ("--fmad=false", "-diag-suppress=177")).log == ""
