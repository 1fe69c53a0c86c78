// The page's side of the worker: the latest wish wins, and there is never a queue.

import { textOf, unpacked, type Model } from "../page/data";
import { policy } from "../page/policy";
import { placesOf } from "../run/columns";
import type { Ask, FromWorker, Open, Rows, ToWorker } from "./messages";

export type Wish = Omit<Ask, "kind" | "id">;

export class Client {
  onrows: (rows: Rows) => void = () => undefined;
  onbroken: (message: string) => void = () => undefined;
  private readonly worker: Worker;
  private id = 0;

  private constructor(worker: Worker) {
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>): void => {
      if (data.kind === "broken") this.onbroken(data.message);
      else this.onrows(data);
    };
    worker.onerror = (event): void => this.onbroken(event.message || "the page's worker cannot start");
  }

  /** Start the worker and hand it the engine and the plans; the first rows say that it is ready. */
  static async start(models: Model[]): Promise<Client> {
    const url = URL.createObjectURL(new Blob([textOf("worker")], { type: "text/javascript" }));
    const client = new Client(new Worker(policy.createScriptURL(url) as unknown as string));
    const [engine, ...plans] = await Promise.all([unpacked(textOf("engine")), ...models.map((one) => unpacked(one.plan))]);
    const open: Open = {
      kind: "open",
      engine,
      models: models.map((model, i) => ({ plan: plans[i], places: placesOf(model), every: model.every })),
    };
    client.post(open, [engine, ...plans]);
    return client;
  }

  /** Wish for a run. The worker drops what was wished for before and has not begun; the number of the run. */
  wish(wish: Wish): number {
    const ask: Ask = { kind: "run", id: ++this.id, ...wish };
    this.post(ask);
    return ask.id;
  }

  private post(message: ToWorker, transfer: Transferable[] = []): void {
    this.worker.postMessage(message, transfer);
  }
}
