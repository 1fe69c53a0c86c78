"""The outer dimensions in vehicle files: what is read, and what is said about those that are not in order."""

from pathlib import Path

import pytest

from blocks.vehicles import check, describe
from blocks.vehicles.vehicle import Dimensions, Entry, VehicleError

RAFT = """title: A raft
references: {log: "the raft's log"}
dimensions:
  length: {value: 420, unit: cm, source: log}
  breadth: {value: 1.5 m, source: log, note: paced out}
sections:
  dynamics:
    type: dynamics.Vessel3DOF
    parameters:
      mass: {value: 2.5, unit: t, source: log}
"""


@pytest.fixture
def raft(tmp_path: Path) -> Path:
    path = tmp_path / "raft.yaml"
    path.write_text(RAFT, encoding="utf-8")
    return path


def test_dimensions_are_had_in_metres_with_their_sources(raft: Path) -> None:
    check(raft)
    vehicle = describe(raft)
    given = vehicle.dimensions
    assert (given.metres("length"), given.metres("breadth"), given.metres("height")) == (4.2, 1.5, None)
    assert list(given.entries) == ["length", "breadth"]
    assert given.length is not None
    assert (given.length.value, given.length.unit) == (420, "cm")
    assert vehicle.citation(given.entries["breadth"]) == "the raft's log (paced out)"


def test_a_file_may_have_none(raft: Path) -> None:
    raft.write_text("\n".join(line for line in RAFT.splitlines() if not line.startswith(("dim", "  len", "  bre"))))
    assert describe(raft).dimensions == Dimensions()
    assert describe(raft).dimensions.metres("length") is None


def test_units_of_length_are_exact() -> None:
    given = Dimensions(length=Entry(value=457, unit="mm", source="a"), breadth=Entry(value=16, unit="ft", source="a"))
    assert (given.metres("length"), given.metres("breadth")) == (0.457, 4.8768)


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("value: 420", "value: -420", r"^raft.yaml:4: dimensions.length must be > 0 m, not -4.2$"),
        ("value: 420", "value: 0", r"^raft.yaml:4: dimensions.length must be > 0 m, not 0$"),
        ("value: 420", "value: .inf", r"^raft.yaml:4: dimensions.length must be finite, not inf$"),
        ("value: 420", "value: .nan", r"^raft.yaml:4: dimensions.length must be > 0 m, not nan$"),
        ("value: 420", f"value: 1{'0' * 400}", r"^raft.yaml:4: dimensions.length must be finite, not inf$"),
        ("value: 420", "value: ", r"^raft.yaml:4: dimensions.length: its value is missing$"),
        ("value: 420", "value: long", r"^raft.yaml:4: .*its value must be a plain number in cm, not 'long'$"),
        ("value: 420", "value: [4, 2]", r"^raft.yaml:4: .*its value must be a plain number in cm, not \[4, 2\]$"),
        ("value: 420", "value: true", r"^raft.yaml:4: .*its value must be a plain number in cm, not True$"),
        ("unit: cm", "unit: kg", r"^raft.yaml:4: dimensions.length: '420.0 kg' is in kg, but m is wanted$"),
        ("unit: cm", "unit: metr", r"^raft.yaml:4: .*there is no unit 'metr'; did you mean 'metre'"),
        ("unit: cm, ", "", r"^raft.yaml:4: dimensions.length: its unit is missing \(m\)$"),
        ("1.5 m", "1.5 s", r"^raft.yaml:5: dimensions.breadth: '1.5 s' is in s, but m is wanted$"),
        (
            "cm, source: log",
            "cm, source: lok",
            r"^raft.yaml:4: dimensions.length names the source 'lok', which is not among the references; "
            r"did you mean 'log'\?$",
        ),
        (", source: log}\n  breadth", "}\n  breadth", r"^raft.yaml:4: dimensions.length lacks 'source'$"),
        ("  length", "  lenght", r"^raft.yaml:4: unknown key 'lenght' in dimensions; did you mean 'length'"),
        ("dimensions", "dimension", r"^raft.yaml:3: unknown key 'dimension' in the file; did you mean 'dimensions'"),
        ("{value: 420, unit: cm, source: log}", "4.2 m", r"^raft.yaml:4: dimensions.length: a mapping .* not '4.2 m'$"),
        (
            "{value: 420, unit: cm, source: log}",
            "",
            r"^raft.yaml:4: dimensions.length: a mapping of keys and values \(value, source\) is wanted, not nothing$",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line(raft: Path, right: str, wrong: str, message: str) -> None:
    assert RAFT.count(right) == 1
    raft.write_text(RAFT.replace(right, wrong), encoding="utf-8")
    with pytest.raises(VehicleError, match=message):
        describe(raft)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("{}", r"^raft.yaml:3: dimensions: length, breadth or height, one at least, is wanted$"),
        ("", r"^raft.yaml:3: dimensions: a mapping of keys and values is wanted, not nothing$"),
        ("4.2 m", r"^raft.yaml:3: dimensions: a mapping of keys and values is wanted, not '4.2 m'$"),
    ],
)
def test_one_dimension_at_least_is_wanted(raft: Path, given: str, message: str) -> None:
    head, _, rest = RAFT.partition("dimensions:")
    raft.write_text(f"{head}dimensions: {given}\n{rest[rest.index('sections') :]}", encoding="utf-8")
    with pytest.raises(VehicleError, match=message):
        describe(raft)


def test_all_mistakes_are_told_at_once_as_records_with_their_lines(raft: Path) -> None:
    wrong = (
        RAFT.replace("420", "-420")
        .replace("1.5 m, source: log", "1.5 m, source: lok")
        .replace("t, source: log", "t, source: lo")
    )
    raft.write_text(wrong, encoding="utf-8")
    with pytest.raises(VehicleError) as caught:
        describe(raft)
    told = [(p.code, p.file, p.line, p.path, p.near) for p in caught.value.problems]
    assert told == [
        ("bad-vehicle", "raft.yaml", 4, ("dimensions", "length"), ()),
        ("bad-vehicle", "raft.yaml", 5, ("dimensions", "breadth"), ("log",)),
        ("bad-vehicle", "raft.yaml", 10, ("sections", "dynamics", "parameters", "mass"), ("log",)),
    ]
    assert str(caught.value) == "\n".join(map(str, caught.value.problems))
