// Waypoints as a table, for those who type, and to add and remove them where the plan has room.

import { button, el } from "../page/dom";
import type { Parameter } from "../page/data";
import type { State } from "../page/state";
import { given } from "../run/changes";

const AXES = ["north", "east", "depth"];

export class Waypoints {
  readonly element: HTMLDetailsElement;
  private readonly body: HTMLElement;
  private readonly foot: HTMLElement;

  constructor(private readonly state: State) {
    this.body = el("tbody", {});
    this.foot = el("p", { class: "note" });
    this.element = el(
      "details",
      { class: "waypoints" },
      el("summary", {}, "Waypoints"),
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "No."), ...AXES.map((axis) => el("th", { scope: "col" }, `${axis}, m`)), el("th", { scope: "col" }, el("span", { class: "hidden" }, "Remove")))),
        this.body,
      ),
      this.foot,
    );
    state.on(["changes", "model"], () => this.show());
    this.show();
  }

  private get number(): number {
    const { model } = this.state;
    return model.planned && !model.planned.curved ? model.parameters.findIndex((one) => one.path === model.planned!.waypoints) : -1;
  }

  private show(): void {
    const { number, state } = this;
    this.element.hidden = number < 0;
    if (number < 0) return;
    const parameter = state.model.parameters[number];
    const values = state.changes.get(number) ?? given(parameter);
    const count = values.length / 3;
    if (this.body.childElementCount !== count) {
      this.body.replaceChildren(...Array.from({ length: count }, (_, i) => this.row(parameter, i)));
    }
    this.body.querySelectorAll("input").forEach((field, i) => {
      if (document.activeElement !== field) field.value = String(values[i]);
    });
    const { room, least } = parameter.rows ?? { room: count, least: count };
    this.body.querySelectorAll("button").forEach((one) => (one.disabled = count <= least));
    this.foot.replaceChildren(
      count < room ? button("Add a waypoint", () => this.add()) : "",
      ` room for ${room - count} more`,
    );
  }

  private row(parameter: Parameter, i: number): HTMLTableRowElement {
    const field = (axis: number): HTMLElement =>
      el("input", {
        type: "number", step: "any", "aria-label": `Waypoint ${i + 1}, ${AXES[axis]}, m`,
        onchange: (event: never) => this.put(3 * i + axis, Number((event as { target: HTMLInputElement }).target.value)),
      });
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, String(i + 1)),
      ...AXES.map((_, axis) => el("td", {}, field(axis))),
      el("td", {}, button("×", () => this.remove(i), { class: "quiet", "aria-label": `Remove waypoint ${i + 1} of ${parameter.path}` })),
    );
  }

  private values(): number[] {
    return [...(this.state.changes.get(this.number) ?? given(this.state.model.parameters[this.number]))];
  }

  private put(at: number, value: number): void {
    const values = this.values();
    if (Number.isFinite(value)) values[at] = value;
    this.give(values);
  }

  private add(): void {
    const values = this.values();
    const [n0, e0, , n1, e1, d1] = values.slice(-6);
    const length = Math.hypot(n1 - n0, e1 - e0) || 1;
    const far = Math.min(length, 20) / length;
    this.give([...values, n1 + (n1 - n0) * far, e1 + (e1 - e0) * far, d1]);
  }

  private remove(i: number): void {
    const values = this.values();
    values.splice(3 * i, 3);
    this.give(values);
  }

  /** Two in a row that coincide are no leg: the engine is not asked for that. */
  private give(values: number[]): void {
    for (let i = 3; i < values.length; i += 3) {
      if ([0, 1, 2].every((axis) => values[i + axis] === values[i - 3 + axis])) {
        this.state.fail(`waypoints ${i / 3} and ${i / 3 + 1} coincide: move one of them`);
        return;
      }
    }
    this.state.set(this.number, values);
  }
}
