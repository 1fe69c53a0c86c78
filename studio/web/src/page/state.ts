// What the page knows, and who wants to hear of it.

import { Client } from "../engine/client";
import type { Rows } from "../engine/messages";
import { toEngine, valuesOf, withValues, type Changes } from "../run/changes";
import { Run } from "../run/run";
import { nameOf } from "../study/names";
import type { Data, Member, Model, Slider } from "./data";

export const MOST_KEPT = 6;

export interface Kept {
  run: Run;
  /** Its colour, by number. */
  colour: number;
}

type Topic = "changes" | "run" | "time" | "kept" | "sliders" | "view" | "trouble" | "model";

/** Views that a link restores. */
export interface Shown {
  zoom: [number, number] | null;
  open: string;
}

/** The model with the values that a member of a study has. */
function withMember(model: Model, { number, writes }: Member, name: string): Model {
  const values = new Map(writes);
  const parameters = model.parameters.map((one) => ({
    ...one,
    values: one.values.map((value, i) => values.get(one.first + i) ?? value),
  }));
  const { planned } = model;
  const own = planned && parameters.find(({ path }) => path === planned.waypoints);
  const moved = own && writes.some(([place]) => place >= own.first && place < own.first + own.count);
  // a curve is known for the model's own waypoints only
  return { ...model, parameters, planned: moved && planned.curved ? { ...planned, line: [] } : planned, member: { number, name } };
}

export class State {
  changes: Changes = new Map();
  model: Model;
  modelNumber = 0;
  /** What stands under the changes that a person makes: those of a member of a study. */
  member: Member | null = null;
  run: Run;
  /** The last run that was whole: shown behind one that goes on. */
  before: Run | null = null;
  kept: Kept[] = [];
  sliders: Slider[] = [];
  shown: Shown = { zoom: null, open: "" };
  time = 0;
  /** Whether the cursor was put somewhere; until then it stays at the end. */
  placed = false;
  playing = false;
  speed = 10;
  trouble = "";
  /** When the first rows were there, ms; how many runs have begun, and how many are over. */
  firstRows = 0;
  begun = 0;
  ended = 0;
  /** From a wish to its first rows, ms. */
  answered = 0;
  private readonly members: Map<number, Member>;
  private readonly models = new Map<number, Model>();
  private readonly listeners = new Map<Topic, (() => void)[]>();
  private client: Client | null = null;
  private wished = 0;
  /** Runs that were wished for, by their numbers, and when: the one that goes on, and those after it. */
  private readonly coming = new Map<number, { run: Run; at: number }>();
  private spare: Run | null = null;
  private waiting: ((run: Run) => void)[] = [];

  constructor(readonly data: Data) {
    this.model = data.models[0];
    this.run = new Run(this.model, 0, this.changes);
    this.time = this.model.start;
    this.members = new Map(data.study?.members.map((one) => [one.number, one]));
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
    const run = new Run(this.model, this.modelNumber, this.changes);
    this.wished = this.wish(run);
    this.coming.set(this.wished, { run, at: performance.now() });
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
    const coming = this.coming.get(rows.id);
    if (!coming) return;
    if (rows.first === 0) {
      this.begin(coming.run);
      this.begun++;
      this.answered = performance.now() - coming.at;
      for (const id of this.coming.keys()) if (id < rows.id) this.coming.delete(id);
    }
    if (rows.end) {
      this.ended++;
      this.coming.delete(rows.id);
    }
    this.run.take(rows);
    if (!this.placed) this.time = this.run.last;
    this.firstRows ||= performance.now();
    if (this.run.over && this.before) {
      if (!this.kept.some((one) => one.run === this.before)) this.spare ??= this.before;
      this.before = null;
    }
    this.tell("run");
    if (rows.end && rows.id === this.wished) for (const done of this.waiting.splice(0)) done(this.run);
  }

  /** The first rows of a new run are there: it takes the place of the one that is shown. */
  private begin(run: Run): void {
    const last = this.run;
    const whole = last.over && !last.failed && last.rows > 1 && last.model === run.model;
    const gone = whole ? this.before : last;
    if (whole) this.before = last;
    if (gone && !this.kept.some((one) => one.run === gone)) this.spare = gone;
    run.make(this.spare);
    this.spare = null;
    this.run = run;
  }

  /** The run that was wished for last, when it is over; if another one is wished for meanwhile, that one. */
  whenOver(): Promise<Run> {
    if (this.run.over && !this.coming.size) return Promise.resolve(this.run);
    return new Promise((done) => this.waiting.push(done));
  }

  set(number: number, values: readonly number[]): void {
    this.change(withValues(this.model, this.changes, number, values));
  }

  setElement(number: number, element: number, value: number): void {
    const now = [...valuesOf(this.model, this.changes, number)];
    now[element] = value;
    this.set(number, now);
  }

  change(changes: Changes): void {
    this.changes = changes;
    this.trouble = "";
    this.simulate();
    this.tell("changes");
  }

  /** The model with a member's numbers, the same one each time; null if there is no such member. */
  modelOf(number: number): Model | null {
    const member = this.members.get(number);
    let model = this.models.get(number);
    if (member && !model) {
      model = withMember(this.data.models[member.model], member, nameOf(this.data.study!, member));
      this.models.set(number, model);
    }
    return model ?? null;
  }

  /** Show a member of a study; false if there is none of this number. */
  choose(number: number, changes: Changes = new Map()): boolean {
    const [member, model] = [this.members.get(number), this.modelOf(number)];
    if (!member || !model) return false;
    const other = member.model !== this.modelNumber;
    [this.modelNumber, this.model, this.member] = [member.model, model, member];
    this.before = null;
    if (!this.client) this.run = new Run(model, member.model, changes);
    if (other) {
      this.sliders = [];
      this.tell("model");
    }
    this.change(changes);
    return true;
  }

  moveTo(time: number): void {
    const { start, end } = this.model;
    this.time = Math.min(Math.max(time, start), Math.min(end, Math.max(this.run.last, start)));
    this.placed = true;
    this.tell("time");
  }

  keep(): Kept | null {
    if (this.kept.length >= MOST_KEPT || this.kept.some((one) => one.run === this.run) || !this.run.over || this.run.rows < 2) return null;
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
