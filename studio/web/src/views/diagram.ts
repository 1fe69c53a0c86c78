// The diagram, as `keelblocks draw` draws it: nested ones open by a click, and wires show what they carry at the cursor.

import { button, eachFrame, el, svg } from "../page/dom";
import type { Picture, WireValue } from "../page/data";
import type { State } from "../page/state";
import { columnsOf } from "../run/columns";
import { brief, terse, withUnit } from "../run/format";

const LETTER = 5.4; // pixels of a letter of a value

export class DiagramView {
  readonly element: HTMLElement;
  private readonly place: HTMLElement;
  private readonly path: HTMLElement;
  private readonly values: HTMLInputElement;
  private shown: { value: WireValue; text: SVGTextElement; title: SVGTitleElement }[] = [];
  private readonly fill: () => void;

  constructor(private readonly state: State) {
    this.place = el("div", { class: "drawing", tabindex: 0, role: "group", "aria-label": "Block diagram" });
    this.path = el("nav", { "aria-label": "Where in the diagram" });
    this.values = el("input", { type: "checkbox", checked: true, onchange: () => this.refresh() });
    this.element = el(
      "section",
      { class: "panel diagram-panel", "aria-label": "Diagram" },
      el("header", {}, el("h2", {}, "Diagram"), this.path, el("div", { class: "tools" }, el("label", {}, this.values, " values on wires"))),
      this.place,
    );
    this.fill = eachFrame(() => this.refresh());
    state.on(["run", "time"], this.fill);
    state.on("model", () => this.open(""));
  }

  /** Open a diagram by its dotted name; the outermost if there is none of that name. */
  open(path: string): void {
    const { model, modelNumber } = this.state;
    const picture = model.pictures.find((one) => one.path === path) ?? model.pictures[0];
    this.element.hidden = !picture;
    if (!picture) return;
    this.state.shown.open = picture.path;
    const template = document.querySelector<HTMLTemplateElement>(`template[data-picture=${CSS.escape(`${modelNumber}/${picture.path}`)}]`);
    const drawing = template ? document.importNode(template.content, true) : null;
    const picked = drawing?.querySelector("svg");
    if (!picked) return;
    this.place.replaceChildren(picked);
    this.nested(picked, picture);
    this.shown = picture.values.map((value) => labelled(picked, value));
    this.trail(picture);
    this.refresh();
    this.state.tell("view");
  }

  private nested(drawing: SVGElement, picture: Picture): void {
    for (const group of drawing.querySelectorAll<SVGGElement>("g[data-path]")) {
      const path = group.dataset.path ?? "";
      if (!picture.nested.includes(path) || !this.state.model.pictures.some((one) => one.path === path)) continue;
      drawing.setAttribute("role", "group"); // an image would hide what can be pressed in it
      group.classList.add("opens");
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", `Open ${path}`);
      const open = (): void => {
        this.open(path);
        this.path.querySelector<HTMLElement>("button:last-of-type")?.focus();
      };
      group.addEventListener("click", open);
      group.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        open();
      });
    }
  }

  private trail(picture: Picture): void {
    const parts = picture.path ? picture.path.split(".") : [];
    const links = ["", ...parts.map((_, i) => parts.slice(0, i + 1).join("."))];
    const known = (path: string): boolean => this.state.model.pictures.some((one) => one.path === path);
    this.path.replaceChildren(
      ...links.filter(known).flatMap((path, i) => {
        const name = path ? path.split(".").at(-1)! : this.state.model.pictures[0].title;
        const here = path === picture.path;
        return [
          ...(i ? [el("span", { "aria-hidden": "true" }, " › ")] : []),
          button(name, () => this.open(path), { class: "quiet", "aria-current": here ? "location" : undefined }),
        ];
      }),
    );
  }

  private refresh(): void {
    const { run, row } = this.state;
    const columns = columnsOf(run.model);
    const on = this.values.checked;
    for (const { value, text, title } of this.shown) {
      const column = columns.of(value.first);
      const now = on && row >= 0 && column >= 0;
      const numbers = now ? Array.from({ length: value.count }, (_, i) => run.value(row, column + i)) : [];
      const words = numbers.length ? short(value, numbers) : "";
      if (text.textContent !== words) text.replaceChildren(title, words);
      title.textContent = numbers.length ? long(value, numbers) : value.name;
    }
  }
}

function labelled(drawing: SVGElement, value: WireValue): { value: WireValue; text: SVGTextElement; title: SVGTitleElement } {
  const title = svg("title", {});
  const text = svg("text", { class: "wire-value", x: value.x, y: value.y - 3.5, "text-anchor": "middle" });
  drawing.append(text);
  return { value, text, title };
}

/** As many elements as there is room for on a wire. */
function short(value: WireValue, numbers: number[]): string {
  const units = value.units;
  const same = units.length === 1;
  const of = (i: number): string => terse(numbers[i] * units[same ? 0 : i][1], units[same ? 0 : i][0]);
  if (value.count === 1) {
    const full = withUnit(of(0), units[0][0]);
    return full.length * LETTER <= value.room ? full : of(0).length * LETTER <= value.room ? of(0) : "";
  }
  const parts = numbers.map((_, i) => (value.labels[i] && !same ? `${value.labels[i]} ${withUnit(of(i), units[i][0])}` : of(i)));
  const tail = same ? units[0][0] : "";
  for (let count = parts.length; count > 0; count--) {
    const text = withUnit(parts.slice(0, count).join(same ? ", " : ",  ") + (count < parts.length ? ", …" : ""), tail);
    if (text.length * LETTER <= value.room) return text;
  }
  return "";
}

function long(value: WireValue, numbers: number[]): string {
  const lines = numbers.slice(0, 24).map((number, i) => {
    const [unit, factor] = value.units[value.units.length > 1 ? i : 0];
    const label = value.count > 1 ? `${value.labels[i] ?? i + 1}: ` : "";
    return label + withUnit(brief(number * factor, 6), unit);
  });
  return [value.name, ...lines].join("\n");
}
