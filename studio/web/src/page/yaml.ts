// The scenario with what was changed in the page: its text, changed where it says so, or how to run it on a desk.

import type { Data, Model, Parameter } from "./data";
import { given, type Changes } from "../run/changes";

/** The text of the changed scenario; null if the page does not hold the text. */
export function changedText(data: Data, model: Model, changes: Changes): string | null {
  if (!data.text) return null;
  const { yaml, edits } = data.text;
  const made: { start: number; end: number; order: number; text: string; head: number }[] = [];
  const left: string[] = [];
  for (const [number, values] of changes) {
    const parameter = model.parameters[number];
    const edit = edits[parameter.path];
    if (!edit) left.push(setting(parameter, values));
    else made.push({ start: edit.start, end: edit.end, order: number, head: edit.head, text: edit.before + flow(parameter, values) + edit.after });
  }
  made.sort((a, b) => a.start - b.start || a.order - b.order);
  let text = "";
  let at = 0;
  let before = -1;
  for (const one of made) {
    // what begins a section stands once, ahead of all that is put there
    const own = one.start === one.end && one.start === before ? one.text.slice(one.head) : one.text;
    text += yaml.slice(at, one.start) + own;
    at = one.end;
    before = one.start;
  }
  text += yaml.slice(at);
  return left.length ? `${text}# and: keelblocks run … ${left.join(" ")}\n` : text;
}

/** What runs the changed scenario on a desk. */
export function command(data: Data, model: Model, changes: Changes): string {
  const settings = [...changes].map(([number, values]) => setting(model.parameters[number], values));
  return [data.command || "keelblocks run SCENARIO", ...settings].join(" ");
}

function setting(parameter: Parameter, values: readonly number[]): string {
  const value = flow(parameter, values);
  return `--set ${parameter.path}=${/[[\], ]/.test(value) ? `'${value}'` : value}`;
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
  const text = String(value);
  const match = /^(-?\d+)(\.\d+)?e([+-])(\d+)$/.exec(text);
  return match ? `${match[1]}${match[2] ?? ".0"}e${match[3]}${match[4]}` : text;
}
