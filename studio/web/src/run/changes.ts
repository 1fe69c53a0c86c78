// What a run has otherwise than the scenario: whole parameters by their number.

import type { Model, Parameter } from "../page/data";
import { brief, withUnit } from "./format";

export type Changes = ReadonlyMap<number, readonly number[]>;

/** The numbers of a parameter as the page began: of an array that may grow, the rows that there are. */
export function given(parameter: Parameter): number[] {
  const { rows, columns } = parameter;
  return rows ? parameter.values.slice(0, rows.now * (columns ?? 1)) : parameter.values;
}

export function valuesOf(model: Model, changes: Changes, number: number): readonly number[] {
  return changes.get(number) ?? given(model.parameters[number]);
}

/** With one parameter set; without it where that is what the page began with. */
export function withValues(model: Model, changes: Changes, number: number, values: readonly number[]): Changes {
  const next = new Map(changes);
  const before = given(model.parameters[number]);
  if (values.length === before.length && values.every((value, i) => value === before[i])) next.delete(number);
  else next.set(number, [...values]);
  return next;
}

/** What the engine is told: places and values, and how many rows arrays have. */
export function toEngine(model: Model, changes: Changes): { writes: Float64Array; sizes: Int32Array } {
  const writes: number[] = [];
  const sizes: number[] = [];
  model.parameters.forEach((parameter, number) => {
    const values = changes.get(number);
    const { rows, columns } = parameter;
    if (rows) sizes.push(rows.number, values ? values.length / (columns ?? 1) : rows.now);
    if (values) values.forEach((value, i) => writes.push(parameter.first + i, value));
    else if (parameter.kind === "input") parameter.values.forEach((value, i) => writes.push(parameter.first + i, value));
    if (values && rows) {
      // room that is left is filled with the last row, as plans have it
      const width = columns ?? 1;
      for (let i = values.length; i < rows.room * width; i++) {
        writes.push(parameter.first + i, values[values.length - width + (i % width)]);
      }
    }
  });
  return { writes: Float64Array.from(writes), sizes: Int32Array.from(sizes) };
}

/** Why a value cannot be had, in words; "" if it can. */
export function refused(parameter: Parameter, value: number): string {
  if (!Number.isFinite(value)) return "a number is wanted";
  if (parameter.kind === "integer" && !Number.isInteger(value)) return "a whole number is wanted";
  const { above, least, below, most } = parameter;
  const ok =
    (above === undefined || value > above) &&
    (least === undefined || value >= least) &&
    (below === undefined || value < below) &&
    (most === undefined || value <= most);
  return ok ? "" : `must be ${rangeOf(parameter)}`;
}

function rangeOf(parameter: Parameter): string {
  const [unit, factor] = parameter.units[0];
  const parts = (
    [
      [">", parameter.above],
      ["≥", parameter.least],
      ["<", parameter.below],
      ["≤", parameter.most],
    ] as [string, number | undefined][]
  )
    .filter(([, limit]) => limit !== undefined)
    .map(([sign, limit]) => `${sign} ${brief((limit as number) * factor)}`);
  return withUnit(parts.join(" and "), unit);
}

export function unitOf(parameter: { units: [string, number][] }, element: number): [string, number] {
  return parameter.units[parameter.units.length > 1 ? element : 0];
}

export function elementName(parameter: { path: string; count: number; labels: string[] }, element: number): string {
  if (parameter.count === 1) return parameter.path;
  return `${parameter.path}[${parameter.labels[element] ?? element}]`;
}

/** A value as people read it: with its unit, or as the choice that it is. */
export function spoken(parameter: Parameter, element: number, value: number): string {
  if (parameter.choices) return parameter.choices[value] ?? String(value);
  if (parameter.kind === "switch") return value ? "true" : "false";
  const [unit, factor] = unitOf(parameter, element);
  return withUnit(brief(value * factor), unit);
}

/** What was changed, in words: the name of a run. */
export function named(model: Model, changes: Changes): string {
  const parts: string[] = [];
  for (const [number, values] of changes) {
    const parameter = model.parameters[number];
    const before = given(parameter);
    const short = parameter.path.split(".").slice(-2).join(".");
    const differing = values.map((_, i) => i).filter((i) => values[i] !== before[i]);
    if (values.length !== before.length) {
      parts.push(`${values.length / (parameter.columns ?? 1)} ${short.split(".").at(-1)}`);
    } else if (differing.length === 1 || parameter.count === 1) {
      const at = differing[0] ?? 0;
      const label = parameter.count > 1 ? `[${parameter.labels[at] ?? indexText(parameter, at)}]` : "";
      parts.push(`${short}${label} ${spoken(parameter, at, values[at])}`);
    } else {
      const rows = new Set(differing.map((i) => Math.floor(i / (parameter.columns ?? 1)) + 1));
      parts.push(parameter.columns ? `${short} ${[...rows].join(", ")} moved` : `${short} changed`);
    }
  }
  if (model.member) return [model.member.name, ...parts].join("; ");
  return parts.join("; ") || "as given";
}

function indexText(parameter: Parameter, at: number): string {
  return parameter.columns ? `${Math.floor(at / parameter.columns) + 1},${(at % parameter.columns) + 1}` : String(at);
}
