"""Many instances: 200 at once in 8 threads, and 10 000 one after the other, watched by sanitizers and valgrind."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from c_host import MISSING, SANITIZERS, Unpacked, compile_host
from subjects import BY_NAME

pytestmark = pytest.mark.skipif(MISSING, reason="needs a C compiler")
THREADS, EACH = 8, 25
# So that glibc counts as free what was freed, instead of keeping some of it at hand for each thread.
EXACT = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}


def arguments(unpacked, subject, threads, each, cycles):
    """For tests/fmu/host/stress.c."""
    inputs = unpacked.references(list(subject.input_columns()))
    return [
        unpacked.resources, unpacked.description.guid, repr(subject.communication_step),
        str(threads), str(each), str(cycles),
        *unpacked.references(subject.output_names()), *(["--", *inputs] if inputs else []),
    ]  # fmt: skip


def run(command):
    return subprocess.run(command, env=os.environ | EXACT, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def stress(tmp_path_factory):
    """The program as a user's would be compiled."""
    return compile_host("stress", tmp_path_factory.mktemp("stress"))


@pytest.mark.parametrize("name", ["minerva", "plant"])
def test_200_instances_in_8_threads_and_10_000_lives(name, stress, export, tmp_path):
    """The binary as it is shipped: every instance has the bits of one alone, and memory does not grow."""
    subject = BY_NAME[name]
    unpacked = Unpacked.of(export(subject, "2.0"), tmp_path)
    done = run([stress, unpacked.library, *arguments(unpacked, subject, THREADS, EACH, 10_000)])
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "cycles"), [("control.PID", 10_000), ("guidance.LineOfSight", 300)])
def test_sanitizers_see_no_wrong_access_and_no_leak(name, cycles, sanitized_runtime, export, tmp_path):
    """The runtime compiled for AddressSanitizer, its search for leaks, and UndefinedBehaviorSanitizer."""
    subject = BY_NAME[name]
    unpacked = Unpacked.of(export(subject, "2.0"), tmp_path / "fmu")
    program = compile_host("stress", tmp_path, *SANITIZERS)
    done = run([program, sanitized_runtime, *arguments(unpacked, subject, THREADS, EACH, cycles)])
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")
def test_valgrind_sees_nothing_wrong(stress, export, tmp_path):
    """The binary as it is shipped: no invalid access, nothing that depends on values never set, nothing lost."""
    subject = BY_NAME["plant"]
    unpacked = Unpacked.of(export(subject, "2.0"), tmp_path)
    watched = ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite,possible"]
    done = run([*watched, stress, unpacked.library, *arguments(unpacked, subject, 2, 4, 60)])
    assert (done.returncode, done.stderr) == (0, "")
