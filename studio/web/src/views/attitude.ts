// The panel of the attitude: its part of the page is loaded when a person wants to see it.

import type { Attitude, MakeAttitude } from "../late/attitude";
import { textOf } from "../page/data";
import { button, eachFrame, el, runColour } from "../page/dom";
import { policy } from "../page/policy";
import type { State } from "../page/state";
import type { Vector } from "./hull";

const POINTS = 240;

export class AttitudePanel {
  readonly element: HTMLElement;
  private readonly opener: HTMLButtonElement;
  private readonly canvas: HTMLCanvasElement;
  private view: Attitude | null = null;

  constructor(private readonly state: State) {
    this.canvas = el("canvas", { class: "attitude", tabindex: 0, role: "img", hidden: true, "aria-label": "The craft's attitude in three dimensions. Keys: arrows turn the view." });
    this.opener = button("Show the attitude in 3-D", () => this.open(), { class: "opener" });
    this.element = el("section", { class: "panel attitude-panel", "aria-label": "Attitude" }, el("header", {}, el("h2", {}, "Attitude")), this.opener, this.canvas);
    const draw = eachFrame(() => this.show());
    state.on(["time", "run", "kept"], draw);
    state.on("model", () => this.appear());
    this.appear();
  }

  private appear(): void {
    this.element.hidden = !this.state.model.vessels.length;
  }

  private open(): void {
    if (!this.view) {
      const script = document.createElement("script");
      script.text = policy.createScript(textOf("attitude"));
      document.head.append(script);
      const make = (globalThis as unknown as { keelblocksAttitude?: MakeAttitude }).keelblocksAttitude;
      if (!make) {
        this.state.fail("the attitude cannot be shown: its part of the page is damaged");
        return;
      }
      this.canvas.hidden = false;
      this.opener.hidden = true;
      this.view = make(this.canvas);
      this.canvas.focus();
    }
    this.show();
  }

  private show(): void {
    if (!this.view) return;
    const { run, row, kept, time, model } = this.state;
    const craft = model.vessels[0];
    const eta = craft && run.at(row, `${craft.name}.eta`);
    if (!eta) return;
    const others = kept.flatMap((one) => {
      const name = one.run.model.vessels[0]?.name;
      const other = one.run !== run && name ? one.run.at(one.run.rowAt(time), `${name}.eta`) : null;
      return other ? [{ eta: other, colour: runColour(one.colour) }] : [];
    });
    const first = Math.max(0, row - 4 * POINTS);
    const path: Vector[] = [];
    for (let i = first; i <= row; i += Math.max(1, Math.floor((row - first) / POINTS))) {
      path.push(run.at(i, `${craft.name}.eta`)!.slice(0, 3) as Vector);
    }
    this.view.show({ eta, craft, others, path });
  }
}
