"""How the report looks."""

STYLE = """
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #1e293b; font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; }
main { max-width: 1200px; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.7rem; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid #e2e8f0; padding-bottom: .2rem; }
.question { max-width: 75ch; color: #334155; }
.wide { overflow-x: auto; margin: .5rem 0; }
table { border-collapse: collapse; margin: .4rem 0 1rem; font-size: .88rem; }
th { text-align: left; color: #334155; border-bottom: 2px solid #cbd5e1; padding: .25rem .8rem .25rem 0; }
td { vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #f1f5f9;
     font-variant-numeric: tabular-nums; white-space: pre-line; }
tr.first td { border-top: 1px solid #cbd5e1; }
small { color: #64748b; }
.bad { color: #b91c1c; }
figure { margin: 1.2rem 0 2rem; }
figure img { max-width: 100%; height: auto; }
figcaption { color: #475569; font-size: .9rem; }
details { margin: .3rem 0; }
summary { cursor: pointer; }
pre { background: #f8fafc; border: 1px solid #e2e8f0; padding: .8rem; overflow-x: auto; font-size: .82rem; }
.drawing svg { max-width: 100%; height: auto; }
@media print { details { display: block; } }
"""
"""Style sheet: no fonts and no images from anywhere."""
