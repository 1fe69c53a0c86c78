// What the page knows, and who wants to hear of it.

import { Client } from "../engine/client";
import type { Rows } from "../engine/messages";
import { toEngine, withValues, type Changes } from "../run/changes";
import { Run } from "../run/run";
import type { Data, Model, Slider } from "./data";

export const MOST_KEPT = 6;

export interface Kept {
  run: Run;
  /** Its colour, by number. */
  colour: number;
}

type Topic = "changes" | "run" | "time" | "kept" | "sliders" | "view" | "trouble" | "model";

/** Plots and views that a link restores. */
export interface Shown {
  plots: string[];
  zoom: [number, number] | null;
  open: string;
}

/** The model with the values that a member of a study has. */
function withMember(model: Model, writes: [number, number][]): Model {
  if (!writes.length) return model;
  const values = new Map(writes);
  const parameters = model.parameters.map((one) => ({
    ...one,
    values: one.values.map((value, i) => values.get(one.first + i) ?? value),
  }));
  return { ...model, parameters };
}

export class State {
  changes: Changes = new Map();
  model: Model;
  modelNumber = 0;
  /** What stands under the changes that a person makes: those of a member of a study. */
  member: { number: number; writes: [number, number][] } | null = null;
  run: Run;
  /** The last run that was whole: shown behind one that goes on. */
  before: Run | null = null;
  kept: Kept[] = [];
  sliders: Slider[];
  shown: Shown = { plots: [], zoom: null, open: "" };
  time = 0;
  /** Whether the cursor was put somewhere; until then it stays at the end. */
  placed = false;
  playing = false;
  speed = 10;
  trouble = "";
  firstRows = 0;
  private readonly listeners = new Map<Topic, (() => void)[]>();
  private client: Client | null = null;
  private wished = 0;
  private coming: Run | null = null;
  private spare: Run | null = null;
  private readonly waiting = new Map<number, (run: Run) => void>();

  constructor(readonly data: Data) {
    this.model = data.models[0];
    this.sliders = [...data.sliders];
    this.run = new Run(this.model, 0, this.changes);
    this.time = this.model.start;
  }

  on(topics: Topic | Topic[], listener: () => void): void {
    for (const topic of [topics].flat()) this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  tell(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  async start(): Promise<void> {
    this.client = await Client.start(this.data.models);
    this.client.onrows = (rows): void => this.hear(rows);
    this.client.onbroken = (message): void => this.fail(message);
    this.simulate();
  }

  fail(message: string): void {
    this.trouble = message;
    this.tell("trouble");
  }

  /** Run with the present changes. */
  simulate(): void {
    if (!this.client) return;
    this.coming = new Run(this.model, this.modelNumber, this.changes, this.spare ?? undefined);
    this.spare = null;
    this.wished = this.wish(this.coming);
  }

  private wish(run: Run): number {
    const { writes, sizes } = toEngine(run.model, run.changes);
    const under = (this.member?.writes ?? []).flat();
    const all = new Float64Array(under.length + writes.length);
    all.set(under);
    all.set(writes, under.length);
    return this.client!.wish({ model: run.modelNumber, writes: all, sizes });
  }

  private hear(rows: Rows): void {
    if (rows.id !== this.wished || !this.coming) return;
    if (rows.first === 0) this.begin(this.coming);
    this.run.take(rows);
    if (!this.placed) this.time = this.run.last;
    this.firstRows ||= performance.now();
    if (this.run.over && this.before) {
      if (!this.kept.some((one) => one.run === this.before)) this.spare ??= this.before;
      this.before = null;
    }
    this.tell("run");
    if (this.run.over) this.waiting.get(rows.id)?.(this.run);
  }

  /** The first rows of a new run are there: it takes the place of the one that is shown. */
  private begin(run: Run): void {
    const last = this.run;
    if (last === run) return;
    const whole = last.over && !last.failed && last.rows > 1;
    const gone = whole ? this.before : last;
    if (whole) this.before = last;
    if (gone && gone !== run && !this.kept.some((one) => one.run === gone)) this.spare = gone;
    this.run = run;
  }

  /** The run that was wished for last, when it is over. */
  whenOver(): Promise<Run> {
    const id = this.wished;
    if (this.run.over && this.coming === this.run) return Promise.resolve(this.run);
    return new Promise((done) => this.waiting.set(id, done));
  }

  set(number: number, values: readonly number[]): void {
    this.change(withValues(this.model, this.changes, number, values));
  }

  setElement(number: number, element: number, value: number): void {
    const now = [...(this.changes.get(number) ?? this.model.parameters[number].values)];
    now[element] = value;
    this.set(number, now);
  }

  change(changes: Changes): void {
    this.changes = changes;
    this.trouble = "";
    this.simulate();
    this.tell("changes");
  }

  /** Show another plan, or another member of a study. */
  show(modelNumber: number, member: State["member"], changes: Changes = new Map()): void {
    const other = modelNumber !== this.modelNumber;
    this.modelNumber = modelNumber;
    this.model = withMember(this.data.models[modelNumber], member?.writes ?? []);
    this.member = member;
    if (other) {
      this.before = null;
      this.sliders = [];
      this.tell("model");
    }
    this.change(changes);
  }

  moveTo(time: number): void {
    const { start, end } = this.model;
    this.time = Math.min(Math.max(time, start), Math.min(end, Math.max(this.run.last, start)));
    this.placed = true;
    this.tell("time");
  }

  keep(): Kept | null {
    if (this.kept.length >= MOST_KEPT || this.kept.some((one) => one.run === this.run) || this.run.rows < 2) return null;
    const taken = new Set(this.kept.map((one) => one.colour));
    const colour = Array.from({ length: MOST_KEPT }, (_, i) => i).find((i) => !taken.has(i))!;
    const kept = { run: this.run, colour };
    this.kept = [...this.kept, kept];
    this.tell("kept");
    return kept;
  }

  drop(kept: Kept): void {
    this.kept = this.kept.filter((one) => one !== kept);
    this.tell("kept");
  }

  /** The row at the cursor. */
  get row(): number {
    return this.run.rowAt(this.time);
  }
}
