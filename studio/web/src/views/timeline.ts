// The time of the page: play, speeds, steps, and what happened.

import { button, colour, eachFrame, el, fitted, freshId, whenTheme } from "../page/dom";
import type { State } from "../page/state";
import { events, type Event } from "../run/events";
import { clock } from "../run/format";

const SPEEDS = [0.5, 1, 2, 5, 10, 20, 50, 100];

export class Timeline {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly text: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly list: HTMLSelectElement;
  private events: Event[] = [];
  private last = 0;

  constructor(private readonly state: State) {
    this.slider = el("input", { type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time", oninput: () => state.moveTo(Number(this.slider.value)) });
    this.slider.addEventListener("keydown", (event) => this.keys(event));
    this.canvas = el("canvas", { class: "marks", "aria-hidden": "true" });
    this.text = el("output", { class: "clock" });
    this.play = button("Play", () => this.toggle(), { class: "play" });
    const speed = freshId("speed");
    const list = freshId("events");
    this.list = el("select", { id: list, class: "events", onchange: () => this.jump() });
    this.element = el(
      "section",
      { class: "timeline", "aria-label": "Timeline" },
      this.play,
      el("label", { for: speed, class: "hidden" }, "Speed"),
      el(
        "select",
        { id: speed, onchange: (event: never) => (state.speed = Number((event as { target: HTMLSelectElement }).target.value)) },
        ...SPEEDS.map((one) => el("option", { value: one, selected: one === state.speed }, `${one} ×`)),
      ),
      el("div", { class: "track" }, this.canvas, this.slider),
      this.text,
      el("label", { for: list, class: "hidden" }, "Events"),
      this.list,
    );
    state.on("time", eachFrame(() => this.show()));
    state.on(["run", "model", "view"], eachFrame(() => this.refresh()));
    new ResizeObserver(eachFrame(() => this.paint())).observe(this.canvas);
    whenTheme(eachFrame(() => this.paint()));
  }

  toggle(): void {
    const { state } = this;
    state.playing = !state.playing;
    this.play.textContent = state.playing ? "Pause" : "Play";
    if (!state.playing) return;
    if (state.time >= state.run.last - 1e-9) state.moveTo(state.model.start);
    this.last = performance.now();
    requestAnimationFrame((now) => this.advance(now));
  }

  private advance(now: number): void {
    const { state } = this;
    if (!state.playing) return;
    state.moveTo(state.time + (Math.max(now - this.last, 0) / 1000) * state.speed);
    this.last = now;
    if (state.time >= state.run.last - 1e-9 && state.run.over) this.toggle();
    else requestAnimationFrame((later) => this.advance(later));
  }

  /** By the keys of the page: to the next point, event, or end. */
  step(rows: number): void {
    const { run, row } = this.state;
    const to = Math.min(Math.max(row + rows, 0), run.rows - 1);
    if (to >= 0) this.state.moveTo(run.times[to]);
  }

  event(direction: 1 | -1): void {
    const { time } = this.state;
    const ahead = this.events.map((one) => one.from).filter((at) => (direction > 0 ? at > time + 1e-6 : at < time - 1e-6));
    if (ahead.length) this.state.moveTo(direction > 0 ? Math.min(...ahead) : Math.max(...ahead));
  }

  private keys(event: KeyboardEvent): void {
    const rows: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 20, PageDown: -20 };
    const step = rows[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.step(event.shiftKey ? 10 * step : step);
  }

  private refresh(): void {
    const { state } = this;
    this.slider.min = String(state.model.start);
    this.slider.max = String(Math.max(state.run.last, state.before?.last ?? 0, state.model.start + 1e-9));
    if (state.run.over || !this.events.length) {
      this.events = events(state.run);
      this.list.replaceChildren(
        el("option", { value: "" }, this.events.length ? `${this.events.length} event${this.events.length > 1 ? "s" : ""}` : "no events"),
        ...this.events.map((one, i) => el("option", { value: i }, `${clock(one.from)}  ${one.text}`)),
      );
      this.list.disabled = !this.events.length;
    }
    this.paint();
    this.show();
  }

  private jump(): void {
    const event = this.events[Number(this.list.value)];
    if (this.list.value !== "" && event) this.state.moveTo(event.from);
    this.list.value = "";
  }

  private show(): void {
    const { time } = this.state;
    this.slider.value = String(time);
    this.slider.setAttribute("aria-valuetext", clock(time));
    const text = `${clock(time)} / ${clock(this.state.run.last)}`;
    if (this.text.textContent !== text) this.text.textContent = text;
  }

  /** Events above the slider: dots for waypoints, lines for phases, bars for limits, a block where the run failed. */
  private paint(): void {
    const { context: c, width, height } = fitted(this.canvas);
    const [from, to] = [Number(this.slider.min), Number(this.slider.max)];
    const x = (time: number): number => 8 + ((time - from) / (to - from || 1)) * (width - 16);
    for (const event of this.events) {
      if (event.kind === "limit") {
        c.fillStyle = colour("limit");
        c.fillRect(x(event.from), height - 5, Math.max(x(event.to) - x(event.from), 1.5), 4);
      }
    }
    for (const event of this.events) {
      if (event.kind === "limit") continue;
      c.fillStyle = colour(event.kind === "fault" ? "fault" : event.kind === "end" ? "ink" : "reference");
      c.beginPath();
      if (event.kind === "waypoint") c.arc(x(event.from), height / 2 - 2, 3.6, 0, 2 * Math.PI);
      else if (event.kind === "phase") c.rect(x(event.from) - 1, 0, 2, height - 6);
      else c.rect(x(event.from) - 2, 1, 4, height - 7);
      c.fill();
    }
  }
}
