// The table of a study: a row for each member, sortable, filtered by text, some hundred rows at a time.

import type { Member, Study } from "../page/data";
import { button, el, freshId } from "../page/dom";
import { whole } from "../run/format";
import type { Colours } from "./colours";
import { cellText, compared } from "./names";

const PAGE = 200; // rows that stand in the document at once
const NUMBER = -1; // what rows are sorted by: the number, a column, or behind the last column the status

export class Table {
  readonly element: HTMLElement;
  readonly tools: HTMLElement;
  /** Members that pass the filter, as they are sorted. */
  rows: Member[];
  private readonly body = el("tbody");
  private readonly box: HTMLElement;
  private readonly filter: HTMLInputElement;
  private readonly count = el("span", { class: "note", role: "status" });
  private readonly pager = el("span", { class: "pager" });
  private readonly heads: { column: number; head: HTMLElement }[] = [];
  private texts: string[] = [];
  private readonly spans: ([number, number] | null)[];
  private readonly bests: (number | null)[];
  private column = NUMBER;
  private sign: 1 | -1 = 1;
  private first = 0;
  private chosen = -1;
  private later = 0;

  constructor(
    private readonly study: Study,
    private readonly colours: Colours,
    private readonly choose: (number: number) => void,
    private readonly filtered: () => void,
  ) {
    const { columns, members } = study;
    this.rows = members;
    this.spans = columns.map((column, i) => (column.kind === "metric" ? spanOf(members, i) : null));
    this.bests = columns.map((column, i) => (column.best && this.spans[i] ? this.spans[i]![column.best === "least" ? 0 : 1] : null));
    const id = freshId("filter");
    this.filter = el("input", { id, type: "search", placeholder: "filter, such as failed", autocomplete: "off", spellcheck: false });
    this.filter.addEventListener("input", () => {
      window.clearTimeout(this.later);
      this.later = window.setTimeout(() => this.arrange(), 120);
    });
    this.tools = el("div", { class: "tools" }, this.count, this.pager, el("label", { for: id, class: "hidden" }, "Show members with this text only"), this.filter);
    this.box = el("div", { class: "scroll", role: "region", "aria-label": "Table of the members" }, el("table", { class: "members" }, el("thead", {}, this.headings()), this.body));
    this.element = this.box;
    this.body.addEventListener("click", (event) => this.click(event));
    this.body.addEventListener("keydown", (event) => this.key(event));
    this.arrange();
  }

  private headings(): HTMLElement {
    const { columns } = this.study;
    const of = (column: number, name: string, unit: string, kind: string): HTMLElement => {
      const head = el("th", { scope: "col", class: kind }, button(name, () => this.sort(column), { class: "quiet" }), unit ? el("span", { class: "unit" }, unit) : null);
      this.heads.push({ column, head });
      return head;
    };
    const numeric = (i: number): boolean => columns[i].kind === "metric" || this.study.members.some((one) => typeof one.cells[i] === "number");
    return el(
      "tr",
      {},
      of(NUMBER, "member", "", "number"),
      ...columns.map((column, i) => of(i, column.name, column.unit, numeric(i) ? "number" : "text")),
      of(columns.length, "status", "", "text"),
    );
  }

  private sort(column: number): void {
    this.sign = column === this.column && this.sign === 1 ? -1 : 1;
    this.column = column;
    this.arrange();
  }

  private arrange(): void {
    const { columns, members } = this.study;
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length && !this.texts.length) this.texts = members.map((one) => this.textOf(one));
    const cell = (member: Member): number | string | null =>
      this.column === NUMBER ? member.number : this.column === columns.length ? member.status : member.cells[this.column];
    this.rows = members
      .filter((_, i) => words.every((word) => this.texts[i].includes(word)))
      .sort((a, b) => compared(cell(a), cell(b), this.sign) || a.number - b.number);
    for (const { column, head } of this.heads) {
      if (column === this.column) head.setAttribute("aria-sort", this.sign === 1 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
    this.count.textContent = this.rows.length === members.length ? `${whole(members.length)} members` : `${whole(this.rows.length)} of ${whole(members.length)} members`;
    this.first = 0;
    this.fill();
    this.filtered();
  }

  /** All that a row says, for the filter. */
  private textOf(member: Member): string {
    const cells = this.study.columns.map((column, i) => cellText(column, member.cells[i]));
    return [String(member.number), ...cells, endOf(member), member.reason].join(" ").toLowerCase();
  }

  private fill(): void {
    const shown = this.rows.slice(this.first, this.first + PAGE);
    this.body.replaceChildren(...shown.map((member) => this.row(member)));
    this.box.scrollTop = 0;
    this.reach(shown.some((one) => one.number === this.chosen) ? this.chosen : shown[0]?.number);
    const last = this.first + shown.length;
    const many = this.rows.length > PAGE;
    const turn = (by: number, text: string, label: string, off: boolean): HTMLElement =>
      button(text, () => this.turn(by), { "aria-label": label, disabled: off });
    this.pager.hidden = !many;
    if (many) {
      this.pager.replaceChildren(
        turn(-PAGE, "‹", "Rows before these", this.first === 0),
        ` ${whole(this.first + 1)} to ${whole(last)} `,
        turn(PAGE, "›", "Rows after these", last >= this.rows.length),
      );
    }
  }

  private turn(by: number): void {
    this.first = Math.max(0, Math.min(this.first + by, Math.floor((this.rows.length - 1) / PAGE) * PAGE));
    this.fill();
  }

  private row(member: Member): HTMLElement {
    const { columns } = this.study;
    const swatch = el("i", { class: "swatch" });
    swatch.style.background = this.colours.of(member);
    const cells = columns.map((column, i) => this.cell(member, i, column.kind === "metric"));
    const reason = member.reason ? el("span", { class: member.status === "failed" ? "problem" : "note" }, `: ${member.reason}`) : null;
    const chosen = member.number === this.chosen;
    return el(
      "tr",
      { "data-member": member.number, "aria-current": chosen ? "true" : undefined },
      el("th", { scope: "row" }, swatch, button(String(member.number), () => undefined, { class: "quiet", tabindex: -1, "aria-label": `Show member ${member.number}` })),
      ...cells,
      el("td", { class: "status" }, endOf(member), reason),
    );
  }

  private cell(member: Member, i: number, metric: boolean): HTMLElement {
    const value = member.cells[i];
    const numeric = typeof value !== "string" || /∞$/.test(value);
    const best = typeof value === "number" && value === this.bests[i];
    const cell = el("td", { class: `${numeric ? "number" : "text"}${best ? " best" : ""}` }, cellText(this.study.columns[i], value, false), best ? el("span", { class: "hidden" }, " (best)") : null);
    const span = this.spans[i];
    if (metric && span && typeof value === "number" && span[1] > span[0]) {
      cell.classList.add("bar");
      cell.style.setProperty("--share", `${((100 * (value - span[0])) / (span[1] - span[0])).toFixed(1)}%`);
    }
    return cell;
  }

  private click(event: Event): void {
    const number = (event.target as HTMLElement).closest("tr")?.dataset.member;
    if (number !== undefined && !getSelection()?.toString()) this.choose(Number(number));
  }

  /** Up and down go from row to row, and from page to page. */
  private key(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const here = (event.target as HTMLElement).closest("tr");
    if (!by || !here) return;
    event.preventDefault();
    const to = (by > 0 ? here.nextElementSibling : here.previousElementSibling) as HTMLElement | null;
    if (to) this.reach(Number(to.dataset.member), true);
    else if (by > 0 ? this.first + PAGE < this.rows.length : this.first > 0) {
      this.turn(by * PAGE);
      const edge = (by > 0 ? this.body.firstElementChild : this.body.lastElementChild) as HTMLElement;
      this.reach(Number(edge.dataset.member), true);
    }
  }

  /** Let the keyboard come to one row only, or go there. */
  private reach(number: number | undefined, focus = false): void {
    for (const one of this.body.querySelectorAll<HTMLElement>('button[tabindex="0"]')) one.tabIndex = -1;
    const own = this.body.querySelector<HTMLElement>(`tr[data-member="${number}"] button`);
    if (!own) return;
    own.tabIndex = 0;
    if (focus) own.focus();
  }

  /** Mark a member's row, and bring it into sight if the filter lets it through. */
  mark(number: number): void {
    this.chosen = number;
    const at = this.rows.findIndex((one) => one.number === number);
    if (at >= 0 && (at < this.first || at >= this.first + PAGE)) {
      this.first = Math.floor(at / PAGE) * PAGE;
      this.fill();
    }
    for (const one of this.body.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
    const row = this.body.querySelector<HTMLElement>(`tr[data-member="${number}"]`);
    if (!row) return;
    row.setAttribute("aria-current", "true");
    this.reach(number);
    const head = this.box.querySelector("thead")!.clientHeight;
    const [top, bottom] = [row.offsetTop - head, row.offsetTop + row.offsetHeight];
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (bottom > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = bottom - this.box.clientHeight;
  }

  /** Draw the rows once more, in the colours of another theme. */
  redraw(): void {
    const top = this.box.scrollTop;
    this.fill();
    this.box.scrollTop = top;
  }
}

/** How a member ended, in the words of the summary. */
function endOf(member: Member): string {
  return member.status === "end" ? "complete" : member.status;
}

/** The least and the greatest number of a column; null if it has none. */
function spanOf(members: Member[], i: number): [number, number] | null {
  let span: [number, number] | null = null;
  for (const { cells } of members) {
    const value = cells[i];
    if (typeof value === "number") span = span ? [Math.min(span[0], value), Math.max(span[1], value)] : [value, value];
  }
  return span;
}
