// The phases of a mission: when each was, and what was achieved in it; as blocks/report/phases.py.

import type { PlannedPhases } from "../page/data";
import { fixed, general } from "./format";
import type { Run } from "./run";

/** A stretch of time in one phase, s; its name is "" where there is none. */
export interface Band {
  from: number;
  to: number;
  name: string;
}

interface Phase {
  name: string;
  words: string;
}

const known = new WeakMap<Run, { rows: number; phases: Phases | null }>();

export class Phases {
  private readonly number: Float64Array;
  private readonly following: Float64Array;
  private readonly error: Float64Array;
  private readonly aborted: Float64Array;
  private readonly finished: Float64Array;
  private readonly steered: Float64Array;
  private readonly eta: Float64Array[];

  private constructor(
    private readonly run: Run,
    private readonly planned: PlannedPhases,
    guidance: string,
    vessel: string,
  ) {
    const series = (name: string): Float64Array => run.series(`${guidance}.${name}`)!;
    const whole = (name: string): Float64Array => series(name).map(Math.round);
    [this.number, this.aborted, this.steered] = ["phase", "aborted", "waypoint"].map(whole);
    [this.following, this.error, this.finished] = ["following", "cross_track_error", "finished"].map(series);
    this.eta = [0, 1, 2].map((i) => run.series(`${vessel}.eta`, i)!);
  }

  /** Those of a run, or null if it has none. */
  static of(run: Run): Phases | null {
    const found = known.get(run);
    if (found?.rows === run.rows) return found.phases;
    const { parts, planned } = run.model;
    const has = planned?.phases && parts.guidance && parts.vessel && run.rows && run.has(`${parts.vessel}.eta`);
    const phases = has ? new Phases(run, planned.phases!, parts.guidance!, parts.vessel!) : null;
    known.set(run, { rows: run.rows, phases });
    return phases;
  }

  /** When the mission was done; null if it was not, or was given up. */
  get finishedTime(): number | null {
    const row = this.finished.findIndex((value) => value > 0.5);
    return row < 0 || this.aborted[row] !== 0 ? null : this.run.times[row];
  }

  /** When each waypoint was reached. */
  get reached(): (number | null)[] {
    const { last } = this.planned;
    const { times, rows } = this.run;
    const found: (number | null)[] = [times[0]];
    for (let number = 2; number <= last; number++) {
      let begun = false;
      let when: number | null = null;
      for (let row = 0; row < rows && when === null; row++) {
        const here = this.steered[row] === number;
        const onLeg = here && this.following[row] > 0.5 && this.aborted[row] === 0;
        const later = this.steered[row] > number && this.steered[row] <= last;
        const done = this.finished[row] > 0.5 && this.aborted[row] === 0;
        // a phase that follows no path still has the number of the waypoint before
        if (later || done || (begun && here && !onLeg)) when = times[row];
        begun ||= onLeg;
      }
      found.push(when);
    }
    return found;
  }

  /** Over the time in which there was a path to be off. */
  get errorRms(): number {
    return this.rms(0, this.run.rows - 1) ?? 0;
  }

  private rms(first: number, last: number): number | null {
    const { times } = this.run;
    let [sum, time] = [0, 0];
    for (let row = first; row < last; row++) {
      if (!(this.following[row] > 0.5)) continue;
      sum += (times[row + 1] - times[row]) * this.error[row] ** 2;
      time += times[row + 1] - times[row];
    }
    return time > 0 ? Math.sqrt(sum / time) : null;
  }

  /** Whether there was a path to be off. */
  get followed(): boolean {
    return this.following.some((value) => value > 0.5);
  }

  /** Whether a phase says a depth. Where a craft floats when it begins is none. */
  get deep(): boolean {
    return this.planned.steps.some(({ deep, point }) => deep && point[2] !== 0);
  }

  /** All phases, those that were not begun, too, but for aborts. What was done at once has no duration. */
  get all(): Phase[] {
    const found: Phase[] = [];
    let then = this.finishedTime; // the next phase was begun, or the mission done
    for (let i = this.planned.names.length - 1; i >= 0; i--) {
      const name = this.planned.names[i];
      const first = this.number.indexOf(i + 1);
      const mine = i < this.planned.main && !name.startsWith("late: ");
      if (first >= 0) found.push({ name, words: this.words(i + 1, first) });
      else if (mine) found.push({ name, words: then === null ? "not begun" : `done at once, at ${general(then, 5)} s` });
      if (mine && first >= 0) then = this.run.times[first];
    }
    return found.reverse();
  }

  private words(number: number, first: number): string {
    const { times, rows } = this.run;
    const last = Math.min(this.number.lastIndexOf(number) + 1, rows - 1);
    const left = this.number[last] !== number;
    const done = left && this.aborted[last] === this.aborted[first];
    const span = `${general(times[first], 5)} s to ${general(times[last], 5)} s${done ? "" : ", not done"}`;
    const [north, east, down] = this.eta;
    if (this.following.subarray(first, last).some((value) => value > 0.5)) {
      let way = 0;
      for (let row = first; row < last; row++) {
        way += Math.hypot(north[row + 1] - north[row], east[row + 1] - east[row], down[row + 1] - down[row]);
      }
      return `${span}; ${general(way, 4)} m, ${fixed(this.rms(first, last) ?? 0, 3)} m RMS off track`;
    }
    let drift = 0;
    for (let row = first; row <= last; row++) {
      drift = Math.max(drift, Math.hypot(north[row] - north[first], east[row] - east[first]));
    }
    return `${span}; within ${general(drift, 3)} m`;
  }

  /** When it was given up, s, and why; null if it was not. */
  get givenUp(): { when: number; why: string } | null {
    const number = this.aborted[this.run.rows - 1];
    if (!number) return null;
    const when = this.run.times[this.aborted.indexOf(number)];
    return { when, why: number > 0 ? this.planned.reasons[number - 1] : "a phase took too long" };
  }

  /** The stretches of time between changes of the phase. */
  get bands(): Band[] {
    const { times, rows } = this.run;
    const found: Band[] = [];
    for (let first = 0, row = 1; row < rows; row++) {
      if (this.number[row] === this.number[first] && row < rows - 1) continue;
      found.push({ from: times[first], to: times[row], name: this.planned.names[this.number[first] - 1] ?? "" });
      first = row;
    }
    return found;
  }
}
