"""A page asks nobody for anything, runs nothing but its own parts, and says so when a part of it is damaged."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

import pytest
from pages import expect

from blocks.scenario import Scenario
from studio.share import page_of

pytestmark = pytest.mark.slow

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "--><script>alert(1)</script><!--",
    "</style></title></textarea><svg onload=alert(1)>",
    "\u2028\u2029'\"`${alert(1)}\\",
    "{{constructor.constructor('alert(1)')()}}",
)


def policy_of(text: str) -> dict[str, str]:
    """The Content-Security-Policy of a page, by directive."""
    found = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
    assert len(found) == 1
    parts = (part.split(" ", 1) for part in found[0].split("; "))
    return {part[0]: part[-1] for part in parts}


def test_the_policy_lets_nothing_in(written):
    policy = policy_of(written("short").read_text(encoding="utf-8"))
    assert policy["default-src"] == "'none'"
    assert "unsafe-inline" not in str(policy)
    assert "'unsafe-eval'" not in str(policy)
    assert re.fullmatch(r"('sha256-[\w+/=]{44}' )+'wasm-unsafe-eval'", policy["script-src"])
    assert re.fullmatch(r"('sha256-[\w+/=]{44}' ?)+", policy["style-src"])
    assert policy["worker-src"] == "blob:"
    assert policy["base-uri"] == policy["form-action"] == "'none'"
    assert not {"connect-src", "frame-src", "object-src"} & set(policy)  # as default-src says
    assert policy["require-trusted-types-for"] == "'script'"


def test_no_request_leaves(opened):
    """With all that it can show, and on a network that would answer."""
    tab = opened(offline=False)
    tab.button("Show the attitude in 3-D").click()
    tab.button("Open plant").click()
    tab.give("plant.current.speed", "0.05")
    tab.button("Keep this run").click()
    tab.over()
    assert [url for url in tab.requests if not url.startswith(("blob:", "file:"))] == []
    assert len([url for url in tab.requests if url.startswith("file:")]) == 1


def test_nothing_else_is_run(opened):
    """What something should bring in while the page is open is refused by the browser."""
    tab = opened()
    refused = tab.page.evaluate(
        """async () => {
          const made = document.createElement("button");
          document.body.append(made);
          const errors = [];
          const attempt = async (name, does) => {
            try { await does(); errors.push(`${name} works`); } catch { errors.push(name); }
          };
          await new Promise((done) => setTimeout(done));  // a debugger itself may evaluate
          await attempt("eval", () => globalThis.eval("1"));
          await attempt("function", () => new Function("return 1")());
          await attempt("fetch", () => fetch("data:text/plain,1"));
          await attempt("handler", () => { made.setAttribute("onclick", "alert(1)"); made.click(); });
          await attempt("script", () => { document.createElement("script").text = "1"; });
          await attempt("html", () => { made.innerHTML = "<b>1</b>"; });
          await attempt("worker", () => new Worker("data:text/javascript,1"));
          made.remove();
          return errors;
        }"""
    )
    assert refused == ["eval", "function", "fetch", "handler", "script", "html", "worker"]
    assert tab.page.evaluate("globalThis.alerts") == 0
    tab.complaints.clear()


def test_what_is_written_into_the_file_does_not_run(opened, written, tmp_path):
    """Handlers, scripts, pictures and frames that somebody puts into a page: the policy does not know them."""
    text = written("short").read_text(encoding="utf-8")
    strange = (
        '<button id="strange" onclick="alert(1)">press</button><script>alert(1)</script>'
        '<img src="x.png" onerror="alert(1)"><iframe src="javascript:alert(1)"></iframe>'
        '<link rel="stylesheet" href="x.css"><script src="x.js"></script>'
    )
    (tmp_path / "x.js").write_text("alert(1)", encoding="utf-8")
    (tmp_path / "x.css").write_text("main { display: none }", encoding="utf-8")
    path = tmp_path / "strange.html"
    path.write_text(text.replace("<body>", f"<body>{strange}", 1), encoding="utf-8")
    tab = opened(path)
    tab.page.locator("#strange").click()
    tab.give("plant.current.speed", "0.05")
    expect(tab.names).to_have_text(["current.speed 0.05 m/s"])
    assert tab.page.evaluate("globalThis.alerts") == 0
    expect(tab.map).to_be_visible()
    assert any("Content Security Policy" in text for text in tab.complaints)
    tab.complaints.clear()


def test_what_a_scenario_says_is_text(opened, tmp_path, mission):
    scenario: Scenario = mission("short")
    text = " ".join(HOSTILE)
    scenario.title, scenario.description = f"a {text} b", f"c {text} d"
    scenario.diagram["plant"].title = text
    path = tmp_path / "hostile.html"
    path.write_bytes(page_of(scenario, with_yaml=True).encode())
    tab = opened(path)
    assert tab.page.locator("h1").text_content() == f"a {text} b"
    assert tab.page.locator("p.lead").text_content() == f"c {text} d"
    assert tab.page.title().split() == f"a {text} b".split()
    tab.give("plant.current.speed", "0.05")
    tab.button("Open plant").click()
    tab.over()
    expect(tab.page.locator(".drawing")).to_contain_text(HOSTILE[1])
    expect(tab.page.locator("img, [onerror], [onload], iframe")).to_have_count(0)
    scripts = tab.page.locator("script").evaluate_all("all => all.map((one) => one.type)")
    assert sorted(scripts) == ["", "application/json", *["text/plain"] * 3]
    assert Scenario.from_text(tab.copied("Copy YAML")).title == f"a {text} b"
    assert tab.page.evaluate("globalThis.alerts") == 0


@pytest.mark.parametrize("text", HOSTILE)
def test_such_a_text_ends_no_block_of_the_file(pages_can_be_made, mission, text):
    scenario: Scenario = mission("short")
    count = page_of(scenario, with_yaml=True).lower().count
    plain = {part: count(part) for part in ("<script", "</script", "<style", "<img", "<!--", "<svg")}
    scenario.title, scenario.description = text, text
    scenario.diagram["plant"].title = text
    scenario.comment = text.replace("\u2028", "").replace("\u2029", "")
    page = page_of(scenario, with_yaml=True).lower()
    assert {part: page.count(part) for part in plain} == plain


# --- damage -----------------------------------------------------------------------------------------------------------


def damaged(path: Path, target: Path, how: str) -> Path:
    """A page of which something was changed on the way."""
    text = path.read_text(encoding="utf-8")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    engine = re.search(r'<script type="text/plain" id="engine">(.*?)</script>', text, re.DOTALL)
    assert data
    assert engine
    plan = json.loads(data[1])["models"][0]["plan"]
    content = gzip.decompress(base64.b64decode(plan))

    def packed(stored: bytes) -> str:
        return base64.b64encode(gzip.compress(stored)).decode()

    changes = {
        "the plan cut off": (plan, plan[: len(plan) // 8 * 4]),
        "the plan empty": (plan, ""),
        "the plan's letters changed": (plan, plan[:200] + "AAAA" + plan[204:]),
        "the plan no letters": (plan, "\u00e4" * 40),
        "the stored plan cut off": (plan, packed(content[: len(content) // 2])),
        "the stored plan of another version": (plan, packed(content[:24] + b"\xff" + content[25:])),
        "the stored plan with another beginning": (plan, packed(b"\0" * 8 + content[8:])),
        "the engine cut off": (engine[1], engine[1][: len(engine[1]) // 8 * 4]),
        "the engine empty": (engine[1], ""),
        "the engine another module": (engine[1], packed(b"\0asm\1\0\0\0")),
        "the engine no module": (engine[1], packed(b"nothing of the kind")),
        "the engine missing": (engine[0], ""),
        "the worker missing": ('id="worker"', 'id="other"'),
        "the data missing": ('id="data"', 'id="other"'),
        "the data cut off": (data[1], data[1][: len(data[1]) // 2]),
        "the data of another version": ('"page":1', '"page":99'),
        "no model": (data[1], data[1].replace('"models":[', '"models":[],"old":[', 1)),
    }
    before, after = changes[how]
    assert before in text
    target.write_text(text.replace(before, after, 1), encoding="utf-8")
    return target


DAMAGES = (
    "the plan cut off", "the plan empty", "the plan's letters changed", "the plan no letters",
    "the stored plan cut off", "the stored plan of another version", "the stored plan with another beginning",
    "the engine cut off", "the engine empty", "the engine another module", "the engine no module",
    "the engine missing", "the worker missing", "the data missing", "the data cut off", "the data of another version",
    "no model",
)  # fmt: skip


@pytest.mark.parametrize("how", DAMAGES)
def test_damage_is_told_in_a_sentence(opened, written, tmp_path, how):
    tab = opened(damaged(written("short"), tmp_path / "damaged.html", how), watch=False)
    alert = tab.page.get_by_role("alert").filter(has_text=re.compile(r"\w+ \w+"))
    expect(alert.first).to_be_visible()
    said = alert.first.inner_text()
    assert "undefined" not in said
    assert "[object" not in said
    assert re.search(r"[Tt]his page|the page", said), said


def test_the_attitude_is_damaged(opened, written, tmp_path):
    """All the rest works."""
    text = written("short").read_text(encoding="utf-8")
    path = tmp_path / "damaged.html"
    path.write_text(text.replace('id="attitude">', 'id="attitude">;', 1), encoding="utf-8")
    tab = opened(path)
    tab.button("Show the attitude in 3-D").click()
    expect(tab.page.locator(".trouble")).to_have_text("the attitude cannot be shown: its part of the page is damaged")
    tab.give("plant.current.speed", "0.05")
    expect(tab.names).to_have_text(["current.speed 0.05 m/s"])
    assert all("Content Security Policy" in text for text in tab.complaints)
    tab.complaints.clear()
