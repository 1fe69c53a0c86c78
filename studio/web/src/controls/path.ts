// The waypoints of a mission, as they are moved, added and taken away: on the map, and in their table.

import type { Parameter } from "../page/data";
import type { State } from "../page/state";
import { given } from "../run/changes";

export class Path {
  constructor(private readonly state: State) {}

  /** The number of the parameter; -1 where the path is a curve, which hangs on more than waypoints, or there is none. */
  get number(): number {
    const { model } = this.state;
    if (!model.planned || model.planned.curved) return -1;
    return model.parameters.findIndex((one) => one.path === model.planned!.waypoints);
  }

  get parameter(): Parameter | undefined {
    return this.state.model.parameters[this.number];
  }

  /** North, east and depth in turn, m. */
  get values(): number[] {
    const { parameter } = this;
    return parameter ? [...(this.state.changes.get(this.number) ?? given(parameter))] : [];
  }

  get count(): number {
    return this.values.length / 3;
  }

  get least(): number {
    return this.parameter?.rows?.least ?? this.count;
  }

  get room(): number {
    return this.parameter?.rows?.room ?? this.count;
  }

  put(at: number, value: number): void {
    const { values } = this;
    if (Number.isFinite(value)) values[at] = value;
    this.give(values);
  }

  /** Move a waypoint, to as many digits. */
  move(i: number, north: number, east: number, digits: number): void {
    const { values } = this;
    if (values.length < 3 * (i + 1)) return;
    values[3 * i] = Number(north.toFixed(digits));
    values[3 * i + 1] = Number(east.toFixed(digits));
    if (!coinciding(values)) this.give(values);
  }

  /** A new one behind another, half-way down between both. */
  insert(behind: number, north: number, east: number): void {
    const { values } = this;
    if (this.count >= this.room) return;
    const [depth, next] = [values[3 * behind + 2], values[3 * behind + 5] ?? values[3 * behind + 2]];
    values.splice(3 * behind + 3, 0, Number(north.toFixed(2)), Number(east.toFixed(2)), (depth + next) / 2);
    this.give(values);
  }

  /** A new one at the end, straight on. */
  add(): void {
    const { values } = this;
    const [n0, e0, , n1, e1, d1] = values.slice(-6);
    const length = Math.hypot(n1 - n0, e1 - e0) || 1;
    const far = Math.min(length, 20) / length;
    this.give([...values, n1 + (n1 - n0) * far, e1 + (e1 - e0) * far, d1]);
  }

  remove(i: number): void {
    const { values } = this;
    values.splice(3 * i, 3);
    this.give(values);
  }

  /** Two in a row that coincide are no leg: the engine is not asked for that. */
  private give(values: number[]): void {
    const second = coinciding(values);
    if (second) this.state.fail(`waypoints ${second} and ${second + 1} coincide: move one of them`);
    else this.state.set(this.number, values);
  }
}

/** The number of the first waypoint that the next one coincides with; 0 if none does. */
function coinciding(values: number[]): number {
  for (let i = 3; i < values.length; i += 3) {
    if ([0, 1, 2].every((axis) => values[i + axis] === values[i - 3 + axis])) return i / 3;
  }
  return 0;
}
