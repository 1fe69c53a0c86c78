"""Packages of others: their blocks, commands and formats come by entry points, and what fails in one stops no other."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import blocks
from blocks import Diagram, library, packages, simulate
from blocks.basic import Sine
from blocks.cli.commands import cli
from blocks.errors import PackageError, PackageWarning
from blocks.model.block import REGISTERED

FINS = """
from blocks import Input, Output, Parameter, PythonBlock
from blocks.signal import Number

class Fin(PythonBlock):
    '''Lift of a fin: y = k u.'''
    family = "fins"
    u = Input(Number, "angle")
    y = Output(Number, "lift", feedthrough=True)
    k = Parameter(2.0, doc="lift per angle")

    def outputs(self, t, states, inputs):
        return {"y": self.k * inputs["u"]}
"""
COMMANDS = """
import click

@click.command("fins", short_help="Count the fins.")
def fins():
    click.echo("two fins")
"""
FORMATS = """
from pathlib import Path

def write(result, path):
    Path(path).write_text(f"{len(result)} points")

def fail(result, path):
    raise ZeroDivisionError("no fins")
"""
SCENARIO = """
keelblocks: 1
name: finned
run: {end: 1.0, step: 0.1}
diagram:
  blocks:
    wave: {type: basic.Sine}
    fin: {type: fins.Fin, parameters: {k: 3.0}}
  connections: {wave.y: fin.u}
"""

Install = Callable[[str, str, str], Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a package of one module among those that are installed: its name, its source, its entry points."""
    library()
    registered, modules = dict(REGISTERED), set(sys.modules)

    def put(name: str, source: str, entry_points: str) -> Path:
        site = tmp_path / f"site_{name}"
        metadata = site / f"{name}-0.3.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.3\n")
        (metadata / "entry_points.txt").write_text(entry_points)
        (site / f"{name}.py").write_text(source)
        monkeypatch.syspath_prepend(site)
        return site / f"{name}.py"

    yield put
    REGISTERED.clear()
    REGISTERED.update(registered)
    for name in set(sys.modules) - modules:
        if "site_" in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def keelblocks(*arguments: str, code: int = 0) -> tuple[str, str]:
    """What the command writes to its outputs."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        done = CliRunner().invoke(cli, list(arguments))
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.output
    return done.stdout, done.stderr


def test_blocks_of_a_package_are_in_the_library_and_in_scenario_files(install: Install, tmp_path: Path) -> None:
    install("fins_alone", FINS, "[keelblocks.blocks]\nfins = fins_alone\n")
    assert library()["fins.Fin"].type_name() == "fins.Fin"
    file = tmp_path / "finned.yaml"
    file.write_text(SCENARIO)
    keelblocks("check", str(file))
    assert "fins.Fin" in keelblocks("list")[0]
    assert "lift per angle" in keelblocks("show", "Fin")[0]


def test_a_package_brings_a_command_and_a_format_of_results(install: Install, tmp_path: Path) -> None:
    install(
        "fins_more", FINS + COMMANDS + FORMATS,
        "[keelblocks.blocks]\nfins = fins_more\n[keelblocks.commands]\nfins = fins_more:fins\n"
        "[keelblocks.results]\ncount = fins_more:write\n",
    )  # fmt: skip
    file = tmp_path / "finned.yaml"
    file.write_text(SCENARIO)
    keelblocks("run", str(file), "--output", "out", "--format", "count", "--no-figures", "--quiet")
    assert Path("out/finned.count").read_text() == "11 points"
    assert keelblocks("fins")[0] == "two fins\n"
    assert "Count the fins." in keelblocks("--help")[0]
    for group in ("study", "lab"):  # it is a command of keelblocks, not of each group
        assert "fins" not in keelblocks(group, "--help")[0]
        assert "no command 'fins'" in keelblocks(group, "fins", code=2)[1]
    assert "[nc|csv|parquet|html|mcap|count]" in keelblocks("run", "--help")[0]
    assert "did you mean 'fins'?" in keelblocks("fin", code=2)[1]


def test_a_package_that_cannot_be_loaded_is_named_with_the_reason_and_the_rest_goes_on(install: Install) -> None:
    file = install("fins_broken", FINS + "\nimport no_such_module\n", "[keelblocks.blocks]\nfins = fins_broken\n")
    line = FINS.count("\n") + 2
    with pytest.warns(PackageWarning) as said:
        known = library()
    assert str(said[0].message) == (
        "blocks of the package fins_broken 0.3 (fins_broken) cannot be loaded: ModuleNotFoundError: No module named "
        f"'no_such_module' ({file}, line {line}); fix the package, or remove it: pip uninstall fins_broken"
    )
    assert {"basic.Sine", "fmu.FmuBlock"} <= set(known)
    assert library() == known  # and it is not said again


def test_the_command_line_goes_on_without_a_package_that_cannot_be_loaded(install: Install) -> None:
    install("fins_leaving", "raise SystemExit(7)", "[keelblocks.blocks]\nfins = fins_leaving\n")
    listed, said = keelblocks("list")
    assert "guidance.LineOfSight" in listed
    assert "fins_leaving 0.3 (fins_leaving) cannot be loaded: SystemExit: 7 (" in said


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("fins_refused:nothing", "AttributeError: module 'fins_refused' has no attribute 'nothing'; fix"),
        ("fins_refused:Fin", "must be a command of click, and is <class 'fins_refused.Fin'>"),
        ("no_such_module:fins", "ModuleNotFoundError: No module named 'no_such_module'; fix the package"),
    ],
)
def test_a_command_that_cannot_be_loaded_is_listed_and_refused(install: Install, entry: str, reason: str) -> None:
    install("fins_refused", FINS, f"[keelblocks.commands]\nfins = {entry}\n")
    assert reason in keelblocks("fins", "--anything", code=2)[1]
    assert "Left out: commands of the package" in " ".join(keelblocks("--help")[0].split())
    assert "guidance" in keelblocks("list")[0]


def test_a_result_is_not_lost_where_the_writer_of_a_package_fails(install: Install, tmp_path: Path) -> None:
    file = install("fins_failing", FORMATS, "[keelblocks.results]\ncount = fins_failing:fail\n")
    diagram = Diagram("waves")
    diagram.add("wave", Sine())
    result = simulate(diagram, 1.0, step=0.1)
    with pytest.raises(PackageError, match=r"results of the package fins_failing 0\.3 .* ZeroDivisionError: no fins"):
        result.save("waves.count")
    assert not Path("waves.count").exists()
    scenario = tmp_path / "waves.yaml"
    scenario.write_text("keelblocks: 1\nname: waves\nrun: {end: 1.0}\ndiagram: {blocks: {wave: {type: basic.Sine}}}\n")
    _, said = keelblocks("run", str(scenario), "--format", "count", "--no-figures", code=2)
    assert f"no fins ({file}, line 8)" in said
    kept = said.partition("The result has been kept in ")[2].strip()
    assert len(blocks.Result.load(kept)) > 2


def test_names_that_are_taken_stay_what_they_are(install: Install) -> None:
    own = FINS.replace('"fins"', '"basic"').replace("class Fin(", "class Gain(")
    install(
        "fins_taking", own + COMMANDS,
        "[keelblocks.blocks]\nfins = fins_taking\n[keelblocks.commands]\nlist = fins_taking:fins\n",
    )  # fmt: skip
    with pytest.warns(PackageWarning, match=r"its block basic\.Gain is left out, because there is one .* in blocks\."):
        assert library()["basic.Gain"].__module__.startswith("blocks.basic")
    assert "Sketch" not in keelblocks("list", "--help")[0]
    help_text, said = keelblocks("--help")
    assert "List blocks" in help_text
    assert "commands of the package fins_taking 0.3 (fins_taking:fins) is left out: Keelblocks has 'list'" in said


def test_of_two_packages_with_one_command_the_first_by_name_has_it(install: Install) -> None:
    install("fins_a", COMMANDS, "[keelblocks.commands]\nfins = fins_a:fins\n")
    install("fins_b", COMMANDS.replace("two", "five"), "[keelblocks.commands]\nfins = fins_b:fins\n")
    shown, said = keelblocks("fins")
    assert shown == "two fins\n"
    assert "the package fins_b 0.3 (fins_b:fins) is left out: the package fins_a 0.3 has 'fins' already" in said


def test_sources_without_entry_points_say_what_mends_that(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "one")])
    monkeypatch.setattr(importlib.metadata, "distribution", missing)
    with pytest.warns(PackageWarning, match="Keelblocks is not installed, so some of .*; `make build` in the source"):
        packages.offers(packages.BLOCKS)
    old = tmp_path / "keelblocks-0.0.dist-info"
    old.mkdir()
    (old / "METADATA").write_text("Metadata-Version: 2.1\nName: keelblocks\nVersion: 0.0\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "two")])
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: importlib.metadata.Distribution.at(old))
    with pytest.warns(PackageWarning, match=f"the entry points of Keelblocks in {tmp_path} are older than its source"):
        packages.offers(packages.BLOCKS)


def test_nothing_is_scanned_and_no_package_loaded_at_import() -> None:
    code = """if True:
        import importlib.metadata, sys
        read, entry_points = [], importlib.metadata.entry_points
        def noted(**chosen):
            read.append(chosen.get("group"))
            return entry_points(**chosen)
        importlib.metadata.entry_points = noted
        import blocks, blocks.scenario, blocks.study, blocks.cli.commands
        from blocks import *
        from blocks.block import FAMILIES
        for family in FAMILIES:
            __import__(f"blocks.{family}")
        print([name for name in sys.modules if name.split(".")[0] == "fmu"], [g for g in read if "keelblocks" in g])
        blocks.library()
        print("fmu" in sys.modules, "fmu.exporting" in sys.modules, [g for g in read if "keelblocks" in g])
        """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[] []\nTrue False ['keelblocks.blocks']\n", "")


def test_no_module_of_blocks_names_fmu_in_an_import() -> None:
    """Neither at its beginning, nor in a function or for types alone, nor by a name in text."""
    root = Path(blocks.__file__).parent
    examples = root / "ready" / "examples"  # those of a wheel: scripts, which are not imported
    for path in [*root.rglob("*.py"), *root.rglob("*.pyi"), *root.rglob("*.pyx")]:
        if path.is_relative_to(examples):
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".pyx":
            assert "import fmu" not in text
            assert "from fmu" not in text
            continue
        for node in ast.walk(ast.parse(text)):
            named = []
            if isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                named = [node.module or ""]
            elif isinstance(node, ast.Call) and "import" in ast.unparse(node.func):
                named = [item.value for item in node.args if isinstance(item, ast.Constant)]
            assert not [name for name in named if str(name).split(".")[0] == "fmu"], f"{path}, line {node.lineno}"
