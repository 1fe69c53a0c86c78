"""The loader trusts nothing that a plan's bytes say: damage is refused with a reason, and never ends the process.

What could crash runs in a process of its own, so that a crash is a failure and not the end of the tests.
"""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest

from blocks.diagram import Diagram
from cython_kernels import engine as native

HERE = Path(__file__).parent
VERSION = 24  # byte of the version in the header, the first that the checksum covers
CHECKSUM = 16


def sealed(stored: bytes) -> bytes:
    """The bytes with a checksum that fits."""
    checksum = native.fnv1a_hash(stored[native.CHECKED_FROM_BYTE :])
    return stored[:CHECKSUM] + struct.pack("<Q", checksum) + stored[CHECKSUM + 8 :]


def changed(stored: bytes, place: int, form: str, value: float) -> bytes:
    return sealed(stored[:place] + struct.pack(form, value) + stored[place + struct.calcsize(form) :])


@pytest.fixture
def stored(mixed_plan) -> bytes:
    return mixed_plan("rk4").stored


def test_an_intact_plan_opens_and_keeps_its_bytes(stored):
    assert native.Engine(stored).stored == stored
    assert sealed(stored) == stored, "the checksum of the tests is that of plans"


def test_what_is_no_plan_is_told_apart(stored):
    for wrong in (b"", b"KEELPLAN", b"\0" * 1000, b"PK\3\4" + stored[4:]):
        with pytest.raises(native.EngineError, match=r"^not a plan"):
            native.Engine(wrong)
    with pytest.raises(native.EngineError, match=r"^plan of another version"):
        native.Engine(changed(stored, VERSION, "<i", native.PLAN_VERSION_NUMBER + 1))
    with pytest.raises(native.EngineError, match=r"^truncated plan"):
        native.Engine(stored[:-1])
    with pytest.raises(native.EngineError, match=r"^damaged plan"):
        native.Engine(stored + b"\0")


def test_an_unknown_kernel_is_told_with_its_block(stored):
    place = stored.rindex(b"unit_delay\0")
    with pytest.raises(native.EngineError, match=r"unknown kernel \(block number \d+\)"):
        native.Engine(sealed(stored[:place] + b"unit_decay\0" + stored[place + 11 :]))


def test_a_kernel_with_other_counts_is_refused(stored):
    """A comparison where a delay was: it would read an input that is not there."""
    place = stored.rindex(b"unit_delay\0")
    with pytest.raises(native.EngineError, match=r"damaged plan \(block number \d+\)"):
        native.Engine(sealed(stored[:place] + b"compare\0\0\0\0" + stored[place + 11 :]))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("start", "nan"),
        ("step", "0"),
        ("step", "-0.1"),
        ("step", "nan"),
        ("step", "inf"),
        ("relative", "0"),
        ("absolute", "nan"),
        ("absolute", "-1e-9"),
        ("max_step", "-1"),
    ],
)
def test_settings_that_no_run_can_have_are_refused(stored, place, value):
    """They stand at the end of the header."""
    names = ["start", "step", "relative", "absolute", "max_step"]
    first = native.HEADER_SIZE - 8 * len(names)
    assert struct.unpack_from("<5d", stored, first) == (0.0, 0.01, 1e-6, 1e-8, 0.0)
    with pytest.raises(native.EngineError, match=r"^damaged plan"):
        native.Engine(changed(stored, first + 8 * names.index(place), "<d", float(value)))


def test_a_sample_period_of_zero_is_refused(make_sample):
    """Its hits would never end."""
    diagram = Diagram()
    diagram.add("noise", make_sample("basic.GaussianNoise"))
    plan = diagram.plan()
    stored = plan.stored
    place = native.HEADER_SIZE + 8 * plan.parameters["noise.period"].first
    assert struct.unpack_from("<d", stored, place) == (0.1,)
    for period in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(native.EngineError, match=r"^damaged plan"):
            native.Engine(changed(stored, place, "<d", period))


def test_memory_that_no_block_uses_is_not_asked_for(stored):
    """A plan that claims a thousand million states is refused before they are made."""
    numbers = struct.unpack_from("<22i", stored, VERSION)
    for index in (15, 16, 17, 18):  # work, x, z, g
        assert 0 < numbers[index] < 100
        with pytest.raises(native.EngineError, match=r"^damaged plan"):
            native.Engine(changed(stored, VERSION + 4 * index, "<i", 2**30))


def run_python(script: str, stored: bytes, tmp_path: Path) -> list[str]:
    """The words that a script prints in a process of its own; `stored` is the plan."""
    (tmp_path / "plan.bin").write_bytes(stored)
    head = "import random, struct, sys\nfrom cython_kernels import engine as native\n"
    head += f"stored = open({str(tmp_path / 'plan.bin')!r}, 'rb').read()\n"
    ran = subprocess.run(
        [sys.executable, "-c", head + script], capture_output=True, text=True, check=False, timeout=300
    )
    assert ran.returncode == 0, f"the process ended with {ran.returncode}:\n{ran.stderr[-2000:]}"
    return ran.stdout.split()


TRUNCATED = """
for length in range(len(stored)):
    try:
        native.Engine(stored[:length])
    except native.EngineError:
        continue
    print(length)
"""


def test_every_truncation_is_refused(stored, tmp_path):
    assert run_python(TRUNCATED, stored, tmp_path) == []


FLIPPED = """
for place in range(len(stored)):
    wrong = bytearray(stored)
    wrong[place] ^= 1 << place % 8
    try:
        native.Engine(bytes(wrong))
    except native.EngineError:
        continue
    print(place)
"""


def test_every_flipped_bit_is_noticed(stored, tmp_path):
    """Except in the suggested end of a run, which is not part of the model."""
    assert run_python(FLIPPED, stored, tmp_path) == [str(place) for place in range(8, 16)]


RESEALED = """
awkward = [0, 1, -1, 2, 255, 65536, 2**31 - 1, -2**31, 2**30, -1000]
random.seed(1)
opened = refused = 0
for place in range(24, len(stored) - 3):
    wrong = bytearray(stored)
    if place % 4 == 0 and random.random() < 0.7:
        wrong[place:place + 4] = struct.pack("<i", random.choice(awkward))
    else:
        wrong[place] = random.randrange(256)
    wrong[16:24] = struct.pack("<Q", native.fnv1a_hash(bytes(wrong[24:])))
    try:
        native.Engine(bytes(wrong))
        opened += 1
    except native.EngineError:
        refused += 1
print(opened, refused)
"""


def test_damage_under_a_fitting_checksum_never_crashes(stored, tmp_path):
    opened, refused = map(int, run_python(RESEALED, stored, tmp_path))
    assert opened > 100, "changed start values are no damage that can be seen"
    assert refused > 100, "places, counts and names are checked one by one"


@pytest.mark.slow
def test_sanitizers_see_no_wrong_access_in_the_loader(compile_c, stored, tmp_path):
    program = tmp_path / "loader_host"
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    done = compile_c(HERE / "loader_host.c", program, "-O1", *sanitizers)
    if done.returncode and "cannot find" in done.stderr:
        pytest.skip("this compiler has no sanitizers")
    assert done.returncode == 0, done.stderr
    (tmp_path / "plan.bin").write_bytes(stored)
    ran = subprocess.run(
        [str(program), str(tmp_path / "plan.bin"), "20000"], capture_output=True, text=True, check=False, timeout=300
    )
    assert (ran.returncode, ran.stderr[-2000:]) == (0, "")
    opened, refused = map(int, ran.stdout.split())
    assert opened > 1000
    assert refused > 1000
