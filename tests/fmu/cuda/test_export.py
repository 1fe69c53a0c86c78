"""CUDA C++: what is written, where it says that quantities stand, what is refused."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from busy import busy
from click.testing import CliRunner
from flat_c import compiler

from blocks import Diagram, Input, Output, PythonBlock
from blocks.basic import Constant, Gain, Integrator
from blocks.basic.common import AnyScalar
from blocks.cli.commands import cli
from blocks.dynamics import Vessel3DOF
from blocks.errors import ExportError
from fmu.cuda.export import export_cuda
from fmu.cuda.translation import device_code, structs_of
from fmu.flat_c.export import export_c

OTTER = str(Path(__file__).parents[3] / "examples" / "otter_helm.yaml")


def tank() -> Diagram:
    diagram = Diagram("tank")
    diagram.add("gain", Gain(2.0))
    diagram.add("level", Integrator(initial_x=1.0))
    diagram.connect(diagram["gain"].y, diagram["level"].u)
    diagram.inputs(flow=diagram["gain"].u)
    diagram.outputs(level=diagram["level"].y)
    return diagram


def test_what_is_written(tmp_path: Path) -> None:
    assert export_cuda(tank(), tmp_path / "new", step=0.5) == tmp_path / "new"
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == ["README.md", "tank.cu", "tank.h", "tank.json"]
    readme = (tmp_path / "new" / "README.md").read_text()
    assert "Inputs: `flow`. Outputs: `level`." in readme
    rows = json.loads((tmp_path / "new" / "tank.json").read_text())
    assert (rows["name"], rows["step"], rows["solver"]) == ("tank", 0.5, "rk4")
    assert f"A member takes {8 * rows['rows']} bytes" in readme


def test_header_and_json_say_the_same(tmp_path: Path) -> None:
    export_cuda(busy(), tmp_path, step=0.01, name="busy")
    rows = json.loads((tmp_path / "busy.json").read_text())
    names = ["BUSY_ROWS", "BUSY_TIME"]
    wanted = [rows["rows"], rows["time"]]
    for role in ("input", "output", "parameter"):
        for name, found in rows[f"{role}s"].items():
            names.append(f"BUSY_{role.upper()}_{name}")
            wanted.append(found["row"])
    prints = "".join(f'    printf("%d\\n", (int){name});\n' for name in names)
    program = f'#include "busy.h"\n#include <stdio.h>\nint main(void)\n{{\n{prints}    return 0;\n}}\n'
    (tmp_path / "main.c").write_text(program)
    flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
    subprocess.run([compiler("gcc"), *flags, "main.c", "-o", "main"], cwd=tmp_path, check=True)
    told = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout.split()
    assert [*map(int, told)] == wanted
    assert len(names) > 20


def test_faults_in_words(tmp_path: Path) -> None:
    export_cuda(Vessel3DOF.from_vehicle("otter"), tmp_path, step=0.1, name="vessel")
    program = """#include "vessel.h"
#include <stdio.h>
int main(void)
{
    printf("%s|%s|%s", vessel_fault_text(VESSEL_FAULT, 0, 1), vessel_fault_text(VESSEL_NOT_FINITE, 0, 0),
           vessel_fault_text(VESSEL_OK, -1, 0));
    return 0;
}
"""
    (tmp_path / "main.c").write_text(program)
    subprocess.run([compiler("gcc"), "-std=c99", "main.c", "-o", "main"], cwd=tmp_path, check=True)
    told = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout.split("|")
    assert "singular matrix" in told[0]
    assert told[1:] == ["vessel_3dof: a state is no finite number", ""]


def test_code_that_was_compiled_otherwise_has_words_too(tmp_path: Path) -> None:
    export_cuda(tank(), tmp_path, step=0.5)
    header = (tmp_path / "tank.h").read_text()
    assert re.search(r"case TANK_CONTRACTED:\n        text = \"compiled without --fmad=false", header)
    assert "Not run on a GPU yet" in (tmp_path / "README.md").read_text()


def test_a_member_that_local_memory_does_not_hold(tmp_path: Path) -> None:
    diagram = Diagram("large")
    diagram.add("given", Constant(np.zeros(33_000)))
    diagram.outputs(y="given.y")
    with pytest.raises(ExportError, match=r"a member of 'large' takes \d+ kB, .* thread of CUDA has 512 kB .*--only"):
        export_cuda(diagram, tmp_path, step=0.1)
    assert not [*tmp_path.iterdir()]


def test_what_is_of_others_is_not_replaced(tmp_path: Path) -> None:
    export_cuda(tank(), tmp_path, step=0.5)
    export_cuda(tank(), tmp_path, step=0.25)
    with pytest.raises(ExportError, match=r"cannot write C to .*: tank.h is there and of an export as CUDA C\+\+, .*"):
        export_c(tank(), tmp_path, step=0.5)
    assert not (tmp_path / "tank.c").exists()
    (tmp_path / "README.md").write_text("# My notes\n")
    with pytest.raises(ExportError, match=r"README.md is there and of something else, and it would be replaced; give"):
        export_cuda(tank(), tmp_path, step=0.5)
    assert (tmp_path / "README.md").read_text() == "# My notes\n"


def test_command_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["export", OTTER, "--format", "cuda", "--output", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    assert {path.suffix for path in tmp_path.iterdir()} == {".cu", ".h", ".json", ".md"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--fmi", "3.0"], "--fmi is of FMUs, and --format cuda writes CUDA C++: leave it out"),
        (["--split", "vessel"], "--split is of use with --format ssp or osp, not with CUDA C++"),
        (["--solver", "dopri5"], "the solver dopri5 chooses its steps as it goes, and CUDA C++ has fixed ones"),
    ],
)
def test_options_that_are_of_other_formats(options: list[str], said: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["export", OTTER, "--format", "cuda", "--output", str(tmp_path), *options])
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
    assert not [*tmp_path.iterdir()]


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    done = CliRunner().invoke(cli, ["export", OTTER, "--format", "cuda", "--output", str(tmp_path / "taken")])
    assert "cannot write CUDA C++ to" in " ".join(done.output.split())
    with pytest.raises(ExportError, match=r"cannot write CUDA C\+\+ to .*taken: it is a file, and a folder is wanted"):
        export_cuda(tank(), tmp_path / "taken", step=0.5)


class Doubled(PythonBlock):
    """Twice the input."""

    u = Input(AnyScalar)
    y = Output(AnyScalar, feedthrough=True)

    def outputs(self, t, u, y, p, w, x, z, n):  # type: ignore[no-untyped-def]
        y.y[0] = 2.0 * u.u[0]


def test_python_does_not_become_cuda(tmp_path: Path) -> None:
    diagram = tank()
    diagram.add("doubled", Doubled())
    diagram.connect(diagram["level"].y, diagram["doubled"].u)
    with pytest.raises(ExportError, match="'doubled' runs in Python"):
        export_cuda(diagram, tmp_path, step=0.1)
    assert not [*tmp_path.iterdir()]


def test_flat_c_that_is_written_otherwise_is_not_translated() -> None:
    with pytest.raises(ValueError, match="fmu/cuda does not fit fmu/flat_c"):
        structs_of("int x;", "tank")
    with pytest.raises(ValueError, match="fmu/cuda does not fit fmu/flat_c"):
        device_code("typedef tank_model Plan;\ndouble own_sqrt(double x);\n", "tank")
