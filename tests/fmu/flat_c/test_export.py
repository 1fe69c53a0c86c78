"""C for controllers: its API from outside, its header, what is refused."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from flat_c import FLAGS, compiler, run_c
from handmade_library import imported
from libraries import CAN_BUILD, WHY_NOT
from pycparser import c_parser

from blocks import Diagram, Input, Output, PythonBlock, simulate
from blocks.basic import Clock, Compare, Constant, Function, Gain, GaussianNoise, Integrator, Step
from blocks.basic.common import AnyScalar
from blocks.cli.commands import cli
from blocks.dynamics import Vessel3DOF
from blocks.errors import ExportError, SimulationError
from fmu.cuda.export import export_cuda
from fmu.flat_c.export import export_c
from fmu.notices import ExportWarning

ROOT = Path(__file__).parents[3]
LOS = str(ROOT / "examples" / "minerva_los.yaml")


_OTHER_NAMES = ("status", "string", "main", "plan", "solver", "KB")


def run_main(folder: Path, name: str, body: str) -> list[str]:
    """What a `main` of these statements prints, by words."""
    ahead = f'#include "{name}.h"\n#include <stdio.h>\nstatic {name}_model m;\n'
    text = f"{ahead}int main(void)\n{{\n{body}\n    return 0;\n}}\n"
    (folder / "own.c").write_text(text)
    command = [compiler("gcc"), *FLAGS, f"{name}.c", "own.c", "-o", "own"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return subprocess.run([folder / "own"], capture_output=True, text=True, check=True).stdout.split()


def test_what_is_written(integrator: Diagram, tmp_path: Path) -> None:
    assert export_c(integrator, tmp_path / "new", step=0.5) == tmp_path / "new"
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["README.md", "main.c", "tank.c", "tank.h"]
    readme = (tmp_path / "new" / "README.md").read_text()
    assert "Inputs: `flow`. Outputs: `level`." in readme
    assert "| multiplications |" in readme


def test_the_page_drives_what_it_exports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "flat_c.md").read_text()
    (python,), (driving,) = (re.findall(rf"^```{kind}\n(.*?)^```$", page, re.M | re.S) for kind in ("python", "c"))
    monkeypatch.chdir(tmp_path)
    exec(python, {})
    folder = tmp_path / "helm_in_c"
    (folder / "own.c").write_text(driving)
    command = [compiler("gcc"), *FLAGS, "-c", "own.c"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_is_of_others_is_not_replaced(integrator: Diagram, tmp_path: Path) -> None:
    export_c(integrator, tmp_path, step=0.5)
    export_c(integrator, tmp_path, step=0.25)
    assert "TANK_STEP 0.25" in (tmp_path / "tank.h").read_text()
    (tmp_path / "main.c").write_text("int main(void) { return 7; }\n")
    with pytest.warns(ExportWarning, match=r"main.c is kept as it is, for it may be yours: take it away"):
        export_c(integrator, tmp_path, step=0.5)
    assert "return 7" in (tmp_path / "main.c").read_text()
    assert "TANK_STEP 0.5" in (tmp_path / "tank.h").read_text()
    for name in ("README.md", "tank.h", "tank.c"):
        before = (tmp_path / name).read_text()
        (tmp_path / name).write_text("mine\n")
        with pytest.raises(ExportError, match=rf"cannot write C to .*: {name} is there and of something else"):
            export_c(integrator, tmp_path, step=0.25)
        assert (tmp_path / name).read_text() == "mine\n"
        (tmp_path / name).write_text(before)
    with pytest.raises(ExportError, match=r"tank.h is there and of an export as C, and it would be replaced"):
        export_cuda(integrator, tmp_path, step=0.5)


def test_the_memory_that_is_told_is_what_it_takes(busy_c: Path) -> None:
    (size,) = run_main(busy_c, "busy", '    (void)busy_time(&m);\n    printf("%u", (unsigned int)sizeof m);')
    assert f"The model takes {size} bytes of RAM" in (busy_c / "README.md").read_text()


def test_the_example_beside_it_compiles_and_runs(tank: Path) -> None:
    command = [compiler("gcc"), *FLAGS, "tank.c", "main.c", "-o", "tank"]
    subprocess.run(command, cwd=tank, check=True)
    assert subprocess.run([tank / "tank"], capture_output=True, text=True, check=True).stdout == "499.5 s: level 1 \n"


def test_outputs_are_of_the_instant_and_inputs_are_held(tank: Path) -> None:
    words = run_main(
        tank, "tank",
        """    int i;
    (void)tank_init(&m);
    for (i = 0; i < 3; i++) {
        m.inputs.flow = i;
        (void)tank_step(&m);
        printf("%g %g ", tank_time(&m), m.outputs.level);
    }""",
    )  # fmt: skip
    assert words == ["0", "1", "0.5", "1", "1", "2"]


def test_parameters_are_changed_between_steps_and_ahead_of_the_start(tank: Path) -> None:
    words = run_main(
        tank, "tank",
        """    tank_set_defaults(&m);
    m.parameters.level_initial_x[0] = 5.0;
    (void)tank_start(&m);
    m.inputs.flow = 1.0;
    (void)tank_step(&m);
    printf("%g ", m.outputs.level);
    m.parameters.gain_gain[0] = 10.0;
    tank_parameters_changed(&m);
    (void)tank_step(&m);
    (void)tank_step(&m);
    printf("%g", m.outputs.level);""",
    )  # fmt: skip
    assert words == ["5", "11"]


def test_several_models_at_once(tank: Path) -> None:
    words = run_main(
        tank, "tank",
        """    static tank_model other;
    (void)tank_init(&m);
    (void)tank_init(&other);
    other.inputs.flow = 3.0;
    (void)tank_step(&m);
    (void)tank_step(&other);
    (void)tank_step(&m);
    (void)tank_step(&other);
    printf("%g %g", m.outputs.level, other.outputs.level);""",
    )  # fmt: skip
    assert words == ["1", "4"]


def test_a_stop_signal_lets_time_stand(tmp_path: Path) -> None:
    diagram = Diagram("until")
    diagram.add("clock", Clock())
    diagram.add("limit", Constant(0.25))
    diagram.add("late", Compare(">="))
    diagram.connect(diagram["clock"].y, diagram["late"].u1)
    diagram.connect(diagram["limit"].y, diagram["late"].u2)
    diagram.outputs(now=diagram["clock"].y)
    export_c(diagram, tmp_path, step=0.1, stop="late.y")
    table, status, said = run_c(tmp_path, "until", 10)
    run = simulate(diagram, 1.0, step=0.1, stop="late.y")
    assert (status, said) == (2, "")
    assert table.reshape(-1, 2)[:, 0].tobytes() == run.time.tobytes()


def test_a_title_may_end_a_comment(integrator: Diagram, tmp_path: Path) -> None:
    """In its own words at least."""
    export_c(integrator, tmp_path, step=0.5, name="tank */ 1")
    assert "/* tank * / 1: see tank____1.h." in (tmp_path / "tank____1.c").read_text()


def test_a_fault_has_words_and_stays(tmp_path: Path) -> None:
    vessel = Vessel3DOF.from_vehicle("otter")
    export_c(vessel, tmp_path, step=0.1, name="otter")
    words = run_main(
        tmp_path, "otter",
        """    (void)otter_init(&m);
    printf("%d ", otter_step(&m));
    m.parameters.mass = 0.0;
    m.parameters.yaw_inertia = 0.0;
    for (int i = 0; i < 9; i++) {
        m.parameters.added_mass[i / 3][i % 3] = 0.0;
    }
    otter_parameters_changed(&m);
    printf("%d ", otter_step(&m));
    printf("%d ", otter_step(&m));
    printf("%d %s", otter_fault(&m), otter_fault_text(&m));""",
    )  # fmt: skip
    assert words[:4] == ["0", "3", "3", "0"]
    assert "inertia" in " ".join(words[4:])


def test_numbers_that_are_not_finite_are_told(tmp_path: Path) -> None:
    diagram = Diagram("root")
    diagram.add("falling", Step(time=0.2, before=1.0, after=-1.0))
    diagram.add("root", Function("sqrt"))
    diagram.connect(diagram["falling"].y, diagram["root"].u)
    diagram.outputs(root=diagram["root"].y)
    export_c(diagram, tmp_path, step=0.1)
    table, status, said = run_c(tmp_path, "root", 10)
    assert (status, said) == (4, "an output is no finite number")
    assert np.isfinite(table).all()


def test_a_header_is_for_c_plus_plus_too(tank: Path) -> None:
    (tank / "own.cpp").write_text('#include "tank.h"\nint main() { static tank_model m; return tank_init(&m); }\n')
    command = [compiler("g++"), "-std=c++11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-c", "own.cpp"]
    subprocess.run(command, cwd=tank, check=True)


def test_ports_that_are_words_of_c_plus_plus_or_macros(tmp_path: Path) -> None:
    words = ["and", "not", "compl", "xor_eq", "char8_t", "requires", "co_await", "typeof", "offsetof"]
    diagram = Diagram("words")
    for i, word in enumerate(words):
        diagram.add(f"gain{i}", Gain(2.0))
        diagram.inputs(**{word: f"gain{i}.u"})
    diagram.outputs(y="gain0.y")
    export_c(diagram, tmp_path, step=0.5)  # without a warning of C that cannot be read
    (tmp_path / "own.cpp").write_text('#include <stddef.h>\n#include "words.h"\n')
    subprocess.run([compiler("g++"), "-std=c++20", "-c", "own.cpp"], cwd=tmp_path, check=True)


def test_names_that_c_does_not_take(tmp_path: Path) -> None:
    diagram = Diagram("first")
    diagram.add("gain", Gain(1.0))
    diagram.inputs(**{"double": diagram["gain"].u})
    diagram.outputs(**{"default": diagram["gain"].y})
    export_c(diagram, tmp_path, step=0.5, name="1st boat")
    text = (tmp_path / "m_1st_boat.h").read_text()
    assert "double double_;" in text
    assert "double default_;" in text


@pytest.mark.parametrize("name", ["gain", "grid", *(pytest.param(n, marks=pytest.mark.slow) for n in _OTHER_NAMES)])
def test_names_that_the_engine_or_the_c_library_has_too(name: str, tmp_path: Path) -> None:
    """`gain_outputs` is a kernel, STATUS_FAULT a constant, `grid_time` a function; `string.h` and `main.c` exist."""
    diagram = Diagram("first")
    diagram.add("gain", Gain(1.5))
    diagram.add("stock", Integrator())
    diagram.connect(diagram["gain"].y, diagram["stock"].u)
    diagram.inputs(**{"STEP": diagram["gain"].u})
    diagram.outputs(**{f"{name.upper()}_OK": diagram["stock"].y})
    export_c(diagram, tmp_path, step=0.5, name=name)
    (own,) = [path.stem for path in tmp_path.glob("*.h")]
    table, status, _ = run_c(tmp_path, own, 3, [1.0], flags=["-I."])
    assert status == 0
    assert table.reshape(-1, 2).tolist() == [[0.0, 0.0], [0.5, 0.75], [1.0, 1.5]]


def test_operations_of_a_sampled_block_are_those_of_its_own_size(tmp_path: Path) -> None:
    """And not of the block ahead of it."""
    told = []
    for n in (1, 5):
        diagram = Diagram("sampled")
        diagram.add("one", Gain(2.0))
        diagram.add("noise", GaussianNoise(period=0.1, mean=np.zeros(n)))
        diagram.inputs(u=diagram["one"].u)
        diagram.outputs(one=diagram["one"].y, noise=diagram["noise"].y)
        readme = (export_c(diagram, tmp_path / str(n), step=0.1) / "README.md").read_text()
        assert "Without a bound" not in readme
        told.append([int(re.search(rf"{what} \| (\d+)", readme)[1]) for what in ("multiplications", "square roots")])
    assert told[1][1] == 5 * told[0][1]
    assert told[1][0] > 4 * told[0][0]


def test_c_that_cannot_be_read_is_told_as_a_bug(
    integrator: Diagram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Any, text: str) -> None:
        raise c_parser.ParseError(":7:3: before: x")

    monkeypatch.setattr(c_parser.CParser, "parse", fail)
    monkeypatch.setattr("fmu.flat_c.folding._value", lambda expression: None)
    with pytest.warns(ExportWarning, match=r"cannot read it to count .* \(:7:3: before: x\).* bug of Keelblocks"):
        text = (export_c(integrator, tmp_path, step=0.5) / "README.md").read_text()
    assert "were not counted: Keelblocks could not read this C (:7:3: before: x)" in text
    monkeypatch.setenv("CC", "/nonexistent")
    text = (export_c(integrator, tmp_path, step=0.5) / "README.md").read_text()
    assert "were not counted: there was no C preprocessor" in text


class Twice(PythonBlock):
    """y = 2 u."""

    u = Input(AnyScalar, "in")
    y = Output(AnyScalar, "out")

    def outputs(self, t, states, inputs):
        return {"y": 2.0 * inputs["u"]}


def test_what_has_no_c_is_refused(integrator: Diagram, tmp_path: Path) -> None:
    for solver in ("dopri5", "LSODA"):
        with pytest.raises(ExportError, match=f"the solver {solver} chooses its steps .* euler, heun or rk4"):
            export_c(integrator, tmp_path, solver=solver)
    with pytest.raises(SimulationError, match="no solver 'ode45'"):
        export_c(integrator, tmp_path, solver="ode45")
    (tmp_path / "file").touch()
    with pytest.raises(ExportError, match=r"cannot write C to .*file: it is a file, and a folder is wanted"):
        export_c(integrator, tmp_path / "file")
    diagram = Diagram("python")
    diagram.add("twice", Twice())
    diagram.inputs(u=diagram["twice"].u)
    with pytest.raises(ExportError, match="'twice' runs in Python, which does not become C"):
        export_c(diagram, tmp_path)
    with pytest.raises(ExportError, match="C for controllers is made of a diagram or a block, not of 3"):
        export_c(3, tmp_path)  # type: ignore[arg-type]
    with pytest.raises(ExportError, match="the name of the files must be text, such as 'autopilot', not 3"):
        export_c(integrator, tmp_path, name=3)  # type: ignore[arg-type]
    with pytest.raises(ExportError, match="the path of the folder for C is empty"):
        export_c(integrator, "")


@pytest.mark.slow
def test_libraries_of_users_are_refused(tmp_path: Path) -> None:
    if not CAN_BUILD:
        pytest.skip(WHY_NOT)
    with (
        imported(tmp_path, hull_drag=2.0) as modules,
        pytest.raises(ExportError, match=r"hull_drag .* not become flat C"),
    ):
        export_c(modules["hull_drag"].Drag(k=0.7), tmp_path / "c")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--fmi", "3.0"), "--fmi is of FMUs, and --format c writes C for controllers"),
        (("--split", "plant.vessel"), "--split is of use with --format ssp or osp, not with C"),
        (("--solver", "dopri5"), "the solver dopri5 chooses its steps as it goes"),
        (("--output", ""), "--output is empty: name a folder"),
    ],
)
def test_command_refuses(options: tuple[str, ...], said: str) -> None:
    result = CliRunner().invoke(cli, ["export", LOS, "--format", "c", *options])
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_command_and_the_example_with_a_main_of_its_own(tmp_path: Path) -> None:
    arguments = ["export", LOS, "--format", "c", "--only", "autopilot", "--output", str(tmp_path)]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    main = ROOT / "examples" / "autopilot_in_c" / "main.c"
    command = [compiler("gcc"), *FLAGS, "-I.", "autopilot.c", str(main), "-o", "sail"]
    subprocess.run(command, cwd=tmp_path, check=True)
    said = subprocess.run([tmp_path / "sail"], capture_output=True, text=True, check=True).stdout
    assert said.startswith("4.99 s: off the path by 1.00 m, heading for -")
