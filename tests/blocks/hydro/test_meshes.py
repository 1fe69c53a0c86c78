"""Meshes: read from files, checked, cut, made even; parametric hulls and their hydrostatics against exact ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from blocks.hydro import cutting, mesh_checks, remesh, shapes
from blocks.hydro.case import Case, prepared
from blocks.hydro.dataset import wavenumber
from blocks.hydro.dofs import Array
from blocks.hydro.errors import HydroError
from blocks.hydro.from_vehicle import hull_of_vehicle
from blocks.hydro.hull import Hull, PanelGeometry
from blocks.hydro.hydrostatics import Hydrostatics, Loading
from blocks.hydro.mesh_files import read_mesh


def volume(hull: Hull) -> float:
    return float(PanelGeometry.of(hull.whole()).volumes().mean())


@pytest.mark.parametrize(
    ("make", "exact"),
    [
        (lambda n: shapes.hemisphere(2.0, panels=n), 2.0 / 3.0 * np.pi * 8.0),
        (lambda n: shapes.spheroid(10.0, 2.0, panels=n), np.pi / 12.0 * 10.0 * 4.0),
        (lambda n: shapes.cylinder(2.0, 3.0, panels=n), np.pi * 12.0),
        (lambda n: shapes.wigley(3.0, 0.3, 0.1875, panels=n), 0.46222222 * 3.0 * 0.3 * 0.1875),
        (lambda n: shapes.wigley(3.0, 0.3, 0.1875, full=True, panels=n), 0.56073 * 3.0 * 0.3 * 0.1875),
        (lambda n: shapes.ship(120.0, 20.0, 7.0, 0.65, panels=n), 0.65 * 120.0 * 20.0 * 7.0),
    ],
)
def test_volumes_are_of_second_order(make: Callable[[int], Hull], exact: float) -> None:
    """Four times as many panels leave a quarter of what flat panels cut off, or half at sharp bilges; 1 % at 1200."""
    errors = [1.0 - volume(make(n)) / exact for n in (300, 1200)]
    assert 0.0 < errors[1] < 0.01
    assert errors[0] / errors[1] > 2.2
    hull = make(300)
    assert mesh_checks.afloat(hull).notes == ()


def test_hydrostatics_of_a_box() -> None:
    """Exact: GM = KB + B²/12T - KG, and the moments of the waterplane, wherever the box lies."""
    box = shapes.box(100.0, 20.0, 5.0, panels=100).moved((3.0, 0.0, 0.0))
    water = Hydrostatics.of(box)
    assert water.volume == pytest.approx(1e4)
    assert water.buoyancy == pytest.approx([3.0, 0.0, -2.5], abs=1e-9)
    assert [water.across, water.along] == pytest.approx([100.0 * 20.0**3 / 12.0, 20.0 * 100.0**3 / 12.0])
    assert water.metacentre == pytest.approx(-2.5 + 20.0**2 / 60.0)
    loading = Loading.of(water, 1025.0, gm=2.0)
    assert loading.centre == pytest.approx([3.0, 0.0, water.metacentre - 2.0])
    c = water.stiffness(1025.0, 9.81, loading.centre)
    assert c[3, 3] == pytest.approx(loading.mass * 9.81 * 2.0)
    assert c[2, 4] == pytest.approx(-1025.0 * 9.81 * 2000.0 * 3.0)
    with pytest.raises(HydroError, match=r"the hull would capsize: its metacentric height is -0\.833 m"):
        Loading.of(water, 1025.0, kg=10.0)
    with pytest.raises(HydroError, match="--gm or --kg, not both"):
        Loading.of(water, 1025.0, kg=1.0, gm=1.0)


def stl(hull: Hull, scale: float = 1.0) -> tuple[bytes, bytes]:
    """A whole hull as a binary and as an ASCII file."""
    whole = hull.whole()
    triangles: Array = np.vstack([whole.panels[:, :3], whole.panels[:, [0, 2, 3]]])
    corners = whole.vertices[triangles] * scale
    records = np.zeros(len(corners), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")]))
    records["corners"] = corners
    lines = ["solid hull"]
    for facet in corners:
        lines += ["facet normal 0 0 0", " outer loop"]
        lines += [f"  vertex {x:.9e} {y:.9e} {z:.9e}" for x, y, z in facet]
        lines += [" endloop", "endfacet"]
    return b"made up".ljust(80) + np.uint32(len(corners)).tobytes() + records.tobytes(), "\n".join(lines).encode()


def with_side(height: float = 3.0) -> Hull:
    """A box of 60 by 12 by 4 m with so much side above the water, of twelve triangles but for its deck."""
    low, high = np.array([-30.0, -6.0, -4.0]), np.array([30.0, 6.0, height])
    corners = np.array([[(low, high)[i >> k & 1][k] for k in range(3)] for i in range(8)])
    panels = [[0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3], [0, 1, 3, 2], [4, 6, 7, 5]]
    hull = Hull(corners, np.array(panels), "", "pontoon", "mesh pontoon.stl")
    return hull if volume(hull) > 0.0 else hull.turned()


def test_the_same_hull_from_every_file(tmp_path: Path) -> None:
    """STL in both forms, GDF with a mirror, NEMOH's and HAMS's."""
    hull = shapes.ship(60.0, 12.0, 4.0, 0.6, panels=200)
    exact = volume(hull)
    for ending, content in zip(("a.stl", "b.stl"), stl(hull), strict=True):
        (tmp_path / ending).write_bytes(content)
        found = prepared(read_mesh(tmp_path / ending), even=False)
        assert volume(found) == pytest.approx(exact, rel=1e-5)
        assert found.planes == "xz"
    corners = hull.vertices[hull.panels][:, ::-1]
    rows = "\n".join(" ".join(f"{x:.7f}" for x in corner) for panel in corners for corner in panel)
    (tmp_path / "c.gdf").write_text(f"ship\n1.0 9.81\n1 1\n{len(corners)}\n{rows}\n")
    side = hull.panels + 1
    points = "\n".join(f"{k} {x:.7f} {y:.7f} {z:.7f}" for k, (x, y, z) in enumerate(hull.vertices, 1))
    quads = "\n".join(" ".join(map(str, panel)) for panel in side)
    (tmp_path / "d.dat").write_text(f"2 1\n{points}\n0 0. 0. 0.\n{quads}\n0 0 0 0\n")
    numbered = "\n".join(f"{k} 4 {' '.join(map(str, panel))}" for k, panel in enumerate(side, 1))
    (tmp_path / "e.pnl").write_text(
        f" --- Hull Mesh File\n\n # Number of Panels, Nodes, X-Symmetry and Y-Symmetry\n"
        f" {len(side)} {len(hull.vertices)} 1 1\n\n"
        f" #Start Definition of Node Coordinates\n{points}\n #End Definition of Node Coordinates\n\n"
        f" #Start Definition of Node Relations  ! panel_number\n{numbered}\n #End\n"
    )
    for name, wanted in (("c.gdf", exact), ("e.pnl", exact), ("d.dat", exact / 2.0)):
        found = read_mesh(tmp_path / name)
        assert volume(found) == pytest.approx(wanted, rel=1e-5), name
        assert found.planes == ("xz" if name == "d.dat" else "xz yz")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.stl", b"no mesh", r"a\.stl is not an STL file: it begins with no 'solid'"),
        ("a.stl", b"solid x\nvertex 1 2 3\n", r"three vertices for each facet, and has 1"),
        ("a.stl", b"solid x\nvertex 1 2 a\nvertex 1 2 3\nvertex 1 2 3\n", r"behind 'vertex' must stand three numbers"),
        ("a.gdf", b"t\n1 9.81\n0 0\n2\n1 2 3\n", r"announces 2 panels, of 12 coordinates each, and has 3"),
        ("a.gdf", b"t\n1 9.81\n0 0\n", r"a\.gdf ends after line 3, before all that it announces"),
        ("a.dat", b"2 0\n1 0 0 0\n0 0 0 0\n1 2 3 4\n0 0 0 0\n", r"a panel names vertex 4, and there are 1"),
        ("a.pnl", b"x\n", r"a\.pnl ends after line 1"),
        ("a.obj", b"", r"a mesh ends in \.stl, \.gdf, \.pnl, \.dat"),
    ],
)  # fmt: skip
def test_files_that_are_none(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    """Said with the file, and the line where there is one."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(HydroError, match=message):
        read_mesh(tmp_path / name)
    with pytest.raises(HydroError, match="there is no mesh"):
        read_mesh(tmp_path / "none.stl")


def test_what_is_wrong_with_a_mesh() -> None:
    """Each with what to do."""
    hull = shapes.hemisphere(5.0, panels=300).whole()
    with pytest.raises(HydroError, match=r"is 10000 m long: in mm\? then give the scale 0\.001"):
        prepared(hull.scaled(1000.0))
    few = hull.panels.copy()
    few[[5, 9]] = few[[5, 9], ::-1]
    with pytest.raises(HydroError, match=r"has 2 of 3\d\d panels with normals the other way, such as the one at x "):
        prepared(replace(hull, panels=few))
    with pytest.raises(
        HydroError, match=r"is not closed below the waterline: .* edges without a neighbour run from x "
    ):
        prepared(replace(hull, panels=np.delete(hull.panels, range(20, 32), 0)))
    assert prepared(hull.turned()).notes == ("all normals faced inwards and were turned",)
    with pytest.raises(HydroError, match=r"is above the water: it reaches from z 1 to 6 m, .* give the draught"):
        prepared(hull.moved((0.0, 0.0, 6.0)))
    with pytest.raises(HydroError, match=r"is 5 m high, less than the draught of 6 m"):
        prepared(hull, draught=6.0)
    with pytest.raises(HydroError, match=r"has 3\d\d panels that lie on others, such as the one at x "):
        prepared(replace(hull, panels=np.vstack([hull.panels, hull.panels])))
    with pytest.raises(HydroError, match=r"the water is 3 m deep and the hull draws 5 m: it is aground"):
        Case(prepared(hull), water_depth=3.0)
    with pytest.raises(HydroError, match=r"a ship needs 0\.3 <= C_b < C_m < 1"):
        shapes.ship(100.0, 20.0, 5.0, 1.1)
    with pytest.raises(HydroError, match=r"in water of 20 m frequencies begin at 0\.0699 rad/s, kh = 0\.1, not 0.05"):
        Case(prepared(hull), water_depth=20.0, omega=(0.05, 1.0))
    fine = Case(prepared(hull), omega=(1.0, 9.0))
    assert any("panels are too coarse for waves of 0.761 m" in remark for remark in fine.warnings())
    bare = Case(prepared(hull), lid=False, omega=(1.0, 3.0))
    assert any("irregular frequencies from" in remark for remark in bare.warnings())
    assert any("was another unit meant" in remark for remark in Case(prepared(hull), rho=1.025).warnings())


def test_panels_that_are_made_anew_hide_no_hole() -> None:
    """They are so large that they would close it; nor do they fold a hull that is thinner than they are."""
    box = with_side()
    triangles = np.vstack([box.panels[:, [0, 1, 2, 2]], box.panels[:, [0, 2, 3, 3]]])
    whole = replace(box, panels=triangles)
    low = int(
        np.argmin(box.vertices[triangles][:, :, 0].sum(axis=1) + 0.1 * box.vertices[triangles][:, :, 2].sum(axis=1))
    )
    assert prepared(whole, panels=40).count < 60
    with pytest.raises(HydroError, match=r"is not closed below the waterline: .* neighbour run from x -30 to -30 m"):
        prepared(replace(whole, panels=np.delete(triangles, low, 0)), panels=40)
    narrow = replace(whole, vertices=whole.vertices * np.array([1.0, 0.05, 1.0]))
    with pytest.raises(HydroError, match=r"thinner somewhere than about 40 panels are large, .* m: take more of them"):
        prepared(narrow, panels=40)


def test_a_hull_whose_sides_differ_meets_waves_all_around() -> None:
    alike, beside = with_side(), with_side().moved((0.0, 2.0, 0.0))
    assert np.degrees(Case(prepared(alike)).headings) == pytest.approx(np.arange(0.0, 181.0, 15.0))
    assert np.degrees(Case(prepared(beside)).headings) == pytest.approx(np.arange(-165.0, 181.0, 15.0))


def test_what_wants_a_look() -> None:
    """Panels that a panel method cannot take are left out and told, and so is a hull that lies across."""
    skin = shapes.box(40.0, 12.0, 2.5, panels=200).whole()
    skeg = [[-20.0, 0.0, -2.5], [-10.0, 0.0, -2.5], [-10.0, 0.0, -4.0], [-20.0, 0.0, -4.0]]
    deck = [[-20.0, -6.0, 0.0], [20.0, -6.0, 0.0], [20.0, 6.0, 0.0], [-20.0, 6.0, 0.0]]
    for corners, note in ((deck, "1 panels in the waterline, a deck or a lid"), (skeg, "1 panels in the centreplane")):
        more = np.arange(4)[None] + len(skin.vertices)
        mesh = replace(skin, vertices=np.vstack([skin.vertices, corners]), panels=np.vstack([skin.panels, more]))
        found = prepared(mesh)
        assert note in "; ".join(found.notes)
        assert Hydrostatics.of(found).area == pytest.approx(480.0)
    aside = replace(skin, vertices=skin.vertices[:, [1, 0, 2]] + [0.0, 3.0, 0.0]).turned()
    assert prepared(aside).notes[-2:] == (
        "it is broader than long, 40 m by 12 m: does x point forward?",
        "its middle lies 3 m to port of y = 0: is that the centreline?",
    )


def test_a_drawing_becomes_even_panels() -> None:
    """Twelve triangles of a pontoon with sides above the water: cut, halved, made even; its edges stay sharp."""
    found = prepared(with_side(), panels=600)
    geometry = PanelGeometry.of(found)
    assert found.planes == "xz"
    assert 450 < found.count < 1000
    assert volume(found) == pytest.approx(60.0 * 12.0 * 4.0, rel=0.005)
    assert geometry.radii.max() < 3.0 * np.median(geometry.radii)
    round_ = cutting.one_side(shapes.hemisphere(1.0, panels=6000).whole())
    few = remesh.even(round_, 700)
    assert volume(few) == pytest.approx(2.0 / 3.0 * np.pi, rel=0.02)


def test_where_the_waterline_is() -> None:
    """By the draught, or z = 0 of the mesh; the origin is midships."""
    assert volume(prepared(with_side().moved((50.0, 0.0, 4.0)), draught=2.0)) == pytest.approx(1440.0, rel=0.005)
    low, high = prepared(with_side().moved((50.0, 0.0, 0.0))).bounds
    assert [low[0], high[0], low[2]] == pytest.approx([-30.0, 30.0, -4.0])
    low, _ = prepared(with_side().moved((50.0, 0.0, 0.0)), origin="mesh").bounds
    assert low[0] == pytest.approx(20.0)


def test_a_hull_of_a_vehicle_floats_its_mass() -> None:
    """Whatever unit its file has it in: the supply vessel has 6000 t; panels are flat, and cut a little off."""
    hull, radii = hull_of_vehicle("supply", draught=6.0, rho=1025.0)
    assert 1025.0 * volume(hull) == pytest.approx(6000e3, rel=0.015)
    assert radii == (None, None, None)


def test_wavenumbers_of_any_depth() -> None:
    """ω² = g k tanh kh from shallow to deep water."""
    omega = np.geomspace(0.01, 20.0, 50)
    for depth in (0.1, 3.0, 200.0):
        k = wavenumber(omega, depth, 9.81)
        np.testing.assert_allclose(9.81 * k * np.tanh(k * depth), omega**2, rtol=1e-9)
