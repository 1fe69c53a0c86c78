// A study: its table, sortable, the tracks of its members, and each member's run again on a click.

import type { Study } from "../page/data";
import { el } from "../page/dom";
import type { State } from "../page/state";
import type { MapView } from "../views/map";

export class StudyView {
  readonly element: HTMLElement;

  constructor(
    private readonly state: State,
    private readonly study: Study,
    map: MapView,
  ) {
    void map;
    this.element = el("section", { class: "panel study-panel", "aria-label": "Study" });
  }

  choose(number: number, run: boolean): void {
    const member = this.study.members.find((one) => one.number === number);
    if (member && run) this.state.show(member.model, { number, writes: member.writes });
  }
}
