"""Random calls and damaged files: nothing that a tool does to an FMU ends the tool, and the status says what was wrong.

The runtime is compiled for AddressSanitizer and UndefinedBehaviorSanitizer. Seeds are fixed. `KEELBLOCKS_FUZZ=20` makes
twenty times as many rounds, with every block of the library and the mission as a whole.
"""

from __future__ import annotations

import os
import subprocess

import pytest
from c_host import MISSING, SANITIZERS, Unpacked, compile_host
from subjects import BY_NAME, SUBJECTS

pytestmark = pytest.mark.skipif(MISSING, reason="needs a C compiler")
TIMES = int(os.environ.get("KEELBLOCKS_FUZZ", "1"))
CHOSEN = [subject.name for subject in SUBJECTS] if TIMES > 1 else ["control.PID", "basic.Pulse", "plant", "autopilot"]
LETTERS = {"Real": "R", "Integer": "I", "Enumeration": "I", "Boolean": "B"}
FORGE = "0"
FUZZERS = {("2.0", "cs"): "fuzz2", ("2.0", "me"): "fuzz2_me"}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The fuzzing hosts, compiled with sanitizers too."""
    folder = tmp_path_factory.mktemp("fuzz")
    return {name: compile_host(name, folder, *SANITIZERS) for name in (*FUZZERS.values(), "damage2")}


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600 * TIMES, check=False)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return [int(number) for number in done.stdout.split()]


def role(variable):
    """As `table_read` in fuzz.h has it."""
    if variable.causality == "parameter":
        return {"tunable": "t", "fixed": "f"}[variable.variability]
    return "i" if variable.causality == "input" else "o"


@pytest.mark.parametrize("name", CHOSEN)
def test_random_calls_are_answered_by_their_status(name, version, interface, programs, sanitized_runtime, export, tmp_path):
    subject, rounds = BY_NAME[name], 6000 * TIMES
    unpacked = Unpacked.of(export(subject, "2.0"), tmp_path / "fmu")
    described = unpacked.description
    table = tmp_path / "variables"
    table.write_text(
        f"{described.numberOfContinuousStates} {described.numberOfEventIndicators}\n"
        + "".join(f"{LETTERS[v.type]} {v.valueReference} 1 {role(v)}\n" for v in described.modelVariables)
    )
    model = [unpacked.resources, unpacked.token, table, subject.communication_step]
    ok, warnings, discarded, errors, steps = run(programs[FUZZERS[version, interface]], sanitized_runtime, *model, 1, rounds, FORGE)
    assert ok > rounds / 4, "most of what is random was refused: it says little"
    assert errors > rounds / 10
    assert discarded > 0
    assert warnings == 0
    assert steps > rounds / 50


@pytest.mark.parametrize("name", CHOSEN[:3] if TIMES == 1 else CHOSEN)
def test_damaged_resources_are_refused_by_name(name, programs, sanitized_runtime, export, tmp_path):
    subject, rounds = BY_NAME[name], 200 * TIMES
    unpacked = Unpacked.of(export(subject, "2.0"), tmp_path / "fmu")
    scratch = tmp_path / "damaged files"
    scratch.mkdir()
    model = [unpacked.folder / "resources", unpacked.description.guid, scratch, subject.communication_step]
    refused, forged = run(programs["damage2"], sanitized_runtime, *model, 1, rounds, 1)
    assert refused > rounds / 2
    assert forged > 0
