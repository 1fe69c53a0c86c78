// The page: its parts put together, and what is in its address brought back.

import { Controls } from "../controls/sliders";
import { named } from "../run/changes";
import { StudyView } from "../study/study";
import { AttitudePanel } from "../views/attitude";
import { DiagramView } from "../views/diagram";
import { MapView } from "../map/map";
import { Plots } from "../views/plots";
import { Runs } from "../views/runs";
import { Timeline } from "../views/timeline";
import { memberOf, read, restore, write } from "./address";
import { readData, type Data } from "./data";
import { button, el } from "./dom";
import { offer } from "./face";
import { facts } from "./facts";
import { State } from "./state";
import { changedText, command } from "./yaml";

class Page {
  private readonly state: State;
  private readonly plots: Plots;
  private readonly timeline: Timeline;
  private readonly diagram: DiagramView;
  private readonly controls: Controls;
  private readonly study: StudyView | null;
  private readonly said = el("p", { class: "said", role: "status" });
  private firstPlots: string[] = [];
  private restoring = true;

  constructor(private readonly data: Data) {
    const state = (this.state = new State(data));
    offer(state);
    const map = new MapView(state);
    this.plots = new Plots(state);
    this.timeline = new Timeline(state);
    this.diagram = new DiagramView(state);
    this.controls = new Controls(state);
    this.study = data.study ? new StudyView(state, data.study, map) : null;
    const hasMap = data.models.some((model) => model.vessels.length > 0);
    map.element.hidden = !hasMap;
    const main = document.getElementById("page")!;
    main.classList.toggle("without-map", !hasMap);
    main.replaceChildren(
      this.header(),
      ...(this.study ? [this.study.element] : []),
      el("div", { class: "stage" }, this.controls.element, map.element, this.plots.element),
      this.timeline.element,
      el("div", { class: "below" }, new Runs(state).element, new AttitudePanel(state).element),
      this.diagram.element,
      facts(state),
    );
  }

  async begin(): Promise<void> {
    const { state, study } = this;
    if (study && !study.choose(memberOf(location.hash) ?? study.first, false)) study.choose(study.first, false);
    const address = read(location.hash, state);
    this.plots.begin([]);
    this.firstPlots = this.plots.keys;
    if (address.plots.length) this.plots.begin(address.plots);
    state.shown.zoom = address.zoom;
    this.diagram.open(address.open);
    for (const { parameter, element } of address.sliders) this.controls.add(parameter, element);
    if (address.changes.size && !address.kept.length) state.changes = address.changes;
    await state.start();
    state.tell("changes");
    if (address.kept.length) await restore(state, address);
    if (address.time !== null) {
      if (!state.run.over) await state.whenOver();
      state.moveTo(address.time);
    }
    if (address.unread.length) this.say(`of this link was not understood: ${address.unread.join(", ")}`);
    this.restoring = false;
    this.remember();
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.follow());
  }

  private header(): HTMLElement {
    const { data } = this;
    return el(
      "header",
      { class: "top" },
      el("div", { class: "titles" }, el("h1", {}, data.title), data.description ? el("p", { class: "lead" }, data.description) : null),
      el(
        "div",
        { class: "actions" },
        button("Copy link", () => void this.copy(this.link(), "The link is copied")),
        data.text
          ? button("Copy YAML", () => void this.copy(changedText(data, this.state.model, this.state.changes)!, "The changed scenario is copied"))
          : null,
        button("Copy command", () => void this.copy(command(data, this.state.model, this.state.changes), "The command that runs this is copied")),
        this.said,
      ),
    );
  }

  private link(): string {
    const fragment = write(this.state, this.plots.keys, this.firstPlots);
    return location.href.replace(/#.*$/, "") + (fragment ? `#${fragment}` : "");
  }

  private async copy(text: string, done: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say(done);
    } catch {
      // where the browser lets no page write to the clipboard, a person can
      const field = el("textarea", { readonly: true, rows: 6, "aria-label": "Text to copy" }, text);
      this.said.replaceChildren("Copy this: ", field);
      field.focus();
      field.select();
    }
  }

  private say(text: string): void {
    this.said.textContent = text;
  }

  /** Put what is shown into the address, some time after it has come to rest. */
  private remember(): void {
    const { state } = this;
    let later = 0;
    const put = (): void => {
      later = 0;
      if (!this.restoring) history.replaceState(null, "", this.link());
    };
    const soon = (): void => {
      later ||= window.setTimeout(put, 300);
    };
    state.on(["changes", "kept", "view", "time", "sliders", "model"], soon);
    const title = this.data.title;
    const entitle = (): string => (document.title = state.changes.size || state.member ? `${named(state.model, state.changes)} – ${title}` : title);
    state.on("changes", entitle);
    entitle();
  }

  /** Another address was given: show what it says. */
  private follow(): void {
    if (this.link() !== location.href) location.reload();
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const slides = target.matches("input[type=range]") && !/^(Home|End)$/.test(event.key); // no letters are typed there
    const takes = /^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY)$/.test(target.tagName) || target.getAttribute("role") === "button";
    if (event.ctrlKey || event.metaKey || event.altKey || (takes && !slides)) return;
    const does: Record<string, () => void> = {
      " ": () => this.timeline.toggle(),
      "[": () => this.timeline.event(-1),
      "]": () => this.timeline.event(1),
      ",": () => this.timeline.step(-1),
      ".": () => this.timeline.step(1),
      Home: () => this.state.moveTo(this.state.model.start),
      End: () => this.state.moveTo(this.state.run.last),
      k: () => this.state.keep(),
    };
    const act = does[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

try {
  const page = new Page(readData());
  void page.begin().catch(broken);
} catch (problem) {
  broken(problem);
}

function broken(problem: unknown): void {
  const text = problem instanceof Error ? problem.message : String(problem);
  document.getElementById("page")!.prepend(el("p", { class: "trouble", role: "alert" }, `This page cannot be shown: ${text}`));
}
