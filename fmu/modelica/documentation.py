"""The documentation of a model in its package: what it is, what it was made with, what its blocks compute."""

from __future__ import annotations

from html import escape

from fmu.description.documentation import block_html, table, variable_row
from fmu.modelica.subject import Subject


def info_html(subject: Subject, picture: str) -> str:
    """The text of `Documentation(info=…)`. picture: the address of the drawing, or "" if there is none."""
    model = subject.model
    parts = [f"<p>{escape(model.description)}</p>" if model.description else ""]
    if picture:
        parts.append(f'<p><img src="{picture}" alt="{escape(model.name)}"></p>')
    parts.append(f"<p>{escape(_how(subject))}</p>")
    if subject.constants:
        parts.append("<h4>What it was made with</h4>")
        rows = [variable_row(v, sizes=False) for v in subject.constants]
        parts.append(table(("name", "unit", "value", "description"), rows))
    leaves = model.plan.flat.leaves
    parts.append("<h4>Blocks</h4>")
    parts.append(table(("name", "block"), [(leaf.name, type(leaf.block).type_name()) for leaf in leaves]))
    documented = {type(leaf.block).type_name(): type(leaf.block).__doc__ or "" for leaf in leaves}
    parts += [block_html(name, text, 5) for name, text in sorted(documented.items())]
    return "<html>\n" + "\n".join(part for part in parts if part) + "\n</html>"


def _how(subject: Subject) -> str:
    settings = subject.model.settings
    if subject.files:
        how = (
            f"It is an FMU for co-simulation, with which values are exchanged every {settings.step:g} s; inputs are "
            "held in between."
        )
    elif subject.by_tool:
        how = "Its states are integrated by the tool, together with all other equations."
    else:
        how = (
            f"It is a sampled system: {settings.solver} integrates it with a step of {settings.step:g} s; outputs are "
            "those of the last step, and inputs are held until the next one. It gives the numbers of a run in "
            "Keelblocks with these settings."
        )
    return f"{how} Values are in SI units and radians."
