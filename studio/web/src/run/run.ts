// One run as the page has it: rows as they come from the worker, and why it is over.

import type { End, Rows } from "../engine/messages";
import type { Model, Quantity } from "../page/data";
import type { Changes } from "./changes";
import { columnsOf } from "./columns";

export const COMPLETE = 0;
export const STOPPED = 2;

export class Run {
  rows = 0;
  end: End | null = null;
  steps = 0;
  seconds = 0;
  memory = 0;
  times = new Float64Array(0);
  table = new Float64Array(0);
  private readonly width: number;

  constructor(
    readonly model: Model,
    readonly modelNumber: number,
    readonly changes: Changes,
  ) {
    this.width = columnsOf(model).places.length;
  }

  /** Make room for all rows, in that of a run that is no longer shown where it fits: most wishes never get here. */
  make(spare: Run | null): void {
    const { model } = this;
    const room = Math.floor((model.end - model.start) / (model.every * model.step) + 1e-6) + 3;
    this.times = spare?.times.length === room ? spare.times : new Float64Array(room);
    this.table = spare?.table.length === room * this.width ? spare.table : new Float64Array(room * this.width);
  }

  take(rows: Rows): void {
    this.times.set(rows.times, rows.first);
    this.table.set(rows.table, rows.first * this.width);
    this.rows = rows.first + rows.times.length;
    this.end = rows.end;
    this.steps = rows.steps;
    this.seconds = rows.seconds;
    this.memory = rows.memory;
  }

  get over(): boolean {
    return this.end !== null;
  }

  get failed(): boolean {
    return this.end !== null && this.end.status !== COMPLETE && this.end.status !== STOPPED;
  }

  get last(): number {
    return this.rows ? this.times[this.rows - 1] : this.model.start;
  }

  channel(path: string): Quantity | undefined {
    return columnsOf(this.model).channel(path);
  }

  has(path: string): boolean {
    return this.channel(path) !== undefined;
  }

  /** One element of a signal, row by row; null if it is not recorded. */
  series(path: string, element = 0): Float64Array | null {
    const channel = this.channel(path);
    const column = channel && element < channel.count ? columnsOf(this.model).of(channel.first + element) : -1;
    return column < 0 ? null : this.seriesAt(column);
  }

  private seriesAt(column: number): Float64Array {
    const found = new Float64Array(this.rows);
    for (let row = 0, at = column; row < this.rows; row++, at += this.width) found[row] = this.table[at];
    return found;
  }

  value(row: number, column: number): number {
    return this.table[row * this.width + column];
  }

  /** Elements of a signal in a row. */
  at(row: number, path: string): number[] | null {
    const channel = this.channel(path);
    if (!channel || row < 0 || row >= this.rows) return null;
    const column = columnsOf(this.model).of(channel.first);
    return Array.from({ length: channel.count }, (_, i) => this.value(row, column + i));
  }

  /** The row of the last point at or before a time. */
  rowAt(time: number): number {
    let low = 0;
    let high = this.rows - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return this.rows ? low : -1;
  }
}

/** Why a run stopped, in words; "" if it went to its end. */
export function reason(run: Run): string {
  const end = run.end;
  if (!end || !run.failed) return "";
  const block = run.model.blocks[end.block];
  const where = block?.name ?? "the diagram";
  const at = `t = ${Number(end.time.toPrecision(6))} s`;
  switch (end.status) {
    case 3:
      return `${where} stopped the run at ${at}: ${block?.faults[end.fault - 1] ?? `fault number ${end.fault}`}`;
    case 4: {
      const what = end.part === 1 ? `output ${block?.outputs[end.fault] ?? ""}` : end.part === 2 ? "a derivative" : "a state";
      return `${where}: ${block ? what : "a value"} is not a finite number at ${at}; check the block's parameters and inputs`;
    }
    case 5:
      return `modes keep changing at ${at}: an update of a block undoes itself again and again`;
    case 6:
      return `the adaptive solver cannot go on at ${at}: ${where} changes too fast to be followed`;
    case 7:
      return `events follow each other without time going on at ${at}`;
    default:
      return `the run stopped at ${at}: status ${end.status}`;
  }
}
