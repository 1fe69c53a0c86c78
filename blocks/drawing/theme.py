"""Colours, in light and dark.

The light colours are plain attributes, so that any program which opens SVG shows them; the dark ones are a style sheet
for viewers that know `prefers-color-scheme`.
"""

from __future__ import annotations

import functools

__all__ = ["FONT", "attributes", "colours", "family_class", "style_sheet"]

FONT = "Inter, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"

_FAMILIES = {  # kind: (accent in light, accent in dark)
    "guidance": ("#7c3aed", "#a78bfa"),
    "control": ("#db2777", "#f472b6"),
    "allocation": ("#c2410c", "#fb923c"),
    "thrust": ("#0e7490", "#22d3ee"),
    "dynamics": ("#1d4ed8", "#60a5fa"),
    "environment": ("#15803d", "#4ade80"),
    "power": ("#b45309", "#fbbf24"),
    "sensors": ("#4d7c0f", "#a3e635"),
    "navigation": ("#be123c", "#fb7185"),
}
_PLAIN = ("#475569", "#94a3b8")

_CLASSES: dict[str, tuple[dict[str, str], dict[str, str]]] = {  # class: (light, what differs in dark)
    "page": ({"fill": "#ffffff"}, {"fill": "#0d1420"}),
    "frame": ({"fill": "#f6f8fb", "stroke": "#c3cddb"}, {"fill": "#131c2b", "stroke": "#3b4a61"}),
    "frame-inner": ({"fill": "#eef2f7", "stroke": "#b8c4d4"}, {"fill": "#1a2536", "stroke": "#465670"}),
    "box": ({"fill": "#ffffff"}, {"fill": "#1c283a"}),
    "port": ({"fill": "#ffffff", "stroke": "#94a3b8"}, {"fill": "#1c283a", "stroke": "#64748b"}),
    "wire": ({"fill": "none", "stroke": "#334155"}, {"stroke": "#b6c2d3"}),
    "arrow": ({"fill": "#334155"}, {"fill": "#b6c2d3"}),
    "loose": ({"fill": "none", "stroke": "#94a3b8"}, {"stroke": "#64748b"}),
    "name": ({"fill": "#0f172a"}, {"fill": "#f1f5f9"}),
    "type": ({"fill": "#5b6b80"}, {"fill": "#9fb0c6"}),
    "label": ({"fill": "#3f4d60"}, {"fill": "#c3cedd"}),
    # Bluish green, vermilion and orange: told apart by people who see fewer colours (Okabe & Ito, 2008).
    "mark-added": ({"fill": "#009e73", "stroke": "#009e73"}, {}),
    "mark-removed": ({"fill": "#d55e00", "stroke": "#d55e00"}, {}),
    "mark-changed": ({"fill": "#e69f00", "stroke": "#e69f00"}, {}),
    "sign": ({"fill": "#ffffff"}, {}),
}


def family_class(kind: str) -> str:
    """The class of a block family's accent; families that are not known look like the basic blocks."""
    return f"family-{kind if kind in _FAMILIES else 'basic'}"


def colours(name: str) -> dict[str, str]:
    """The light colours of a class: its fill and its stroke."""
    if name.startswith("family-"):
        accent = _FAMILIES.get(name.removeprefix("family-"), _PLAIN)[0]
        return {"fill": accent, "stroke": accent}
    return dict(_CLASSES[name][0])


@functools.lru_cache(maxsize=512)
def attributes(name: str, **more: str | float) -> str:
    """The attributes of an element of the class: its name, its light colours, and `more` (underscore for hyphen)."""
    light = {part: colour for part, colour in colours(name).items() if part not in more}
    pairs = {"class": name, **light, **{key.replace("_", "-"): value for key, value in more.items()}}
    return " ".join(f'{key}="{value}"' for key, value in pairs.items())


def style_sheet(scope: str) -> str:
    """Dark colours and highlighting, for elements inside those of class `scope` only."""
    rules = []
    for name, (_, dark) in _CLASSES.items():
        if not dark:
            continue
        rules.append(f".{scope} .{name}{{{';'.join(f'{key}:{value}' for key, value in dark.items())}}}")
    for kind, (_, accent) in {**_FAMILIES, "basic": _PLAIN}.items():
        for part in ("fill", "stroke"):
            rules.append(f".{scope} .family-{kind}:not([{part}=none]){{{part}:{accent}}}")
    hover = f".{scope} .net:hover .wire{{stroke-width:2.6}}"
    return f"{hover}@media (prefers-color-scheme:dark){{{''.join(rules)}}}"
