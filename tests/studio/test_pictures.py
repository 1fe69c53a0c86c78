"""How pages look, against pictures of them: a panel that is missing, empty or elsewhere is seen, a font is not.

`KEELBLOCKS_PICTURES=write pytest tests/studio/test_pictures.py` makes the pictures anew, in `pictures/`: look at them.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pages import Tab
from PIL import Image

pytestmark = pytest.mark.slow

PICTURES = Path(__file__).parent / "pictures"
TILES = (16, 12)
"""A picture is compared by the mean colours of so many tiles, across and down: letters are far smaller."""
FAR, MOST, LARGEST = 6.0, 2, 25.0
"""Of 255: so many tiles may be apart by more than `FAR`, and none by more than `LARGEST`."""


def _kept(tab: Tab) -> None:
    tab.button("Keep this run").click()
    tab.give("plant.current.speed", "0.3")
    tab.over()
    tab.page.locator("button.keep").click()
    tab.give("autopilot.guidance.lookahead", "1.5")
    tab.over()
    tab.page.get_by_label("Time", exact=True).fill("300")


def _nested(tab: Tab) -> None:
    tab.button("Open autopilot").click()
    tab.page.locator(".diagram-panel").scroll_into_view_if_needed()


def _nothing(tab: Tab) -> None:
    del tab


TELEPHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}
VIEWS: dict[str, tuple[str, dict[str, object], Callable[[Tab], None]]] = {
    "survey_light": ("survey", {"color_scheme": "light"}, _nothing),
    "survey_dark": ("survey", {"color_scheme": "dark"}, _nothing),
    "otter": ("otter", {"color_scheme": "light"}, _nothing),
    "kept": ("survey", {"color_scheme": "light"}, _kept),
    "telephone": ("survey", {"color_scheme": "light", **TELEPHONE}, _nothing),
    "nested": ("survey", {"color_scheme": "light"}, _nested),
}


_STYLE = """(style) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [sheet];
}"""


def taken(tab: Tab) -> Image.Image:
    """What is in the window."""
    tab.page.mouse.move(2, 2)
    tab.page.evaluate("document.activeElement.blur()")
    tab.settle()
    return Image.open(io.BytesIO(tab.page.screenshot(animations="disabled", scale="css"))).convert("RGB")


def tiles(picture: Image.Image) -> NDArray[np.float64]:
    """The mean colour of each tile."""
    smaller = picture.convert("RGB").resize(TILES, Image.Resampling.BOX)
    return np.asarray(smaller, dtype=np.float64)


def apart(one: Image.Image, other: Image.Image) -> str:
    """How two pictures differ, in words; "" if they show the same."""
    if one.size != other.size:
        return f"{one.size} instead of {other.size}"
    difference = np.abs(tiles(one) - tiles(other)).max(axis=2)
    far = int((difference > FAR).sum())
    if far <= MOST and difference.max() <= LARGEST:
        return ""
    row, column = np.unravel_index(int(difference.argmax()), difference.shape)
    return (
        f"{far} of {difference.size} tiles are apart by more than {FAR:g}, most, by {difference.max():.0f}, number "
        f"{column + 1} of {TILES[0]} across and {row + 1} of {TILES[1]} down"
    )


@pytest.mark.parametrize("name", list(VIEWS))
def test_a_page_looks_as_it_did(opened, tmp_path_factory, name):
    mission, settings, does = VIEWS[name]
    tab = opened(mission, **settings)
    does(tab)
    picture, reference = taken(tab), PICTURES / f"{name}.png"
    if os.environ.get("KEELBLOCKS_PICTURES") == "write":
        PICTURES.mkdir(exist_ok=True)
        picture.quantize(64).save(reference, optimize=True)
    assert reference.is_file(), "there is no picture to compare with: KEELBLOCKS_PICTURES=write makes it"
    difference = apart(picture, Image.open(reference))
    if difference:
        picture.save(kept := tmp_path_factory.mktemp("pictures") / f"{name}.png")
        pytest.fail(f"{name} looks otherwise: {difference}; it is in {kept}")


def test_a_missing_panel_is_seen(opened):
    """The measure itself: each panel counts, another font does not."""
    tab = opened("survey")
    whole = taken(tab)
    for part in (".map-panel canvas", ".plots", ".plot:nth-child(2)", ".sliders", ".timeline", "h1"):
        tab.page.evaluate(_STYLE, f"{part} {{ visibility: hidden !important }}")
        assert apart(taken(tab), whole), part
    tab.page.evaluate(_STYLE, "")
    assert apart(taken(tab), whole) == ""
    tab.page.evaluate("document.body.style.fontFamily = 'DejaVu Serif, serif'")
    assert apart(taken(tab), whole) == ""
