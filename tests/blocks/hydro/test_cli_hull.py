"""The command `keelblocks hull`."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hydro_files import made_up, write_wamit

import blocks.hydro
from blocks.cli.commands import cli
from blocks.hydro.errors import HydroWarning
from blocks.hydro.files import load, save
from blocks.hydro.motions import with_rao
from blocks.scenario import Scenario
from blocks.simulation import simulate
from blocks.vehicles import describe


def call(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["hull", *arguments])


def radiation(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A and B of one damped oscillator in each degree of freedom, besides what is there at infinite frequency."""
    strength = np.array([1e5, 6e5, 1e6, 3e6, 4e7, 2e7])
    finite = np.where(np.isfinite(w), w, 1.0)[:, None]
    response = 1j * finite / (1.0 - finite**2 + 0.8j * finite)
    mass = np.where(finite > 0.0, response.imag / np.maximum(finite, 1e-9), 1.0)
    mass = 5.0 * strength + strength * np.where(np.isinf(w)[:, None], 0.0, mass)
    damping = strength * np.where(np.isinf(w)[:, None], 0.0, response.real)
    return mass[:, :, None] * np.eye(6), damping[:, :, None] * np.eye(6)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hull at ten frequencies, which radiates so."""
    made = made_up((0.0, *np.linspace(0.3, 2.4, 10), np.inf))
    made["added_mass"].values[:], made["radiation_damping"].values[:] = radiation(made["omega"].values)
    made.attrs["title"] = "Made-up hull"
    return save(with_rao(made), tmp_path_factory.mktemp("hull") / "hull.nc")


def test_a_vessel_in_a_swell(data: Path, tmp_path: Path) -> None:
    """Vehicle file and scenario are in order, and it moves as the frequency domain has it: pitch in head sea."""
    vehicle, figure = tmp_path / "hull.yaml", tmp_path / "hull.png"
    made = call("--from", str(data), "-o", str(vehicle), "--figure", str(figure), "--accuracy", "0.05")
    assert made.exit_code == 0, made.output
    assert f"wrote {vehicle}: Made-up hull" in made.output
    assert f"keelblocks export {tmp_path / 'hull_swell.yaml'}" in made.output
    assert figure.stat().st_size > 30_000
    read = describe(vehicle)
    assert {name: part.type for name, part in read.sections.items()} == {
        "dynamics": "dynamics.SeakeepingVessel",
        "waves": "environment.WaveForceRAO",
    }
    scenario = Scenario.load(tmp_path / "hull_swell.yaml")
    sea = scenario.diagram.blocks()["sea"]
    vessel = scenario.diagram.blocks()["vessel"]
    assert vessel.coriolis
    assert float(vessel.slow_motion_time) == pytest.approx(2.0 * float(sea.period), rel=0.05)  # of waves, no mean force
    run = simulate(scenario.diagram, "120 s", step=0.04, inputs={"force": np.zeros(6)})
    late = run.time > 90.0
    north, pitch = run.values("vessel.eta")[late][:, [0, 4]].T
    ahead = np.polyfit(run.time[late], north, 1)[0]  # nothing holds it, so that the first wave leaves it a way
    hull, w = load(data).isel(omega=slice(1, -1)), 2.0 * np.pi / float(sea.period)
    loads = hull["excitation_force"].sel(wave_direction=np.pi, method="nearest").values
    load_ = np.array([np.interp(w, hull["omega"].values, column) for column in loads.T])  # straight, as tables are
    w *= 1.0 + w * ahead / 9.81
    mass, damping = (part[0] for part in radiation(np.array([w])))
    inertia, stiffness = hull["inertia_matrix"].values, hull["hydrostatic_stiffness"].values
    moved = np.linalg.solve(-(w**2) * (inertia + mass) - 1j * w * damping + stiffness, load_)
    assert np.ptp(pitch) / 2.0 == pytest.approx(abs(moved[4]) * float(sea.amplitude), rel=0.03)
    again = call("--from", str(data), "-o", str(vehicle))
    assert again.exit_code != 0
    assert "is there already: --force replaces it" in again.output


def test_a_swell_in_water_of_a_depth(data: Path, tmp_path: Path) -> None:
    """It is as long as the hull, ω² = g k tanh kh; and file names may have blanks."""
    shoal, length = load(data), 60.0
    shoal["water_depth"], shoal["length"] = 12.0, length
    save(shoal, tmp_path / "shoal.nc")
    made = call("--from", str(tmp_path / "shoal.nc"), "-o", str(tmp_path / "2 my hull.yaml"), "--accuracy", "0.05")
    assert made.exit_code == 0, made.output
    scenario = Scenario.load(tmp_path / "2 my hull_swell.yaml")
    _, north, _, k, *_ = scenario.diagram.blocks()["sea"].evaluate().outputs["waves"][:, 0]
    assert k == pytest.approx(2.0 * np.pi / length, rel=1e-3)
    assert north == pytest.approx(-k)


def test_an_fmu_in_one_command(data: Path, tmp_path: Path) -> None:
    """By the command export, wherever that comes from."""
    made = call("--from", str(data), "-o", str(tmp_path / "hull.fmu"), "--accuracy", "0.05")
    assert made.exit_code == 0, made.output
    assert (tmp_path / "hull.fmu").stat().st_size > 10_000
    assert (tmp_path / "hull.yaml").is_file()


@pytest.mark.filterwarnings("ignore::blocks.hydro.errors.HydroWarning")  # of 112 panels
def test_a_box_from_its_dimensions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From nothing but numbers to a vehicle file; the second time from what was kept."""
    pytest.importorskip("capytaine", reason="needs Capytaine: pip install 'keelblocks[hydro]'")
    from blocks.hydro import case

    monkeypatch.setattr(case, "cache_folder", lambda: tmp_path / "kept")
    monkeypatch.setattr(
        case, "default_frequencies", lambda hull, g, depth: np.array([0.0, *np.linspace(0.5, 2.6, 8), np.inf])
    )
    arguments = ("--box", "20x8x2", "--gm", "1.5", "--panels", "100", "--accuracy", "0.2", "--force")
    file = tmp_path / "barge.yaml"
    made = call(*arguments, "-o", str(file))
    assert made.exit_code == 0, made.output
    assert "C_b 1.000" in made.output
    assert "GM 1.5 m" in made.output
    again = call(*arguments, "-o", str(file))
    assert again.exit_code == 0, again.output
    assert "where it was kept: Capytaine" in again.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a hull: a mesh, keelblocks hull barge.stl"),
        (("a.stl", "--box", "1x1x1"), "a.stl and --box name several hulls: give one of them"),
        (("--box", "1x2"), "--box wants LxBxT, 3 numbers with x between them, not 1x2"),
        (("--box", "1x2xa"), "--box 1x2xa: "),
        (("--box", "1x2x3", "--gm", "-1"), "--gm must be above 0, not -1"),
        (("--box", "1x2x3", "--gm", "1 kg"), "--gm: "),
        (("--box", "1x2x3", "--panels", "many"), "--panels must be a whole number from 20 to 20000, not many"),
        (("--box", "1x2x3", "--radii", "1,2"), "--radii wants three lengths"),
        (("--box", "1x2x3", "-o", "a.txt"), "--output a.txt: name a file that ends in .yaml, or in .fmu"),
        (("--box", "1x2x3", "--roll-damping", "5"), "--roll-damping is a part of critical damping"),
        (("--box", "1x2x3", "--draught", "2"), "--draught cannot stand beside --box: the hull has its draught among"),
        (("--from", "a.nc", "--gm", "1", "--no-drift"), "--gm and --no-drift cannot stand beside --from: results of"),
        (("--box", "9x2x3", "--figure", "a.xyz"), "--figure a.xyz: name a file that ends in ."),
        (("--box", "9x2x3", "--data", "a.csv"), "--data a.csv: name a file that ends in .nc"),
        (("--vehicle", "otter"), "--vehicle otter wants its draught"),
        (("--vehicle", "otter", "--draught", "0.3"), "otter has 55 kg on 2 m by 1.08 m"),
        (("none.stl",), "there is no mesh none.stl"),
        (("--from", "none.out"), "there is no none.out"),
    ],
)  # fmt: skip
def test_what_cannot_be(arguments: tuple[str, ...], message: str) -> None:
    """Said in words, with what to do."""
    told = call(*arguments)
    assert told.exit_code != 0
    assert message in " ".join(told.output.split())


def test_without_capytaine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install is said, and what goes without."""
    monkeypatch.setitem(sys.modules, "capytaine", None)
    told = " ".join(call("--box", "20x8x2", "--gm", "1.5", "-o", str(tmp_path / "a.yaml")).output.split())
    assert "needs Capytaine: pip install 'keelblocks[hydro]'; results of WAMIT" in told


def test_results_without_a_mass(tmp_path: Path) -> None:
    """The data say what they lack."""
    write_wamit(tmp_path, "hull", made_up(), 1.0, endings="1 3")
    told = call("--from", str(tmp_path / "hull.1"), "-o", str(tmp_path / "hull.yaml"))
    assert told.exit_code != 0
    said = " ".join(told.output.split())
    assert "neither .out nor .gdf is there: ULEN 1, g 9.80665 m/s2 and deep water were taken" in said
    assert "needs inertia_matrix, which the data do not have" in said
    assert "It stands in NAME.frc of WAMIT" in said
    with pytest.warns(HydroWarning) as warned:
        blocks.hydro.open(tmp_path / "hull.1")
    assert any("ULEN 1" in str(one.message) for one in warned)
