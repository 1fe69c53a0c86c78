"""Vehicle files: what is read, and what is said about files that are not in order."""

import re
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blocks.guidance
from blocks.control import PID
from blocks.dynamics import Vessel3DOF, Vessel6DOF
from blocks.errors import KeelblocksError, ParameterError
from blocks.thrust import PropellerThrusters
from blocks.vehicles.vehicle import VehicleError, check, describe, list_vehicles, read_section

GOOD = """
title: A raft
references: {log: "the raft's log"}
sections:
  dynamics:
    type: dynamics.Vessel3DOF
    parameters:
      mass: {value: 2.5, unit: t, source: log}
      yaw_inertia: {value: 800.0, unit: kg*m^2, source: log, note: guessed}
      linear_damping: {value: {diag: [10.0, 20.0, 30.0]}, unit: SI, source: log}
"""


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], str]:
    """Writes a vehicle file and returns its path."""

    def write(content: str | bytes) -> str:
        path = tmp_path / "raft.yaml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


def test_a_file_of_ones_own_with_units_and_citations(file: Callable[[str], str]) -> None:
    vessel = Vessel3DOF.from_vehicle(file(GOOD))
    assert vessel.mass == 2500.0
    np.testing.assert_array_equal(vessel.linear_damping, np.diag([10.0, 20.0, 30.0]))
    assert vessel.sources["yaw_inertia"] == "the raft's log (guessed)"


def test_the_path_may_be_a_path(file: Callable[[str], str]) -> None:
    path = Path(file(GOOD))
    check(path)
    assert describe(path).title == "A raft"
    vessel = Vessel3DOF.from_vehicle(path)
    assert (vessel.mass, vessel.taken_from) == (2500.0, (str(path), None))


def test_a_value_may_bring_its_unit_with_it(file: Callable[[str], str]) -> None:
    assert Vessel3DOF.from_vehicle(file(GOOD.replace("value: 2.5, unit: t", "value: 2.5 t"))).mass == 2500.0


def test_the_path_may_be_relative(file: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(file(GOOD)).parent)
    assert Vessel3DOF.from_vehicle("./raft.yaml").mass == 2500.0


def test_changes_take_precedence_and_lose_the_citation(file: Callable[[str], str]) -> None:
    vessel = Vessel3DOF.from_vehicle(file(GOOD), mass=7.0)
    assert vessel.mass == 7.0
    assert "mass" not in vessel.sources
    assert "yaw_inertia" in vessel.sources


def test_a_section_may_leave_parameters_to_the_user(file: Callable[[str], str]) -> None:
    without_mass = GOOD.replace("      mass: {value: 2.5, unit: t, source: log}\n", "")
    assert Vessel3DOF.from_vehicle(file(without_mass), mass=3.0).mass == 3.0
    with pytest.raises(ParameterError, match=r"Vessel3DOF.mass is missing: a number in kg is wanted"):
        Vessel3DOF.from_vehicle(file(without_mass))


def test_the_library_has_vehicles_and_describes_them() -> None:
    assert "minerva" in list_vehicles()
    vehicle = describe("minerva")
    entry = vehicle.sections["thrusters"].parameters["diameter"]
    assert entry.unit == "m"
    assert "Mo (2015)" in vehicle.citation(entry)


def test_one_of_several_sections_is_named() -> None:
    heading = PID.from_vehicle("minerva", "heading")
    assert (heading.kp, heading.ki, heading.kd, heading.angle) == (150.0, 30.0, 20.0, True)
    with pytest.raises(VehicleError, match=r"several sections for control.PID: name one of surge, depth, heading"):
        PID.from_vehicle("minerva")
    with pytest.raises(VehicleError, match=r"minerva.yaml has no section 'headin'; did you mean 'heading'"):
        PID.from_vehicle("minerva", "headin")
    with pytest.raises(
        VehicleError, match=r"section 'thrusters' is for thrust.PropellerThrusters, not for control.PID"
    ):
        PID.from_vehicle("minerva", "thrusters")
    with pytest.raises(
        VehicleError, match=r"no section for dynamics.Vessel3DOF; it has dynamics \(dynamics.Vessel6DOF\)"
    ):
        Vessel3DOF.from_vehicle("minerva")


def test_an_unknown_vehicle_is_answered_with_the_nearest_name() -> None:
    with pytest.raises(VehicleError, match="there is no vehicle 'minevra'; did you mean 'minerva'"):
        Vessel6DOF.from_vehicle("minevra")
    with pytest.raises(VehicleError, match=r"there is no vehicle nowhere.yaml$"):
        Vessel6DOF.from_vehicle("nowhere.yaml")
    with pytest.raises(VehicleError, match=r"there is no vehicle minerva.yml; the library's own is called 'minerva'$"):
        Vessel6DOF.from_vehicle("minerva.yml")
    with pytest.raises(VehicleError, match=r"boats/raft is not the path of a vehicle file: that ends in .yaml"):
        Vessel6DOF.from_vehicle("boats/raft")
    nothing: Any = None
    with pytest.raises(VehicleError, match=r"a name such as 'otter', or the path of a file .*, not None"):
        Vessel6DOF.from_vehicle(nothing)


def test_numbers_of_thrusters_that_disagree_are_named_with_file_and_section(file: Callable[[str], str]) -> None:
    content = """
title: T
references: {a: b}
sections:
  thrusters:
    type: thrust.PropellerThrusters
    parameters:
      diameter: {value: [0.2, 0.2, 0.2, 0.2], unit: m, source: a}
      loss_forward: {value: [1, 1, 1, 1, 1], source: a}
"""
    with pytest.raises(
        VehicleError,
        match=r"^raft.yaml:8 \(and 9\): thrusters.diameter has 4 entries, loss_forward has 5: they must",
    ):
        PropellerThrusters.from_vehicle(file(content))


def test_of_many_numbers_of_thrusters_the_odd_one_is_named(file: Callable[[str], str]) -> None:
    shipped = (resources.files("blocks") / "vehicles" / "minerva.yaml").read_text(encoding="utf-8")
    one_less = shipped.replace("value: [0.19, 0.22, 0.22, 0.22, 0.22]", "value: [0.19, 0.22, 0.22, 0.22]")
    assert one_less != shipped
    with pytest.raises(VehicleError, match=r"thrusters.diameter has 4 entries, loss_forward has 5: they must"):
        PropellerThrusters.from_vehicle(file(one_less))


LINES: list[tuple[str, str, str]] = [
    ("mass:", "mas:", r"^raft.yaml:8: .*has no parameter 'mas'; did you mean 'mass'\?"),
    ("source: log, note", "note", r"raft.yaml:9: dynamics.yaw_inertia lacks 'source'"),
    ("unit: t", "unit: m", r"^raft.yaml:8: .*dynamics.mass: '1 m' is in m, but kg is wanted"),
    (
        "note: guessed",
        "nose: guessed",
        r"^raft.yaml:9: .*unknown key 'nose' in dynamics.yaw_inertia; did you mean 'note'\?",
    ),
    ("[10.0, 20.0, 30.0]", "[10.0, 20.0]", r"^raft.yaml:10: .*linear_damping must be an array of 3×3"),
    ("source: log}\n", "source: lok}\n", r"^raft.yaml:8: .*names the source 'lok'.*did you mean 'log'\?"),
    ("sections:", "section:", r"(?m)^raft.yaml:4: unknown key 'section' in the file; did you mean 'sections'.*\?"),
    ("type: dynamics", "typ: dynamics", r"raft.yaml:6: unknown key 'typ' in dynamics; did you mean 'type'\?"),
]

CASES: list[tuple[str, str, str]] = [
    ("mass:", "mas:", r"raft.yaml:\d+: dynamics.mas: dynamics.Vessel3DOF has no parameter 'mas'; did you mean 'mass'"),
    ("value: 2.5", "vale: 2.5", r"unknown key 'vale' in dynamics.mass; did you mean 'value'"),
    ("value: 2.5, ", "", r"raft.yaml:\d+: dynamics.mass lacks 'value'"),
    ("unit: t", "unit: m", r"raft.yaml:\d+: dynamics.mass: '1 m' is in m, but kg is wanted"),
    ("unit: t, ", "", r"raft.yaml:\d+: dynamics.mass: its unit is missing \(kg\)"),
    ("unit: SI", "unit: kg", r"linear_damping: its elements have units of their own"),
    ("value: 2.5", "value: -2.5", r"raft.yaml:\d+: dynamics.mass must be > 0 kg, not -2500"),
    ("value: 800.0", "value: much", r"raft.yaml:\d+: dynamics.yaw_inertia: 'much' is not a number"),
    (
        "[10.0, 20.0, 30.0]",
        "[10.0, 20.0]",
        r"raft.yaml:\d+: dynamics.linear_damping must be an array of 3×3.*not .*2×2",
    ),
    ("source: log}", "source: lok}", r"names the source 'lok', which is not among the references; did you mean 'log'"),
    ("title: A raft\n", "", r"raft.yaml:\d+: the file lacks 'title'"),
    ("value: 2.5", "value: heavy", r"^raft.yaml:8: .*dynamics.mass: its value must be plain numbers in t, not 'heavy'"),
    ("value: 2.5, unit: t", "value: heavy", r"dynamics.mass: 'heavy' is not a number with a unit"),
    ("value: 2.5, unit: t", "value: 2.5 m", r"^raft.yaml:8: .*dynamics.mass: '2.5 m' is in m, but kg is wanted"),
    ("value: 2.5", "value: ", r"raft.yaml:8: dynamics.mass: its value is missing"),
    ("value: 2.5", "value: .nan", r"raft.yaml:8: dynamics.mass must be finite, not nan"),
    (
        "{value: 2.5, unit: t, source: log}",
        "2.5",
        r"^raft.yaml:8: .*dynamics.mass: a mapping of keys and values \(value, source\) is wanted, not 2.5",
    ),
    (
        "unit: t",
        "unit: 3",
        r"^raft.yaml:8: .*dynamics.mass.unit: text, in quotes, is wanted, not 3",
    ),
    ('"the raft\'s log"', "2021", r"raft.yaml:3: references.log: text, in quotes, is wanted, not 2021"),
    ("[10.0, 20.0, 30.0]", "[[1.0], [2.0, 3.0]]", r"^raft.yaml:10: .*linear_damping must be an array of 3×3"),
    ("note: guessed", "note: guessed, in haste", r"unknown key 'in haste' in dynamics.yaw_inertia: text with a comma"),
    ("diag:", "daig:", r"^raft.yaml:10: .*linear_damping must be an array of 3×3, not {'daig':"),
    ("sections:", "section:", r"unknown key 'section' in the file; did you mean 'sections'"),
    ("type: dynamics.Vessel3DOF", "typ: dynamics.Vessel3DOF", r"raft.yaml:\d+: unknown key 'typ' in dynamics"),
]


@pytest.mark.parametrize(("right", "wrong", "message"), CASES)
def test_a_mistake_in_a_file_is_named_with_its_place(
    file: Callable[[str], str], right: str, wrong: str, message: str
) -> None:
    assert right in GOOD
    with pytest.raises(VehicleError, match=message):
        Vessel3DOF.from_vehicle(file(GOOD.replace(right, wrong)))


@pytest.mark.parametrize(("right", "wrong", "message"), LINES)
def test_a_mistake_in_a_file_is_named_with_its_line(
    file: Callable[[str], str], right: str, wrong: str, message: str
) -> None:
    assert right in GOOD
    with pytest.raises(VehicleError, match=message):
        Vessel3DOF.from_vehicle(file(GOOD.replace(right, wrong)))


def test_all_mistakes_in_a_file_are_named_at_once(file: Callable[[str], str]) -> None:
    path = file(GOOD.replace("vale", "value").replace("value: 2.5", "vale: 2.5").replace("title", "titel"))
    with pytest.raises(VehicleError) as caught:
        describe(path)
    lines = str(caught.value).splitlines()
    assert len(lines) == 2  # a key that is misspelt is not missing besides
    assert all(re.match(r"raft.yaml:\d+: ", line) for line in lines)


def test_a_key_that_is_given_twice_is_named_with_both_lines(file: Callable[[str], str]) -> None:
    twice = GOOD + "      mass: {value: 3.0, unit: t, source: log}\n"
    with pytest.raises(VehicleError, match=r"^raft.yaml:11: the key 'mass' stands here twice; the first is on line 8$"):
        describe(file(twice))


def test_lines_are_known_of_what_anchors_and_merges_bring(file: Callable[[str], str]) -> None:
    merged = """
title: T
references: {a: b}
shared:
  hull: &hull
    mass: {value: 1.0, unit: kg, source: a}
    yaw_inertia: {value: -1.0, unit: kg*m^2, source: a}
sections:
  dynamics:
    type: dynamics.Vessel3DOF
    parameters:
      <<: *hull
      mass: {value: 2.0, unit: kg, source: a}
"""
    with pytest.raises(VehicleError, match=r"^raft.yaml:7: dynamics.yaw_inertia must be > 0 "):
        Vessel3DOF.from_vehicle(file(merged))
    assert describe(file(merged)).line("dynamics", "mass") == 13


def test_a_file_that_goes_round_in_circles_is_refused(file: Callable[[str], str]) -> None:
    with pytest.raises(VehicleError):
        describe(file("title: T\nreferences: {a: b}\nsections: &s\n  x: *s\n"))


def test_check_finds_what_no_block_has_asked_for_yet(file: Callable[[str], str]) -> None:
    check(file(GOOD))
    more = """  thruster:
    type: trust.PropelerThrusters
    parameters: {}
  winch:
    type: harbour.Winch
    parameters: {}
  heading:
    type: control.PID
    parameters:
      kq: {value: 1.0, source: log}
"""
    with pytest.raises(VehicleError) as caught:
        check(file(GOOD + more))
    first, second = str(caught.value).splitlines()  # nothing about the winch: its family is somebody else's
    assert first.startswith(
        "raft.yaml:11: section 'thruster' is for trust.PropelerThrusters, and there is no such block; "
    )
    assert "did you mean 'thrust.PropellerThrusters'" in first
    assert second.startswith("raft.yaml:20: heading.kq: control.PID has no parameter 'kq'")


def test_range_and_faults_can_be_stated(file: Callable[[str], str]) -> None:
    told = GOOD + "validity: in a pond\nfaults: [the scale was broken]\n"
    vehicle = describe(file(told))
    assert (vehicle.validity, vehicle.faults) == ("in a pond", ("the scale was broken",))
    assert describe(file(GOOD)).validity == ""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "raft.yaml is empty; a vehicle file has the keys title, references and sections"),
        (b"# to be written", "raft.yaml is empty"),
        (b"- 1\n- 2\n", "raft.yaml must begin with keys"),
        (b"title: [1, 2", r"^raft.yaml:2: not valid YAML: while parsing a flow sequence, "),
        (b"title: T\n\treferences: {}", r"^raft.yaml:2: not valid YAML: .*tab character"),
        (b"title: T\nreferences: *them", r"^raft.yaml:2: not valid YAML: found undefined alias 'them'$"),
        (b"title: \xff\xfe", r"raft.yaml:1: not UTF-8: invalid start byte at byte 7; save the file as UTF-8$"),
        (b"\x00\x01\x02", "raft.yaml is not a text file: it holds binary data$"),
        (
            b"title: !!python/object/apply:os.system ['true']",
            r"^raft.yaml:1: the tag '!!python/object/apply:os.system' is not allowed",
        ),
        (
            b"title: T\nreferences: {}\nsections: {}",
            r"^raft.yaml:2: references: it is empty\nraft.yaml:3: sections: it is empty$",
        ),
    ],
)
def test_files_that_are_no_vehicle_files(file: Callable[[bytes], str], content: bytes, message: str) -> None:
    with pytest.raises(VehicleError, match=f"(?s){message}") as caught:
        describe(file(content))
    assert isinstance(caught.value, KeelblocksError)


def test_values_are_checked_together_with_the_section_named(file: Callable[[str], str]) -> None:
    singular = GOOD.replace(
        "unit: SI, source: log}",
        "unit: SI, source: log}\n      centre_of_gravity: {value: [5.0, 0.0], unit: m, source: log}",
    )
    with pytest.raises(
        VehicleError, match=r"raft.yaml:8 \(and 9, 11\): the mass matrix from dynamics.mass.*sway and yaw together"
    ) as caught:
        Vessel3DOF.from_vehicle(file(singular))
    told = r"Is yaw_inertia \(800 kg·m²\) about the body origin\? There it is .* = 62500 kg·m² more"
    assert re.search(told, str(caught.value))


def test_read_section_gives_values_in_si(file: Callable[[str], str]) -> None:
    values, sources = read_section(Vessel3DOF, file(GOOD))
    assert values["mass"] == 2500.0
    assert set(values) == set(sources) == {"mass", "yaw_inertia", "linear_damping"}


def test_the_guidance_section_leaves_the_waypoints_to_the_mission() -> None:
    given: dict[str, Any] = {"waypoints": [[0, 0, 0], [2, 0, 0]]}
    guidance = blocks.guidance.LineOfSight.from_vehicle("minerva", **given)
    assert (guidance.cruise_speed, guidance.acceptance_radius) == (0.1, 0.1)
