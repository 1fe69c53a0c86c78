// The worker: runs plans by the engine, in pieces, so that a newer wish is heard at once and the older one is dropped.

import { Door, PAUSED, Plan } from "./door";
import type { Ask, FromWorker, Rows, ToWorker } from "./messages";

const SLICE = 12; // ms of engine time between two messages: less than a frame
const SHORT = 30; // ms: a run that will take less is made in one go, so that each wish gets a whole one
const STEPS = 250; // in one call of the engine
const GOES_ON = 2; // statuses from 0 to 2 end a run in order, or pause it

interface Scope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}
const scope = self as unknown as Scope;

let opened: { door: Door; models: { plan: ArrayBuffer; places: Int32Array; every: number }[] } | null = null;
const plans = new Map<number, Plan>();
const known = new Map<Plan, { steps: number; pace: number }>(); // of the last whole run; ms of a step, lately
let wanted: Ask | null = null;
let working = false;

scope.onmessage = ({ data }): void => {
  if (data.kind === "open") {
    void Door.open(data.engine)
      .then((door) => {
        opened = { door, models: data.models };
        return work();
      })
      .catch(broken);
  } else {
    wanted = data;
    void work().catch(broken);
  }
};

function broken(problem: unknown): void {
  scope.postMessage({ kind: "broken", message: problem instanceof Error ? problem.message : String(problem) });
}

/** Work until nothing more is wanted. */
async function work(): Promise<void> {
  if (working || !opened) return;
  working = true;
  try {
    while (wanted) {
      await breath(); // so that of all that has come by now the last one is taken
      const ask: Ask = wanted;
      wanted = null;
      await run(planOf(ask.model), ask);
    }
  } finally {
    working = false;
  }
}

function planOf(number: number): Plan {
  let plan = plans.get(number);
  if (!plan) {
    const { door, models } = opened!;
    const model = models[number];
    plan = new Plan(door, model.plan, model.places, model.every);
    plans.set(number, plan);
  }
  return plan;
}

/** One run, until it is over or something newer is wanted. */
async function run(plan: Plan, ask: Ask): Promise<void> {
  let status = plan.start(ask.writes, ask.sizes);
  let taken = 0;
  let seconds = 0;
  const { steps: expected, pace } = known.get(plan) ?? { steps: Infinity, pace: Infinity };
  const slice = expected * pace < SHORT ? 2 * SHORT : SLICE;
  if (status === 0) status = PAUSED;
  for (;;) {
    const began = performance.now();
    while (status === PAUSED && performance.now() - began < slice) status = plan.proceed(STEPS);
    seconds += (performance.now() - began) / 1000;
    const over = status !== PAUSED;
    const { times, table } = plan.take(taken, over && status >= 0 && status <= GOES_ON);
    const rows: Rows = {
      kind: "rows",
      id: ask.id,
      first: taken,
      times,
      table,
      end: over ? plan.end(status) : null,
      steps: plan.steps,
      seconds,
      memory: plan.memory,
    };
    taken += times.length;
    scope.postMessage(rows, [times.buffer, table.buffer]);
    known.set(plan, { steps: over ? plan.steps : expected, pace: (1000 * seconds) / Math.max(plan.steps, 1) });
    if (over) return;
    await breath();
    if (wanted) return;
  }
}

const channel = new MessageChannel();
let resume: (() => void) | null = null;
channel.port1.onmessage = (): void => resume?.();

/** Let messages in that came meanwhile. */
function breath(): Promise<void> {
  return new Promise((done) => {
    resume = done;
    channel.port2.postMessage(null);
  });
}
