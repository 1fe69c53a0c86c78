"""Random calls and damaged files: nothing that a tool does to an FMU ends the tool, and the status says what was wrong.

The runtime is compiled for AddressSanitizer and UndefinedBehaviorSanitizer. Seeds are fixed. `KEELBLOCKS_FUZZ=20` makes
twenty times as many rounds, with every block of the library and the mission as a whole.
"""

from __future__ import annotations

import math
import os
import subprocess

import pytest
from c_host import MISSING, SANITIZERS, Unpacked, compile_host
from subjects import BY_NAME, FUZZING, SANITIZED

pytestmark = pytest.mark.skipif(MISSING, reason="needs a C compiler")
ROUNDS = 2000 * FUZZING
HOSTS = {
    ("2.0", "cs"): ["fuzz2"],
    ("2.0", "me"): ["fuzz2_me"],
    ("3.0", "cs"): ["fuzz3"],
    ("3.0", "me"): ["fuzz3", "me"],
}
# A forged plan may ask for as much memory as its numbers can say.
MODEST = {"ASAN_OPTIONS": "max_allocation_size_mb=64:allocator_may_return_null=1"}
LETTERS = {
    "Real": "R", "Integer": "I", "Enumeration": "I", "Boolean": "B",
    "Float64": "R", "Int32": "I", "Int64": "E", "UInt64": "U", "Clock": "C",
}  # fmt: skip


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Compiles a fuzzing host, with sanitizers too, once."""
    folder, made = tmp_path_factory.mktemp("fuzz"), {}

    def get(name):
        if name not in made:
            made[name] = compile_host(name, folder, *SANITIZERS)
        return made[name]

    return get


def run(*command):
    words = [str(part) for part in command]
    done = subprocess.run(
        words, env=os.environ | MODEST, capture_output=True, text=True, timeout=60 * FUZZING, check=False
    )
    said = [line for line in done.stderr.splitlines() if "WARNING: AddressSanitizer failed to allocate" not in line]
    assert said == []
    assert done.returncode == 0
    return [int(number) for number in done.stdout.split()]


def role(variable):
    """As `table_read` in fuzz.h has it."""
    if variable.causality == "parameter":
        return {"tunable": "t", "fixed": "f"}[variable.variability]
    return {"input": "i", "structuralParameter": "s"}.get(variable.causality, "o")


def width(variable):
    return math.prod(variable.shape or ())


def table(description):
    """The variables as the fuzzing hosts read them."""
    derivatives = [unknown.variable for unknown in description.derivatives]
    states = sum(width(variable) for variable in derivatives)
    indicators = (
        description.numberOfEventIndicators if description.fmiVersion == "2.0" else len(description.eventIndicators)
    )
    letter = {**LETTERS, "Enumeration": "E"} if description.fmiVersion == "3.0" else LETTERS
    rows = [f"{letter[v.type]} {v.valueReference} {width(v)} {role(v)}" for v in description.modelVariables]
    return "\n".join([f"{states} {indicators}", *rows, ""])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "plant" else ()) for name in SANITIZED]
)
def test_random_calls_are_answered_by_their_status(
    name, version, interface, compiled, sanitized_runtime, export, tmp_path
):
    subject = BY_NAME[name]
    unpacked = Unpacked.of(export(subject, version), tmp_path / "fmu")
    variables = tmp_path / "variables"
    variables.write_text(table(unpacked.description))
    program, *kind = HOSTS[version, interface]
    model = [sanitized_runtime, unpacked.resources, unpacked.token, variables, subject.communication_step]
    ok, warnings, discarded, errors, steps = run(compiled(program), *model, 1, ROUNDS, 1, *kind)
    assert ok > ROUNDS / 4, "most of what is random was refused: it says little"
    assert errors > ROUNDS / 10
    assert discarded > 0 or name == "basic.Clock", "values outside their limits are discarded; a clock has none"
    assert warnings == 0
    assert steps > ROUNDS / 100


@pytest.mark.parametrize("name", SANITIZED)
def test_damaged_resources_are_refused_by_name(name, version, compiled, sanitized_runtime, export, tmp_path):
    subject, rounds = BY_NAME[name], ROUNDS // 20
    unpacked = Unpacked.of(export(subject, version), tmp_path / "fmu")
    scratch = tmp_path / "damaged files"
    scratch.mkdir()
    model = [sanitized_runtime, unpacked.folder / "resources", unpacked.token, scratch, subject.communication_step]
    refused, forged = run(compiled(f"damage{version[0]}"), *model, 1, rounds, 1)
    assert refused > rounds / 2
    assert forged > 0
