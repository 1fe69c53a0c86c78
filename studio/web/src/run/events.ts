// What happened in a run, for the timeline: waypoints that were reached, limits that held, and why it stopped.

import type { Held, Limit } from "../page/data";
import { valuesOf } from "./changes";
import { Mission } from "./mission";
import { reason, STOPPED, type Run } from "./run";

export interface Event {
  kind: "waypoint" | "phase" | "limit" | "fault" | "end";
  /** From when to when, s. */
  from: number;
  to: number;
  text: string;
}

const MOST = 400;
const NEAR = 1e-9;

export function events(run: Run): Event[] {
  const found: Event[] = [];
  const mission = Mission.of(run);
  mission?.reached.forEach((time, i) => {
    if (time !== null && i > 0) found.push({ kind: "waypoint", from: time, to: time, text: `waypoint ${i + 1} reached` });
  });
  for (const { from, name } of mission?.phases?.bands ?? []) {
    if (name) found.push({ kind: "phase", from, to: from, text: `${name} begins` });
  }
  for (const limit of run.model.limits) found.push(...held(run, limit));
  if (run.failed) found.push({ kind: "fault", from: run.last, to: run.last, text: reason(run) });
  if (run.end?.status === STOPPED) found.push({ kind: "end", from: run.last, to: run.last, text: "the stop signal ends the run" });
  return found.sort((a, b) => a.from - b.from).slice(0, MOST);
}

/** The stretches in which an output is at one of its limits. */
function held(run: Run, { channel: path, low: least, high: most }: Held): Event[] {
  const found: Event[] = [];
  const channel = run.channel(path);
  if (!channel) return found;
  for (let i = 0; i < channel.count; i++) {
    const series = run.series(path, i)!;
    const [low, high] = [valueOf(run, least, i), valueOf(run, most, i)];
    const element = channel.count > 1 ? ` ${channel.labels[i] ?? i + 1}` : "";
    let since = -1;
    for (let row = 0; row <= run.rows; row++) {
      const at = row < run.rows && Number.isFinite(series[row]) && atLimit(series[row], low, high);
      if (at && since < 0) since = row;
      if (!at && since >= 0) {
        const upper = series[since] > (low + high) / 2;
        found.push({
          kind: "limit",
          from: run.times[since],
          to: run.times[row - 1],
          text: `${path}${element} at its ${upper ? "upper" : "lower"} limit`,
        });
        since = -1;
      }
    }
  }
  return found;
}

function atLimit(value: number, low: number, high: number): boolean {
  const near = NEAR * Math.max(1, Math.abs(value));
  return (high < 1e299 && value >= high - near) || (low > -1e299 && value <= low + near);
}

function valueOf(run: Run, limit: Limit, element: number): number {
  const { parameters } = run.model;
  const place = limit.first + (limit.count > 1 ? element : 0);
  const number = parameters.findIndex((one) => place >= one.first && place < one.first + one.count);
  if (number < 0) return Number.NaN;
  return limit.sign * valuesOf(run.model, run.changes, number)[place - parameters[number].first];
}
