"""Mistakes in a scenario file give messages that name the line, what is wrong and the nearest name; for more, and for
the code of each kind, see the examples of docs/errors.md, which are tested."""

from __future__ import annotations

from pathlib import Path

import pytest

from blocks.errors import KeelblocksError, ScenarioError
from blocks.scenario import Scenario

GOOD = """\
keelblocks: 1
name: small
diagram:
  blocks:
    vessel:
      type: dynamics.DiagonalVessel3DOF
      parameters: {inertia: [10, 11, 1.2], linear_damping: [16, 10, 5]}
    surge: {type: control.PID, parameters: {kp: 40}}
    wanted: {type: basic.Constant, parameters: {value: 1}}
    wrench: {type: control.ComposeWrench}
  connections:
    wanted.y: surge.reference
    vessel.nu[u]: surge.measurement
    surge.output: wrench.X
    wrench.force: vessel.force
run: {step: 0.1, end: 5}
"""

WRENCH = "{type: control.ComposeWrench}"
PID = "{type: control.PID, parameters: {kp: 40}}"
FILE = [  # what is replaced, by what, and what the message says
    ("dynamics.DiagonalVessel3DOF", "dynamics.DiagonalVesel3DOF",
     "f.yaml:6: no block type 'dynamics.DiagonalVesel3DOF'; did you mean 'dynamics.DiagonalVessel3DOF'"),
    ("wanted.y: surge.reference", "wanted.y: [surge.reference, wrench.X]",
     "f.yaml:14: wrench.X is already connected to wanted.y; an input has one source"),
    ("force: vessel.force", "force: vessel.current",
     "f.yaml:15: cannot connect wrench.force (Wrench, N, body) to vessel.current (Velocity, m/s, ned): "
     "units N and m/s differ"),
    ("wrench.force: vessel.force", "vessel.eta[0:3]: vessel.force", "f.yaml:15: cannot connect vessel.eta[0:3]"),
    ("wanted.y: surge.reference", "wanted: surge.reference", "f.yaml:12: 'wanted' is not a port"),
    ("wanted.y: surge.reference", "wanted.y: []", "f.yaml:12: diagram.connections.wanted.y: it is empty"),
    ("wanted.y: surge.reference", "wanted.y: 3",
     "f.yaml:12: diagram.connections.wanted.y: a port, or a list of ports, is wanted, not 3"),
    ("wanted.y: surge.reference", "a.b.c: surge.reference",
     "f.yaml:12: diagram.connections.a.b.c: 'a.b.c' is not a port"),
    ("{kp: 40}", "{angle: 1}", "f.yaml:8: surge.angle must be true or false, not 1"),
    ("{kp: 40}", "{kp: {a: 1}}", "f.yaml:8: surge.kp must be"),
    ("{kp: 40}", "[kp]", "f.yaml:8: diagram.blocks.surge.parameters: a mapping of keys and values is wanted"),
    ("{kp: 40}", "{kd: 1, derivative: none}", "f.yaml:8: surge: PID.kd has no effect with derivative='none'"),
    ("[10, 11, 1.2]", "[10, 11]", "f.yaml:7: vessel.inertia must be an array of 3, not an array of 2"),
    ("[10, 11, 1.2]", "[0, 11, 1.2]", "f.yaml:7: vessel.inertia[0] must be > 0"),
    ("inertia: [10, 11, 1.2], ", "", "f.yaml:5: vessel: DiagonalVessel3DOF.inertia is missing"),
    (WRENCH, "{type: dynamics.Vessel6DOF, parameters: {rigid_body_inertia: {diag: [0, 1, 1, 1, 1, 1]}}}",
     "f.yaml:10: wrench: Vessel6DOF.rigid_body_inertia + added_mass"),
    (WRENCH, "{type: guidance.LineOfSight, vehicle: minerva, parameters: {waypoints: [[0, 0, 0]]}}",
     "a path needs at least two waypoints"),
    (WRENCH, "{type: guidance.LineOfSight, vehicle: minerva, parameters: {waypoints: [[0, 0, 0], [0, 0, 0]]}}",
     "waypoints 1 and 2 coincide at (0, 0, 0) m"),
    (PID, "{type: control.PID, vehicle: minerva}",
     "f.yaml:8: surge: minerva.yaml has several sections for control.PID: name one of surge, depth, heading"),
    (PID, "{type: control.PID, vehicle: minerva, section: surg}", "has no section 'surg'; did you mean 'surge'?"),
    (PID, "{type: control.PID, section: surge}", "f.yaml:8: surge: 'section' is of use with 'vehicle' only"),
    (WRENCH, "{tpe: control.ComposeWrench}",
     "f.yaml:10: unknown key 'tpe' in diagram.blocks.wrench; did you mean 'type'?"),
    (WRENCH, "", "f.yaml:10: diagram.blocks.wrench: a mapping of keys and values (type) is wanted, not nothing"),
    (WRENCH, "control.ComposeWrench", "a mapping of keys and values (type) is wanted, not 'control.ComposeWrench'"),
    (WRENCH, "{diagram: {blocks: {}}}", "f.yaml:10: diagram.blocks.wrench.diagram.blocks: it is empty"),
    (WRENCH, "{diagram: {blocks: {g: {type: basic.Gain, parameters: {gain: x}}}}}",
     "f.yaml:10: wrench.g.gain: 'x' is not a number with a unit"),
    (WRENCH, "{diagram: {blocks: {g: {type: basic.Gain}}, conections: {}}}",
     "unknown key 'conections' in diagram.blocks.wrench.diagram; did you mean 'connections'?"),
    (WRENCH, "{diagram: {blocks: {g: {type: basic.Gain}}, connections: {g.y: g.v}}}",
     "f.yaml:10: in 'wrench': no port 'v' on g"),
    ("    wrench: {", "    a.b: {", "f.yaml:10: diagram.blocks.a.b: 'a.b' is not a name"),
    ("step: 0.1", "step: -1 s", "f.yaml:16: step must be > 0 s, not -1"),
    ("step: 0.1", "step: soon", "f.yaml:16: step: 'soon' is not a number with a unit"),
    ("step: 0.1", "step: true", "f.yaml:16: run.step: a number or text is wanted, not True"),
    ("step: 0.1", "stpe: 0.1", "f.yaml:16: unknown key 'stpe' in run; did you mean"),
    ("step: 0.1", "every: 0", "f.yaml:16: run.every: it must be ≥ 1, not 0"),
    ("end: 5", "end: -5", "f.yaml:16: end must be after start (0 s), not -5"),
    ("end: 5", "end: 5, start: 6", "f.yaml:16: end must be after start (6 s), not 5"),
    ("end: 5", "end: 5 kg", "f.yaml:16: end: '5 kg' is in kg, but s is wanted"),
    ("run: {", "report: {guidanc: x}\nrun: {", "f.yaml:16: unknown key 'guidanc' in report; did you mean 'guidance'?"),
    ("keelblocks: 1\n", "", "f.yaml:1: the key 'keelblocks' is missing; a scenario begins with 'keelblocks: 1'"),
    ("keelblocks: 1", "keelblocks: true", "f.yaml:1: the format is True"),
    ("name: small\n", "", "f.yaml:1: the file lacks 'name'"),
    ("name: small", "name: [1]", "f.yaml:2: name: text is wanted"),
    ("name: small", "name: !!python/object/apply:os.system [ls]",
     "f.yaml:2: the tag '!!python/object/apply:os.system'"),
]  # fmt: skip

RUN = [
    ("    wanted.y: surge.reference\n", "", "surge.reference (Any) is not connected; it needs a source"),
    ("output: wrench.X", "output: [wrench.X, surge.feedforward]",
     "algebraic loop: surge.output → surge.feedforward → surge.output"),
    ("step: 0.1", "record: vessel.etta", "no output 'vessel.etta'; did you mean 'vessel.eta'"),
    ("step: 0.1", "stop: vessel.etta", "no output 'vessel.etta'; did you mean 'vessel.eta'"),
    ("step: 0.1", "inputs: {x: 1}", "no input 'x'"),
    (", end: 5", "", "'end' is missing under run"),
    ("end: 5", "end: .inf", "'end' is missing under run"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), FILE, ids=[new or f"no {old}" for old, new, _ in FILE])
def test_mistakes_in_the_file(old: str, new: str, message: str) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(ScenarioError) as caught:
        Scenario.from_text(GOOD.replace(old, new), "f.yaml")
    assert message in str(caught.value)
    assert all(line.startswith("f.yaml:") for line in str(caught.value).splitlines())


@pytest.mark.parametrize(("old", "new", "message"), RUN, ids=[new or f"no {old}" for old, new, _ in RUN])
def test_mistakes_that_keep_a_scenario_from_running(old: str, new: str, message: str) -> None:
    scenario = Scenario.from_text(GOOD.replace(old, new), "f.yaml")
    with pytest.raises(KeelblocksError) as caught:
        scenario.run()
    assert message in str(caught.value)


def test_every_mistake_in_the_structure_is_told() -> None:
    text = GOOD.replace("run: {step: 0.1", "run: {stpe: 0.1, evry: 2").replace("name: small\n", "")
    with pytest.raises(ScenarioError) as caught:
        Scenario.from_text(text, "f.yaml")
    assert len(str(caught.value).splitlines()) == 3


def test_an_input_of_the_diagram_needs_a_value() -> None:
    text = GOOD.replace("    wanted.y: surge.reference\n", "").replace(
        "  connections:", "  inputs: {u_d: surge.reference}\n  connections:"
    )
    with pytest.raises(ScenarioError, match=r"the input 'u_d' needs a value: inputs: \{u_d: …\} under run"):
        Scenario.from_text(text).check()


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(GOOD)
    with pytest.raises(ScenarioError, match=r"there is no scenario .*smal\.yaml; did you mean 'small\.yaml'\?"):
        Scenario.load(tmp_path / "smal.yaml")
    with pytest.raises(ScenarioError, match="is a folder; name a scenario file in it"):
        Scenario.load(tmp_path)
    (tmp_path / "binary.yaml").write_bytes(bytes(range(256)))
    with pytest.raises(ScenarioError, match=r"binary\.yaml is not a text file"):
        Scenario.load(tmp_path / "binary.yaml")
    (tmp_path / "latin.yaml").write_bytes("keelblocks: 1\nname: Kähler".encode("latin-1"))
    with pytest.raises(ScenarioError, match=r"latin\.yaml:2: not UTF-8"):
        Scenario.load(tmp_path / "latin.yaml")
    (tmp_path / "empty.yaml").touch()
    with pytest.raises(ScenarioError, match=r"empty\.yaml is empty"):
        Scenario.load(tmp_path / "empty.yaml")
