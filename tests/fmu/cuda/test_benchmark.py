"""The benchmark on GPUs: what it says without one, limits of cards, and its way through the driver, by a stand-in."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from cuda_driver_stand_in import driver_with

from benchmarks.gpu import __main__ as program
from benchmarks.gpu import driver
from benchmarks.gpu import nvrtc as nvrtc_module
from benchmarks.gpu.card import limits_of
from benchmarks.gpu.driver import Driver, NoCard
from benchmarks.gpu.nvrtc import Nvrtc
from benchmarks.gpu.otters import NAME, otters
from benchmarks.model import BenchmarkError


@pytest.mark.parametrize(
    ("attributes", "bandwidth", "contracted"),
    [
        pytest.param((108, 1410, 1215, 5120, (8, 0), 2), 1555e9, 9.7e12, id="A100, 40 GB: data sheet"),
        pytest.param((80, 1530, 877, 4096, (7, 0), 2), 898e9, 7.8e12, id="V100: data sheet"),
        pytest.param((82, 1695, 9751, 384, (8, 6), 64), 936e9, 0.556e12, id="RTX 3090: data sheet"),
    ],
)
def test_limits_are_those_of_data_sheets(
    attributes: tuple[int, int, int, int, tuple[int, int], int], bandwidth: float, contracted: float
) -> None:
    """Which count a multiplication and an addition that are contracted as two operations."""
    processors, clock, memory, bus, (major, minor), ratio = attributes
    found = limits_of({
        "processors": processors, "clock_khz": 1000 * clock, "memory_clock_khz": 1000 * memory, "bus_bits": bus,
        "major": major, "minor": minor, "singles_per_double": ratio,
    })  # fmt: skip
    assert found.bandwidth == pytest.approx(bandwidth, rel=0.005)
    assert 2.0 * found.doubles == pytest.approx(contracted, rel=0.005)


def run(monkeypatch: pytest.MonkeyPatch, *options: str) -> int:
    monkeypatch.setattr(sys, "argv", ["gpu", *options])
    return program.main()


def test_without_a_driver_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(driver, "LIBRARIES", ("libnothing_of_cuda.so",))
    assert run(monkeypatch) == 2
    said = "Error: there is no GPU: no driver for CUDA is here (looked for libnothing_of_cuda.so)\n"
    assert capsys.readouterr().err == said


def test_launches_have_as_many_steps_each(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("15", "5", "0"):
        with pytest.raises(SystemExit):
            run(monkeypatch, "--steps", wrong)
        assert f"must be a multiple of 10, for there are so many launches with as many steps each, not {wrong}" in (
            capsys.readouterr().err
        )


@pytest.mark.parametrize(("driver_of", "package"), [(12, "nvidia-cuda-nvrtc-cu12"), (13, r"keelblocks\[cuda\]")])
def test_the_compiler_that_is_named_fits_the_driver(
    driver_of: int, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvrtc_module, "_paths", lambda: iter(()))
    with pytest.raises(BenchmarkError, match=f'no NVRTC is here: pip install "{package}", or set CUDA_PATH'):
        nvrtc_module.found(driver_of)


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return driver_with(otters().source, NAME, tmp_path_factory.mktemp("stand_in"))
    except BenchmarkError as problem:
        pytest.skip(str(problem))


def test_its_way_through_the_driver(
    stand_in: Path, nvrtc: Nvrtc, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(driver, "LIBRARIES", (str(stand_in),))
    monkeypatch.setattr(Nvrtc, "compile", lambda *_: type("Made", (), {"cubin": b"\x7fELF"}))
    assert run(monkeypatch, "--members", "140", "--steps", "100", "--sample", "5") == 0
    said = capsys.readouterr().out
    assert said.startswith("140 Otters on Stand-in (sm_80), driver for CUDA 13.1\n")
    figures = {line[:58].strip(): line[58:].split()[0] for line in said.splitlines()[3:]}
    assert figures["of which differ in a bit"] == "0"
    assert figures["numbers compared with the engine's"] == "1100"
    assert float(figures["steps of vehicles per second"]) == 140 * 10 / 0.02
    assert figures["limit: bandwidth of the memory"] == "1555"
    assert figures["registers of a thread"] == "168"
    assert float(figures["of the card's limit"]) < 0.01


def test_members_that_do_not_fit(
    stand_in: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(driver, "LIBRARIES", (str(stand_in),))
    assert run(monkeypatch, "--members", "1000") == 2
    assert "1000 members take 0.00358 GB, and Stand-in has 0.001 GB free: --members 223" in capsys.readouterr().err


def test_what_the_driver_refuses_is_in_its_words(stand_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "LIBRARIES", (str(stand_in),))
    card = Driver()
    with pytest.raises(BenchmarkError, match=r"the CUDA driver refuses cuModuleLoadData: invalid argument \(200\)"):
        card.module(b"no machine code")
    module = card.module(b"\x7fELF")
    with pytest.raises(BenchmarkError, match="cuModuleGetFunction"):
        card.kernel(module, "otters_all_dance")


def test_a_driver_without_a_card(stand_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "LIBRARIES", (str(stand_in),))

    class Refusing:
        def __init__(self) -> None:
            self.cuInit = lambda flags: 100
            self.cuGetErrorString = driver.ctypes.CDLL(str(stand_in)).cuGetErrorString

    monkeypatch.setattr(driver, "_opened", Refusing)
    with pytest.raises(NoCard, match=r"cuInit says: no CUDA-capable device is detected \(100\)"):
        Driver()
