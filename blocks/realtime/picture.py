"""Showing a figure that changes: in the cell of a notebook, in a window, or nowhere."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, cast

from blocks.realtime.cadence import Cadence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PERIOD = 0.2
"""Real time between two pictures at least, s."""


def picture_of(figure: Figure) -> Picture:
    """The figure where a person sees it."""
    if "ipykernel" in sys.modules:
        return Cell(figure)
    return Window(figure) if windowed(figure) else Picture(figure)


def windowed(figure: Figure) -> bool:
    """Whether the figure has a window of its own."""
    return getattr(figure.canvas, "required_interactive_framework", None) is not None


class Picture:
    """A figure that nobody sees: it is drawn when it is asked for."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure

    def update(self, change: Callable[[], None]) -> None:
        """Show the figure after `change`, if it is time."""

    def finish(self, change: Callable[[], None]) -> None:
        """Show the figure after `change` in any case."""
        change()
        self.figure.canvas.draw()


class Window(Picture):
    """A figure in a window of matplotlib's, which only the thread of the run may draw."""

    def __init__(self, figure: Figure) -> None:
        super().__init__(figure)
        self._canvas = cast(Any, figure.canvas)
        self._cadence = Cadence(_PERIOD)
        self._canvas.manager.show()

    def update(self, change: Callable[[], None]) -> None:
        """Draw, and let the window hear its user."""
        self._cadence.draw(lambda: self.finish(change))

    def finish(self, change: Callable[[], None]) -> None:
        """Draw now, unless the window has been closed."""
        import matplotlib.pyplot as plt

        change()
        if plt.fignum_exists(self._canvas.manager.num):
            self._canvas.draw_idle()
            self._canvas.flush_events()


class Cell(Picture):
    """A figure in the cell of a notebook, as an image that is rendered in a thread beside the run."""

    def __init__(self, figure: Figure) -> None:
        from IPython.display import Image, display

        super().__init__(figure)
        self._image = Image
        self._cadence = Cadence(_PERIOD)
        self._threads = ThreadPoolExecutor(1, "keelblocks-plot")
        self._rendering: Future[bytes] | None = None
        self._handle = display(Image(self._png()), display_id=True)

    def update(self, change: Callable[[], None]) -> None:
        """Show what has been rendered, and render the next picture."""
        if self._rendering is not None and self._rendering.done():
            self._show()
        if self._rendering is None:
            self._cadence.draw(lambda: self._render(change))

    def finish(self, change: Callable[[], None]) -> None:
        """Render now, and wait for it."""
        if self._rendering is not None:
            self._rendering.result()
        self._render(change)
        self._show()

    def _render(self, change: Callable[[], None]) -> None:
        change()
        self._rendering = self._threads.submit(self._png)

    def _show(self) -> None:
        assert self._rendering is not None
        picture, self._rendering = self._rendering.result(), None
        self._handle.update(self._image(picture))

    def _png(self) -> bytes:
        """The picture; the cadence learns what it costs."""
        began = time.monotonic()
        file = io.BytesIO()
        self.figure.savefig(file, format="png")
        self._cadence.cost(time.monotonic() - began)
        return file.getvalue()
