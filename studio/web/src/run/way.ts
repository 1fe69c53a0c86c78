// The way that a run was to go, as blocks/report/planned.py has it: waypoints and legs, m; north, east, down.

import type { Planned, PlannedPhases } from "../page/data";
import { valuesOf } from "./changes";
import type { Run } from "./run";

export type Point = [number, number, number];

/** The waypoints of a run; of a mission in phases the first one is where it began. */
export function waypointsOf(run: Run, planned: Planned): Point[] {
  if (planned.phases) return wayOf(run, planned.phases).waypoints;
  const number = run.model.parameters.findIndex((one) => one.path === planned.waypoints);
  if (number < 0) return [];
  const values = valuesOf(run.model, run.changes, number);
  return Array.from({ length: values.length / 3 }, (_, i) => [values[3 * i], values[3 * i + 1], values[3 * i + 2]]);
}

export function radiusOf(run: Run, planned: Planned): number {
  const number = run.model.parameters.findIndex((one) => one.path === planned.radius);
  return number < 0 ? 0 : valuesOf(run.model, run.changes, number)[0];
}

/** The curve, or all legs and circles in turn, of a loop with the leg that closes it. */
export function lineOf(run: Run, planned: Planned): Point[] {
  if (planned.curved) return planned.line;
  if (planned.phases) return wayOf(run, planned.phases).line;
  const waypoints = waypointsOf(run, planned);
  return planned.loops && waypoints.length ? [...waypoints, waypoints[0]] : waypoints;
}

function wayOf(run: Run, { steps }: PlannedPhases): { waypoints: Point[]; line: Point[] } {
  const begin = run.at(0, `${run.model.parts.vessel}.eta`)?.slice(0, 3) as Point | undefined;
  if (!begin) return { waypoints: [], line: [] };
  const [waypoints, line]: Point[][] = [[begin], [begin]];
  let depth = begin[2];
  for (const { point, home, deep, circle, leg } of steps) {
    if (deep) depth = point[2];
    if (leg) {
      const [north, east] = home ? begin : point;
      waypoints.push([north, east, depth]);
      line.push([north, east, depth]);
    } else if (circle) line.push(...around(line[line.length - 1], point, depth, ...circle));
  }
  return { waypoints, line };
}

/** Points of a circle from the nearest to where one comes from. */
function around(before: Point, centre: Point, depth: number, radius: number, turns: number): Point[] {
  const begin = Math.atan2(before[1] - centre[1], before[0] - centre[0]);
  const count = Math.max(24, Math.trunc(48 * Math.abs(turns)));
  return Array.from({ length: count }, (_, i) => {
    const angle = begin + 2 * Math.PI * turns * (i / (count - 1));
    return [centre[0] + radius * Math.cos(angle), centre[1] + radius * Math.sin(angle), depth];
  });
}
