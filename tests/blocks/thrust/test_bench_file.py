"""Bench files: what makers publish is read as it is, and what is wrong with a file is said with its place."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blocks.errors import ParameterError
from blocks.thrust import MeasuredThruster

AHEAD = [[1.0], [0], [0], [0], [0], [0]]
KGF = 9.80665
FILE = """# bench test, fresh water
command, thrust_N, current_A, speed_rpm, power_W

1100, -40.0, 24, 3300, 390
1500, 0, 0, 0, 0
1900, 51.0, 24, 3300, 390
"""
# The headings of Blue Robotics' public data of the T200, blank before PWM included; rounded values.
MAKER = """ PWM (µs), RPM , Current (A), Voltage (V), Power (W), Force (Kg f), Efficiency (g/W)
1100,3000,17.0,16.0,272.0,-4.00,14.7
1464,0,0.1,16.0,1.6,0.00,#DIV/0!
1536,0,0.1,16.0,1.6,0.00,#DIV/0!
1900,3000,17.0,16.0,272.0,5.00,18.4
"""


def read(folder: Path, text: str, encoding: str = "utf-8", **others: Any) -> MeasuredThruster:
    path = folder / "bench.csv"
    path.write_text(text, encoding=encoding)
    return MeasuredThruster.from_file(path, allocation_matrix=AHEAD, **others)


def same_table(one: MeasuredThruster, other: MeasuredThruster) -> None:
    for name in ("commands", "thrusts", "speeds", "powers"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-14)


def test_a_bench_file_is_read(tmp_path: Path) -> None:
    block = read(tmp_path, FILE)
    np.testing.assert_array_equal(block.commands, [1100.0, 1500.0, 1900.0])
    np.testing.assert_allclose(block.speeds, [-55.0, 0.0, 55.0])  # rpm without a sign
    assert block.evaluate(command=[1900.0]).outputs["power"][0] == 390.0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_the_file_of_a_maker_is_read_as_it_is(tmp_path: Path, encoding: str) -> None:
    block = read(tmp_path, MAKER, encoding)
    np.testing.assert_allclose(block.thrusts, [-4.0 * KGF, 0.0, 0.0, 5.0 * KGF], rtol=1e-14)
    np.testing.assert_allclose(block.speeds, [-50.0, 0.0, 0.0, 50.0], rtol=1e-14)
    np.testing.assert_array_equal(block.powers, [272.0, 1.6, 1.6, 272.0])
    assert block.evaluate(command=[1500.0]).outputs["thrust"][0] == 0.0


def test_other_spellings_of_the_same(tmp_path: Path) -> None:
    expected = read(tmp_path, MAKER)
    lines = MAKER.splitlines()
    without_power = MAKER.replace("Power (W)", "Case temperature")
    in_grams = MAKER.replace("Force (Kg f)", "Thrust [g]").replace("-4.00", "-4000").replace(",5.00,", ",5000,")
    same_table(read(tmp_path, "\n".join([lines[0], *lines[:0:-1]])), expected)  # greatest command first
    same_table(read(tmp_path, MAKER.replace(",", ";").replace(".", ",")), expected)  # decimal commas
    same_table(read(tmp_path, MAKER.replace(",", "\t")), expected)
    same_table(read(tmp_path, without_power), expected)  # voltage and current
    same_table(read(tmp_path, in_grams), expected)
    same_table(read(tmp_path, MAKER.replace(" RPM ", "motor speed [1/min]")), expected)


def test_headings_that_say_nothing_are_said(tmp_path: Path) -> None:
    text = MAKER.replace("Force (Kg f)", "Schub").replace(" RPM ", "Drehzahl (1/min)")
    same_table(
        read(tmp_path, text, columns={"thrust": ("Schub", "kgf"), "speed": "Drehzahl (1/min)"}), read(tmp_path, MAKER)
    )
    without_speed = read(tmp_path, MAKER.replace(" RPM ", "x"), speeds=0.0)
    assert without_speed.evaluate(command=[1900.0]).outputs["speed"][0] == 0.0


def test_noise_is_smoothed_when_asked_for(tmp_path: Path) -> None:
    """The nearest thrusts that never fall, by least squares: a pair that falls becomes its mean."""
    noisy = FILE.replace("1500, 0, 0, 0, 0", "1500, 2.0, 0, 0, 0\n1600, 1.0, 0, 10, 4")
    np.testing.assert_allclose(read(tmp_path, noisy, smooth=True).thrusts, [-40.0, 1.5, 1.5, 51.0])
    message = (
        r"bench.csv: the thrust falls from 2 N in line 5 to 1 N in line 6, at a greater command; smooth=True takes"
    )
    with pytest.raises(ParameterError, match=message):
        read(tmp_path, noisy)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            FILE + '"' + "1" * 140_000,
            r"bench.csv, line \d+: field larger than field limit \(131072\)",
        ),
        (
            FILE.replace("thrust_N", "thrust (N" + "(" * 50_000),
            r"bench.csv has no column of the thrust",
        ),
        (
            FILE.replace("thrust_N", "thrust"),
            r"bench.csv: column 'thrust' does not say its unit; call it 'thrust \(N\)'",
        ),
        (
            FILE.replace("thrust_N", "thrust_m"),
            r"column 'thrust_m' is in 'm', which is no unit of thrust; 'thrust \(N\)'",
        ),
        (FILE.replace("speed_rpm", "n"), r"no column of the speed, such as 'speed \(rpm\)' .*; it has 'command', "),
        (
            FILE.replace("power_W", "x"),
            r"no column of the power, such as 'power \(W\)', or 'voltage \(V\)' and 'current",
        ),
        (
            FILE.replace("current_A", "Power (W)"),
            r"'Power \(W\)' and 'power_W' may both be the power; say which by columns",
        ),
        (FILE.replace("51.0", "much"), r"bench.csv, line 6: thrust_N must be a number, not 'much'"),
        (FILE.replace("51.0", "nan"), r"bench.csv, line 6: thrust_N must be a number, not 'nan'"),
        (
            FILE.replace("51.0", ""),
            r"line 6: thrust_N must be a number, but is empty; fill it in or leave the line out",
        ),
        (FILE.replace("\n1500", '\n"1500'), r"bench.csv, line 5: 1 value under 5 columns"),
        (FILE.replace("390\n1500", "390, 1\n1500"), r"bench.csv, line 4: 6 values under 5 columns"),
        (FILE.replace("1900", "1500"), r"lines 5 and 6 have the same command, 1500; leave one out, or put their mean"),
        (FILE.splitlines()[1], r"bench.csv has no values under the line of column names"),
        ("", r"bench.csv is empty: a line of column names is wanted"),
    ],
)
def test_bad_files_are_refused_with_the_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"thrusts": "thrust_N"},
            r"columns names the columns of command, .*, and not of 'thrusts'; did you mean 'thrust'\?$",
        ),
        (
            {"thrust": "thrust_n"},
            r"no column 'thrust_n', which columns names for the thrust; did you mean 'thrust_N'\?",
        ),
        (
            "thrust_N",
            r"columns must be like \{'thrust': 'Schub \(N\)'\}, quantities and their headings, not 'thrust_N'",
        ),
        ({"thrust": ("thrust_N", "N", "N")}, r"columns: the thrust must be a heading, or that and a unit, .*'N'\)$"),
        ({"thrust": 1}, r"columns: the thrust must be a heading, or that and a unit, such as \('Schub', 'N'\), not 1"),
        ({"thrust": ("thrust_N", "km")}, r"column 'thrust_N' is in 'km', which is no unit of thrust"),
    ],
)
def test_bad_names_of_columns_are_refused(tmp_path: Path, columns: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        read(tmp_path, FILE, columns=columns)


def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"none.csv cannot be read as a bench file: .*No such file"):
        MeasuredThruster.from_file(tmp_path / "none.csv", allocation_matrix=AHEAD)
    with pytest.raises(
        ParameterError, match=r"t200.xlsx is a spreadsheet: save the sheet with the measurements as CSV"
    ):
        MeasuredThruster.from_file(tmp_path / "t200.xlsx", allocation_matrix=AHEAD)
