// The engine's module of WebAssembly, by its functions: docs/webassembly.md.

import type { End } from "./messages";

type Call = (...numbers: number[]) => number;

interface Functions {
  memory: WebAssembly.Memory;
  allocate: Call;
  release: Call;
  open: Call;
  status: Call;
  failure: Call;
  plan_start: Call;
  plan_end: Call;
  plan_step: Call;
  values: Call;
  value_count: Call;
  parameters_changed: Call;
  resize: Call;
  record: Call;
  rows: Call;
  start: Call;
  proceed: Call;
  time: Call;
  steps: Call;
  version: Call;
}

export const PAUSED = 1;
const REFUSED: Record<number, string> = {
  [-1]: "it is no plan",
  [-2]: "it is of another version of Keelblocks",
  [-3]: "it is truncated",
  [-4]: "it is damaged",
  [-5]: "it needs a kernel that this page does not have",
};

/** An instance of the module. */
export class Door {
  private constructor(readonly call: Functions) {}

  static async open(module: ArrayBuffer): Promise<Door> {
    const { instance } = await WebAssembly.instantiate(module, {}).catch(() => {
      throw new Error("this page is damaged: its engine is no module of WebAssembly that this browser runs");
    });
    const call = instance.exports as unknown as Functions;
    const version = typeof call.version === "function" ? call.version() : "none";
    if (version !== 2) throw new Error(`this page is damaged: the version of its engine is ${version}, not 2`);
    return new Door(call);
  }

  put(array: Uint8Array | Int32Array): number {
    const address = this.call.allocate(array.byteLength) >>> 0;
    if (!address) throw new Error("there is no memory left for this page");
    new Uint8Array(this.call.memory.buffer, address, array.byteLength).set(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
    );
    return address;
  }

  doubles(address: number, count: number): Float64Array {
    return new Float64Array(this.call.memory.buffer, address >>> 0, count);
  }
}

/** A plan in the engine, with what it records. */
export class Plan {
  private readonly engine: number;
  private readonly base: Float64Array;
  private written: number[] = [];
  private sized = new Map<number, number>();
  private readonly columns: number;
  private readonly room: number;
  private readonly table: number;

  constructor(
    private readonly door: Door,
    plan: ArrayBuffer,
    private readonly places: Int32Array,
    every: number,
  ) {
    const bytes = new Uint8Array(plan);
    const address = door.put(bytes);
    this.engine = door.call.open(address, bytes.length);
    door.call.release(address);
    if (!this.engine) throw new Error("there is no memory left for this page");
    const status = door.call.status(this.engine);
    if (status) throw new Error(`the plan in this page cannot run: ${REFUSED[status] ?? `status ${status}`}`);
    const { plan_start, plan_end, plan_step, value_count } = door.call;
    this.base = this.values.slice();
    this.columns = places.length;
    const span = plan_end(this.engine) - plan_start(this.engine);
    this.room = Math.floor(span / (every * plan_step(this.engine)) + 1e-6) + 3;
    if (places.some((place) => place < 0 || place >= value_count(this.engine))) {
      throw new Error("this page is damaged: it records what the plan does not have");
    }
    const where = door.put(places);
    this.table = door.call.record(this.engine, where, this.columns, every, this.room) >>> 0;
    door.call.release(where);
    if (this.columns && !this.table) throw new Error(`there is no memory left for ${this.room} points of this run`);
  }

  private get values(): Float64Array {
    return this.door.doubles(this.door.call.values(this.engine), this.door.call.value_count(this.engine));
  }

  /** Go to the initial state with these numbers instead of the plan's own; the status. */
  start(writes: Float64Array, sizes: Int32Array): number {
    const values = this.values;
    for (const place of this.written) values[place] = this.base[place];
    this.written = [];
    for (let i = 0; i < writes.length; i += 2) {
      const place = writes[i];
      if (place >= 0 && place < values.length) {
        values[place] = writes[i + 1];
        this.written.push(place);
      }
    }
    for (let i = 0; i < sizes.length; i += 2) {
      if (this.sized.get(sizes[i]) !== sizes[i + 1]) {
        this.door.call.resize(this.engine, sizes[i], sizes[i + 1]);
        this.sized.set(sizes[i], sizes[i + 1]);
      }
    }
    this.door.call.parameters_changed(this.engine);
    return this.door.call.start(this.engine, this.door.call.plan_start(this.engine));
  }

  /** Go on by so many steps at most; the status. */
  proceed(steps: number): number {
    return this.door.call.proceed(this.engine, this.door.call.plan_end(this.engine), steps, 1);
  }

  get rows(): number {
    return this.door.call.rows(this.engine);
  }

  get steps(): number {
    return this.door.call.steps(this.engine);
  }

  get memory(): number {
    return this.door.call.memory.buffer.byteLength;
  }

  /** Copies of the rows from one on; `last`: with the present instant, if it is not among them. */
  take(first: number, last: boolean): { times: Float64Array<ArrayBuffer>; table: Float64Array<ArrayBuffer> } {
    const rows = this.rows;
    const columns = this.columns;
    const now = this.door.call.time(this.engine);
    const known = this.door.doubles(this.table, this.room);
    const step = this.door.call.plan_step(this.engine);
    const more = last && (rows === 0 || known[rows - 1] < now - 1e-9 * step) ? 1 : 0;
    const times = new Float64Array(rows - first + more);
    const table = new Float64Array(times.length * columns);
    times.set(known.subarray(first, rows));
    table.set(this.door.doubles(this.table + 8 * this.room, this.room * columns).subarray(first * columns, rows * columns));
    if (more) {
      const values = this.values;
      times[times.length - 1] = now;
      this.places.forEach((place, column) => (table[table.length - columns + column] = values[place]));
    }
    return { times, table };
  }

  end(status: number): End {
    const view = new DataView(this.door.call.memory.buffer, this.door.call.failure(this.engine) >>> 0, 24);
    const whole = (at: number): number => view.getInt32(at, true);
    return { status, block: whole(0), part: whole(4), element: whole(8), fault: whole(12), time: view.getFloat64(16, true) };
  }
}
