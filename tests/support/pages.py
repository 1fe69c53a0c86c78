"""Pages in a browser, for tests: Chromium by Playwright, and what a person finds and does in a page."""

from __future__ import annotations

import base64
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from blocks.run.result import Result

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install playwright")

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect

CHROMIUM = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")
expect.set_options(timeout=10_000)  # of what does not come: a machine may be busy
OVER = re.compile("complete|ended|failed")

_ROWS = """async () => {
  const text = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    let letters = "";
    for (let i = 0; i < bytes.length; i += 32768) letters += String.fromCharCode(...bytes.subarray(i, i + 32768));
    return btoa(letters);
  };
  const { times, table, signals } = await keelblocks.run();
  return { times: text(times), table: text(table), signals };
}"""


def find_chromium() -> str | None:
    """Where Chromium is."""
    return next((found for name in CHROMIUM if (found := shutil.which(name))), None)


def url_of(path: Path, fragment: str = "") -> str:
    """The address of a page."""
    return path.as_uri() + (f"#{fragment}" if fragment else "")


@dataclass(frozen=True)
class Rows:
    """The run of a page: its times, its rows, and where signals stand in them."""

    times: NDArray[np.float64]
    table: NDArray[np.float64]
    signals: dict[str, tuple[int, int]]

    def of(self, name: str) -> NDArray[np.float64]:
        """A signal: a row for each time, and a column for each of its numbers."""
        first, count = self.signals[name]
        return self.table[:, first : first + count]

    def differing(self, result: Result) -> list[str]:
        """What differs from a result in any bit; nothing is left out."""
        found = [] if self.times.tobytes() == result.time.tobytes() else ["time"]
        for name in result.places:
            expected = np.ascontiguousarray(result.values(name)).reshape(len(result.time), -1)
            if np.ascontiguousarray(self.of(name)).tobytes() != expected.tobytes():
                found.append(name)
        return found


@dataclass
class Tab:
    """A page that is open, with all that it asked for and complained of."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    # --- what it shows ---------------------------------------------------------------------------------------------

    def rows(self) -> Rows:
        """The run that was asked for last, when it is over."""
        given = self.page.evaluate(_ROWS)
        times, table = (np.frombuffer(base64.b64decode(given[key]), "<f8") for key in ("times", "table"))
        return Rows(times, table.reshape(len(times), -1), given["signals"])

    def over(self) -> Tab:
        """Wait until the run is over, and shown."""
        self.page.evaluate("keelblocks.run()")
        expect(self.page.locator("table.runs")).to_contain_text(OVER)
        return self

    def settle(self) -> None:
        """Wait until what was changed is drawn."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def seconds(self) -> float:
        """The time of the page, s."""
        self.settle()
        return float(self.page.get_by_label("Time", exact=True).input_value())

    def metric(self, label: str) -> Locator:
        """The cells of a line of the summary: the present run, then those that were kept."""
        head = self.page.get_by_role("rowheader", name=label, exact=True)
        return self.page.locator("table.runs tbody tr").filter(has=head).locator("td")

    @property
    def names(self) -> Locator:
        """The names of the runs: the present one, then those that were kept."""
        return self.page.locator("table.runs thead th")

    def plot(self, title: str) -> Locator:
        """A plot by its title."""
        name = self.page.locator("b", has_text=re.compile(f"^{re.escape(title)}$"))
        return self.page.locator("figure.plot").filter(has=name)

    def chart(self, title: str) -> dict[str, float]:
        """Where the area of a plot is on the screen."""
        area = self.plot(title).locator(".u-over")
        area.scroll_into_view_if_needed()
        box = area.bounding_box()
        assert box is not None
        return dict(box)

    @property
    def clock(self) -> Locator:
        """The time of the page beside that of its end."""
        return self.page.locator("output.clock")

    @property
    def map(self) -> Locator:
        """The plan view."""
        return self.page.locator("canvas.map")

    def fragment(self) -> str:
        """What the address says of what is shown."""
        return str(self.page.evaluate("location.hash")).removeprefix("#")

    # --- what a person does ----------------------------------------------------------------------------------------

    def row_of(self, name: str) -> Locator:
        """The slider of a parameter with all that belongs to it."""
        return self.page.locator(".slider").filter(has=self.page.locator(f"[aria-label^='Set {name} back']"))

    def slider(self, name: str) -> Locator:
        """The slider of a parameter."""
        return self.row_of(name).locator("input[type=range]")

    def number(self, name: str) -> Locator:
        """The field of a parameter."""
        return self.row_of(name).locator("input[type=number], select")

    def give(self, name: str, value: str) -> None:
        """Type a value of a parameter."""
        self.number(name).fill(value)
        self.number(name).press("Enter")

    def button(self, name: str) -> Locator:
        """A button by its whole name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def copied(self, button: str) -> str:
        """What a button copies."""
        self.page.evaluate("delete globalThis.copied")
        self.button(button).click()
        expect(self.page.locator(".actions .said")).to_contain_text("copied")
        return str(self.page.evaluate("globalThis.copied"))


# What a page copies stays in it: tests that run at a time share one clipboard.
_CLIPBOARD = """Object.defineProperty(navigator, "clipboard", {
  value: { writeText: async (text) => { globalThis.copied = text; } },
});"""


def open_tab(browser: Browser, url: str, *, watch: bool = True, **settings: Any) -> Tab:
    """A page in a context of its own, without a network. settings: of the context."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, "offline": True} | settings)
    context.set_default_timeout(30_000)
    context.add_init_script(_CLIPBOARD + "globalThis.alerts = 0; globalThis.alert = () => { globalThis.alerts += 1; };")
    tab = Tab(context.new_page())

    def asked(request: Request) -> None:
        tab.requests.append(request.url)

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            tab.complaints.append(message.text)

    tab.page.on("request", asked)
    tab.page.on("console", said)
    tab.page.on("pageerror", lambda problem: tab.complaints.append(str(problem)))
    tab.page.goto(url)
    return tab.over() if watch else tab
