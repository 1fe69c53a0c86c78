// Waypoints as a table, for those who type, and to add and remove them where the plan has room.

import { button, el } from "../page/dom";
import type { State } from "../page/state";
import { Path } from "./path";

const AXES = ["north", "east", "depth"];

export class Waypoints {
  readonly element: HTMLDetailsElement;
  private readonly body: HTMLElement;
  private readonly foot: HTMLElement;
  private readonly path: Path;

  constructor(state: State) {
    this.path = new Path(state);
    this.body = el("tbody", {});
    this.foot = el("p", { class: "note" });
    const head = [
      el("th", { scope: "col" }, "No."),
      ...AXES.map((axis) => el("th", { scope: "col" }, `${axis}, m`)),
      el("th", { scope: "col" }, el("span", { class: "hidden" }, "Remove")),
    ];
    this.element = el(
      "details",
      { class: "waypoints" },
      el("summary", {}, "Waypoints"),
      el("table", {}, el("thead", {}, el("tr", {}, ...head)), this.body),
      this.foot,
    );
    state.on(["changes", "model"], () => this.show());
    this.show();
  }

  private show(): void {
    const { path } = this;
    this.element.hidden = path.number < 0;
    if (path.number < 0) return;
    const { values, count, least, room } = path;
    if (this.body.childElementCount !== count) {
      this.body.replaceChildren(...Array.from({ length: count }, (_, i) => this.row(i)));
    }
    this.body.querySelectorAll("input").forEach((field, i) => {
      if (document.activeElement !== field) field.value = String(values[i]);
    });
    this.body.querySelectorAll("button").forEach((one) => (one.disabled = count <= least));
    this.foot.replaceChildren(
      count < room ? button("Add a waypoint", () => path.add()) : "",
      ` room for ${room - count} more`,
    );
  }

  private row(i: number): HTMLTableRowElement {
    const { path } = this;
    const field = (axis: number): HTMLElement =>
      el("input", {
        type: "number", step: "any", "aria-label": `Waypoint ${i + 1}, ${AXES[axis]}, m`,
        onchange: (event: never) => {
          const { target } = event as { target: HTMLInputElement };
          if (target.value.trim() === "") target.value = String(path.values[3 * i + axis]);
          else path.put(3 * i + axis, Number(target.value));
        },
      });
    const remove = button("×", () => path.remove(i), { class: "quiet", "aria-label": `Remove waypoint ${i + 1} of ${path.parameter!.path}` });
    return el("tr", {}, el("th", { scope: "row" }, String(i + 1)), ...AXES.map((_, axis) => el("td", {}, field(axis))), el("td", {}, remove));
  }
}
