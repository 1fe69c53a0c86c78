// Plots over time, one under the other, with one cursor: what the pointer is at is the time of the whole page.

import uPlot from "uplot";
import { button, colour, eachFrame, el, freshId, runColour, seriesColour, whenTheme } from "../page/dom";
import type { State } from "../page/state";
import { brief, onScale, withUnit } from "../run/format";
import { Phases } from "../run/phases";
import type { Run } from "../run/run";
import { choices, firstPanels, panelOf, type Panel } from "./panels";

const HEIGHT = 148;
const NONE = "-"; // what a link says where all plots were taken away

export class Plots {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private readonly picker: HTMLSelectElement;
  private plots: Plot[] = [];
  private readonly draw: () => void;

  constructor(private readonly state: State) {
    const label = freshId("add-plot");
    this.picker = el("select", { id: label, onchange: () => this.choose() });
    this.list = el("div", { class: "plots" });
    this.element = el(
      "section",
      { class: "panel plots-panel", "aria-label": "Plots" },
      el(
        "header",
        {},
        el("h2", {}, "Over time"),
        el(
          "div",
          { class: "tools" },
          el("label", { for: label, class: "hidden" }, "Add a plot"),
          this.picker,
          button("Whole run", () => this.zoom(null), { class: "whole" }),
        ),
      ),
      this.list,
    );
    this.draw = eachFrame(() => this.refresh());
    state.on(["run", "kept", "view"], this.draw);
    state.on("time", eachFrame(() => this.cursor()));
    state.on("model", () => this.begin(this.keys));
    whenTheme(() => this.begin(this.keys));
    new ResizeObserver(() => this.plots.forEach((plot) => plot.fit(this.list.clientWidth))).observe(this.list);
  }

  /** Show the plots of a link, or those that suit the run. */
  begin(keys: string[]): void {
    const none = keys[0] === NONE;
    const { model } = this.state;
    const wanted = keys.flatMap((key) => panelOf(model, key) ?? []);
    this.plots.forEach((plot) => plot.destroy());
    this.plots = [];
    this.list.replaceChildren();
    for (const panel of wanted.length || none ? wanted : firstPanels(model)) this.add(panel);
    this.picker.replaceChildren(
      el("option", { value: "" }, "Add a plot …"),
      ...choices(model).map((panel) => el("option", { value: panel.key }, withUnit(panel.title, panel.unit && `(${panel.unit})`))),
    );
    this.refresh();
  }

  get keys(): string[] {
    return this.plots.length ? this.plots.map((plot) => plot.panel.key) : [NONE];
  }

  private choose(): void {
    const panel = choices(this.state.model).find(({ key }) => key === this.picker.value);
    this.picker.value = "";
    if (panel && !this.keys.includes(panel.key)) {
      this.add(panel);
      this.refresh();
      this.list.lastElementChild?.scrollIntoView({ block: "nearest" });
      this.state.tell("view");
    }
  }

  private add(panel: Panel): void {
    const plot = new Plot(this.state, panel, {
      zoom: (range) => this.zoom(range),
      remove: () => {
        plot.destroy();
        plot.element.remove();
        this.plots = this.plots.filter((one) => one !== plot);
        this.picker.focus();
        this.state.tell("view");
      },
    });
    this.list.append(plot.element);
    this.plots.push(plot);
  }

  zoom(range: [number, number] | null): void {
    this.state.shown.zoom = range;
    this.state.tell("view");
  }

  private refresh(): void {
    for (const plot of this.plots) plot.show();
  }

  private cursor(): void {
    for (const plot of this.plots) plot.cursor();
  }
}

const PREFIXED = new Set(["N", "N m", "W", "J", "Pa"]);
const SCALES: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];

interface Wishes {
  zoom(range: [number, number] | null): void;
  remove(): void;
}

class Plot {
  readonly element: HTMLElement;
  private readonly place: HTMLElement;
  private readonly legend: HTMLElement;
  private readonly unit: HTMLElement;
  private factor: number;
  private chart: uPlot | null = null;
  private shape = "";
  private readonly marker: HTMLElement;

  constructor(
    private readonly state: State,
    readonly panel: Panel,
    private readonly wishes: Wishes,
  ) {
    this.place = el("div", { class: "chart" });
    this.legend = el("span", { class: "legend" });
    this.unit = el("span", { class: "unit" });
    this.factor = panel.factor;
    this.marker = el("div", { class: "time-line", "aria-hidden": "true" });
    this.element = el(
      "figure",
      { class: "plot", "data-key": panel.key },
      el(
        "figcaption",
        {},
        el("div", {}, el("b", {}, panel.title), panel.unit ? this.unit : null, this.legend),
        button("×", () => wishes.remove(), { class: "quiet", "aria-label": `Remove the plot of ${panel.title}` }),
      ),
      this.place,
    );
  }

  destroy(): void {
    this.chart?.destroy();
    this.chart = null;
  }

  fit(width: number): void {
    if (width > 60) this.chart?.setSize({ width, height: HEIGHT });
    this.cursor();
  }

  /** The runs that are drawn, the present one last; the first is the one before it, which comes and goes. */
  private runs(): { run: Run | null; stroke: string | null }[] {
    const { kept, run, before } = this.state;
    const others = kept.filter((one) => one.run !== run);
    return [
      { run: before, stroke: colour("faint") },
      ...others.map((one) => ({ run: one.run, stroke: runColour(one.colour) })),
      { run, stroke: null },
    ];
  }

  show(): void {
    const runs = this.runs();
    const shape = runs.map(({ stroke }) => stroke ?? "now").join();
    this.choose(runs);
    const data = this.data(runs);
    if (!this.chart || shape !== this.shape) {
      this.chart?.destroy();
      this.shape = shape;
      this.chart = new uPlot(this.options(runs), data, this.place);
      this.chart.over.append(this.marker);
    } else {
      this.chart.setData(data, false);
    }
    this.rescale(data);
    this.cursor();
  }

  /** kN and MW where numbers would be long, by the greatest of all runs that are drawn, as figures have it. */
  private choose(runs: { run: Run | null }[]): void {
    let greatest = 0;
    for (const { run } of PREFIXED.has(this.panel.unit) ? runs : []) {
      for (const { path, element } of this.panel.traces) {
        for (const value of run?.series(path, element) ?? []) {
          if (Number.isFinite(value)) greatest = Math.max(greatest, Math.abs(value));
        }
      }
    }
    const [scale, prefix] = SCALES.find(([one]) => greatest >= 20 * one) ?? [1, ""];
    this.factor = this.panel.factor / scale;
    this.unit.textContent = ` ${prefix}${this.panel.unit}`;
  }

  private data(runs: { run: Run | null }[]): uPlot.AlignedData {
    const tables = runs.flatMap(({ run }) => (run ? [this.table(run)] : []));
    const [times, ...columns] = tables.length === 1 ? tables[0] : uPlot.join(tables);
    if (runs[0].run) return [times, ...columns];
    const none = nothing(times.length);
    return [times, ...this.panel.traces.map(() => none), ...columns];
  }

  private table(run: Run): uPlot.AlignedData {
    const times = run.times.subarray(0, run.rows);
    const columns: ArrayLike<number | null>[] = this.panel.traces.map(({ path, element, where }) => {
      const series = run.series(path, element);
      if (!series) return new Float64Array(run.rows).fill(Number.NaN);
      for (let i = 0; i < series.length; i++) series[i] *= this.factor;
      const mask = where ? run.series(where) : null;
      if (mask) return Array.from(series, (value, i) => (mask[i] > 0.5 ? value : null));
      return this.panel.unwrap ? unwrapped(series) : series;
    });
    if (this.panel.unwrap && columns.length === 2) near(columns[0] as Float64Array, columns[1] as Float64Array);
    return [times as unknown as number[], ...(columns as unknown as number[][])];
  }

  private rescale(data: uPlot.AlignedData): void {
    const { start, end } = this.state.model;
    const { run, before, kept } = this.state;
    const last = Math.max(run.last, before?.last ?? start, ...kept.map((one) => one.run.last));
    const whole: [number, number] = [start, run.over || before ? last : Math.min(end, Math.max(last, start + 1e-9))];
    const [from, to] = this.state.shown.zoom ?? whole;
    let [low, high] = [Infinity, -Infinity];
    const times = data[0] as number[];
    for (let s = 1; s < data.length; s++) {
      const values = data[s] as ArrayLike<number | null | undefined>;
      for (let i = 0; i < values.length; i++) {
        const value = values[i];
        if (value == null || !(times[i] >= from && times[i] <= to) || !Number.isFinite(value)) continue;
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (!(high >= low)) [low, high] = [0, 1];
    const margin = 0.08 * (high - low) || 0.5 * Math.abs(high) || 0.5;
    this.chart!.batch(() => {
      this.chart!.setScale("x", { min: from, max: to });
      this.chart!.setScale("y", { min: low - margin, max: high + margin });
    });
  }

  private options(runs: { stroke: string | null }[]): uPlot.Options {
    const many = this.panel.traces.length;
    const series: uPlot.Series[] = runs.flatMap(({ stroke }) =>
      this.panel.traces.map((trace, i) => ({
        stroke: stroke ?? (many === 1 || (many === 2 && this.panel.traces[0].wanted) ? colour(trace.wanted ? "reference" : "actual") : seriesColour(i)),
        width: stroke ? 1.2 : trace.wanted ? 1.4 : 1.8,
        dash: trace.wanted ? [6, 4] : undefined,
        points: { show: false },
        show: !(stroke && trace.wanted), // what other runs wanted would hide what they did
        spanGaps: !trace.where,
      })),
    );
    const axis: uPlot.Axis = {
      stroke: colour("muted"),
      grid: { stroke: colour("grid"), width: 1 },
      ticks: { stroke: colour("grid"), width: 1, size: 4 },
      font: "11px system-ui, sans-serif",
    };
    return {
      width: Math.max(this.place.clientWidth || this.element.clientWidth || 320, 120),
      height: HEIGHT,
      padding: [6, 18, 0, 0],
      pxAlign: 0,
      legend: { show: false },
      cursor: { y: false, x: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: 6 } },
      scales: { x: { time: false, auto: false }, y: { auto: false, dir: this.panel.down ? -1 : 1 } },
      axes: [
        { ...axis, size: 26, gap: 3, values: (_, marks) => marks.map((mark) => `${mark} s`) },
        { ...axis, size: 50, gap: 4, values: (_, marks) => marks.map((mark) => brief(mark, 6)) },
      ],
      series: [{}, ...series],
      hooks: {
        ready: [(chart) => this.hear(chart)],
        drawClear: [(chart) => this.bands(chart)],
        setSelect: [(chart) => this.selected(chart)],
      },
    };
  }

  /** The phases of a mission behind the lines: every other one darker, named where there is room. */
  private bands({ ctx, bbox, valToPos }: uPlot): void {
    const phases = Phases.of(this.state.run);
    if (!phases) return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.font = `${10 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    phases.bands.forEach(({ from, to, name }, i) => {
      const left = Math.max(valToPos(from, "x", true), bbox.left);
      const right = Math.min(valToPos(to, "x", true), bbox.left + bbox.width);
      ctx.fillStyle = colour("band");
      if (i % 2) ctx.fillRect(left, bbox.top, right - left, bbox.height);
      ctx.fillStyle = colour("muted");
      if (ctx.measureText(name).width < right - left - 4) ctx.fillText(name, (left + right) / 2, bbox.top + 2);
    });
    ctx.restore();
  }

  private hear(chart: uPlot): void {
    const move = (event: MouseEvent): void => {
      if (event.buttons === 0 && !this.state.playing) this.state.moveTo(chart.posToVal(event.offsetX, "x"));
    };
    chart.over.addEventListener("mousemove", move);
    chart.over.addEventListener("click", (event) => {
      if (chart.select.width < 6) this.state.moveTo(chart.posToVal(event.offsetX, "x"));
    });
    chart.over.addEventListener("dblclick", () => this.wishes.zoom(null));
  }

  private selected(chart: uPlot): void {
    const { left, width } = chart.select;
    if (width < 6) return;
    const range: [number, number] = [chart.posToVal(left, "x"), chart.posToVal(left + width, "x")];
    chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.wishes.zoom(range);
  }

  /** The line at the time of the page, and the values there. */
  cursor(): void {
    if (!this.chart) return;
    const { time, run } = this.state;
    const left = this.chart.valToPos(time, "x");
    this.marker.hidden = !(left >= -1 && left <= this.chart.bbox.width / devicePixelRatio + 1);
    this.marker.style.transform = `translateX(${Math.round(left)}px)`;
    const row = this.state.row;
    const many = this.panel.traces.length;
    const { min, max } = this.chart.scales.y;
    const span = (max ?? 0) - (min ?? 0);
    const parts = this.panel.traces.map((trace, i) => {
      const values = run.at(row, trace.path);
      const value = values ? onScale(values[trace.element] * this.factor, span) : "–";
      const stroke = many === 1 || (many === 2 && this.panel.traces[0].wanted) ? colour(trace.wanted ? "reference" : "actual") : seriesColour(i);
      const mark = el("i", {});
      mark.style.background = stroke;
      return el("span", {}, many > 1 ? mark : null, trace.label ? `${trace.label} ` : "", el("b", {}, value));
    });
    this.legend.replaceChildren(...parts);
  }
}

let nulls: null[] = [];

/** A column without a value. */
function nothing(length: number): null[] {
  if (nulls.length !== length) nulls = new Array<null>(length).fill(null);
  return nulls;
}

/** Degrees without jumps by full turns. */
function unwrapped(series: Float64Array): Float64Array {
  let turns = 0;
  for (let i = 1, before = series[0]; i < series.length; i++) {
    const now = series[i];
    if (now - before > 180) turns--;
    else if (now - before < -180) turns++;
    before = now;
    series[i] = now + 360 * turns;
  }
  return series;
}

/** What is wanted, within half a turn of what there is. */
function near(wanted: Float64Array, actual: Float64Array): void {
  for (let i = 0; i < wanted.length; i++) wanted[i] += 360 * Math.round((actual[i] - wanted[i]) / 360);
}
