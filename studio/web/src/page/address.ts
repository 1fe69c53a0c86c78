// What the page shows, in its address: a link shows the same again. Whatever an address says is checked.

import { refused, valuesOf, withValues, type Changes } from "../run/changes";
import type { Model, Vary } from "./data";
import { MOST_KEPT, type State } from "./state";

const LONGEST = 20_000;

export interface Address {
  member: number | null;
  changes: Changes;
  kept: { member: number | null; changes: Changes }[];
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
  for (const { run } of state.kept) {
    const { member } = run.model;
    parts.append("run", [...(member ? [`@${member.number}`] : []), ...changeTexts(run.model, run.changes)].join(";") || "-");
  }
  if (state.placed) parts.set("t", short(state.time));
  if (state.shown.zoom) parts.set("zoom", state.shown.zoom.map(short).join(":"));
  if (state.shown.open) parts.set("open", state.shown.open);
  if (plots.join() !== first.join()) for (const key of plots) parts.append("plot", key);
  const named = (model: Model, { parameter, element }: Vary): string => `${model.parameters[parameter].path}:${element}`;
  const usual = state.data.sliders.map((one) => named(state.data.models[0], one));
  const own = state.sliders.filter((one) => !usual.includes(named(state.model, one)));
  for (const one of own) parts.append("slider", named(state.model, one));
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

export function read(hash: string, state: State): Address {
  const { model } = state;
  const parts = new URLSearchParams(hash.replace(/^#/, "").slice(0, LONGEST));
  const unread: string[] = [];
  const changes = changesOf(model, parts.getAll("set"), unread);
  const kept = parts.getAll("run").slice(0, MOST_KEPT).flatMap((text) => keptOf(state, text, unread));
  const wrong = memberOf(hash);
  if (wrong !== null && wrong !== state.member?.number) unread.push(`member=${wrong}`);
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

/** A run that was kept: "@17;plant.current.speed:0.2" is of member 17, with one change. */
function keptOf(state: State, text: string, unread: string[]): Address["kept"] {
  const [whose, ...rest] = text.split(";");
  const member = /^@\d{1,9}$/.test(whose) ? Number(whose.slice(1)) : null;
  const model = member === null ? state.model : state.modelOf(member);
  if (!model) {
    unread.push(text.slice(0, 80));
    return [];
  }
  const texts = (member === null ? [whose, ...rest] : rest).filter((one) => one !== "-");
  const before = unread.length;
  const changes = changesOf(model, texts, unread);
  return unread.length === before ? [{ member, changes }] : []; // half of a run is another run
}

function changesOf(model: Model, texts: string[], unread: string[]): Changes {
  let changes: Changes = new Map();
  for (const text of texts) {
    const at = text.lastIndexOf(":");
    const number = model.parameters.findIndex((one) => one.path === text.slice(0, at));
    const values = text.slice(at + 1).split(",").map((one) => (one.trim() ? Number(one) : Number.NaN));
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
    ? Number.isInteger(rows) && rows >= parameter.rows.least && rows <= parameter.rows.room && !repeats(values, columns)
    : values.length === valuesOf(model, new Map(), number).length;
  const choices = parameter.choices?.length ?? (parameter.kind === "switch" ? 2 : Infinity);
  return count && values.every((value) => !refused(parameter, value) && (choices === Infinity || (Number.isInteger(value) && value >= 0 && value < choices)));
}

/** Whether two rows that follow each other are equal: waypoints that coincide are no leg. */
function repeats(values: number[], columns: number): boolean {
  const rows = Array.from({ length: values.length / columns }, (_, i) => values.slice(i * columns, (i + 1) * columns).join());
  return rows.some((row, i) => i > 0 && row === rows[i - 1]);
}

/** Runs that are to be kept, one after the other, and then the one that is shown. */
export async function restore(state: State, address: Address): Promise<void> {
  const shown = state.member?.number ?? null;
  const show = (member: number | null, changes: Changes): void => {
    if (member === null) state.change(changes);
    else state.choose(member, changes);
  };
  for (const { member, changes } of address.kept) {
    show(member, changes);
    await state.whenOver();
    state.keep();
  }
  if (address.kept.length || address.changes.size || state.changes.size) show(shown, address.changes);
}

