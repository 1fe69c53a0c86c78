// The plan view: north up. It follows the run until a person moves it; waypoints are dragged where they can be.

import { Path } from "../controls/path";
import { button, eachFrame, el, fitted, freshId, whenTheme } from "../page/dom";
import type { State } from "../page/state";
import { brief } from "../run/format";
import { lineOf, radiusOf, waypointsOf, type Point } from "../run/way";
import { sizeOf } from "../views/hull";
import { Chart } from "./chart";
import { Bounds, Place, type View } from "./place";
import { fromLine, nearestTrack, tracksOf, type Track } from "./tracks";

const GRAB = 14; // pixels from a waypoint at which it is taken hold of
const NEAR_LEG = 20; // pixels from a leg at which a double click puts a waypoint on it
const NEAR_TRACK = 16; // pixels from the track at which a click moves the cursor, and half of that for other tracks
const STRIDES = 500; // points of a track that are looked at for its extent

type Hold = { waypoint: number } | { from: [number, number]; view: View; moved: boolean };

export class MapView {
  readonly element: HTMLElement;
  /** Tracks of others: the members of a study. */
  others: Track[] = [];
  private readonly canvas: HTMLCanvasElement;
  private readonly note: HTMLElement;
  private readonly place = new Place();
  private readonly path: Path;
  private moved = false; // whether a person moved the view
  private hold: Hold | null = null;
  private readonly pointers = new Map<number, [number, number]>();
  private readonly draw: () => void;

  constructor(private readonly state: State) {
    this.path = new Path(state);
    this.note = el("p", { class: "note", id: freshId("map-note") });
    this.canvas = el("canvas", {
      class: "map",
      tabindex: 0,
      role: "img",
      "aria-label": "Plan view: the path over ground, north up. Keys: arrows move it, plus and minus zoom, 0 shows all.",
      "aria-describedby": this.note.id,
    });
    const tools = [
      button("+", () => this.zoom(1.4), { "aria-label": "Zoom in on the plan view" }),
      button("−", () => this.zoom(1 / 1.4), { "aria-label": "Zoom out of the plan view" }),
      button("All", () => this.showAll(), { "aria-label": "Show all of the plan view" }),
    ];
    this.element = el(
      "section",
      { class: "panel map-panel", "aria-label": "Plan view" },
      el("header", {}, el("h2", {}, "Plan view"), el("div", { class: "tools" }, ...tools)),
      this.canvas,
      this.note,
    );
    this.draw = eachFrame(() => this.paint());
    state.on(["run", "time", "kept", "changes", "view", "model"], this.draw);
    state.on("model", () => this.showAll());
    new ResizeObserver(this.draw).observe(this.canvas);
    whenTheme(this.draw);
    this.listen();
  }

  showAll(): void {
    this.moved = false;
    this.draw();
  }

  redraw(): void {
    this.draw();
  }

  // --- what is seen --------------------------------------------------------------------------------------------------

  private waypoints(): Point[] {
    const { run } = this.state;
    const planned = run.model.planned;
    return planned ? waypointsOf(run, planned) : [];
  }

  private fit(): void {
    const bounds = new Bounds();
    const { run, kept, before } = this.state;
    const planned = run.model.planned;
    for (const [north, east] of planned ? lineOf(run, planned) : []) bounds.see(north, east);
    for (const one of [run, ...kept.map((item) => item.run), ...(before ? [before] : [])]) {
      for (const { north, east } of tracksOf(one)) {
        const stride = Math.max(1, Math.floor(north.length / STRIDES));
        for (let i = 0; i < north.length; i += stride) bounds.see(north[i], east[i]);
        if (north.length) bounds.see(north[north.length - 1], east[east.length - 1]);
      }
    }
    for (const { low, high } of this.others) for (const [north, east] of [low, high]) bounds.see(north, east);
    if (!Number.isFinite(bounds.low[0])) bounds.see(0, 0);
    const radius = planned ? radiusOf(run, planned) : 0;
    this.place.fit(bounds, Math.max(0.08 * bounds.size, 1.3 * radius, 0.6 * sizeOf(run.model.vessels[0]).length));
  }

  private paint(): void {
    const { context, width, height } = fitted(this.canvas);
    this.place.resize(width, height);
    if (!this.moved && !this.hold) this.fit();
    const held = this.hold && "waypoint" in this.hold ? this.hold.waypoint : -1;
    this.say(new Chart(context, this.place, this.state).paint(width, height, this.others, held));
  }

  private say(enlarged: number): void {
    const { run } = this.state;
    const parts: string[] = [];
    const craft = run.model.vessels[0];
    const eta = craft ? run.at(this.state.row, `${craft.name}.eta`) : null;
    if (eta) parts.push(`north ${brief(eta[0], 3)} m, east ${brief(eta[1], 3)} m, depth ${brief(eta[2], 3)} m`);
    if (craft && !sizeOf(craft).known) parts.push("craft not to scale");
    else if (enlarged > 1.05) parts.push(`craft drawn ${brief(enlarged, 2)} times its size`);
    if (this.path.number >= 0) parts.push("drag a waypoint");
    const text = parts.join(" · ");
    if (this.note.textContent !== text) this.note.textContent = text;
  }

  // --- pointer and keys ----------------------------------------------------------------------------------------------

  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"] as const) canvas.addEventListener(name, (event) => this.release(event));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.0015), [event.offsetX, event.offsetY]);
    }, { passive: false });
    canvas.addEventListener("dblclick", (event) => this.insert(event));
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  private nearest(x: number, y: number): number {
    if (this.path.number < 0) return -1;
    let [best, least] = [-1, GRAB];
    this.waypoints().forEach(([north, east], i) => {
      const [px, py] = this.place.toPixels(north, east);
      const away = Math.hypot(px - x, py - y);
      if (away < least) [best, least] = [i, away];
    });
    return best;
  }

  private press(event: PointerEvent): void {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    const waypoint = this.nearest(event.offsetX, event.offsetY);
    this.hold = waypoint >= 0 ? { waypoint } : { from: [event.offsetX, event.offsetY], view: this.place.view, moved: false };
    this.draw();
  }

  private drag(event: PointerEvent): void {
    const here: [number, number] = [event.offsetX, event.offsetY];
    const before = this.pointers.get(event.pointerId);
    if (!this.hold || !before) {
      this.canvas.style.cursor = this.nearest(...here) >= 0 ? "grab" : this.otherAt(...here) ? "pointer" : "";
      return;
    }
    this.pointers.set(event.pointerId, here);
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const apart = (at: [number, number]): number => Math.hypot(at[0] - other[0], at[1] - other[1]);
      this.zoom(apart(here) / Math.max(apart(before), 1), other);
    } else if ("waypoint" in this.hold) {
      // rounded to what one pixel is worth, so that what is copied can be read
      const digits = Math.max(0, Math.min(6, Math.ceil(Math.log10(this.place.view.scale))));
      this.path.move(this.hold.waypoint, ...this.place.toMetres(...here), digits);
    } else {
      const { from, view, moved } = this.hold;
      if (!moved && Math.hypot(here[0] - from[0], here[1] - from[1]) < 4) return;
      this.hold.moved = this.moved = true;
      this.place.pan(view, here[0] - from[0], here[1] - from[1]);
      this.draw();
    }
  }

  private release(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    if (this.hold && "from" in this.hold && !this.hold.moved && event.type === "pointerup") {
      this.goTo(event.offsetX, event.offsetY);
    }
    if (!this.pointers.size) this.hold = null;
    this.draw();
  }

  /** A new waypoint on the leg that is nearest, where there is room for one. */
  private insert(event: MouseEvent): void {
    const [north, east] = this.place.toMetres(event.offsetX, event.offsetY);
    const { values } = this.path;
    let [best, least] = [-1, NEAR_LEG / this.place.view.scale];
    for (let i = 0; 3 * i + 5 < values.length; i++) {
      const away = fromLine(north, east, values.slice(3 * i, 3 * i + 2), values.slice(3 * i + 3, 3 * i + 5));
      if (away < least) [best, least] = [i, away];
    }
    if (best >= 0) this.path.insert(best, north, east);
  }

  /** Choose the track of another, or put the cursor to the time when the craft was nearest to this place. */
  private goTo(x: number, y: number): void {
    let [when, least] = [-1, NEAR_TRACK];
    const { run } = this.state;
    for (const { north, east } of tracksOf(run)) {
      for (let i = 0; i < north.length; i++) {
        const [px, py] = this.place.toPixels(north[i], east[i]);
        const away = Math.hypot(px - x, py - y);
        if (away < least) [when, least] = [run.times[i], away];
      }
    }
    const other = this.otherAt(x, y, least);
    if (other) other.press?.();
    else if (when >= 0) this.state.moveTo(when);
  }

  private otherAt(x: number, y: number, nearer = Infinity): Track | null {
    return nearestTrack(this.others, ...this.place.toMetres(x, y), Math.min(NEAR_TRACK / 2, nearer) / this.place.view.scale);
  }

  private zoom(by: number, about: [number, number] = this.place.middle): void {
    this.moved = true;
    this.place.zoom(by, about);
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = {
      ArrowUp: [0, 40], ArrowDown: [0, -40], ArrowLeft: [40, 0], ArrowRight: [-40, 0],
    };
    const step = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) {
      this.moved = true;
      this.place.pan(this.place.view, ...step);
      this.draw();
    } else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.showAll();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
