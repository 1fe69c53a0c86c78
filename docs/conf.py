"""Configuration of Sphinx: `make docs` builds the pages from here, docstrings and the blocks' declarations."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import docstrings  # noqa: E402
import example_pages  # noqa: E402
import reference  # noqa: E402
from docutils import nodes  # noqa: E402
from sphinx.util import logging  # noqa: E402

project = "Keelblocks"
author = "The Keelblocks authors"
project_copyright = author
release = version = importlib.metadata.version("keelblocks")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
exclude_patterns = ["README.md"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
myst_url_schemes = ["http", "https", "mailto", "page"]
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


def _write_pages(app: Any, config: Any) -> None:
    """Write the pages of the examples beside the documentation; what cannot be one here is named in a line."""
    missing = example_pages.make(Path(app.outdir) / "pages")
    for why in dict.fromkeys(missing.values()):
        without = [name for name in missing if missing[name] == why]
        named = f"{len(without)} examples" if len(without) > 3 else ", ".join(without)
        print(f"no pages here of {named}: {why}")
    config.example_pages = sorted(example_pages.PAGES.keys() - missing.keys())


def _lead_to_pages(app: Any, doctree: Any, name: str) -> None:
    """Let links page:NAME lead to the page of an example, or to how it is made if there is none here."""
    for link in doctree.findall(nodes.reference):
        scheme, _, page = link.get("refuri", "").partition(":")
        if scheme != "page":
            continue
        if page not in example_pages.PAGES:
            logging.getLogger(__name__).warning("no page of an example is called '%s'", page, location=link)
        made = page in app.config.example_pages
        target = f"pages/{page}.html" if made else "sharing.html#the-examples-as-pages"
        link["refuri"] = "../" * name.count("/") + target
        link["internal"] = True


def _mathml(name: str, raw: str, text: str, *rest: Any, **options: Any) -> tuple[list[nodes.Node], list[Any]]:
    """The role of an equation within a sentence."""
    return [nodes.raw("", text, format="html")], []


def setup(app: Any) -> None:
    """Write what is made of the sources before anything is read, and read docstrings as this repository writes them."""
    reference.write(HERE / "reference")
    app.add_config_value("example_pages", [], "env")
    app.add_role("mathml", _mathml)
    app.connect("config-inited", _write_pages)
    app.connect("doctree-resolved", _lead_to_pages)
    app.connect("autodoc-process-docstring", _plain_docstring)
