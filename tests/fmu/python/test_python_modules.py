"""What travels with blocks written in Python, modules, imports, the needed part of a script, and what does not."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException
from python_models import TurnCounter

import fmu
from blocks import Diagram, Output, PythonBlock, library
from blocks.errors import ExportError
from blocks.signal import Number
from fmu.python.imports import imported_names, moved_imports
from fmu.python.modules import carry
from fmu.python.requirements import oldest_python
from fmu.python.slices import needed_part

CLASS = '''\
from blocks import Output, PythonBlock
from blocks.signal import Number
{imports}

class Source(PythonBlock, abstract=True):
    """y = a constant."""

    y = Output(Number, "a constant")

    def outputs(self, t, states, inputs):
        """The constant."""
        return {{"y": {value}}}
'''


def python_source(imports="", value="1.0"):
    """A module with a block."""
    return CLASS.format(imports=textwrap.dedent(imports), value=value)


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes modules into a folder of their own and imports one of them."""
    made = []

    def make(name, files, folder="one"):
        place = tmp_path / folder
        for path, text in files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(place)
        importlib.invalidate_caches()
        tops = {Path(path).parts[0].removesuffix(".py") for path in files}
        for known in [k for k in sys.modules if k.partition(".")[0] in tops]:
            del sys.modules[known]
        made.extend(tops)
        return importlib.import_module(name)

    yield make
    for known in [k for k in sys.modules if k.partition(".")[0] in made]:
        del sys.modules[known]


def alone(block, name="model"):
    """A diagram of one block with one output."""
    diagram = Diagram(name)
    diagram.add("source", block)
    diagram.outputs(y="source.y")
    return diagram


def export(diagram, path):
    """Export, with the warning that it needs Python."""
    with pytest.warns(fmu.PythonNeeded):
        return fmu.export(diagram, path, step=0.1)


# --- two FMUs in one process ------------------------------------------------------------------------------------------


def test_equal_names_of_modules_and_classes_in_two_fmus_of_one_process(module, tool, tmp_path):
    files = {"my_blocks.py": python_source("import my_helper", "my_helper.value()")}
    one = module("my_blocks", files | {"my_helper.py": "def value():\n    return 1.5\n"}, "one").Source()
    first = export(alone(one), tmp_path / "first.fmu")
    other = module("my_blocks", files | {"my_helper.py": "def value():\n    return -7.0\n"}, "other").Source()
    second = export(alone(other), tmp_path / "second.fmu")
    tools = [tool(path).instantiate() for path in (first, second, first, second)]
    for running in reversed(tools):
        running.initialize()
    assert [running.run(2, "y") for running in tools] == [[[1.5]] * 2, [[-7.0]] * 2] * 2
    assert sys.modules["my_helper"].value() == -7.0  # what this process has imported stays what it is


def test_classes_of_an_fmu_are_no_blocks_of_the_process(module, tool, tmp_path):
    source = python_source().replace(", abstract=True", "").replace("Source", "SourceOfAnFmu")
    kind = module("my_blocks", {"my_blocks.py": source}).SourceOfAnFmu
    tool(export(alone(kind()), tmp_path / "m.fmu")).begin()
    assert library()["SourceOfAnFmu"] is kind


# --- modules that travel ----------------------------------------------------------------------------------------------

PACKAGE = {
    "my_craft/__init__.py": "from .constants import ONE\n",
    "my_craft/constants.py": "ONE = 1.0\nTWO = 2.0\n",
    "my_craft/control/__init__.py": "",
    "my_craft/control/blocks.py": python_source(
        """\
        from . import gains
        from ..constants import TWO
        from my_craft.control.shapes import square as squared
        import my_craft.constants
        import my_craft.constants as numbers
        import my_side, math
        """,
        "squared(TWO) + gains.GAIN + my_craft.ONE + numbers.TWO + my_craft.constants.TWO + my_side.late() + math.pi",
    ),
    "my_craft/control/gains.py": "GAIN = 10.0\n",
    "my_craft/control/shapes.py": "def square(x):\n    return x * x\n",
    "my_craft/control/not_needed.py": "raise RuntimeError\n",
    "my_side.py": "def late():\n    from my_craft.control import gains\n    import my_later as later\n\n"
    "    return gains.GAIN * later.HUNDRED\n",
    "my_later.py": "HUNDRED = 100.0\n",
}


def test_a_package_and_its_neighbours_travel_with_every_kind_of_import(module, tool, tmp_path):
    kind = module("my_craft.control.blocks", PACKAGE).Source
    path = export(alone(kind()), tmp_path / "m.fmu")
    needed = fmu.requirements(alone(kind()))
    assert needed.modules == (
        "my_craft", "my_craft.constants", "my_craft.control", "my_craft.control.blocks", "my_craft.control.gains",
        "my_craft.control.shapes", "my_later", "my_side",
    )  # fmt: skip
    for name in [k for k in sys.modules if k.partition(".")[0] in ("my_craft", "my_side", "my_later")]:
        del sys.modules[name]
    expected = 4.0 + 10.0 + 1.0 + 2.0 + 2.0 + 1000.0 + np.pi
    one = tool(path)
    (tmp_path / "one").rename(tmp_path / "gone")  # nothing is taken from where the sources were
    assert one.begin().get("y") == [expected]


def test_lines_keep_their_numbers(module, tool, tmp_path):
    source = python_source("from my_helper import (\n    value,\n    other,\n)\n", "value[t]")
    kind = module("my_blocks", {"my_blocks.py": source, "my_helper.py": "value = other = None\n"}).Source
    one = tool(export(alone(kind()), tmp_path / "m.fmu")).instantiate()
    one.slave.setupExperiment()
    one.slave.enterInitializationMode()
    with pytest.raises(FMICallException):
        one.slave.exitInitializationMode()
    number = source.splitlines().index('        return {"y": value[t]}') + 1
    assert f"my_blocks.py:{number})" in one.messages[-1]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import os, a.b, c as d\n", "import os; from home import a; import home.a.b; import home.c as d\n"),
        ("from a.b import (c,\n  d as e)  # why\nx = 1\n", "from home.a.b import c, d as e  # why\n\nx = 1\n"),
        ("if x: import a; y = 1\n", "if x: from home import a; y = 1\n"),
        ("def ü(): from a import *\n", "def ü(): from home.a import *\n"),
        ("from . import a\nfrom .a import b\nimport ab\n", "from . import a\nfrom .a import b\nimport ab\n"),
    ],
)
def test_imports_of_carried_modules_are_moved(before, after):
    assert moved_imports(before, "home", {"a", "c"}) == after


def test_imports_are_found_wherever_they_stand():
    source = """\
        import a.b
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            import checkers
        else:
            import real
        try:
            from c import d, e
        except ImportError:
            d = None
        class K:
            def f(self):
                from .. import g
    """
    found = dict(imported_names(textwrap.dedent(source), "top.inner"))
    assert found == {"a.b": (), "typing": ("TYPE_CHECKING",), "real": (), "c": ("d", "e"), "top": ("g",)}


def test_sources_in_other_encodings_travel(module, tool, tmp_path):
    folder = tmp_path / "one"
    module("my_blocks", {"my_blocks.py": "Source = None\n"})
    text = "# -*- coding: latin-1 -*-\n" + python_source(value="float(len('kjøl'))")
    (folder / "my_blocks.py").write_bytes(text.replace("\n", "\r\n").encode("latin-1"))
    del sys.modules["my_blocks"]
    importlib.invalidate_caches()
    kind = importlib.import_module("my_blocks").Source
    assert tool(export(alone(kind()), tmp_path / "m.fmu")).begin().get("y") == [4.0]


def test_what_is_installed_is_required_with_its_version(module):
    source = python_source("import numpy as np\nimport scipy.linalg\nimport yaml\nimport os.path\nimport not_there\n")
    source = source.replace("import not_there", "try:\n    import not_there\nexcept ImportError:\n    pass")
    needed = fmu.requirements(alone(module("my_blocks", {"my_blocks.py": source}).Source()))
    from importlib.metadata import version

    assert needed.packages[1:] == (
        ("PyYAML", version("pyyaml")), ("numpy", version("numpy")), ("scipy", version("scipy")),
    )  # fmt: skip
    assert needed.packages[0][0] == "keelblocks"
    assert needed.blocks == ("source",)
    assert str(needed).startswith("needs Python ≥ 3.10 with keelblocks ")
    assert needed.command.startswith("pip install keelblocks==")
    assert f"numpy=={version('numpy')}" in needed.command


def test_the_oldest_python_is_what_the_source_needs():
    assert oldest_python(["match x:\n    case 1:\n        pass\n"]) == "3.10"
    if sys.version_info >= (3, 12):
        assert oldest_python(["try:\n    pass\nexcept* OSError:\n    pass\n"]) == "3.11"


# --- what cannot travel -----------------------------------------------------------------------------------------------


def test_a_class_inside_a_function_is_refused(tmp_path):
    class Inside(PythonBlock, abstract=True):
        """Inside."""

        y = Output(Number, "one")

    with pytest.raises(ExportError, match="block source: its class Inside is defined inside a function, where an FMU"):
        fmu.export(alone(Inside()), tmp_path / "m.fmu")
    assert list(tmp_path.iterdir()) == []


def test_a_class_that_was_typed_at_a_prompt_is_refused():
    code = python_source() + (
        "import fmu\nfrom blocks import Diagram\nd = Diagram('m')\nd.add('source', Source())\n"
        "try:\n    fmu.requirements(d)\nexcept fmu.ExportError as problem:\n    print(problem)\n"
    )
    root = Path(fmu.__file__).parents[1]
    done = subprocess.run([sys.executable, "-"], input=code, capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout == (
        "block source: the source of its class Source cannot be found, because it was typed at a prompt or in a "
        "notebook: put the class into a file, my_blocks.py, and import it from there\n"
    )


def test_a_class_that_is_not_the_one_in_its_module_is_refused(module, tmp_path):
    old = module("my_blocks", {"my_blocks.py": python_source()}).Source()
    module("my_blocks", {"my_blocks.py": python_source()})
    with pytest.raises(
        ExportError, match="block source: the module my_blocks has no class Source any more, or another"
    ):
        fmu.export(alone(old), tmp_path / "m.fmu")


def test_a_compiled_module_of_the_user_is_refused_by_name(module, tmp_path, monkeypatch):
    kind = module("my_blocks", {"my_blocks.py": python_source("import my_helper"), "my_helper.py": ""}).Source
    monkeypatch.setattr(sys.modules["my_helper"].__spec__, "origin", "/somewhere/my_helper.so")
    with pytest.raises(ExportError) as refused:
        fmu.export(alone(kind()), tmp_path / "m.fmu")
    assert "needs the module my_helper, which is no Python source (/somewhere/my_helper.so)" in str(refused.value)
    assert "put it into a package that can be installed, or do without it" in str(refused.value)


def test_what_is_not_in_the_parameters_is_refused(tmp_path):
    counter = TurnCounter()
    counter.table = [1.0, 2.0]
    diagram = Diagram("m")
    diagram.add("counter", counter)
    diagram.inputs(rate="counter.rate")
    with pytest.raises(
        ExportError, match=r"block counter: the attribute table of this TurnCounter cannot travel in an"
    ):
        fmu.export(diagram, tmp_path / "m.fmu")
    assert list(tmp_path.iterdir()) == []


# --- scripts ----------------------------------------------------------------------------------------------------------

SCRIPT = '''\
"""A script."""
import sys
import numpy as np
from elsewhere import *
from dataclasses import dataclass

TABLE = {}
TABLE["gain"] = 2.0
UNUSED = expensive()
LIMIT = FACTOR = 3.0


def helper(x):
    result = x * LIMIT
    return result


@decorated
@dataclass(frozen=True)
class Base:
    def f(self):
        return helper(TABLE["gain"])


class Model(Base):
    size: "np.ndarray"

    def g(self, diagram):
        return [result for result in diagram]


diagram = Diagram()
diagram.add(Model())
np.savetxt("x", expensive())
result = run(diagram)
if __name__ == "__main__":
    print(result)
'''


def test_of_a_script_only_what_the_classes_need_travels():
    kept = needed_part(SCRIPT, {"Model"})
    lines = SCRIPT.splitlines()
    wanted = {
        *range(lines.index("from elsewhere import *"), lines.index("from dataclasses import dataclass") + 1),
        *range(lines.index("TABLE = {}"), lines.index('TABLE["gain"] = 2.0') + 1),
        lines.index("LIMIT = FACTOR = 3.0"),
        *range(lines.index("def helper(x):"), lines.index("        return [result for result in diagram]") + 1),
    }
    blank = [line if number in wanted else "" for number, line in enumerate(lines)]
    assert [line for line in kept.splitlines() if line] == [line for line in blank if line]
    for number, line in enumerate(kept.splitlines()):
        assert line in ("", lines[number])


def test_a_script_that_runs_and_exports_itself_does_not_do_so_again(tool, tmp_path):
    script = tmp_path / "mission.py"
    script.write_text(
        python_source("import sys", "GAIN")
        + "\n\nGAIN = 4.5\nimport fmu\nfrom blocks import Diagram\n"
        + "print('running')\ndiagram = Diagram('mission')\ndiagram.add('source', Source())\n"
        + "diagram.outputs(y='source.y')\nfmu.export(diagram, sys.argv[1])\n"
    )
    path = tmp_path / "mission.fmu"
    root = Path(fmu.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, str(script), str(path)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(root)},
    )
    assert done.stdout == "running\n"
    assert "PythonNeeded: the FMU needs Python ≥ 3.10 with keelblocks" in done.stderr
    with ZipFile(path) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith("/__main__.py"))
        assert "export" not in archive.read(name).decode()
    script.unlink()
    assert tool(path).begin().get("y") == [4.5]


def test_a_script_of_a_package_takes_along_what_it_imports_by_dots(tool, tmp_path):
    """`python -m craft.mission`, whose relative imports are those of the package."""
    package = tmp_path / "craft"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "numbers.py").write_text("FACTOR = 2.5\n")
    (package / "mission.py").write_text(
        python_source("import sys", "GAIN").replace("import sys", "import sys\nfrom .numbers import FACTOR", 1)
        + "\n\nGAIN = FACTOR\nif __name__ == '__main__':\n    import fmu\n    from blocks import Diagram\n"
        + "    diagram = Diagram('mission')\n    diagram.add('source', Source())\n"
        + "    diagram.outputs(y='source.y')\n    fmu.export(diagram, sys.argv[1])\n"
    )
    path = tmp_path / "mission.fmu"
    root = Path(fmu.__file__).parents[1]
    subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "craft.mission", str(path)],
        capture_output=True, text=True, check=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": f"{root}"},
    )  # fmt: skip
    shutil.rmtree(package)
    assert tool(path).begin().get("y") == [2.5]


def test_nothing_travels_for_blocks_of_the_library():
    assert carry([]).modules == {}
    assert not fmu.requirements(Diagram("empty")).needs_python
    assert str(fmu.requirements(Diagram("empty"))) == "needs nothing but the C library"
