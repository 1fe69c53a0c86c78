// What page and worker say to each other.

export interface Open {
  kind: "open";
  engine: ArrayBuffer;
  /** Each plan, the places that are recorded, and which points of the grid. */
  models: { plan: ArrayBuffer; places: Int32Array; every: number }[];
}

export interface Ask {
  kind: "run";
  id: number;
  model: number;
  /** Places and values in turn. */
  writes: Float64Array;
  /** Numbers of sizes and rows in turn. */
  sizes: Int32Array;
}

/** Why a run is over: a status of the engine, and what `failure` says. */
export interface End {
  status: number;
  block: number;
  part: number;
  element: number;
  fault: number;
  time: number;
}

/** Rows of a run, from row `first` on. */
export interface Rows {
  kind: "rows";
  id: number;
  first: number;
  times: Float64Array;
  table: Float64Array;
  end: End | null;
  steps: number;
  /** What the engine took until now, s. */
  seconds: number;
  /** Of the engine, bytes. */
  memory: number;
}

export interface Broken {
  kind: "broken";
  message: string;
}

export type ToWorker = Open | Ask;
export type FromWorker = Rows | Broken;
