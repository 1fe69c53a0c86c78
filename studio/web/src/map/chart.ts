// What the plan view shows, painted: the grid, legs and waypoints, tracks, the current, the crafts.

import { colour, runColour } from "../page/dom";
import type { State } from "../page/state";
import { brief } from "../run/format";
import type { Run } from "../run/run";
import { lineOf, radiusOf, waypointsOf, type Point } from "../run/way";
import { OUTLINE, rotation, sizeOf, turned } from "../views/hull";
import { roundStep, ticks, tickText } from "../views/ticks";
import { MARGIN, type Place } from "./place";
import { tracksOf, type Track } from "./tracks";

const LEAST_PIXELS = 18; // of a craft: shorter ones are drawn larger, and the map says so

export class Chart {
  constructor(
    private readonly c: CanvasRenderingContext2D,
    private readonly place: Place,
    private readonly state: State,
  ) {
    c.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  }

  /** All of it, with the tracks of others, and one waypoint in hand. By how much crafts are drawn too large; 1: not. */
  paint(width: number, height: number, others: Track[], held: number): number {
    const { c } = this;
    const { before, kept } = this.state;
    this.grid(width, height);
    c.save();
    c.beginPath();
    c.rect(MARGIN.left, MARGIN.top, this.place.width, this.place.height);
    c.clip();
    this.plan(held);
    for (const other of others) this.other(other);
    for (const one of kept) this.tracks(one.run, runColour(one.colour), 1.6, 0.95);
    if (before) this.tracks(before, colour("faint"), 1.4, 0.8);
    this.present();
    this.current(width);
    const enlarged = this.crafts();
    c.restore();
    return enlarged;
  }

  private grid(width: number, height: number): void {
    const { c } = this;
    const [top, left] = this.place.toMetres(MARGIN.left, MARGIN.top);
    const [bottom, right] = this.place.toMetres(width - MARGIN.right, height - MARGIN.bottom);
    c.strokeStyle = colour("grid");
    c.fillStyle = colour("muted");
    c.lineWidth = 1;
    c.textBaseline = "top";
    c.textAlign = "center";
    const step = roundStep(right - left, 5);
    for (const east of ticks(left, right, 5)) {
      const [x] = this.place.toPixels(0, east);
      line(c, x, MARGIN.top, x, height - MARGIN.bottom);
      if (x < width - 46) c.fillText(tickText(east, step), x, height - MARGIN.bottom + 5);
    }
    c.textAlign = "right";
    c.textBaseline = "middle";
    const stepNorth = roundStep(top - bottom, 5);
    for (const north of ticks(bottom, top, 5)) {
      const [, y] = this.place.toPixels(north, 0);
      line(c, MARGIN.left, y, width - MARGIN.right, y);
      if (y > MARGIN.top + 14) c.fillText(tickText(north, stepNorth), MARGIN.left - 6, y);
    }
    c.textAlign = "right";
    c.textBaseline = "top";
    c.fillText("east, m", width - 2, height - MARGIN.bottom + 18);
    c.textAlign = "left";
    c.fillText("north, m", 2, 0);
  }

  private plan(held: number): void {
    const { c } = this;
    const { run } = this.state;
    const planned = run.model.planned;
    if (!planned) return;
    const points = waypointsOf(run, planned);
    const moved = planned.curved && this.state.changes.has(run.model.parameters.findIndex((p) => p.path === planned.waypoints));
    const path: [number, number][] = (moved ? [] : lineOf(run, planned)).map(([n, e]) => [n, e]);
    c.setLineDash([6, 5]);
    this.line(path, colour("reference"), 1.5, 1);
    c.setLineDash([]);
    const radius = radiusOf(run, planned) * this.place.view.scale;
    const circled = planned.curved ? (planned.loops ? [] : points.slice(-1)) : points.slice(planned.phases ? 1 : 0);
    for (const [north, east] of circled) {
      const [x, y] = this.place.toPixels(north, east);
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
      const [x, y] = this.place.toPixels(north, east);
      dot(c, x, y, held === i ? 7 : 4, colour(held === i ? "reference" : "ink"));
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

  private line(points: [number, number][], stroke: string, width: number, alpha: number): void {
    const { c } = this;
    c.globalAlpha = alpha;
    c.strokeStyle = stroke;
    c.lineWidth = width;
    c.lineJoin = "round";
    c.beginPath();
    points.forEach(([north, east], i) => {
      const [x, y] = this.place.toPixels(north, east);
      if (i) c.lineTo(x, y);
      else c.moveTo(x, y);
    });
    c.stroke();
    c.globalAlpha = 1;
  }

  private other({ line, colour: stroke, strong }: Track): void {
    const { c } = this;
    const { north, east, scale } = this.place.view;
    const [x, y] = this.place.middle;
    c.save();
    c.translate(x - east * scale, y + north * scale);
    c.scale(scale, scale);
    c.globalAlpha = strong ? 0.95 : 0.5;
    c.strokeStyle = stroke;
    c.lineWidth = (strong ? 4.5 : 1) / scale;
    c.lineJoin = "round";
    c.stroke(line);
    c.restore();
  }

  private tracks(run: Run, stroke: string, width: number, alpha: number): void {
    for (const { north, east } of tracksOf(run)) this.track(north, east, 0, north.length, stroke, width, alpha);
  }

  private track(
    north: Float64Array, east: Float64Array, from: number, to: number, stroke: string, width: number, alpha: number,
  ): void {
    const { c } = this;
    c.globalAlpha = alpha;
    c.strokeStyle = stroke;
    c.lineWidth = width;
    c.lineJoin = "round";
    c.beginPath();
    let [lastX, lastY] = [NaN, NaN];
    for (let i = from; i < to; i++) {
      const [x, y] = this.place.toPixels(north[i], east[i]);
      if (i === from) c.moveTo(x, y);
      else if (Math.abs(x - lastX) + Math.abs(y - lastY) < 0.7 && i < to - 1) continue;
      else c.lineTo(x, y);
      [lastX, lastY] = [x, y];
    }
    c.stroke();
    c.globalAlpha = 1;
  }

  private present(): void {
    const { run } = this.state;
    const now = Math.max(this.state.row, 0);
    for (const { north, east } of tracksOf(run)) {
      this.track(north, east, now, north.length, colour("actual"), 1.6, 0.35);
      this.track(north, east, 0, now + 1, colour("actual"), 2.4, 1);
    }
  }

  /** The crafts at the cursor; by how much they are drawn too large, 1 if they are not. */
  private crafts(): number {
    const { c } = this;
    const { run } = this.state;
    let most = 1;
    const draw = (one: Run, fill: string, alpha: number): void => {
      const row = one.rowAt(this.state.time);
      for (const craft of one.model.vessels) {
        const eta = one.at(row, `${craft.name}.eta`);
        if (!eta) continue;
        const size = sizeOf(craft);
        const shown = size.known ? size.length * this.place.view.scale : 0;
        const larger = shown < LEAST_PIXELS ? LEAST_PIXELS / (size.length * this.place.view.scale) : 1;
        most = Math.max(most, size.known ? larger : 1);
        const by = rotation(eta[3], eta[4], eta[5]);
        c.beginPath();
        OUTLINE.forEach((point, i) => {
          const [north, east] = turned(by, [point[0] * size.length * larger, point[1] * size.breadth * larger, 0]);
          const [x, y] = this.place.toPixels(eta[0] + north, eta[1] + east);
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

  private current(width: number): void {
    const { c } = this;
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
