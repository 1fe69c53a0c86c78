// The summary of the run, and of those that were kept beside it, each named by what was changed.

import { button, colour, eachFrame, el, runColour } from "../page/dom";
import { MOST_KEPT, type State } from "../page/state";
import { named } from "../run/changes";
import { reason } from "../run/run";
import { summary, type Item } from "../run/summary";

const EVERY = 250; // ms between two summaries of a run that goes on

export class Runs {
  readonly element: HTMLElement;
  private readonly table: HTMLTableElement;
  private readonly keep: HTMLButtonElement;
  private readonly trouble: HTMLElement;
  private last = 0;
  private later = 0;

  constructor(private readonly state: State) {
    this.table = el("table", { class: "runs" });
    this.trouble = el("p", { class: "trouble", role: "alert" });
    this.keep = button("Keep this run", () => state.keep(), { class: "keep" });
    this.element = el(
      "section",
      { class: "panel runs-panel", "aria-label": "Runs" },
      el("header", {}, el("h2", {}, "Summary"), el("div", { class: "tools" }, this.keep)),
      this.trouble,
      el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Summary of the runs" }, this.table),
    );
    const draw = eachFrame(() => this.refresh());
    state.on(["kept", "trouble", "model"], draw);
    state.on("run", () => {
      window.clearTimeout(this.later);
      const wait = state.run.over ? 0 : Math.max(0, EVERY - (performance.now() - this.last));
      if (wait) this.later = window.setTimeout(draw, wait);
      else draw();
    });
  }

  private refresh(): void {
    this.last = performance.now();
    const { state } = this;
    const runs = [{ run: state.run, mark: colour("actual"), kept: null as (typeof state.kept)[number] | null }];
    for (const kept of state.kept) if (kept.run !== state.run) runs.push({ run: kept.run, mark: runColour(kept.colour), kept });
    const items = runs.map(({ run }) => new Map(summary(run).map((item: Item) => [item.label, item.text])));
    const labels = merged(items.map((one) => [...one.keys()]));
    const head = runs.map(({ run, mark, kept }) => {
      const square = el("i", { class: "mark" });
      square.style.background = mark;
      const name = named(run.model, run.changes);
      return el("th", { scope: "col" }, square, name, kept ? button("×", () => state.drop(kept), { class: "quiet", "aria-label": `Forget the run ${name}` }) : null);
    });
    this.table.replaceChildren(
      el("thead", {}, el("tr", {}, el("td", {}), ...head)),
      el("tbody", {}, ...labels.map((label) => el("tr", {}, el("th", { scope: "row" }, label), ...items.map((one) => el("td", {}, one.get(label) ?? ""))))),
    );
    const has = state.kept.some((one) => one.run === state.run);
    this.keep.disabled = has || state.kept.length >= MOST_KEPT || !state.run.over || state.run.rows < 2;
    this.keep.textContent = state.kept.length >= MOST_KEPT ? `${MOST_KEPT} runs are kept` : "Keep this run";
    const words = state.trouble || reason(state.run);
    if (this.trouble.textContent !== words) this.trouble.textContent = words;
  }
}

/** All labels, each behind the one that it stands behind in its run. */
function merged(lists: string[][]): string[] {
  const found: string[] = [];
  for (const list of lists) {
    let at = 0;
    for (const label of list) {
      const there = found.indexOf(label);
      if (there < 0) found.splice(at, 0, label);
      at = (there < 0 ? at : there) + 1;
    }
  }
  return found;
}
