// How a vehicle followed its waypoints, as blocks/report/mission.py judges it. Distances in m, times in s.

import type { Planned } from "../page/data";
import { dives, type Dive } from "./dives";
import { Phases } from "./phases";
import type { Run } from "./run";
import { lineOf, waypointsOf, type Point } from "./way";

export class Mission {
  readonly waypoints: Point[];
  /** Of a mission in phases. */
  readonly phases: Phases | null;
  private readonly north: Float64Array;
  private readonly east: Float64Array;
  private readonly down: Float64Array;
  private readonly error: Float64Array;
  readonly reached: (number | null)[];
  /** One past the last row until the last waypoint was reached. */
  readonly stop: number;
  readonly dives: Dive[];
  private readonly stretches: Dive[];

  private constructor(
    readonly run: Run,
    readonly planned: Planned,
    guidance: string,
    vessel: string,
  ) {
    this.waypoints = waypointsOf(run, planned);
    this.phases = Phases.of(run);
    [this.north, this.east, this.down] = [0, 1, 2].map((i) => run.series(`${vessel}.eta`, i)!);
    this.error = run.series(`${guidance}.cross_track_error`)!;
    this.reached = this.phases?.reached ?? this.whenReached(run.series(`${guidance}.waypoint`)!, run.series(`${guidance}.finished`)!);
    const arrival = this.arrival;
    this.stop = arrival === null || planned.loops ? run.rows : firstFrom(run, arrival) + 1;
    const wanted = run.series(`${guidance}.depth`);
    const submerged = wanted && this.submerged;
    this.stretches = submerged ? dives(run.times.subarray(0, run.rows), this.down, wanted, run.model.depthTolerance) : [];
    this.dives = this.stretches.filter((dive) => dive.duration !== 0);
  }

  /** The mission of a run, or null if there is none. */
  static of(run: Run): Mission | null {
    const { parts, planned } = run.model;
    if (!parts.guidance || !parts.vessel || !planned || run.rows < 2) return null;
    const wanted = ["cross_track_error", "waypoint", "finished"].map((name) => `${parts.guidance}.${name}`);
    if (![...wanted, `${parts.vessel}.eta`].every((path) => run.has(path))) return null;
    return new Mission(run, planned, parts.guidance, parts.vessel);
  }

  private whenReached(waypoint: Float64Array, finished: Float64Array): (number | null)[] {
    const { times, rows } = this.run;
    const steered = Array.from(waypoint, (number) => Math.round(number));
    const done = finished.findIndex((value) => value > 0.5);
    const found: (number | null)[] = [times[0]];
    for (let number = 2; number <= this.waypoints.length; number++) {
      if (number === this.waypoints.length && done >= 0) {
        found.push(times[done]);
        continue;
      }
      // A vehicle that starts within reach of a waypoint never steers for it.
      let when: number | null = steered[0] > number ? times[0] : null;
      for (let row = 1; row < rows && when === null; row++) {
        if (steered[row - 1] === number && steered[row] !== number) when = times[row];
      }
      found.push(when);
    }
    return found;
  }

  /** Whether a depth is wanted: a surface craft has none. */
  private get submerged(): boolean {
    const kept = this.run.model.depths.map(({ path, element }) => this.run.series(path, element));
    const deep = this.phases ? this.phases.deep : this.waypoints.some(([, , down]) => down !== 0);
    return deep || kept.some((values) => values?.some((value) => value !== 0));
  }

  get arrival(): number | null {
    return (this.phases ? this.phases.finishedTime : this.reached.at(-1)) ?? null;
  }

  get reachedCount(): number {
    return this.reached.slice(1).filter((time) => time !== null).length;
  }

  get pathLength(): number {
    let length = 0;
    for (let row = 1; row < this.stop; row++) length += this.distance(row - 1, row);
    return length;
  }

  private distance(a: number, b: number): number {
    return Math.hypot(this.north[b] - this.north[a], this.east[b] - this.east[a], this.down[b] - this.down[a]);
  }

  /** The length of all legs, or of the curve; of a loop one lap. */
  get plannedLength(): number {
    const line = lineOf(this.run, this.planned);
    let length = 0;
    for (let i = 1; i < line.length; i++) {
      length += Math.hypot(line[i][0] - line[i - 1][0], line[i][1] - line[i - 1][1], line[i][2] - line[i - 1][2]);
    }
    return length;
  }

  get errorRms(): number {
    if (this.phases) return this.phases.errorRms;
    if (this.stop <= 1) return Math.abs(this.error[0]);
    const { times } = this.run;
    let sum = 0;
    for (let row = 1; row < this.stop; row++) {
      sum += ((this.error[row] ** 2 + this.error[row - 1] ** 2) / 2) * (times[row] - times[row - 1]);
    }
    return Math.sqrt(sum / (times[this.stop - 1] - times[0]));
  }

  get errorMax(): number {
    let most = 0;
    for (let row = 0; row < this.stop; row++) most = Math.max(most, Math.abs(this.error[row]));
    return most;
  }

  /** The largest depth error after dives, and where a depth was kept from the beginning; null if there is none. */
  get depthErrorAfterDive(): number | null {
    const errors = this.stretches.flatMap((dive) => (dive.largestError === null ? [] : [dive.largestError]));
    return errors.length ? Math.max(...errors) : null;
  }

  get depthErrorAtArrival(): number | null {
    const wanted = this.run.series(`${this.run.model.parts.guidance}.depth`);
    const last = this.stop - 1;
    return wanted && this.submerged ? Math.abs(this.down[last] - wanted[last]) : null;
  }

  /** What the thrusters took until arrival, J. */
  get energy(): number | null {
    const { parts } = this.run.model;
    const metered = parts.meter ? this.run.series(`${parts.meter}.energy`) : null;
    if (metered) return metered[this.stop - 1] - metered[0];
    const power = this.power();
    if (!power) return null;
    const { times } = this.run;
    let sum = 0;
    for (let row = 1; row < this.stop; row++) sum += ((power[row] + power[row - 1]) / 2) * (times[row] - times[row - 1]);
    return sum;
  }

  /** What all thrusters take together, W. */
  private power(): Float64Array | null {
    const { parts } = this.run.model;
    const channel = parts.thrusters ? this.run.channel(`${parts.thrusters}.power`) : undefined;
    if (!channel) return parts.meter ? this.run.series(`${parts.meter}.total_power`) : null;
    const total = new Float64Array(this.run.rows);
    for (let i = 0; i < channel.count; i++) this.run.series(channel.path, i)!.forEach((one, row) => (total[row] += one));
    return total;
  }
}

function firstFrom(run: Run, time: number): number {
  let row = 0;
  while (row < run.rows - 1 && run.times[row] < time) row++;
  return row;
}
