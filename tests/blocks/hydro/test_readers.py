"""Results of WAMIT, NEMOH, HAMS and VERES: the same data from all of them, and messages where files are damaged."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hydro_files import WRITERS, made_up, write_veres, write_wamit

from blocks.environment import WaveForceRAO
from blocks.hydro.dataset import in_waves
from blocks.hydro.errors import HydroError
from blocks.hydro.readers import read_results, read_wamit
from blocks.hydro.vessel_file import wave_parameters

KEPT = ("added_mass", "radiation_damping", "excitation_force", "inertia_matrix", "hydrostatic_stiffness", "rao")


@pytest.mark.parametrize("program", WRITERS)
def test_a_hull_is_the_same_from_every_program(program: str, tmp_path: Path) -> None:
    """Axes, scales, mirrors, phases and origins: seven digits are in the files."""
    data = made_up()
    read = read_results(WRITERS[program](tmp_path, data))
    assert read["omega"].values == pytest.approx(data["omega"].values, rel=1e-6)
    assert read["wave_direction"].values == pytest.approx(data["wave_direction"].values, abs=1e-9)
    for name in KEPT:
        wanted, found = data[name].values, read[name].transpose(*data[name].dims).values
        scale = np.abs(wanted).max()
        assert np.abs(found - wanted).max() < 3e-6 * scale, name
    if program in ("wamit", "veres"):
        assert read["mean_drift"].values == pytest.approx(data["mean_drift"].values, rel=1e-5, abs=1e-3)
    assert float(read["rho"]) == 1025.0
    WaveForceRAO(**wave_parameters(read))


def test_zero_and_infinite_frequency(tmp_path: Path) -> None:
    """Periods of -1 and 0, which have added mass alone."""
    data = made_up((0.0, 0.5, 1.0, np.inf))
    write_wamit(tmp_path, "hull", data, 2.0)
    read = read_wamit(tmp_path / "hull.1")
    assert read["omega"].values == pytest.approx(data["omega"].values, rel=1e-6)
    assert read["added_mass"].values == pytest.approx(data["added_mass"].values, rel=1e-5, abs=10.0)
    assert np.all(np.isnan(read["excitation_force"].values[[0, 3]]))
    assert np.all(read["radiation_damping"].values[[0, 3]] == 0.0)


OUT = """
                        WAMIT  Version 6.41

 Gravity:     9.80665                Length scale:        1.00000
 Water depth:        infinite       Water density:     1025.00000
 XBODY =    0.0000 YBODY =    0.0000 ZBODY =    0.0000 PHIBODY =   0.0
 Volumes (VOLX,VOLY,VOLZ):           7853.98      7853.98      7853.98
 Center of Buoyancy (Xb,Yb,Zb):     0.000000     0.000000   -49.999989
 Hydrostatic and gravitational restoring coefficients:
 C(3,3),C(3,4),C(3,5):   78.540       0.0000       0.0000
 C(4,4),C(4,5),C(4,6):               0.23611E+06   0.0000       0.0000
        C(5,5),C(5,6):                            0.23611E+06   0.0000
 Center of Gravity  (Xg,Yg,Zg):     0.000000     0.000000   -80.000000

 Wave period = infinite                                 Wavenumber = zero

    ADDED-MASS COEFFICIENTS
     I     J         A(I,J)

     1     1   7.595875E+03
     3     3   2.633430E+02

 Wave period (sec) =  1.570000E+00        Wavenumber (kL) =  1.633201E+00

    ADDED-MASS AND DAMPING COEFFICIENTS
     I     J         A(I,J)         B(I,J)

     1     1   7.101907E+03   4.468741E+01
     3     3   2.585966E+02   7.489947E-02

    DIFFRACTION EXCITING FORCES AND MOMENTS

  Wave Heading (deg) :      0

     I     Mod[Xh(I)]     Pha[Xh(I)]

     1   1.018151E+01             71
     3   1.597659E-01             41
     5   2.401359E+01             71

  Wave Heading (deg) :    180

     I     Mod[Xh(I)]     Pha[Xh(I)]

     1   1.018151E+01           -109
     3   1.597659E-01             41
     5   2.401359E+01           -109
"""
"""A spar of 5 m radius and 100 m draught, from MSS Hydro's example of an offshore wind turbine, shortened."""


def test_the_long_output(tmp_path: Path) -> None:
    """Alone, when numbered files were not kept. A waterplane of π 5² m² and a body of 100 m stand in its numbers."""
    (tmp_path / "spar.out").write_text(OUT, encoding="utf-8")
    read = read_results(tmp_path / "spar.out")
    assert float(read["hydrostatic_stiffness"].sel(influenced_dof="Heave", radiating_dof="Heave")) == pytest.approx(
        1025.0 * 9.80665 * np.pi * 25.0, rel=1e-5
    )
    assert float(read["displaced_volume"]) == pytest.approx(np.pi * 25.0 * 100.0, rel=1e-5)
    assert read["omega"].values == pytest.approx([0.0, 2.0 * np.pi / 1.57])
    surge = read["added_mass"].sel(influenced_dof="Surge", radiating_dof="Surge").values
    assert surge == pytest.approx(1025.0 * np.array([7595.875, 7101.907]))
    ahead, following = (
        in_waves(read)["excitation_force"]
        .sel(influenced_dof="Surge")
        .sel(wave_direction=beta, method="nearest")
        .values[0]
        for beta in (np.pi, 0.0)
    )
    size, lag = 1025.0 * 9.80665 * 10.18151, np.radians(-71.0)
    assert following == pytest.approx(size * np.exp(1j * lag), rel=1e-6)
    assert ahead == pytest.approx(-following, rel=1e-6)
    assert "whole degrees" in read.attrs["notes"]
    (tmp_path / "cut.out").write_text(OUT.rstrip().rpartition("\n")[0], encoding="utf-8")
    with pytest.raises(HydroError, match=r"cut\.out, excitation_force, has nothing of mode 5 at 4\.00203 rad/s"):
        read_results(tmp_path / "cut.out")


def test_mass_from_radii_of_gyration(tmp_path: Path) -> None:
    """Form 1 of .frc, of the FPSO of MSS Hydro, with the spar's displacement: moments about the body's origin."""
    (tmp_path / "spar.out").write_text(OUT, encoding="utf-8")
    rows = ("FPSO", "1 0 1 1 0 0 0 0 1", "-1.00", "16.3 0.00 0.00", "0.00 54.0 0.00", "0.00 0.00 54.0", "0", "0")
    (tmp_path / "spar.frc").write_text("\n".join(rows), encoding="utf-8")
    read = read_results(tmp_path / "spar.out")
    mass = 1025.0 * 7853.98
    inertia = read["inertia_matrix"].values
    assert np.diag(inertia) == pytest.approx([mass] * 3 + [mass * r**2 for r in (16.3, 54.0, 54.0)], rel=1e-6)
    assert inertia[0, 4] == pytest.approx(mass)  # 1 m below the origin
    assert read["centre_of_gravity"].values == pytest.approx([0.0, 0.0, 1.0])


def test_a_body_away_from_the_origin(tmp_path: Path) -> None:
    """Crests pass the body a while after the origin of the waves, and its axes may be turned and below the water."""
    (tmp_path / "spar.out").write_text(OUT, encoding="utf-8")
    here = read_results(tmp_path / "spar.out")
    away = OUT.replace("XBODY =    0.0000", "XBODY =    3.0000")
    (tmp_path / "away.out").write_text(away, encoding="utf-8")
    there = read_results(tmp_path / "away.out")
    k = (2.0 * np.pi / 1.57) ** 2 / 9.80665
    turn = there["excitation_force"].values[1, :, 0] / here["excitation_force"].values[1, :, 0]
    beta = here["wave_direction"].values
    assert turn == pytest.approx(np.exp(-1j * k * 3.0 * np.cos(beta)), rel=1e-6)


SUPPLY = {
    # the supply vessel of MSS Hydro by VERES 4.02, ω = 0.2094395 rad/s, head sea: M, A, B and C of rows 3, 5, F and ξ
    "mass": 0.63622085e7, "arm": 0.82708705e7, "inertia": 0.27368950e10,
    "A": (0.23482434e8, -0.15873776e9, 0.10836844e11), "B": (0.45931415e7, -0.29631608e8, 0.20838588e10),
    "C": (0.13910359e8, -0.70729128e8, 0.64677780e10),
    "F": (0.11130505e4 + 0.27354716e6j, 0.12591151e8 + 0.65452919e6j, -0.64875984e8 + 0.21322742e8j),
    "rao": (-0.41546528e-2 - 0.98617017j, 0.99751014 - 0.83987863e-3j, 0.12690037e-3 + 0.46057398e-2j),
}  # fmt: skip


def test_veres_moves_as_it_says(tmp_path: Path) -> None:
    """Surge, heave and pitch from a published run's coefficients and loads are its own: signs and phases fit."""
    s = SUPPLY
    data = made_up((0.2094395, 0.4), step=90.0)
    write_veres(tmp_path, "supply", data, lcg=0.0)
    text = {
        ending: (tmp_path / f"supply.{ending}").read_text(encoding="utf-8").splitlines()
        for ending in ("re7", "re8", "re1")
    }

    def six(pairs: dict[tuple[int, int], float]) -> list[str]:
        return [" ".join(f"{pairs.get((i, j), 0.0):.8E}" for j in range(6)) for i in range(6)]

    def sym(values: tuple[float, float, float], other: float = 0.0) -> dict[tuple[int, int], float]:
        a, b, c = values
        return {(2, 2): a, (2, 4): b, (4, 2): b, (4, 4): c} | {(k, k): other for k in (1, 3, 5)}

    big = {(k, k): s["mass"] for k in range(3)} | {(3, 3): 3e8, (4, 4): s["inertia"], (5, 5): 2.7e9}
    big |= {(0, 4): s["arm"], (4, 0): s["arm"]}
    text["re7"][11:17] = six(big)
    at = 17
    for _ in range(3):  # headings
        at += 1 + (at == 17)
        for _ in range(2):
            text["re7"][at + 1 : at + 7] = six(sym(s["A"], 1e6))
            text["re7"][at + 13 : at + 19] = six(sym(s["B"]))
            text["re7"][at + 25 : at + 31] = six(sym(s["C"]))
            at += 38
    for ending, values in (("re8", s["F"]), ("re1", s["rao"])):
        for row, value in zip((13, 15, 17), values, strict=True):
            text[ending][row] = f"  {row - 12} {value.real:.8E} {value.imag:.8E}"
    for ending, lines in text.items():
        (tmp_path / f"supply.{ending}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "supply.re2").unlink()
    read = read_results(tmp_path / "supply.re7")
    ahead = read.sel(wave_direction=np.pi, method="nearest").isel(omega=0)
    mass = ahead["inertia_matrix"].values + ahead["added_mass"].values
    w = float(read["omega"][0])
    held = -(w**2) * mass - 1j * w * ahead["radiation_damping"].values + ahead["hydrostatic_stiffness"].values
    moved = np.linalg.solve(held, ahead["excitation_force"].values)
    surge, heave, pitch = ahead["rao"].values[[0, 2, 4]]
    assert moved[[0, 2, 4]] == pytest.approx([surge, heave, pitch], rel=0.002)
    assert heave == pytest.approx(-1.0, abs=0.01)
    assert pitch.imag == pytest.approx(-(w**2) / 9.81, rel=0.05)  # the slope of a long wave from ahead


@pytest.mark.parametrize(
    ("program", "ending", "change", "message"),
    [
        ("wamit", "1", (r"\n[^\n]*\n$", "\n"), r"hull\.1 has no line of I 6 J 6 at .* rad/s, as it has at others"),
        ("wamit", "1", ("E", "X"), r"hull\.1(, line \d+: a line of PER I J A B wants 4 columns| is empty)"),
        ("wamit", "3", (r"(\S+ +\S+ +)1( )", r"\g<1>9\2"), r"hull\.3, line 1: modes must be 1 to 6"),
        ("wamit", "3", (r"(?s)^.{400}", ""), r"(wants 7 columns|nothing of mode . at .* rad/s and 0 deg)"),
        ("veres", "re7", (r"(?:[^\n]*\n){40}$", ""), r"hull\.re7 ends after line \d+, before all that it announces"),
        ("veres", "re8", ("1.02500000E.03", "9.98000000E+02"), r"hull\.re8 is of another ship or water"),
    ],
)
def test_damage_is_named(program: str, ending: str, change: tuple[str, str], message: str, tmp_path: Path) -> None:
    """With the file, and the line where there is one."""
    named = WRITERS[program](tmp_path, made_up())
    file = named.with_suffix(f".{ending}")
    file.write_text(
        re.sub(*change, file.read_text(encoding="utf-8"), count=1 if change[0] != "E" else 0), encoding="utf-8"
    )
    with pytest.raises(HydroError, match=message):
        read_results(named)


def test_phases_of_the_other_kind(tmp_path: Path) -> None:
    """In long waves water pushes before the crest: leads that are taken for lags are seen by that."""
    named = WRITERS["wamit"](tmp_path, made_up())
    with pytest.raises(
        HydroError, match='phases are leads where lags are expected or axes are others; say phases="lead"'
    ):
        read_results(named, phases="lag")
    for program, where in (("nemoh", "run"), ("hams", "case")):
        folder = WRITERS[program](tmp_path / program, made_up())
        assert folder.name == where
        with pytest.raises(HydroError, match='say phases="lag"'):
            read_results(folder, phases="lead")


def test_headings_that_do_not_close(tmp_path: Path) -> None:
    """A table from 0 to 90 deg is no table all around."""
    data = made_up()
    write_wamit(tmp_path, "hull", data.isel(wave_direction=slice(0, 3)), 1.0)
    read = read_wamit(tmp_path / "hull.1")
    with pytest.raises(Exception, match="headings do not close"):
        WaveForceRAO(**wave_parameters(read))


def test_what_is_nothing(tmp_path: Path) -> None:
    """Neither a file nor a folder of a program."""
    with pytest.raises(HydroError, match="there is no"):
        read_results(tmp_path / "none.out")
    with pytest.raises(HydroError, match=r"neither Nemoh\.cal nor Input/ControlFile\.in"):
        read_results(tmp_path)
    (tmp_path / "a.txt").write_text("", encoding="utf-8")
    with pytest.raises(HydroError, match="results end in"):
        read_results(tmp_path / "a.txt")
    with pytest.raises(HydroError, match=r"there is no option 'rho' for such results, which say all else themselves"):
        read_results(WRITERS["veres"](tmp_path, made_up()), rho=1000.0)
