"""Trials of a library with planted faults: each is found by its trial, and told with the block and what to do."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from libraries import forgetting, needs_compiler

from blocks.cli.commands import cli
from blocks.cli.trials import _own_tests
from blocks.libraries.building import build
from blocks.libraries.compiling import platforms_of
from blocks.libraries.package import find_library
from blocks.trials.naming import blocks_of
from blocks.trials.registry import TRIALS
from blocks.trials.running import Outcome, run_trials
from cython_kernels import engine as native

FAULTS = {
    ("Sourceless", "documentation"): "planted.Sourceless does not say where its equations are from: end its docstring",
    ("Silent", "descriptions"): "planted.Silent: it says nothing about damping: give each its doc=",
    ("OddUnit", "descriptions"): "force has a unit that is none: 'Newtn' is not a unit: there is no unit 'Newtn'; did",
    ("BrokenExample", "examples"): "planted.BrokenExample: BrokenExample.damping must be ≥ 0 N*s/m, not -1",
    ("Unexemplified", "examples"): "planted.Unexemplified has no defaults for damping: give the class an example of",
    (
        "Failing",
        "examples",
    ): "AttributeError in outputs: block has no port or parameter 'dampin'; did you mean 'damping'?",
    ("Failing", "solvers"): None,
    ("Diverging", "examples"): "planted.Diverging: block: the derivative of x is not a finite number at t = 0 s",
    ("Remembering", "determinism"): "for the same time, states, inputs and parameters: keep nothing in globals",
    ("Remembering", "separate-runs"): "a run is another one beside other runs, at t = 0.1 s with rk4",
    ("Secret", "dependence"): "planted.Secret: force depends on the input speed, which is not declared",
    ("Unwritten", "dependence"): "planted.Unwritten: force is not computed (element 0): its kernel leaves what was",
    ("Forgetful", "row-numbers"): "with 1 rows of table and room for 7 it gives something else than without that room",
    ("Unheld", "limits"): "planted.Unheld: output force is [-2000.], and is declared to be within [-50.] and [50.]",
    ("Secret", "documentation"): "",
    ("Blind", "single-outputs"): "planted.Blind crashed: its process was ended by SIGSEGV; a kernel that reaches",
}
if native.CHECKED_BUILD:  # whose engine says so itself
    del FAULTS["Unwritten", "dependence"]
    FAULTS["Forgetful", "row-numbers"] = "made its output 'force' (element 0) of what it read outside of an array"
    FAULTS["Blind", "single-outputs"] = "used its output 'damping', which is not wanted in this call (NULL)"
    FAULTS["Unwritten", "solvers"] = "left its output 'force' (element 0) unwritten"
"""By block and trial; "" where nothing is to be found, None where it is not tried."""


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder that it is in, built; what importing it leaves behind is taken back."""
    folder = tmp_path_factory.mktemp("planted")
    package = shutil.copytree(Path(__file__).with_name("planted"), folder / "planted")
    (package / "compiled.pxd.txt").rename(
        package / "compiled.pxd"
    )  # where it lies it would make a library of all tests
    with forgetting():
        build(find_library(str(folder / "planted")), platforms_of(()))
        yield folder


@pytest.fixture
def run(planted: Path, monkeypatch: pytest.MonkeyPatch):
    """The command, in that folder."""
    monkeypatch.chdir(planted)

    def command(*arguments: str) -> Result:
        return CliRunner().invoke(cli, ["test", *arguments])

    return command


@needs_compiler
def test_each_fault_is_found_by_its_trial(planted: Path) -> None:
    pairs = [(f"planted.{block}", TRIALS[trial]) for block, trial in FAULTS]
    fine = [("planted.Proper", trial) for trial in TRIALS.values() if not trial.strict]
    found = {(one.block, one.trial): one for one in run_trials("planted", planted, [*fine, *pairs], seconds=60.0)}
    assert [one for (block, _), one in found.items() if block == "planted.Proper" and not one.passed] == []
    for (block, trial), fault in FAULTS.items():
        one = found[f"planted.{block}", trial]
        if fault:
            assert fault in one.fault, one
        else:
            assert one == Outcome(one.block, trial, tried=fault is not None)


@needs_compiler
def test_a_block_that_never_ends_fails_after_a_limit(planted: Path) -> None:
    (found,) = run_trials("planted", planted, [("planted.Endless", TRIALS["examples"])], seconds=0.3)
    assert found.fault == "planted.Endless was not done after 0.3 s: does one of its functions never return?"


@needs_compiler
def test_a_checked_build_says_where_a_kernel_went_wrong(planted: Path) -> None:
    build(find_library(str(planted / "planted")), platforms_of(()), checked=True)
    pair = ("planted.Blind", TRIALS["single-outputs"])
    (found,) = run_trials("planted", planted, [pair], seconds=60.0)
    assert "planted.blind_outputs used its output 'damping', which is not wanted in this call (NULL)" in found.fault


@needs_compiler
def test_the_command_says_what_failed_and_counts(run) -> None:
    result = run("planted", "-k", "Silent", "-k", "Unexem", "-k", "descr", "-k", "exam", "-k", "layout")
    assert result.exit_code == 1
    assert "FAILED planted.Silent descriptions\n    planted.Silent: it says nothing about damping" in result.stdout
    counts = "planted (2 blocks): 2 failed, 2 passed, 2 not tried, of blocks whose examples fail, in "
    assert result.stdout.splitlines()[-1].startswith(counts)


@needs_compiler
def test_names_that_are_none_are_told_with_the_nearest(run) -> None:
    refused = {
        ("plantet",): "there is no library 'plantet': neither a folder plantet in ",
        ("planted", "-k", "solvres"): "no trial has 'solvres' in its name; did you mean 'solvers'?",
        (
            "planted",
            "-k",
            "Slient",
        ): "no block of planted and no trial has 'Slient' in its name; did you mean 'Silent'",
        ("nothing.py",): "there is no file ",
        (): "which library? Give its package, its folder or its Python file",
    }
    for arguments, message in refused.items():
        result = run(*arguments)
        assert (result.exit_code, "Traceback" in result.output) == (2, False)
        assert message in result.stderr.replace("\n", " ")
    assert "did you mean 'planted'?" in run("plantet").stderr


def test_trials_are_listed_without_a_library() -> None:
    listed = CliRunner().invoke(cli, ["test", "--list"]).stdout
    assert all(name in listed for name in TRIALS)
    assert all(len(trial.title) > 20 for trial in TRIALS.values())


@needs_compiler
def test_a_library_is_named_by_its_module_folder_or_package(planted: Path, monkeypatch) -> None:
    everything = blocks_of("planted", planted)
    assert len(everything.blocks) == 15
    for given in ("planted/", ".", str(planted / "planted"), str(planted)):
        assert blocks_of(given, planted).blocks == everything.blocks
    written = {name for name, cls in everything.blocks.items() if cls.__module__ == "planted.written"}
    assert {*blocks_of("planted.written", planted).blocks} == written
    offer = SimpleNamespace(package="acme-dampers 1.0", point=SimpleNamespace(module="planted.written"))
    monkeypatch.setattr("blocks.trials.naming.offers", lambda group: [offer])
    assert {*blocks_of("acme-dampers", planted).blocks} == written


def test_a_file_of_python_blocks_with_tests_of_its_own(tmp_path, capfd, monkeypatch) -> None:
    """Nothing is compiled for it. Its tests run in a process of their own."""
    (tmp_path / "dampers.py").write_text((Path(__file__).with_name("planted") / "written.py").read_text())
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_dampers.py").write_text(
        "import dampers\ndef test_it(): assert dampers.Silent().damping == 3\n"
    )
    monkeypatch.chdir(tmp_path)
    with forgetting():
        found = blocks_of("dampers.py", tmp_path)
        assert found.tests == tmp_path / "tests"
        assert not _own_tests(found, found.tests)
    assert "1 failed" in capfd.readouterr().out
