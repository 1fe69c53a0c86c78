// The plan view: north up, legs, circles of acceptance, tracks, current, and the craft at its size and attitude.

import { button, colour, eachFrame, el, fitted, freshId, runColour, whenTheme } from "../page/dom";
import type { State } from "../page/state";
import { given } from "../run/changes";
import { brief } from "../run/format";
import { radiusOf, waypointsOf, type Point } from "../run/mission";
import type { Run } from "../run/run";
import { OUTLINE, rotation, sizeOf, turned } from "./hull";
import { roundStep, ticks, tickText } from "./ticks";

const LEAST_PIXELS = 18; // of a craft: shorter ones are drawn larger, and the map says so
const GRAB = 14; // pixels from a waypoint at which it is taken hold of
const MARGIN = { left: 46, right: 12, top: 10, bottom: 34 };

interface View {
  /** What is in the middle, m, and pixels per m. */
  north: number;
  east: number;
  scale: number;
}

export interface Track {
  points: [number, number][];
  colour: string;
  strong: boolean;
  press?: () => void;
}

export class MapView {
  readonly element: HTMLElement;
  /** Tracks of others: the members of a study. */
  others: Track[] = [];
  private readonly canvas: HTMLCanvasElement;
  private readonly note: HTMLElement;
  private view: View | null = null;
  private own = false; // whether a person moved the view
  private hold: { waypoint: number } | { from: [number, number]; view: View; moved: boolean } | null = null;
  private readonly pointers = new Map<number, [number, number]>();
  private readonly draw: () => void;

  constructor(private readonly state: State) {
    this.note = el("p", { class: "note", id: freshId("map-note") });
    this.canvas = el("canvas", {
      class: "map",
      tabindex: 0,
      role: "img",
      "aria-label": "Plan view: the path over ground, north up. Keys: arrows move it, plus and minus zoom, 0 shows all.",
      "aria-describedby": this.note.id,
    });
    this.element = el(
      "section",
      { class: "panel map-panel", "aria-label": "Plan view" },
      el(
        "header",
        {},
        el("h2", {}, "Plan view"),
        el(
          "div",
          { class: "tools" },
          button("+", () => this.zoom(1.4), { "aria-label": "Zoom in on the plan view" }),
          button("−", () => this.zoom(1 / 1.4), { "aria-label": "Zoom out of the plan view" }),
          button("All", () => this.showAll(), { "aria-label": "Show all of the plan view" }),
        ),
      ),
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
    this.own = false;
    this.draw();
  }

  redraw(): void {
    this.draw();
  }

  // --- from metres to pixels and back --------------------------------------------------------------------------------

  private place(): { width: number; height: number } {
    return {
      width: Math.max(this.canvas.clientWidth - MARGIN.left - MARGIN.right, 20),
      height: Math.max(this.canvas.clientHeight - MARGIN.top - MARGIN.bottom, 20),
    };
  }

  private toPixels(north: number, east: number): [number, number] {
    const { width, height } = this.place();
    const view = this.view!;
    return [
      MARGIN.left + width / 2 + (east - view.east) * view.scale,
      MARGIN.top + height / 2 - (north - view.north) * view.scale,
    ];
  }

  private toMetres(x: number, y: number): [number, number] {
    const { width, height } = this.place();
    const view = this.view!;
    return [
      view.north - (y - MARGIN.top - height / 2) / view.scale,
      view.east + (x - MARGIN.left - width / 2) / view.scale,
    ];
  }

  private waypoints(): Point[] {
    const { run } = this.state;
    const planned = run.model.planned;
    return planned ? waypointsOf(run, planned) : [];
  }

  private fit(): View {
    let [low, high] = [
      [Infinity, Infinity],
      [-Infinity, -Infinity],
    ];
    const see = (north: number, east: number): void => {
      low = [Math.min(low[0], north), Math.min(low[1], east)];
      high = [Math.max(high[0], north), Math.max(high[1], east)];
    };
    const { run, kept, before } = this.state;
    const planned = run.model.planned;
    for (const [north, east] of planned?.curved ? planned.line : this.waypoints()) see(north, east);
    for (const one of [run, ...kept.map((item) => item.run), ...(before ? [before] : [])]) {
      for (const { north, east } of this.tracksOf(one)) {
        const stride = Math.max(1, Math.floor(north.length / 500));
        for (let i = 0; i < north.length; i += stride) see(north[i], east[i]);
        if (north.length) see(north[north.length - 1], east[east.length - 1]);
      }
    }
    for (const other of this.others) for (const [north, east] of other.points) see(north, east);
    if (!Number.isFinite(low[0])) see(0, 0);
    const largest = Math.max(high[0] - low[0], high[1] - low[1], 1e-3);
    const margin = Math.max(0.08 * largest, planned ? 1.3 * radiusOf(run, planned) : 0, 0.6 * sizeOf(run.model.vessels[0]).length);
    const { width, height } = this.place();
    return {
      north: (low[0] + high[0]) / 2,
      east: (low[1] + high[1]) / 2,
      scale: Math.min(width / (high[1] - low[1] + 2 * margin), height / (high[0] - low[0] + 2 * margin)),
    };
  }

  private tracksOf(run: Run): { name: string; north: Float64Array; east: Float64Array }[] {
    return run.model.vessels.flatMap(({ name }) => {
      const [north, east] = [run.series(`${name}.eta`, 0), run.series(`${name}.eta`, 1)];
      return north && east ? [{ name, north, east }] : [];
    });
  }

  // --- drawing -------------------------------------------------------------------------------------------------------

  private paint(): void {
    const { context: c, width, height } = fitted(this.canvas);
    if (!this.own && !this.hold) this.view = this.fit();
    this.view ??= this.fit();
    const { run, before, kept } = this.state;
    c.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    this.grid(c, width, height);
    c.save();
    c.beginPath();
    c.rect(MARGIN.left, MARGIN.top, width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom);
    c.clip();
    this.plan(c);
    for (const other of this.others) this.line(c, other.points, other.colour, other.strong ? 2 : 1, other.strong ? 0.95 : 0.45);
    for (const one of kept) this.tracks(c, one.run, runColour(one.colour), 1.6, 0.95);
    if (before) this.tracks(c, before, colour("faint"), 1.4, 0.8);
    this.current_run(c, run);
    this.current(c, width);
    const enlarged = this.crafts(c, run);
    c.restore();
    this.say(enlarged);
  }

  private grid(c: CanvasRenderingContext2D, width: number, height: number): void {
    const [top, left] = this.toMetres(MARGIN.left, MARGIN.top);
    const [bottom, right] = this.toMetres(width - MARGIN.right, height - MARGIN.bottom);
    c.strokeStyle = colour("grid");
    c.fillStyle = colour("muted");
    c.lineWidth = 1;
    c.textBaseline = "top";
    c.textAlign = "center";
    const step = roundStep(right - left, 5);
    for (const east of ticks(left, right, 5)) {
      const [x] = this.toPixels(0, east);
      line(c, x, MARGIN.top, x, height - MARGIN.bottom);
      if (x < width - 46) c.fillText(tickText(east, step), x, height - MARGIN.bottom + 5);
    }
    c.textAlign = "right";
    c.textBaseline = "middle";
    const stepNorth = roundStep(top - bottom, 5);
    for (const north of ticks(bottom, top, 5)) {
      const [, y] = this.toPixels(north, 0);
      line(c, MARGIN.left, y, width - MARGIN.right, y);
      if (y > MARGIN.top + 14) c.fillText(tickText(north, stepNorth), MARGIN.left - 6, y);
    }
    c.textAlign = "right";
    c.textBaseline = "top";
    c.fillText("east, m", width - 2, height - MARGIN.bottom + 18);
    c.textAlign = "left";
    c.fillText("north, m", 2, 0);
  }

  private plan(c: CanvasRenderingContext2D): void {
    const { run } = this.state;
    const planned = run.model.planned;
    if (!planned) return;
    const points = this.waypoints();
    const moved = planned.curved && this.state.changes.has(run.model.parameters.findIndex((p) => p.path === planned.waypoints));
    const path: [number, number][] = (planned.curved ? (moved ? [] : planned.line) : points).map(([n, e]) => [n, e]);
    if (planned.loops && !planned.curved && points.length) path.push([points[0][0], points[0][1]]);
    c.setLineDash([6, 5]);
    this.line(c, path, colour("reference"), 1.5, 1);
    c.setLineDash([]);
    const radius = radiusOf(run, planned) * this.view!.scale;
    const circled = planned.curved ? (planned.loops ? [] : points.slice(-1)) : points;
    for (const [north, east] of circled) {
      const [x, y] = this.toPixels(north, east);
      c.beginPath();
      c.arc(x, y, radius, 0, 2 * Math.PI);
      c.fillStyle = colour("circle");
      c.fill();
      c.strokeStyle = colour("reference");
      c.lineWidth = 1;
      c.stroke();
    }
    c.textAlign = "center";
    c.textBaseline = "middle";
    const named = new Set<string>();
    points.forEach(([north, east], i) => {
      const [x, y] = this.toPixels(north, east);
      const held = this.hold && "waypoint" in this.hold && this.hold.waypoint === i;
      dot(c, x, y, held ? 7 : 4, colour(held ? "reference" : "ink"));
      const [dx, dy] = outward(points, i);
      const text = [x + 14 * dx, y - 14 * dy] as const;
      const key = `${Math.round(x / 3)},${Math.round(y / 3)}`;
      if (named.has(key)) return;
      named.add(key);
      c.lineWidth = 3;
      c.strokeStyle = colour("panel");
      c.strokeText(String(i + 1), ...text);
      c.fillStyle = colour("ink");
      c.fillText(String(i + 1), ...text);
    });
  }

  private line(c: CanvasRenderingContext2D, points: [number, number][], stroke: string, width: number, alpha: number): void {
    c.globalAlpha = alpha;
    c.strokeStyle = stroke;
    c.lineWidth = width;
    c.lineJoin = "round";
    c.beginPath();
    points.forEach(([north, east], i) => {
      const [x, y] = this.toPixels(north, east);
      if (i) c.lineTo(x, y);
      else c.moveTo(x, y);
    });
    c.stroke();
    c.globalAlpha = 1;
  }

  private tracks(c: CanvasRenderingContext2D, run: Run, stroke: string, width: number, alpha: number): void {
    for (const { north, east } of this.tracksOf(run)) this.track(c, north, east, 0, north.length, stroke, width, alpha);
  }

  private track(
    c: CanvasRenderingContext2D, north: Float64Array, east: Float64Array, from: number, to: number,
    stroke: string, width: number, alpha: number,
  ): void {
    c.globalAlpha = alpha;
    c.strokeStyle = stroke;
    c.lineWidth = width;
    c.lineJoin = "round";
    c.beginPath();
    let [lastX, lastY] = [NaN, NaN];
    for (let i = from; i < to; i++) {
      const [x, y] = this.toPixels(north[i], east[i]);
      if (i === from) c.moveTo(x, y);
      else if (Math.abs(x - lastX) + Math.abs(y - lastY) < 0.7 && i < to - 1) continue;
      else c.lineTo(x, y);
      [lastX, lastY] = [x, y];
    }
    c.stroke();
    c.globalAlpha = 1;
  }

  private current_run(c: CanvasRenderingContext2D, run: Run): void {
    const now = Math.max(this.state.row, 0);
    for (const { north, east } of this.tracksOf(run)) {
      this.track(c, north, east, now, north.length, colour("actual"), 1.6, 0.35);
      this.track(c, north, east, 0, now + 1, colour("actual"), 2.4, 1);
    }
  }

  /** The crafts at the cursor; by how much they are drawn too large, 1 if they are not. */
  private crafts(c: CanvasRenderingContext2D, run: Run): number {
    let most = 1;
    const draw = (one: Run, fill: string, alpha: number): void => {
      const row = one.rowAt(this.state.time);
      for (const craft of one.model.vessels) {
        const eta = one.at(row, `${craft.name}.eta`);
        if (!eta) continue;
        const size = sizeOf(craft);
        const shown = size.known ? size.length * this.view!.scale : 0;
        const larger = shown < LEAST_PIXELS ? LEAST_PIXELS / (size.length * this.view!.scale) : 1;
        most = Math.max(most, size.known ? larger : 1);
        const [phi, theta, psi] = eta.length >= 7 ? angles(eta.slice(3, 7)) : eta.slice(3, 6);
        const by = rotation(phi || 0, theta || 0, psi || 0);
        c.beginPath();
        OUTLINE.forEach((point, i) => {
          const [north, east] = turned(by, [point[0] * size.length * larger, point[1] * size.breadth * larger, 0]);
          const [x, y] = this.toPixels(eta[0] + north, eta[1] + east);
          if (i) c.lineTo(x, y);
          else c.moveTo(x, y);
        });
        c.closePath();
        c.globalAlpha = alpha;
        c.fillStyle = fill;
        c.fill();
        c.lineWidth = 1.2;
        c.strokeStyle = colour("panel");
        c.stroke();
        c.globalAlpha = 1;
      }
    };
    for (const one of this.state.kept) if (one.run !== run) draw(one.run, runColour(one.colour), 0.85);
    draw(run, colour("actual"), 1);
    return most;
  }

  private current(c: CanvasRenderingContext2D, width: number): void {
    const { run } = this.state;
    const water = run.model.current ? run.at(this.state.row, run.model.current) : null;
    if (!water) return;
    const [north, east] = water;
    const speed = Math.hypot(north, east);
    if (!(speed > 1e-9)) return;
    const [x, y, half] = [width - MARGIN.right - 30, MARGIN.top + 26, 17];
    const [dx, dy] = [east / speed, -north / speed];
    c.strokeStyle = c.fillStyle = colour("current");
    c.lineWidth = 2.4;
    line(c, x - half * dx, y - half * dy, x + (half - 5) * dx, y + (half - 5) * dy);
    c.beginPath();
    c.moveTo(x + half * dx, y + half * dy);
    c.lineTo(x + (half - 9) * dx - 5 * dy, y + (half - 9) * dy + 5 * dx);
    c.lineTo(x + (half - 9) * dx + 5 * dy, y + (half - 9) * dy - 5 * dx);
    c.fill();
    c.textAlign = "right";
    c.textBaseline = "middle";
    c.lineWidth = 3;
    c.strokeStyle = colour("panel");
    const text = `current ${brief(speed, 2)} m/s`;
    c.strokeText(text, x - half - 8, y);
    c.fillText(text, x - half - 8, y);
  }

  private say(enlarged: number): void {
    const { run } = this.state;
    const parts: string[] = [];
    const craft = run.model.vessels[0];
    const eta = craft ? run.at(this.state.row, `${craft.name}.eta`) : null;
    if (eta) parts.push(`north ${brief(eta[0], 3)} m, east ${brief(eta[1], 3)} m, depth ${brief(eta[2], 3)} m`);
    if (craft && !sizeOf(craft).known) parts.push("craft not to scale");
    else if (enlarged > 1.05) parts.push(`craft drawn ${brief(enlarged, 2)} times its size`);
    if (this.movable() >= 0) parts.push("drag a waypoint");
    const text = parts.join(" · ");
    if (this.note.textContent !== text) this.note.textContent = text;
  }

  // --- pointer and keys ----------------------------------------------------------------------------------------------

  /** The number of the parameter of the waypoints, if they can be dragged; else -1. */
  private movable(): number {
    const { model } = this.state;
    if (!model.planned || model.planned.curved) return -1;
    return model.parameters.findIndex((one) => one.path === model.planned!.waypoints);
  }

  private listen(): void {
    const canvas = this.canvas;
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
    if (this.movable() < 0 || !this.view) return -1;
    let [best, least] = [-1, GRAB];
    this.waypoints().forEach(([north, east], i) => {
      const [px, py] = this.toPixels(north, east);
      const away = Math.hypot(px - x, py - y);
      if (away < least) [best, least] = [i, away];
    });
    return best;
  }

  private press(event: PointerEvent): void {
    if (!this.view) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    const waypoint = this.nearest(event.offsetX, event.offsetY);
    this.hold = waypoint >= 0 ? { waypoint } : { from: [event.offsetX, event.offsetY], view: this.view, moved: false };
    this.draw();
  }

  private drag(event: PointerEvent): void {
    const here: [number, number] = [event.offsetX, event.offsetY];
    const before = this.pointers.get(event.pointerId);
    if (!this.hold || !before) {
      this.canvas.style.cursor = this.nearest(...here) >= 0 ? "grab" : "";
      return;
    }
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const apart = (at: [number, number]): number => Math.hypot(at[0] - other[0], at[1] - other[1]);
      this.pointers.set(event.pointerId, here);
      this.zoom(apart(here) / Math.max(apart(before), 1), other);
      return;
    }
    this.pointers.set(event.pointerId, here);
    if ("waypoint" in this.hold) {
      this.moveWaypoint(this.hold.waypoint, this.toMetres(...here));
      return;
    }
    const { from, view } = this.hold;
    if (!this.hold.moved && Math.hypot(here[0] - from[0], here[1] - from[1]) < 4) return;
    this.hold.moved = true;
    this.own = true;
    this.view = {
      ...view,
      north: view.north + (here[1] - from[1]) / view.scale,
      east: view.east - (here[0] - from[0]) / view.scale,
    };
    this.draw();
  }

  private release(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    if (this.hold && "from" in this.hold && !this.hold.moved && event.type === "pointerup") {
      this.goTo(event.offsetX, event.offsetY);
    }
    if (!this.pointers.size) this.hold = null;
    this.draw();
  }

  private moveWaypoint(i: number, [north, east]: [number, number]): void {
    const number = this.movable();
    const values = this.waypointNumbers();
    if (values.length < 3 * (i + 1)) return;
    // rounded to what one pixel is worth, so that what is copied can be read
    const digits = Math.max(0, Math.min(6, Math.ceil(Math.log10(this.view!.scale))));
    values[3 * i] = Number(north.toFixed(digits));
    values[3 * i + 1] = Number(east.toFixed(digits));
    if (!coincide(values)) this.state.set(number, values);
  }

  private waypointNumbers(): number[] {
    const number = this.movable();
    return [...(this.state.changes.get(number) ?? given(this.state.model.parameters[number]))];
  }

  /** A new waypoint on the leg that is nearest, where there is room for one. */
  private insert(event: MouseEvent): void {
    const number = this.movable();
    const room = number < 0 ? 0 : (this.state.model.parameters[number].rows?.room ?? 0);
    const values = this.waypointNumbersOr();
    if (!this.view || values.length / 3 >= room) return;
    const [north, east] = this.toMetres(event.offsetX, event.offsetY);
    let [best, least] = [-1, 20 / this.view.scale];
    for (let i = 0; i + 5 < values.length; i += 3) {
      const away = fromLeg(north, east, values.slice(i, i + 6));
      if (away < least) [best, least] = [i, away];
    }
    if (best < 0) return;
    values.splice(best + 3, 0, Number(north.toFixed(2)), Number(east.toFixed(2)), (values[best + 2] + values[best + 5]) / 2);
    if (!coincide(values)) this.state.set(number, values);
  }

  private waypointNumbersOr(): number[] {
    return this.movable() < 0 ? [] : this.waypointNumbers();
  }

  /** Put the cursor to the time when the craft was nearest to this place. */
  private goTo(x: number, y: number): void {
    let [when, least] = [-1, 16];
    const { run } = this.state;
    for (const { north, east } of this.tracksOf(run)) {
      for (let i = 0; i < north.length; i++) {
        const [px, py] = this.toPixels(north[i], east[i]);
        const away = Math.hypot(px - x, py - y);
        if (away < least) [when, least] = [run.times[i], away];
      }
    }
    if (when >= 0) {
      this.state.moveTo(when);
      return;
    }
    let [press, near]: [(() => void) | undefined, number] = [undefined, 10];
    for (const other of this.others) {
      for (const [north, east] of other.points) {
        const [px, py] = this.toPixels(north, east);
        const away = Math.hypot(px - x, py - y);
        if (away < near) [press, near] = [other.press, away];
      }
    }
    press?.();
  }

  private zoom(by: number, about?: [number, number]): void {
    if (!this.view) return;
    const { width, height } = this.place();
    const [x, y] = about ?? [MARGIN.left + width / 2, MARGIN.top + height / 2];
    const [north, east] = this.toMetres(x, y);
    this.own = true;
    this.view = { ...this.view, scale: Math.min(Math.max(this.view.scale * by, 1e-4), 1e5) };
    const [movedNorth, movedEast] = this.toMetres(x, y);
    this.view.north += north - movedNorth;
    this.view.east += east - movedEast;
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = {
      ArrowUp: [40, 0], ArrowDown: [-40, 0], ArrowLeft: [0, -40], ArrowRight: [0, 40],
    };
    const move = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (move && this.view) {
      this.own = true;
      this.view = { ...this.view, north: this.view.north + move[0] / this.view.scale, east: this.view.east + move[1] / this.view.scale };
      this.draw();
    } else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.showAll();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Roll, pitch and yaw of a unit quaternion, scalar first (Fossen 2021, eq. 2.85 to 2.87). */
function angles([w, x, y, z]: number[]): [number, number, number] {
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}

/** The side of a waypoint that its legs leave free: east, north. */
function outward(points: Point[], i: number): [number, number] {
  let [east, north] = [0, 0];
  for (const other of [points[i - 1], points[i + 1]]) {
    if (!other) continue;
    const length = Math.hypot(points[i][0] - other[0], points[i][1] - other[1]);
    if (length > 0) {
      north += (points[i][0] - other[0]) / length;
      east += (points[i][1] - other[1]) / length;
    }
  }
  const size = Math.hypot(east, north);
  return size < 0.3 ? [1, 0] : [east / size, north / size];
}

function coincide(values: number[]): boolean {
  for (let i = 3; i < values.length; i += 3) {
    if (values[i] === values[i - 3] && values[i + 1] === values[i - 2] && values[i + 2] === values[i - 1]) return true;
  }
  return false;
}

function fromLeg(north: number, east: number, [n0, e0, , n1, e1]: number[]): number {
  const [dn, de] = [n1 - n0, e1 - e0];
  const share = Math.max(0, Math.min(1, ((north - n0) * dn + (east - e0) * de) / (dn * dn + de * de || 1)));
  return Math.hypot(north - n0 - share * dn, east - e0 - share * de);
}

function line(c: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number): void {
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(toX, toY);
  c.stroke();
}

function dot(c: CanvasRenderingContext2D, x: number, y: number, radius: number, fill: string): void {
  c.beginPath();
  c.arc(x, y, radius, 0, 2 * Math.PI);
  c.fillStyle = fill;
  c.fill();
}
