// A study: its table, the tracks of its members on the map, and each member's run again on a click.

import type { Study } from "../page/data";
import { el, whenTheme } from "../page/dom";
import type { State } from "../page/state";
import type { MapView } from "../map/map";
import { track, type Track } from "../map/tracks";
import { coloursOf, type Colours } from "./colours";
import { nameOf } from "./names";
import { Table } from "./table";

export class StudyView {
  readonly element: HTMLElement;
  private readonly table: Table;
  private readonly colours: Colours;
  private readonly legend = el("p", { class: "levels" });
  private readonly shown = el("p", { class: "note", role: "status" });
  private readonly tracks = new Map<number, Track>();
  private marked = -1;

  constructor(
    private readonly state: State,
    private readonly study: Study,
    private readonly map: MapView,
  ) {
    this.colours = coloursOf(study);
    for (const { number, track: coded } of study.members) {
      if (coded) this.tracks.set(number, track(decoded(coded), () => this.choose(number, true)));
    }
    this.table = new Table(study, this.colours, (number) => this.choose(number, true), () => this.draw());
    this.element = el(
      "section",
      { class: "panel study-panel", "aria-label": "Members" },
      el("header", {}, el("h2", {}, "Members"), this.legend, this.table.tools),
      this.table.element,
      this.shown,
    );
    this.colour();
    state.on("changes", () => this.follow());
    whenTheme(() => {
      this.colour();
      this.table.redraw();
      this.draw();
    });
  }

  /** The member that a page begins with where its address names none: the first that ran well. */
  get first(): number {
    const { members } = this.study;
    return (members.find(({ status }) => status === "end" || status === "stopped") ?? members[0]).number;
  }

  /** Show a member; false if there is none of this number. `run`: a person wants it, and not the address. */
  choose(number: number, run: boolean): boolean {
    if (!this.state.choose(number)) return false;
    if (run && this.state.playing) this.state.moveTo(this.state.model.start);
    return true;
  }

  private follow(): void {
    const number = this.state.member?.number ?? -1;
    if (number === this.marked) return;
    this.marked = number;
    this.table.mark(number);
    this.draw();
    const member = this.study.members.find((one) => one.number === number);
    if (!member) return;
    const failed = member.status === "failed" ? `; it failed: ${member.reason}` : "";
    this.shown.textContent = [`Shown: ${nameOf(this.study, member)}${failed}.`, this.study.note].filter(Boolean).join(" ");
  }

  /** The tracks of the members that the table shows, that of the chosen one last, and strong. */
  private draw(): void {
    if (!this.tracks.size || !this.table) return;
    const found: Track[] = [];
    let own: Track | null = null;
    for (const member of this.table.rows) {
      const one = this.tracks.get(member.number);
      if (!one) continue;
      const strong = member.number === this.marked;
      const drawn = { ...one, colour: this.colours.of(member), strong };
      if (strong) own = drawn;
      else found.push(drawn);
    }
    this.map.others = own ? [...found, own] : found;
    this.map.redraw();
  }

  private colour(): void {
    const { factor, levels } = this.colours;
    this.legend.replaceChildren(
      el("span", { class: "unit" }, `${factor}:`),
      ...levels.map(({ label, colour }) => {
        const swatch = el("i", { class: "swatch" });
        swatch.style.background = colour();
        return el("span", {}, swatch, label);
      }),
    );
  }
}

/** North and east in m, of differences in centimetres. */
function decoded(coded: number[]): [number, number][] {
  const points: [number, number][] = [];
  let [north, east] = [0, 0];
  for (let i = 0; i + 1 < coded.length; i += 2) {
    north += coded[i];
    east += coded[i + 1];
    points.push([north / 100, east / 100]);
  }
  return points;
}
