"""The panel method against analytic and published values, and what is done with its results."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from hulme import HEMISPHERE

from blocks.estimates import spheroid_factors
from blocks.hydro import case, shapes
from blocks.hydro.case import Case, prepared
from blocks.hydro.dataset import in_waves, moved
from blocks.hydro.dofs import FROM_UP
from blocks.hydro.files import load, save
from blocks.hydro.hull import PanelGeometry
from blocks.hydro.panel_method import solve

pytest.importorskip("capytaine", reason="needs Capytaine: pip install 'keelblocks[hydro]'")


def test_a_hemisphere_heaves_as_hulme_has_it() -> None:
    """With 600 panels and a lid: added mass within 1 %, damping within 2 %; the volume is that of the flat panels."""
    hull = shapes.hemisphere(1.0, panels=600)
    displaced = 1000.0 * PanelGeometry.of(hull.whole()).volumes().mean()
    few = HEMISPHERE[np.isin(HEMISPHERE[:, 0], [0.2, 0.5, 1.0, 2.0])]
    omega = np.sqrt(9.81 * few[:, 0])
    found = solve(hull, omega, [], rho=1000.0, g=9.81, drift=False)
    assert len(few) == 4
    for k, (_, mass, damping) in enumerate(few):
        assert found.added_mass[k, 2, 2] / displaced == pytest.approx(mass, rel=0.01)
        assert found.radiation_damping[k, 2, 2] / displaced / omega[k] == pytest.approx(damping, rel=0.02)


def test_a_spheroid_has_lambs_added_mass() -> None:
    """At zero frequency it moves along and across as one in unbounded water; so it heaves at infinite frequency.

    Panels of 500 are within 3 %, of which 1 % is the volume that they cut off.
    """
    hull = shapes.spheroid(5.0, 1.0, panels=500)
    along, across, _ = spheroid_factors(5.0, 1.0)
    assert [along, across] == pytest.approx([0.0591, 0.8943], abs=2e-4)
    found = solve(hull, [0.0, np.inf], [], rho=1000.0, g=9.81, drift=False)
    displaced = 1000.0 * np.pi / 12.0 * 5.0
    still, fast = found.added_mass / displaced
    assert [still[0, 0], still[1, 1], fast[2, 2]] == pytest.approx([along, across, across], rel=0.03)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # numpy leaves a damaged file open
def test_capytaines_table_is_made_anew_where_it_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by a process that was stopped while it wrote, or beside one that writes."""
    monkeypatch.setenv("CAPYTAINE_CACHE_DIR", str(tmp_path))
    hull = shapes.hemisphere(1.0, panels=60)

    def heave() -> float:
        return float(solve(hull, [2.0], [], rho=1000.0, g=9.81, drift=False).added_mass[0, 2, 2])

    first = heave()
    (table,) = tmp_path.rglob("*.*z")
    whole = table.read_bytes()
    table.write_bytes(whole[: len(whole) // 2])
    assert heave() == first
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [table]
    assert len(table.read_bytes()) == len(whole)
    assert heave() == first


@pytest.fixture(scope="module")
def barge() -> xr.Dataset:
    """A box of 20 by 8 by 2 m at three frequencies and seven headings."""
    omega = (0.0, 0.25, 1.2, 2.6, np.inf)
    made = Case(prepared(shapes.box(20.0, 8.0, 2.0, panels=260)), omega=omega, gm=1.5)
    return made.compute(cache=False)[0]


def test_a_barge_follows_long_waves(barge: xr.Dataset) -> None:
    """Heave -1, pitch and roll the slope, surge as the water moves: what holds for every hull in waves of 1 km."""
    long = in_waves(barge).isel(omega=0)
    k = 0.25**2 / 9.81
    for beta in (0.0, np.pi / 2.0, np.pi):
        surge, sway, heave, roll, pitch, _ = long["rao"].sel(wave_direction=beta, method="nearest").values
        assert heave == pytest.approx(-1.0, abs=0.01)
        assert pitch.imag == pytest.approx(k * np.cos(beta), abs=0.03 * k)
        assert roll.imag == pytest.approx(-k * np.sin(beta), abs=0.05 * k)
        assert [surge, sway] == pytest.approx([1j * np.cos(beta), 1j * np.sin(beta)], abs=0.05)
    stiffness = float(barge["hydrostatic_stiffness"][2, 2])
    assert stiffness == pytest.approx(1025.0 * 9.81 * 160.0)
    assert np.abs(long["excitation_force"].sel(influenced_dof="Heave").values) == pytest.approx(stiffness, rel=0.05)


def test_a_free_hull_takes_no_energy() -> None:
    """What waves lose ahead, they have all around, and damping is what leaves as waves: within 1 % of 400 panels.

    Far away energy is balanced as momentum is, which makes drift, but for the cosine of the direction.
    """
    hull = prepared(shapes.spheroid(20.0, 6.0, panels=400))
    made = Case(hull, omega=(1.2,), headings=(0.0, 2.0, np.pi), gm=0.5)
    found = solve(hull, made.omega, made.headings, rho=1025.0, g=9.81)
    data = made.compute(cache=False)[0]
    (far,) = found.kochin
    assert far is not None
    count = len(far.theta) - 3
    motion = data["rao"].transpose("omega", "wave_direction", "radiating_dof").values[0] * FROM_UP
    total = 1j * (far.values[6:] + motion @ far.values[:6])
    around = far.k * (np.abs(total[:, :count]) ** 2).mean(axis=1) * 2.0 * np.pi * far.k
    ahead = far.omega * total[np.arange(3), count + np.arange(3)].imag
    assert ahead == pytest.approx(-around, rel=0.01)
    sent = (np.abs(far.values[:6, :count]) ** 2).mean(axis=1)
    per_wave = np.diag(found.radiation_damping[0]) / sent
    assert per_wave[[0, 1, 2, 4, 5]] == pytest.approx(8.0 * np.pi**2 * 1025.0 * far.k / 1.2, rel=0.01)


def test_short_waves_push_a_wall(barge: xr.Dataset) -> None:
    """A side of 20 m that reflected all would be pushed by ½ ρ g L a², Longuet-Higgins (1977): at λ/T = 4.6, λ/L = 0.45
    some passes below and around, and three quarters to all of that is there."""
    short = in_waves(barge).isel(omega=-1)
    drift = short["mean_drift"].sel(wave_direction=np.pi / 2.0, method="nearest")
    assert 0.75 < float(drift.sel(drift_dof="Sway")) / (0.5 * 1025.0 * 9.81 * 20.0) < 1.0
    assert float(drift.sel(drift_dof="Surge")) == pytest.approx(0.0, abs=1.0)


def test_wigleys_hull() -> None:
    """Volume 0.4622 LBT and waterplane 0.6933 LB; ends are alike, so that nothing couples heave and pitch."""
    hull = prepared(shapes.wigley(3.0, 0.3, 0.1875, panels=400))
    data = Case(hull, omega=(0.0, 6.0), headings=(0.0, np.pi), gm=0.02, drift=False).compute(cache=False)[0]
    assert float(data["displaced_volume"]) == pytest.approx(0.46222 * 3.0 * 0.3 * 0.1875, rel=0.012)
    heave = float(data["hydrostatic_stiffness"][2, 2]) / (1025.0 * 9.81)
    assert heave == pytest.approx(0.69333 * 3.0 * 0.3, rel=0.01)
    mass = data["added_mass"].values
    assert np.abs(mass[:, 2, 4]).max() < 1e-6 * np.sqrt(mass[:, 2, 2] * mass[:, 4, 4]).max()
    assert np.linalg.eigvalsh(0.5 * (mass[1] + mass[1].T)).min() > 0.0
    damping = data["radiation_damping"].values[1]
    assert np.diag(damping)[[0, 1, 2, 4]].min() > 0.0


JOURNEE = {
    # λ/L in head waves at rest: heave per amplitude, and pitch per 2π a/L, of the models III and IV
    0.3: {1.0: (0.29, 0.57), 1.5: (0.57, 0.57), 2.0: (0.74, 0.50)},
    0.6: {1.0: (0.30, 0.57), 1.5: (0.65, 0.69), 2.0: (0.79, 0.54)},
}  # fmt: skip
"""Journée (1992), TU Delft report 0909, tables 10-III and 10-IV, as quoted by the tests of a strip-theory program."""


@pytest.mark.parametrize("breadth", JOURNEE)
def test_wigleys_hulls_move_as_in_the_tank(breadth: float) -> None:
    """Heave within 10 % of what was measured, as models scatter; pitch of III within 15 %, of IV within 24 %."""
    measured = JOURNEE[breadth]
    omega = np.sqrt(2.0 * np.pi * 9.81 / (3.0 * np.array(list(measured))))
    hull = prepared(shapes.wigley(3.0, breadth, 0.1875, panels=400))
    settings = {"omega": tuple(omega[::-1]), "headings": (0.0, np.pi), "gm": 0.03, "radii": (None, 0.75, 0.75)}
    data = Case(hull, rho=1000.0, drift=False, **settings).compute(cache=False)[0]
    for w, (heave, pitch) in zip(omega, measured.values(), strict=True):
        moved_ = np.abs(data["rao"].sel(omega=w).sel(wave_direction=np.pi, method="nearest").values)
        assert moved_[2] == pytest.approx(heave, rel=0.10)
        assert moved_[4] * 3.0 / (2.0 * np.pi) == pytest.approx(pitch, rel=0.15 if breadth == 0.3 else 0.24)


def test_the_same_hull_is_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And again where anything differs: hull, water, loading."""
    monkeypatch.setattr(case, "cache_folder", lambda: tmp_path)
    hull = prepared(shapes.box(4.0, 2.0, 1.0, panels=60))
    settings = {"omega": (0.0, 2.0), "headings": (0.0, np.pi), "gm": 0.3}
    one, hit = Case(hull, **settings).compute()
    again, hit_again = Case(prepared(shapes.box(4.0, 2.0, 1.0, panels=60)), **settings).compute()
    assert not hit
    assert hit_again
    assert one.equals(again)
    assert again.attrs["mesh_hash"] == hull.digest()
    assert '"gm": 0.3' in again.attrs["settings"]
    keys = {
        Case(hull, **settings).key(),
        Case(hull, **settings | {"gm": 0.4}).key(),
        Case(hull, **settings, rho=1000.0).key(),
        Case(prepared(shapes.box(4.0, 2.1, 1.0, panels=60)), **settings).key(),
    }
    assert len(keys) == 4
    Case(hull, **settings).kept().write_bytes(b"damaged")
    assert Case(hull, **settings).compute()[1] is False


def test_data_in_a_file_and_about_another_origin(barge: xr.Dataset, tmp_path: Path) -> None:
    """Written and read to the bit; and there and back about an origin elsewhere."""
    read = load(save(barge, tmp_path / "barge.nc"))
    assert read.equals(barge)
    there = moved(barge, (3.0, -1.0, 0.5), "elsewhere")
    back = moved(there, (-3.0, 1.0, -0.5), barge.attrs["origin"])
    for name in ("added_mass", "excitation_force", "rao", "mean_drift", "inertia_matrix"):
        assert np.allclose(
            back[name], barge[name], rtol=1e-9, atol=1e-9 * np.nanmax(np.abs(barge[name])), equal_nan=True
        )
    # the hull moved the other way is the same
    hull = prepared(shapes.box(20.0, 8.0, 2.0, panels=260)).moved((-3.0, 0.0, 0.0))
    found = solve(hull, [1.2], [0.7], rho=1025.0, g=9.81, drift=False)
    shifted = moved(barge, (3.0, 0.0, 0.0), "elsewhere").sel(omega=1.2)
    mass = shifted["added_mass"].values
    assert np.abs(found.added_mass[0] - mass).max() < 2e-3 * np.abs(mass).max()


def test_capytaines_own_results_are_the_same(tmp_path: Path) -> None:
    """In its NetCDF, and in WAMIT's files as it writes them: another's axes, phases and scales, and ours.

    It writes I for the motion and J for the load: with so few panels couplings differ by 5e-4 between the two.
    """
    import capytaine
    from capytaine.io.wamit import export_to_wamit
    from capytaine.io.xarray import export_dataset

    from blocks.hydro.panel_method import _body, _quiet
    from blocks.hydro.readers import read_results

    hull = prepared(shapes.spheroid(8.0, 3.0, panels=150)).moved((0.5, 0.0, 0.0))
    omega, beta = np.array([0.4, 1.5]), np.array([0.0, 0.6, np.pi])
    found = solve(hull, omega, beta, rho=1025.0, g=9.81, drift=False)
    with _quiet():
        body = _body(capytaine, hull, True)
        asked = xr.Dataset(
            coords={"omega": omega, "wave_direction": beta, "radiating_dof": list(body.dofs), "rho": 1025.0, "g": 9.81}
        )
        solver = capytaine.BEMSolver(method="direct")
        own = solver.fill_dataset(asked, body, hydrostatics=False, progress_bar=False)
        export_dataset(tmp_path / "own.nc", own)
        export_to_wamit(own, str(tmp_path / "own"), exports=("1", "3"))
    (tmp_path / "own.gdf").write_text("spheroid\n1.0 9.81\n0 0\n0\n", encoding="utf-8")
    for name, precision in (("own.nc", 1e-9), ("own.1", 5e-4)):
        read = read_results(tmp_path / name)
        assert read["wave_direction"].values == pytest.approx(beta, abs=1e-6), name
        for part in ("added_mass", "radiation_damping"):
            wanted = getattr(found, part)
            assert np.abs(read[part].values - wanted).max() < precision * np.abs(wanted).max(), (name, part)
        load_ = read["excitation_force"].values
        assert np.abs(load_ - found.excitation_force).max() < precision * np.abs(load_).max(), name
