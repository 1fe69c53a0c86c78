"""Configuration of Sphinx: `make docs` builds the pages from here, docstrings and the blocks' declarations."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import docstrings  # noqa: E402
import reference  # noqa: E402

project = "Keelblocks"
author = "The Keelblocks authors"
project_copyright = author
release = version = importlib.metadata.version("keelblocks")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
exclude_patterns = ["README.md"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
highlight_language = "text"
python_maximum_signature_line_length = 100

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = f"Keelblocks {version}"
html_static_path = ["static"]
html_css_files = ["keelblocks.css"]
html_copy_source = False
html_show_sphinx = False


INDENT = {"module": 0, "class": 4, "exception": 4, "function": 4}
"""By how much docstrings are indented; those of methods and attributes by 8."""


def _plain_docstring(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    lines[:] = docstrings.to_rst("\n".join(lines), INDENT.get(what, 8))


def setup(app: Any) -> None:
    """Write the block reference before anything is read, and read docstrings as this repository writes them."""
    reference.write(HERE / "reference")
    app.connect("autodoc-process-docstring", _plain_docstring)
