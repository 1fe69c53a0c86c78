"""The icon of an FMU: a bitmap and an SVG of the same boxes and wires."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise

import pytest
from lxml import etree
from PIL import Image, ImageColor

from blocks.control import PID
from fmu.description.drawing import drawing
from fmu.description.icon import Icon, icon


def bitmap(made: Icon) -> Image.Image:
    return Image.open(BytesIO(made.png)).convert("RGB")


@pytest.fixture(scope="module")
def made(models) -> Icon:
    return icon(drawing(models.guided_vessel()))


def test_a_bitmap_is_small_and_as_large_as_it_says(made):
    assert bitmap(made).size == (made.width, made.height)
    assert max(made.width, made.height) == 400
    assert len(made.png) < 8000


def test_bitmap_and_svg_show_the_same_boxes(made):
    picture, svg = bitmap(made), etree.fromstring(made.svg)
    left, top, width, _ = map(float, svg.get("viewBox").split())
    scale = made.width / width
    heads = [rect for rect in svg.iter("{*}rect") if rect.get("height") == "12"]
    assert len(heads) >= 4
    for head in heads:
        x, y, across = (float(head.get(name)) for name in ("x", "y", "width"))
        middle = round((x + across / 2 - left) * scale)
        assert picture.getpixel((middle, int((y + 6 - top) * scale))) == ImageColor.getrgb(head.get("fill"))
        assert picture.getpixel((middle, int((y + 20 - top) * scale))) == (255, 255, 255)


def test_bitmap_and_svg_show_the_same_wires(made):
    picture, svg = bitmap(made), etree.fromstring(made.svg)
    left, top, width, _ = map(float, svg.get("viewBox").split())
    scale = made.width / width
    lines = list(svg.iter("{*}polyline"))
    assert len(lines) >= 8
    for line in lines:
        points = [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        assert all(ax == bx or ay == by for (ax, ay), (bx, by) in pairwise(points))
        (ax, ay), (bx, _) = points[:2]  # the first piece is behind no box, but may begin behind a port
        places = [(int((ax + (bx - ax) * part - left) * scale), int((ay - top) * scale)) for part in (0.5, 0.7, 0.9)]
        inside = [(x, y) for x, y in places if 0 <= x < made.width]
        # A line is thinner than two pixels, so it is darkest in one of three.
        assert all(min(picture.getpixel((x, y + d))[0] for d in (-1, 0, 1)) < 170 for x, y in inside), points


def test_a_block_alone_has_an_icon_that_is_not_too_small():
    alone = icon(drawing(PID(1.0)))
    assert min(alone.width, alone.height) >= 100


def test_equal_drawings_have_one_icon(models):
    assert icon(drawing(models.guided_vessel())) is icon(drawing(models.guided_vessel()))
