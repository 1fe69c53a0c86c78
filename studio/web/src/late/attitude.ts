// The attitude in three dimensions: a part of its own, which the page loads when it is asked for.

import { colour, eachFrame, fitted } from "../page/dom";
import { rotation, sizeOf, turned, type Size, type Vector } from "../views/hull";
import { faces, type Face } from "./mesh";

export interface Pose {
  eta: number[];
  craft: { length?: number; breadth?: number; height?: number; title?: string };
  /** What stands beside the hull in colour: other runs. */
  others: { eta: number[]; colour: string }[];
  /** Where it has been: north, east, down; a few points. */
  path: Vector[];
}

export interface Attitude {
  show(pose: Pose): void;
}

export type MakeAttitude = (canvas: HTMLCanvasElement) => Attitude;

const LIGHT: Vector = unit([-0.35, 0.45, -0.82]);
const DISTANCE = 4.2; // of the eye, in lengths of the craft
const FIELD = 1.9; // of view

class View implements Attitude {
  private azimuth = 2.5; // so that a craft bound for north shows its bow
  private elevation = 0.42;
  private pose: Pose | null = null;
  private readonly draw: () => void;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.draw = eachFrame(() => this.paint());
    let from: [number, number] | null = null;
    canvas.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!from) return;
      this.turn((event.clientX - from[0]) * 0.008, (event.clientY - from[1]) * 0.008);
      from = [event.clientX, event.clientY];
    });
    for (const name of ["pointerup", "pointercancel"] as const) canvas.addEventListener(name, () => (from = null));
    canvas.addEventListener("keydown", (event) => {
      const by: Record<string, [number, number]> = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
      const turn = by[event.key];
      if (!turn) return;
      event.preventDefault();
      event.stopPropagation();
      this.turn(...turn);
    });
    new ResizeObserver(this.draw).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", this.draw);
  }

  private turn(azimuth: number, elevation: number): void {
    this.azimuth += azimuth;
    this.elevation = Math.max(-0.2, Math.min(1.45, this.elevation + elevation));
    this.draw();
  }

  show(pose: Pose): void {
    this.pose = pose;
    this.draw();
  }

  private paint(): void {
    const { context: c, width, height } = fitted(this.canvas);
    if (!this.pose) return;
    const { eta, craft, others, path } = this.pose;
    const size = sizeOf(craft);
    const scale = 1 / size.length;
    const see = this.camera(width, height);
    this.floor(c, see, eta, scale);
    this.path(c, see, eta, path, scale);
    for (const other of others) {
      const away = [0, 1, 2].map((i) => (other.eta[i] - eta[i]) * scale) as Vector;
      if (Math.hypot(...away) < 6) this.hull(c, see, other.eta, size, away, other.colour, 0.35);
    }
    this.hull(c, see, eta, size, [0, 0, 0], null, 1);
    this.axes(c, see, eta);
    this.words(c, eta, height);
  }

  /** From lengths of the craft, in north, east and down about it, to pixels, and how far away that is. */
  private camera(width: number, height: number): (point: Vector) => [number, number, number] {
    const [sa, ca] = [Math.sin(this.azimuth), Math.cos(this.azimuth)];
    const [se, ce] = [Math.sin(this.elevation), Math.cos(this.elevation)];
    const zoom = (Math.min(width * 0.8, height) * FIELD) / 2;
    return ([n, e, d]) => {
      const right = e * ca - n * sa;
      const ahead = n * ca + e * sa;
      const up = -d;
      const depth = DISTANCE + ahead * ce - up * se;
      const high = up * ce + ahead * se;
      const near = zoom * 2 / Math.max(depth, 0.3);
      return [width / 2 + right * near, height * 0.5 - high * near, depth];
    };
  }

  /** A level grid below the craft, that moves with the ground. */
  private floor(c: CanvasRenderingContext2D, see: (p: Vector) => [number, number, number], eta: number[], scale: number): void {
    c.strokeStyle = colour("grid");
    c.lineWidth = 1;
    const [n0, e0] = [(eta[0] * scale) % 1, (eta[1] * scale) % 1];
    for (let i = -4; i <= 4; i++) {
      strip(c, see, [[i - n0, -4, 0.75], [i - n0, 4, 0.75]]);
      strip(c, see, [[-4, i - e0, 0.75], [4, i - e0, 0.75]]);
    }
  }

  private path(c: CanvasRenderingContext2D, see: (p: Vector) => [number, number, number], eta: number[], path: Vector[], scale: number): void {
    c.strokeStyle = colour("actual");
    c.globalAlpha = 0.55;
    c.lineWidth = 1.6;
    const near = path.map((point) => point.map((value, i) => (value - eta[i]) * scale) as Vector).filter((p) => Math.hypot(...p) < 5);
    strip(c, see, near);
    c.globalAlpha = 1;
  }

  private hull(
    c: CanvasRenderingContext2D, see: (p: Vector) => [number, number, number], eta: number[], size: Size, away: Vector,
    fill: string | null, alpha: number,
  ): void {
    const by = rotation(eta[3] || 0, eta[4] || 0, eta[5] || 0);
    const [b, h] = [size.breadth / size.length, size.height / size.length];
    const drawn = faces(b, h).map((face: Face) => {
      const corners = face.corners.map((corner) => turned(by, corner).map((value, i) => value + away[i]) as Vector);
      const seen = corners.map(see);
      return { face, seen, depth: seen.reduce((sum, one) => sum + one[2], 0) / seen.length, normal: turned(by, face.normal) };
    });
    drawn.sort((one, other) => other.depth - one.depth);
    for (const { face, seen, normal } of drawn) {
      const bright = 0.84 + 0.22 * (normal[0] * LIGHT[0] + normal[1] * LIGHT[1] + normal[2] * LIGHT[2]);
      c.globalAlpha = alpha;
      c.fillStyle = shaded(fill ?? colour(face.colour), bright);
      c.strokeStyle = colour("panel");
      c.lineWidth = 0.8;
      c.beginPath();
      seen.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
      c.closePath();
      c.fill();
      c.stroke();
    }
    c.globalAlpha = 1;
  }

  private axes(c: CanvasRenderingContext2D, see: (p: Vector) => [number, number, number], eta: number[]): void {
    const by = rotation(eta[3] || 0, eta[4] || 0, eta[5] || 0);
    c.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
    c.textAlign = "center";
    c.textBaseline = "middle";
    const names: [string, Vector, string][] = [["x", [0.95, 0, 0], "series-2"], ["y", [0, 0.75, 0], "series-3"], ["z", [0, 0, 0.6], "series-1"]];
    for (const [name, axis, stroke] of names) {
      const [from, to] = [see([0, 0, 0]), see(turned(by, axis))];
      c.strokeStyle = c.fillStyle = colour(stroke);
      c.lineWidth = 1.6;
      c.beginPath();
      c.moveTo(from[0], from[1]);
      c.lineTo(to[0], to[1]);
      c.stroke();
      c.fillText(name, to[0] + (to[0] - from[0]) * 0.08, to[1] + (to[1] - from[1]) * 0.08);
    }
    c.fillStyle = colour("muted");
    const north = see([2.2, 0, 0.75]);
    c.fillText("N", north[0], north[1]);
  }

  private words(c: CanvasRenderingContext2D, eta: number[], height: number): void {
    c.fillStyle = colour("ink");
    c.font = `13px ${getComputedStyle(document.body).fontFamily}`;
    c.textAlign = "left";
    c.textBaseline = "alphabetic";
    const degrees = (value: number): string => `${(((value || 0) * 180) / Math.PI).toFixed(1).replace(/^-(?=0\.0$)/, "").replace("-", "−")}°`;
    c.fillText(`roll ${degrees(eta[3])}   pitch ${degrees(eta[4])}   yaw ${degrees(eta[5])}`, 10, height - 10);
  }
}

function strip(c: CanvasRenderingContext2D, see: (p: Vector) => [number, number, number], points: Vector[]): void {
  c.beginPath();
  points.forEach((point, i) => {
    const [x, y] = see(point);
    if (i) c.lineTo(x, y);
    else c.moveTo(x, y);
  });
  c.stroke();
}

function unit(v: Vector): Vector {
  const size = Math.hypot(...v);
  return v.map((value) => value / size) as Vector;
}

/** A colour, written #rrggbb, made darker or lighter. */
function shaded(hex: string, by: number): string {
  const parts = /^#(..)(..)(..)$/.exec(hex);
  if (!parts) return hex;
  const [r, g, b] = parts.slice(1).map((part) => Math.min(255, Math.round(parseInt(part, 16) * by)));
  return `rgb(${r} ${g} ${b})`;
}

(globalThis as unknown as { keelblocksAttitude: MakeAttitude }).keelblocksAttitude = (canvas): Attitude => new View(canvas);
