// What may be changed: sliders and fields with units, for what the page begins with and for whatever is added.

import { button, el, freshId } from "../page/dom";
import type { Parameter, Slider, Vary } from "../page/data";
import type { State } from "../page/state";
import { elementName, given, refused, spoken, unitOf, valuesOf } from "../run/changes";
import { brief } from "../run/format";
import { sliderOf } from "./range";
import { Waypoints } from "./waypoints";

export class Controls {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private readonly adder: HTMLInputElement;
  private readonly names: HTMLDataListElement;
  private readonly said: HTMLElement;
  private rows: Row[] = [];

  constructor(private readonly state: State) {
    const list = freshId("parameters");
    const label = freshId("add-parameter");
    this.names = el("datalist", { id: list });
    this.said = el("p", { class: "said", role: "status" });
    this.adder = el("input", { id: label, list, placeholder: "type a name, such as lookahead", autocomplete: "off", spellcheck: false });
    this.adder.addEventListener("change", () => this.addNamed());
    this.list = el("div", { class: "sliders" });
    const waypoints = new Waypoints(state);
    this.element = el(
      "section",
      { class: "panel controls-panel", "aria-label": "What may vary" },
      el("header", {}, el("h2", {}, "Change"), el("div", { class: "tools" }, button("Reset all", () => this.reset(), { class: "reset" }))),
      this.list,
      el("div", { class: "adder" }, el("label", { for: label }, "Add a parameter"), this.adder, this.names),
      this.said,
      waypoints.element,
    );
    state.on("model", () => {
      this.rows = [];
      this.name();
    });
    state.on(["model", "sliders"], () => this.build());
    state.on("changes", () => this.rows.forEach((row) => row.show()));
    this.name();
    this.build();
  }

  private build(): void {
    if (!this.state.sliders.length) this.state.sliders = this.state.data.sliders.flatMap((one) => this.moved(one));
    const there = new Map(this.rows.map((row) => [keyOf(row.slider), row]));
    this.rows = this.state.sliders.map((slider) => there.get(keyOf(slider)) ?? new Row(this.state, slider));
    const fresh = this.rows.filter((row) => !row.element.isConnected || row.element.parentElement !== this.list);
    if (fresh.length === this.rows.length) this.list.replaceChildren(...this.rows.map((row) => row.element));
    else this.list.append(...fresh.map((row) => row.element));
  }

  private name(): void {
    const { model } = this.state;
    this.names.replaceChildren(
      ...model.parameters
        .filter((one) => one.path !== model.planned?.waypoints)
        .flatMap((one) => given(one).map((_, i) => el("option", { value: elementName(one, i) }, one.doc))),
    );
  }

  /** A slider that the page has for the first plan, in this one, where it has such a parameter. */
  private moved(vary: Vary): Slider[] {
    const { data, model } = this.state;
    const path = data.models[0].parameters[vary.parameter]?.path;
    const parameter = model.parameters.findIndex((one) => one.path === path);
    return parameter < 0 ? [] : [sliderOf(model, { ...vary, parameter }, given(model.parameters[parameter])[vary.element])];
  }

  private addNamed(): void {
    const { model } = this.state;
    const text = this.adder.value.trim();
    if (!text) return;
    const all = model.parameters.flatMap((one, parameter) => given(one).map((_, element) => ({ parameter, element, name: elementName(one, element) })));
    const exact = all.filter(({ name }) => name === text);
    const found = exact.length ? exact : all.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
    if (found.length !== 1) {
      this.said.textContent = found.length ? `${found.length} parameters are called so: choose one of the list` : `no parameter is called '${text}'`;
      return;
    }
    const [{ parameter, element }] = found;
    this.said.textContent = "";
    this.adder.value = "";
    this.add(parameter, element);
  }

  add(parameter: number, element: number): void {
    const { state } = this;
    if (!state.sliders.some((one) => one.parameter === parameter && one.element === element)) {
      const value = valuesOf(state.model, state.changes, parameter)[element];
      state.sliders = [...state.sliders, sliderOf(state.model, { parameter, element }, value)];
      state.tell("sliders");
      state.tell("view");
    }
    this.rows.find((row) => row.slider.parameter === parameter && row.slider.element === element)?.focus();
  }

  private reset(): void {
    this.state.change(new Map());
  }
}

function keyOf({ parameter, element }: Slider): string {
  return `${parameter}.${element}`;
}

class Row {
  readonly element: HTMLElement;
  private readonly range: HTMLInputElement | null = null;
  private readonly field: HTMLInputElement | HTMLSelectElement;
  private readonly problem: HTMLElement;
  private readonly back: HTMLButtonElement;

  constructor(
    private readonly state: State,
    readonly slider: Slider,
  ) {
    const parameter = this.parameter;
    const [unit, factor] = unitOf(parameter, slider.element);
    const id = freshId("value");
    this.problem = el("span", { class: "problem", id: `${id}-problem`, role: "alert" });
    const name = elementName(parameter, slider.element);
    if (parameter.choices || parameter.kind === "switch") {
      const choices = parameter.choices ?? ["false", "true"];
      this.field = el("select", { id, onchange: () => this.give(Number(this.field.value)) }, ...choices.map((one, i) => el("option", { value: i }, one)));
    } else {
      this.field = el("input", { id, type: "number", step: "any", "aria-describedby": `${id}-problem`, onchange: () => this.typed(factor) });
      const step = parameter.kind === "integer" ? 1 : (slider.high - slider.low) / 200;
      this.range = el("input", {
        type: "range", min: slider.low * factor, max: slider.high * factor, step: parameter.kind === "integer" ? 1 : step * factor,
        "aria-label": unit ? `${name}, ${unit}` : name, oninput: () => this.give(rounded(Number(this.range!.value), step * factor) / factor),
      });
    }
    this.back = button("↺", () => this.give(this.first), { class: "quiet back", "aria-label": `Set ${name} back`, title: `${spoken(parameter, slider.element, this.first)} in the scenario` });
    this.element = el(
      "div",
      { class: "slider" },
      el("label", { for: id, title: parameter.doc }, named(name)),
      el("span", { class: "value" }, this.field, el("span", { class: "unit" }, unit), this.back),
      this.range,
      this.problem,
    );
    this.show();
  }

  private get parameter(): Parameter {
    return this.state.model.parameters[this.slider.parameter];
  }

  private get first(): number {
    return given(this.parameter)[this.slider.element];
  }

  focus(): void {
    (this.range ?? this.field).focus();
  }

  private typed(factor: number): void {
    const text = this.field.value;
    this.give(text === "" ? Number.NaN : Number(text) / factor);
  }

  private give(value: number): void {
    const why = refused(this.parameter, value);
    this.problem.textContent = why;
    this.field.setAttribute("aria-invalid", String(why !== ""));
    if (!why) this.state.setElement(this.slider.parameter, this.slider.element, value);
  }

  show(): void {
    const value = valuesOf(this.state.model, this.state.changes, this.slider.parameter)[this.slider.element];
    const [, factor] = unitOf(this.parameter, this.slider.element);
    const text = this.range ? numberText(value * factor) : String(value);
    if (document.activeElement !== this.field || Number(this.field.value) !== Number(text)) this.field.value = text;
    if (this.range && document.activeElement !== this.range) this.range.value = String(value * factor);
    if (this.range) this.range.setAttribute("aria-valuetext", spoken(this.parameter, this.slider.element, value));
    const changed = value !== this.first;
    this.element.classList.toggle("changed", changed);
    this.back.hidden = !changed;
    this.problem.textContent = "";
    this.field.setAttribute("aria-invalid", "false");
  }
}

/** The last two parts of a name in bold, what is before them small. */
function named(name: string): HTMLElement {
  const parts = name.split(".");
  const last = parts.slice(-2).join(".");
  return el("span", {}, parts.length > 2 ? el("small", {}, `${parts.slice(0, -2).join(".")}.`) : null, last);
}

function numberText(value: number): string {
  return Math.abs(value) >= 1e300 ? "" : brief(value, 7).replace("−", "-");
}

/** A slider's value with no more digits than its steps have. */
function rounded(value: number, step: number): number {
  const digits = Math.max(0, Math.min(12, Math.ceil(-Math.log10(step)) + 1));
  return Number(value.toFixed(digits));
}
