"""A part of `make cross-check`: the layout of the rules, FMPy and `FmuBlock` on a model, and what is told of faults."""

from __future__ import annotations

import shutil
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy.cross_check.validate_vendor_repo import validate_repo

import benchmarks.cross_check.__main__ as command
from benchmarks.cross_check import report
from benchmarks.cross_check.comparison import Incomplete, compare
from benchmarks.cross_check.exporting import export_all, wanted
from benchmarks.cross_check.importers import importers
from benchmarks.cross_check.importers.cosimulators import CoSimulator
from benchmarks.cross_check.importers.importer import Failed, last_words
from benchmarks.cross_check.models import MODELS
from benchmarks.cross_check.rules import Exported, exported, problems
from benchmarks.cross_check.running import Outcome, try_all, try_one

SHORT = replace(MODELS[0], end=15.0)
RELEASE = version("keelblocks")
PAGE = Path(__file__).parents[3] / "docs" / "fmus" / "cross_check.md"


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """A short run of one model for this platform, in all versions and interfaces."""
    root = tmp_path_factory.mktemp("cross_check")
    return root, [*export_all(here(SHORT), root)]


def here(model):
    return [one for one in wanted([model]) if one.place.platform == fmpy.platform]


def tool(name):
    (found,) = [one for one in importers() if one.name == name]
    return found


@pytest.fixture
def spoiled(short, tmp_path):
    """A copy of the FMU for co-simulation with other files; `change` gets the text of one of them."""

    def make(ending, change):
        folder = tmp_path / short[1][0].folder.relative_to(short[0])
        shutil.copytree(short[1][0].folder, folder)
        path = folder / f"steering{ending}"
        path.write_text(change(path.read_text()))
        return Exported(folder)

    return make


def test_files_lie_where_the_rules_want_them_and_have_what_they_want(short):
    root, made = short
    assert exported(root) == sorted(made, key=lambda one: one.folder)
    assert [one.folder.relative_to(root).as_posix() for one in made] == [
        f"fmus/{fmi}/{interface}/{fmpy.platform}/Keelblocks/{RELEASE}/steering"
        for fmi in ("2.0", "3.0")
        for interface in ("cs", "me")
    ]
    for one in made:
        endings = {path.name.removeprefix("steering") for path in one.folder.iterdir()}
        assert endings == {".fmu", "_ref.csv", "_ref.opt", "_in.csv", "README.md"}
        assert problems(one) == []
    options, inputs = (made[0].folder / f"steering{ending}" for ending in ("_ref.opt", "_in.csv"))
    assert options.read_text().splitlines() == [
        "StartTime, 0.0", "StopTime, 15.0", "StepSize, 0.05", "RelTol, 1e-09", "OutputIntervalLength, 0.5",
    ]  # fmt: skip
    assert inputs.read_text() == '"time","course[1]"\n0.0,0.0\n5.0,0.0\n5.0,1.2\n15.0,1.2\n'


@pytest.mark.filterwarnings("ignore:Please import:DeprecationWarning")  # what FMPy takes of SciPy
def test_fmpy_and_fmu_block_pass_and_fmpys_own_check_of_the_layout_finds_nothing_wrong(short):
    root, made = short
    tried = [*try_all(made, [tool("FMPy")], root, 2), *try_all(made[::3], [tool("FmuBlock")], root, 2)]
    outcomes = [outcome for _, _, outcome in tried]
    assert [outcome.verdict for outcome in outcomes] == ["passed"] * 6, outcomes
    # co-simulation brings the solver of the reference; FmuBlock steps from the same communication points
    exact = [outcome.deviation.relative for outcome in outcomes if outcome.place.interface == "cs"]
    assert exact == [0.0] * 3
    assert max(outcome.deviation.relative for outcome in outcomes) < 1e-4
    folder = made[0].place.imported(root, "FMPy", version("fmpy"))
    assert sorted(path.name for path in folder.iterdir()) == ["passed", "steering_out.csv"]
    assert validate_repo(str(root)) == (4, 6, [])  # it looks into those of FMI 2.0


def test_equal_models_give_equal_files(short, tmp_path):
    (again,) = export_all(here(SHORT)[:1], tmp_path)
    for path in again.folder.iterdir():
        assert path.read_bytes() == (short[1][0].folder / path.name).read_bytes(), path.name


def test_a_wrong_result_is_failed_with_where_and_how_much(spoiled, tmp_path):
    def other(text):
        lines = text.splitlines()
        cells = lines[21].split(",")  # at 10 s
        cells[5] = repr(float(cells[5]) + 0.1)  # of the rudder, rad
        return "\n".join([*lines[:21], ",".join(cells), *lines[22:]]) + "\n"

    outcome = try_one(tool("FMPy"), spoiled("_ref.csv", other), tmp_path)
    assert outcome.verdict == "failed"
    assert outcome.why.startswith("rudder is ")
    assert " at 10 s, where " in outcome.why
    assert "of its range; 1 of 186 numbers are outside" in outcome.why
    folder = outcome.place.imported(tmp_path, "FMPy", version("fmpy"))
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "failed", "steering_out.csv"]
    assert outcome.why in (folder / "README.md").read_text()


def test_a_tool_that_ends_without_results_is_failed_with_its_last_words(spoiled, tmp_path):
    one = spoiled("_in.csv", lambda text: text.replace("course[1]", "curse[1]"))
    one.fmu.write_bytes(b"no zip")
    outcome = try_one(tool("FMPy"), one, tmp_path)
    assert outcome.verdict == "failed"
    assert outcome.why == "ended with exit code 1: zipfile.BadZipFile: File is not a zip file"
    assert last_words("Traceback\n  File x.py\nOSError: no file /tmp/a1b2/model.so\n\n") == (
        "OSError: no file model.so"
    )


@pytest.mark.parametrize(
    ("ending", "old", "new", "said"),
    [
        ("_ref.csv", '"rudder"', '"ruder"', "steering_ref.csv has no such variables: ruder"),
        ("_ref.csv", '"rudder"', "rudder", "steering_ref.csv has names without quotes"),
        ("_in.csv", "\n5.0,1.2", "\n4.0,1.2", "steering_in.csv has times that go back"),
        ("_in.csv", "\n15.0,", "\n14.0,", "steering_in.csv goes from 0 to 14 s, not from 0 to 15"),
    ],
)
def test_what_breaks_the_rules_is_told(spoiled, ending, old, new, said):
    assert problems(spoiled(ending, lambda text: text.replace(old, new, 1))) == [said]


def test_a_file_that_is_missing_or_too_large_is_told(spoiled):
    one = spoiled("_in.csv", lambda text: text)
    one.inputs_file.unlink()
    assert problems(one) == ["steering_in.csv is missing, and the FMU has inputs"]
    with (one.folder / "notes.csv").open("wb") as file:
        file.truncate(1_000_001)
    assert "notes.csv has 1,000,001 bytes, more than 1,000,000" in problems(one)
    (one.folder / "steering_ref.opt").unlink()
    assert problems(one) == ["steering_ref.opt is missing"]


def test_numbers_agree_within_a_fraction_of_the_range_of_their_variable():
    time = np.arange(4.0)
    reference = {"time": time, "x": np.array([0.0, 1.0, 2.0, 2.0]), "mode": np.array([0.0, 0.0, 1.0, 1.0])}
    late = reference | {"mode": np.array([0.0, 0.0, 0.0, 1.0])}
    assert compare(reference, reference, 0.0).relative == 0.0
    assert not compare(reference, late, 1e-6).agrees
    assert compare(reference, late, 1e-6, jumping=("mode",)).agrees
    found = compare(reference, reference | {"x": np.array([0.0, 1.0, 2.1, 2.0])}, 0.04)
    assert (found.variable, found.time, found.outside, found.of) == ("x", 2.0, 1, 8)
    assert found.relative == pytest.approx(0.05)
    without_first = {name: values[1:] for name, values in reference.items()}
    assert compare(reference, without_first, 0.0).agrees
    for broken, said in [
        ({"time": time[2:], "x": time[2:]}, "2 rows instead of 4"),
        ({"time": time, "x": time}, "there is no mode in the results"),
        (reference | {"x": time * np.nan}, "x is not finite"),
        (reference | {"time": np.array([0.0, 1.1, 2.0, 3.0])}, "row 2 is at 1.1 s instead of 1"),
    ]:
        with pytest.raises(Incomplete, match=said):
            compare(reference, broken, 1e-6)


def test_tools_that_are_missing_are_named_with_what_to_install(monkeypatch, tmp_path, capsys):
    absent = CoSimulator("Ecos", (fmpy.platform,), (("2.0", "cs"),), "ecos", "no-such-package", ("tbb",))
    monkeypatch.setattr(command, "importers", lambda: (absent, tool("FMPy")))
    monkeypatch.setattr(command, "MODELS", (SHORT,))
    monkeypatch.setattr(command, "wanted", lambda models: here(*models)[:1])
    monkeypatch.setattr(tool("FMPy").__class__, "run", _ends)
    status = command.main(["--output", str(tmp_path)])
    said = capsys.readouterr().err
    assert "not run: Ecos, which needs no-such-package" in said
    assert "pip install no-such-package" in said
    assert f"failed FMPy, steering 2.0 cs {fmpy.platform}: it ended" in said
    assert "1 FMUs, 1 trials: 0 passed, 1 failed, 0 rejected" in said
    assert status == 1
    assert command.main(["--output", str(tmp_path), "--importer", "Ecos"]) == 2


def _ends(self, one, scratch):
    raise Failed("it ended")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "oter"], "there is no model 'oter'; did you mean 'otter'?"),
        (["--importer", "FMPie"], "there is no importing tool 'FMPie'; did you mean 'FMPy'?"),
        (["--workers", "0"], "--workers must be 1 or more, not 0"),
        (["--page", str(PAGE), "--only", "otter"], "leave out --only and --importer"),
        (["--page", "nowhere.md"], "--page nowhere.md: No such file or directory"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(arguments, said, capsys):
    with pytest.raises(SystemExit) as left:
        command.main(arguments)
    assert left.value.code == 2
    assert said in capsys.readouterr().err


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path, capsys):
    file = tmp_path / "taken"
    file.touch()
    assert command.main(["--only", "steering", "--importer", "FMPy", "--output", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.lstrip().startswith(f"Error: --output {file} cannot be used: ")
    assert said.endswith("Not a directory\n")


def test_the_page_has_a_place_for_the_table_and_the_models_that_there_are(short):
    page = PAGE.read_text(encoding="utf-8")
    assert report.models_table() in page
    fmpy_tool, place = tool("FMPy"), short[1][0].place
    outcomes = [Outcome(fmpy_tool, place, "passed"), Outcome(fmpy_tool, place, "rejected", "it has none")]
    table = report.tables(outcomes, {"Ecos": "tbb: pip install tbb"})
    assert f"| FMPy {version('fmpy')} | {fmpy.platform} | 1 of 1 | – | – | – |" in table
    assert "| FMPy | steering (2.0 cs) | rejected: it has none |" in table
    assert "- not run: Ecos, which needs tbb: pip install tbb" in table
    assert table in report.with_table(page, table)
