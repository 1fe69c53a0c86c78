"""One HTML file of data, scripts and styles, which fetches nothing and runs nothing but what it was made of.

The file has a strict Content-Security-Policy: scripts and styles run by their hashes, WebAssembly may be compiled, a
worker may come from the page itself, and nothing may be loaded from anywhere. What scenarios say is data: it stands in
blocks of JSON, and the page shows it as text.

Source: W3C, Content Security Policy Level 3, and Trusted Types.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from blocks.drawing.theme import FONT
from studio.assets import asset


def document(data: Mapping[str, Any], engine: str, pictures: Iterable[tuple[str, str]] = ()) -> str:
    """The file. data: what the page is of; engine: the packed module of WebAssembly; pictures: SVG by name."""
    page, worker, attitude, style = (asset(name) for name in ("page.js", "worker.js", "attitude.js", "page.css"))
    drawn = list(pictures)
    style = style.replace("$FONT", FONT)
    styles = [style, *dict.fromkeys(re.findall(r"<style>(.*?)</style>", "".join(svg for _, svg in drawn), re.DOTALL))]
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hashes((page, attitude))} 'wasm-unsafe-eval'",
            f"style-src {_hashes(styles)}",
            "worker-src blob:",
            "img-src blob: data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types keelblocks",
        )
    )
    title, described = html.escape(str(data["title"])), html.escape(str(data["description"]))
    licences = html.escape(asset("licences.txt").replace("--", "- -"), quote=False)
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f'<meta name="generator" content="keelblocks {html.escape(str(data["version"]))}">',
            f'<meta name="description" content="{described}">',
            f"<title>{title}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            f'<main id="page"><h1>{title}</h1><p id="waiting">{described}</p>'
            "<noscript><p>This page simulates, which takes JavaScript.</p></noscript></main>",
            *(f'<template data-picture="{html.escape(name)}">{svg}</template>' for name, svg in drawn),
            f'<script type="application/json" id="data">{_json(data)}</script>',
            f'<script type="text/plain" id="engine">{engine}</script>',
            f'<script type="text/plain" id="worker">{_inert(worker)}</script>',
            f'<script type="text/plain" id="attitude">{_inert(attitude)}</script>',
            f"<!--\n{licences}\n-->",
            f"<script>{page}</script>",
            "</body>",
            "</html>",
            "",
        )
    )


def _json(data: Mapping[str, Any]) -> str:
    """JSON that stands in HTML: no text in it ends the block that it is in, whoever wrote the text."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _inert(script: str) -> str:
    """A script as it stands, for the page to read; the build sees to it that none can end its block."""
    assert "</script" not in script.lower()
    assert "<!--" not in script
    return script


def _hashes(texts: Iterable[str]) -> str:
    return " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'" for text in texts
    )
