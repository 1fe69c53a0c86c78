from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib import get_data_path
from matplotlib.ft2font import FT2Font

from blocks.drawing.text import printable, text_width


def _dejavu_width(text: str, size: float, file: str) -> float:
    font = FT2Font(str(Path(get_data_path(), "fonts", "ttf", file)))
    font.set_size(200.0, 72)  # large, so that rounding to whole pixels does not count
    return sum(font.load_char(ord(character)).linearHoriAdvance / 65536 for character in text) * size / 200.0


@pytest.mark.parametrize(("file", "bold"), [("DejaVuSans.ttf", False), ("DejaVuSans-Bold.ttf", True)])
@pytest.mark.parametrize(
    "text", ["UnderwaterVehicle6DOF", "illicit", "WWW mmm", "cross_track_error", "ψ χ Å é Ж", "~!@#$%^&*()"]
)
def test_no_text_is_wider_than_estimated_nor_much_narrower(text: str, file: str, bold: bool) -> None:
    actual = _dejavu_width(text, 20.0, file)
    estimate = text_width(text, 20.0, bold=bold)
    assert 0.99 * actual <= estimate <= 1.35 * actual


def test_width_grows_with_size_and_text() -> None:
    assert text_width("heading", 20.0) == pytest.approx(2 * text_width("heading", 10.0))
    assert text_width("heading", 10.0) + text_width("rate", 10.0) == pytest.approx(text_width("headingrate", 10.0))
    assert text_width("", 10.0) == 0.0


def test_accents_take_no_room_and_full_width_letters_take_more() -> None:
    assert text_width("e\N{COMBINING ACUTE ACCENT}", 10.0) == text_width("e", 10.0)
    assert text_width("船", 10.0) >= 10.0
    assert text_width("\N{LATIN CAPITAL LETTER DZ WITH CARON}", 10.0) > text_width("D", 10.0)


def test_printable_is_one_line_that_xml_can_hold() -> None:
    assert printable(" a\n\tb ") == "a b"
    assert printable("a\0b\ufffe") == "a\ufffdb\ufffd"
