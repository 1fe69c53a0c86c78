// The page's face for programs, `window.keelblocks`: what its tests, benchmarks and a browser's console ask it for.

import { columnsOf } from "../run/columns";
import type { State } from "./state";

export interface Numbers {
  times: Float64Array;
  /** Row by row. */
  table: Float64Array;
  /** Where the number of each column stands in the plan. */
  places: Int32Array;
  /** The first column of each signal, and how many it has. */
  signals: Record<string, [number, number]>;
  status: number;
  steps: number;
  /** What the engine took, s. */
  seconds: number;
  /** Of the engine, bytes. */
  memory: number;
}

export interface Face {
  version: string;
  /** When the first rows of a run were there, ms since the page began to load; 0 before. */
  readonly firstRows: number;
  /** How many runs have begun, and how many have gone to their end. */
  readonly begun: number;
  readonly ended: number;
  /** How long the first rows of the run that is shown took to come, ms. */
  readonly answered: number;
  /** The run that was asked for last, when it is over. */
  run(): Promise<Numbers>;
  /** Set all numbers of a parameter, in SI, as a person would by slider or field. */
  set(path: string, values: number[]): void;
}

export function offer(state: State): void {
  const face: Face = {
    version: state.data.version,
    get firstRows() {
      return state.firstRows;
    },
    get begun() {
      return state.begun;
    },
    get ended() {
      return state.ended;
    },
    get answered() {
      return state.answered;
    },
    async run() {
      const { times, table, rows, model, end, steps, seconds, memory } = await state.whenOver();
      const columns = columnsOf(model);
      const { places } = columns;
      const signals = Object.fromEntries(model.channels.map(({ path, first, count }): [string, [number, number]] => [path, [columns.of(first), count]]));
      return {
        times: times.slice(0, rows), table: table.slice(0, rows * places.length), places, signals, status: end!.status,
        steps, seconds, memory,
      };
    },
    set(path, values) {
      const number = state.model.parameters.findIndex((one) => one.path === path);
      if (number < 0) throw new Error(`there is no parameter '${path}'`);
      state.set(number, values);
    },
  };
  (globalThis as unknown as { keelblocks: Face }).keelblocks = face;
}
