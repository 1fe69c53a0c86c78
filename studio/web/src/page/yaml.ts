// The scenario with what was changed in the page: its text, changed where it says so, or how to run it on a desk.

import type { Data, Model, Parameter, TextEdit } from "./data";
import { given, type Changes } from "../run/changes";

/** What stands instead of text[start:end]; `head`: characters that begin a section. */
interface Replacement {
  start: number;
  end: number;
  text: string;
  head: number;
}

/** The text of the changed scenario; null if the page does not hold the text. */
export function changedText(data: Data, model: Model, changes: Changes): string | null {
  if (!data.text) return null;
  const { yaml, edits } = data.text;
  const within: Replacement[] = [];
  const whole: Replacement[] = [];
  const left: [Parameter, readonly number[]][] = [];
  for (const [number, values] of [...changes].sort(([a], [b]) => a - b)) {
    const parameter = model.parameters[number];
    const edit = edits[parameter.path];
    const lists = edit && inList(edit, parameter, values);
    if (!edit) left.push([parameter, values]);
    else if (lists) within.push(...lists);
    else whole.push({ ...edit, text: edit.before + flow(parameter, values) + edit.after });
  }
  // what is added to a list stands ahead of new lines that follow the list
  const made = [...within, ...whole].sort((a, b) => a.start - b.start);
  let text = "";
  let at = 0;
  let last = -1;
  for (const one of made) {
    // what begins a section stands once, ahead of all that is put there
    const putIn = one.start === one.end;
    text += yaml.slice(at, one.start) + (putIn && one.start === last ? one.text.slice(one.head) : one.text);
    at = one.end;
    if (putIn && !within.includes(one)) last = one.start;
  }
  text += yaml.slice(at);
  if (!left.length) return text;
  const newline = /\r\n|\r|\n/.exec(yaml)?.[0] ?? "\n";
  return `${text}${/[\r\n]$/.test(text) ? "" : newline}# and: ${spelled("keelblocks run …", left)}${newline}`;
}

/** What runs the changed scenario on a desk. */
export function command(data: Data, model: Model, changes: Changes): string {
  const settings = [...changes].map(([number, values]): [Parameter, readonly number[]] => [model.parameters[number], values]);
  const number = model.member?.number;
  const file = `${data.name}_${number}.yaml`;
  const own = number === undefined ? data.command : `${data.command} ${number} --output ${file} && keelblocks run ${file}`;
  return spelled(own || "keelblocks run SCENARIO", settings);
}

/** A command with changes; there is no option for inputs, so a comment says them. */
function spelled(start: string, changes: [Parameter, readonly number[]][]): string {
  const settings = changes.filter(([parameter]) => parameter.kind !== "input").map(([one, values]) => setting(one, values));
  const inputs = changes.filter(([one]) => one.kind === "input").map(([one, values]) => `${one.path}: ${flow(one, values)}`);
  const said = inputs.length ? [`# with inputs: {${inputs.join(", ")}} under run`] : [];
  return [start, ...settings, ...said].join(" ");
}

function setting(parameter: Parameter, values: readonly number[]): string {
  const text = flow(parameter, values);
  const value = parameter.choices && !/^\w+$/.test(text) ? JSON.stringify(text) : text;
  return `--set ${parameter.path}=${/^[\w.+-]+$/.test(value) ? value : `'${value}'`}`;
}

/** The elements and rows of a list that differ from what is written; null if the list has to be written anew. */
function inList(edit: TextEdit, parameter: Parameter, values: readonly number[]): Replacement[] | null {
  const { parts, rows, between } = edit;
  const before = given(parameter);
  if (!parts || parts.length !== before.length) return null;
  const width = parameter.columns ?? 1;
  const [many, now] = [before.length / width, values.length / width];
  const alike = (row: number, other: number): boolean =>
    before.slice(row * width, (row + 1) * width).every((value, i) => Object.is(value, values[other * width + i]));
  let head = 0;
  let tail = 0;
  if (many !== now) {
    if (!rows || between === undefined) return null;
    while (head < Math.min(many, now) && alike(head, head)) head++;
    while (tail < Math.min(many, now) - head && alike(many - 1 - tail, now - 1 - tail)) tail++;
  }
  // rows in between: those that both have are changed in place, and what is left comes or goes
  const both = Math.min(many, now) - tail;
  const found: Replacement[] = [];
  const replace = (start: number, end: number, text: string): void => void found.push({ start, end, text, head: 0 });
  for (let i = head * width; i < both * width; i++) {
    if (!Object.is(values[i], before[i])) replace(...parts[i], number(values[i]));
  }
  if (now > many) {
    const added = Array.from({ length: now - many }, (_, i) => row(parameter, values.slice((both + i) * width, (both + i + 1) * width)));
    if (both) replace(rows![both - 1][1], rows![both - 1][1], added.map((text) => between + text).join(""));
    else replace(rows![0][0], rows![0][0], added.map((text) => text + between).join(""));
  } else if (now < many) {
    const gone = both + many - now;
    if (both) replace(rows![both - 1][1], rows![gone - 1][1], "");
    else replace(rows![0][0], rows![gone][0], "");
  }
  return found;
}

function row(parameter: Parameter, values: readonly number[]): string {
  return parameter.columns ? list(values) : number(values[0]);
}

/** A value as YAML has it on one line. */
export function flow(parameter: Parameter, values: readonly number[]): string {
  if (parameter.choices) return parameter.choices[values[0]];
  if (parameter.kind === "switch") return values[0] ? "true" : "false";
  const columns = parameter.columns;
  if (columns) {
    const rows = Array.from({ length: values.length / columns }, (_, i) => list(values.slice(i * columns, (i + 1) * columns)));
    return `[${rows.join(", ")}]`;
  }
  return parameter.count === 1 && given(parameter).length === 1 && !parameter.rows ? number(values[0]) : list(values);
}

function list(values: readonly number[]): string {
  return `[${values.map(number).join(", ")}]`;
}

/** A number as YAML 1.1 and 1.2 read it alike: an exponent has a point before it and a sign. */
function number(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  if (Number.isNaN(value)) return ".nan";
  if (!Number.isFinite(value)) return value > 0 ? ".inf" : "-.inf";
  const text = String(value);
  const match = /^(-?\d+)(\.\d+)?e([+-])(\d+)$/.exec(text);
  return match ? `${match[1]}${match[2] ?? ".0"}e${match[3]}${match[4]}` : text;
}
