"""Damaged files are read, or refused with a message of ours: a share of `make fuzz` by fixed seeds, and what once fell.

What the harness finds falls, and how it tells the ways of falling apart, is tested with readers that are made to fall.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import fuzzing
import pytest
from fuzzing import corpus
from fuzzing.batch import FELL, OK, REFUSED, Batch
from fuzzing.mutate import raw
from fuzzing.reader import Reader, damaged
from fuzzing.readers import READERS
from fuzzing.run import Prepared, go_through, work_on
from fuzzing.shrink import shrunk

from blocks.errors import ScenarioError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux: children with limits")
CASES, SLOW_CASES = 100, 2000
SUPPORT = Path(fuzzing.__file__).parents[1]


def fuzz(*arguments):
    """The harness in a process of its own, which has no threads when it makes children."""
    sources = os.pathsep.join([str(SUPPORT), os.environ["PYTHONPATH"]])
    command = [sys.executable, "-m", "fuzzing", "--jobs", "2", "--quiet", *arguments]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": sources}, capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode, done.stdout[-6000:], done.stderr[-3000:]) == (0, "", "")


def test_what_once_fell_and_fixed_seeds():
    fuzz("--corpus", "--cases", str(CASES), "--seed", "1")


@pytest.mark.slow
def test_more_of_the_fixed_seeds():
    fuzz("--cases", str(SLOW_CASES), "--seed", "1")


def test_the_corpus_has_files_of_readers_that_there_are():
    assert {path.name for path in corpus.FOLDER.iterdir()} <= {name.replace(" ", "_") for name in READERS}


class Endless(ScenarioError):
    """KeelblocksError keeps messages short; another way of saying them need not."""

    def __str__(self):
        return "a" * 30_000


def _stumbling(path):
    """What a reader may do, by what is in the file."""
    said = path.read_bytes()
    if said == b"ours":
        raise ScenarioError("no such key")
    if said == b"nothing said":
        raise ScenarioError("")
    if said == b"endless said":
        raise Endless
    if said == b"type":
        raise TypeError("unhashable")
    if said == b"exit":
        sys.exit(0)
    if said == b"memory":
        bytearray(1 << 40)
    if said == b"abort":
        os.abort()
    while said == b"hang":
        pass


STUMBLING = Reader("stumbling", lambda folder: {"x": b"fine"}, _stumbling, raw.raw)
ENDS = {
    b"fine": (OK, ""), b"ours": (REFUSED, "no such key"), b"nothing said": (FELL, "ScenarioError without a message"),
    b"endless said": (FELL, "a message of 30000 letters"), b"type": (FELL, "TypeError: unhashable"),
    b"exit": (FELL, "SystemExit: 0"), b"memory": (FELL, "MemoryError"), b"abort": (FELL, "the process ended: SIGABRT"),
    b"hang": (FELL, "no end after 1 s"),
}  # fmt: skip


@pytest.fixture
def prepared(tmp_path, monkeypatch):
    monkeypatch.setattr("fuzzing.batch.CASE_SECONDS", 1.0)
    return Prepared.of(STUMBLING, tmp_path / "stumbling")


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_every_way_of_falling_is_told_and_the_next_case_goes_on(prepared, tmp_path):
    files = [("x", content) for content in [*ENDS, *reversed(ENDS)]]
    (work,) = work_on(prepared, files)
    batch = Batch(STUMBLING, *work[1:], prepared.folder, tmp_path / "batch")
    found = {}
    while batch.left:
        found |= {outcome.number: outcome for outcome in batch.outcomes()}
    assert len(found) == len(files)
    for number, (_, content) in enumerate(files):
        end, said = ENDS[content]
        assert (found[number].end, said in found[number].said) == (end, True), found[number]
    batch.end()


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_what_fails_in_the_harness_is_no_fall_of_a_reader(prepared, tmp_path):
    def fails(number):
        raise ZeroDivisionError

    with pytest.raises(RuntimeError, match=r"it is the harness that failed:\n(.|\n)*ZeroDivisionError"):
        go_through([(prepared, fails, range(3))], tmp_path)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_falls_are_kept_by_name_and_can_be_made_smaller(prepared, tmp_path):
    reader = Reader("long", lambda folder: {"in/x.txt": b"fine"}, lambda p: 1 / (b"!" not in p.read_bytes()), raw.raw)
    prepared = Prepared.of(reader, tmp_path / "long")
    ((name, content, said),) = go_through(work_on(prepared, [("in/x.txt", b"a" * 99 + b"!")]), tmp_path)["long"].falls
    small = shrunk(prepared, name, content, said, tmp_path)
    assert small == b"!"
    kept = corpus.keep(tmp_path / "corpus", "long", name, small)
    assert kept.parent == tmp_path / "corpus" / "long" / "in"
    assert list(corpus.kept(tmp_path / "corpus", "long")) == [("in/x.txt", b"!")]


def test_a_case_is_the_same_by_reader_seed_and_number():
    files = {"a.yaml": b"x: 1\n" * 20, "b.yaml": b"y: [2, 3]\n" * 20}
    reader = READERS["scenario"]
    cases = [damaged(reader, files, 5, number) for number in range(20)]
    assert cases == [damaged(reader, files, 5, number) for number in range(20)]
    assert len({content for _, content in cases} | {*files.values()}) > 18
    assert cases != [damaged(reader, files, 6, number) for number in range(20)]


@pytest.mark.parametrize("name", READERS)
def test_sound_files_are_read(name, tmp_path):
    """Else nothing behind the first check would be tried."""
    prepared = Prepared.of(READERS[name], tmp_path / "sound")
    for file, content in prepared.files.items():
        (prepared.folder / file).write_bytes(content)
        prepared.reader.read(prepared.folder / file)
