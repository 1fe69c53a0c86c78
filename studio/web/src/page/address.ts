// What the page shows, in its address: a link shows the same again. Whatever an address says is checked.

import { refused, valuesOf, withValues, type Changes } from "../run/changes";
import type { Model } from "./data";
import { MOST_KEPT, type State } from "./state";

const LONGEST = 20_000;

export interface Address {
  member: number | null;
  changes: Changes;
  kept: Changes[];
  time: number | null;
  zoom: [number, number] | null;
  open: string;
  plots: string[];
  sliders: { parameter: number; element: number }[];
  /** What could not be read, in words. */
  unread: string[];
}

/** The fragment of what is shown; "" where nothing differs from how the page began. */
export function write(state: State, plots: string[], first: string[]): string {
  const parts = new URLSearchParams();
  if (state.member) parts.set("member", String(state.member.number));
  for (const text of changeTexts(state.model, state.changes)) parts.append("set", text);
  for (const { run } of state.kept) if (run.model === state.model) parts.append("run", changeTexts(run.model, run.changes).join(";") || "-");
  if (state.placed) parts.set("t", short(state.time));
  if (state.shown.zoom) parts.set("zoom", state.shown.zoom.map(short).join(":"));
  if (state.shown.open) parts.set("open", state.shown.open);
  if (plots.join() !== first.join()) for (const key of plots) parts.append("plot", key);
  const own = state.sliders.filter((one) => !state.data.sliders.some((s) => s.parameter === one.parameter && s.element === one.element));
  for (const { parameter, element } of own) parts.append("slider", `${state.model.parameters[parameter].path}:${element}`);
  return parts.toString();
}

function short(value: number): string {
  return String(Number(value.toFixed(3)));
}

function changeTexts(model: Model, changes: Changes): string[] {
  return [...changes].map(([number, values]) => `${model.parameters[number].path}:${values.join(",")}`);
}

export function memberOf(hash: string): number | null {
  const text = new URLSearchParams(hash.replace(/^#/, "").slice(0, LONGEST)).get("member");
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

export function read(hash: string, model: Model): Address {
  const parts = new URLSearchParams(hash.replace(/^#/, "").slice(0, LONGEST));
  const unread: string[] = [];
  const changes = changesOf(model, parts.getAll("set"), unread);
  const kept = parts.getAll("run").slice(0, MOST_KEPT).map((text) => changesOf(model, text === "-" ? [] : text.split(";"), unread));
  const zoom = (parts.get("zoom") ?? "").split(":").map(Number);
  const time = parts.has("t") ? Number(parts.get("t")) : Number.NaN;
  return {
    member: memberOf(hash),
    changes,
    kept,
    time: Number.isFinite(time) ? time : null,
    zoom: zoom.length === 2 && zoom.every(Number.isFinite) && zoom[0] < zoom[1] ? [zoom[0], zoom[1]] : null,
    open: parts.get("open") ?? "",
    plots: parts.getAll("plot").slice(0, 24),
    sliders: parts.getAll("slider").slice(0, 40).flatMap((text) => sliderOf(model, text)),
    unread,
  };
}

function sliderOf(model: Model, text: string): { parameter: number; element: number }[] {
  const at = text.lastIndexOf(":");
  const parameter = model.parameters.findIndex((one) => one.path === text.slice(0, at));
  const element = Number(text.slice(at + 1));
  return parameter >= 0 && Number.isInteger(element) && element >= 0 && element < model.parameters[parameter].count ? [{ parameter, element }] : [];
}

function changesOf(model: Model, texts: string[], unread: string[]): Changes {
  let changes: Changes = new Map();
  for (const text of texts) {
    const at = text.lastIndexOf(":");
    const number = model.parameters.findIndex((one) => one.path === text.slice(0, at));
    const values = text.slice(at + 1).split(",").map(Number);
    if (number < 0 || !fits(model, number, values)) unread.push(text.slice(0, 80));
    else changes = withValues(model, changes, number, values);
  }
  return changes;
}

function fits(model: Model, number: number, values: number[]): boolean {
  const parameter = model.parameters[number];
  const columns = parameter.columns ?? 1;
  const rows = values.length / columns;
  const count = parameter.rows
    ? Number.isInteger(rows) && rows >= parameter.rows.least && rows <= parameter.rows.room
    : values.length === valuesOf(model, new Map(), number).length;
  const choices = parameter.choices?.length ?? (parameter.kind === "switch" ? 2 : Infinity);
  return count && values.every((value) => !refused(parameter, value) && (choices === Infinity || (Number.isInteger(value) && value >= 0 && value < choices)));
}

/** Runs that are to be kept, one after the other, and then the one that is shown. */
export async function restore(state: State, address: Address): Promise<void> {
  for (const changes of address.kept) {
    state.change(changes);
    await state.whenOver();
    state.keep();
  }
  if (address.kept.length || address.changes.size || state.changes.size) state.change(address.changes);
}

