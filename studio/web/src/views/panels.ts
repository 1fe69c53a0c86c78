// Which signals are plotted together: those of a mission, those that the scenario names, or what a person chooses.

import type { Model, Quantity } from "../page/data";
import { columnsOf } from "../run/columns";

export interface Trace {
  path: string;
  element: number;
  label: string;
  /** Drawn with a broken line: what is wanted. */
  wanted?: boolean;
  /** The signal that is 1 where this one means something. */
  where?: string;
}

export interface Panel {
  /** What a link calls it. */
  key: string;
  title: string;
  unit: string;
  factor: number;
  traces: Trace[];
  /** Depth grows downwards. */
  down?: boolean;
  /** Whether angles are shown without jumps by full turns. */
  unwrap?: boolean;
}

const MOST = 6;
const MOST_TRACES = 6;

/** The panels that a page begins with. */
export function firstPanels(model: Model): Panel[] {
  const panels = [...model.plots.flatMap((name) => panelOf(model, name) ?? []), ...missionPanels(model)];
  const seen = new Set<string>();
  const own = panels.filter(({ key }) => !seen.has(key) && seen.add(key));
  if (own.length) return own.slice(0, MOST);
  return model.recorded.flatMap((path) => panelsOfChannel(model, path)).slice(0, MOST);
}

function missionPanels(model: Model): Panel[] {
  const { guidance, vessel, thrusters, meter } = model.parts;
  const found: (Panel | null)[] = [];
  const seen = (path: string): boolean => columnsOf(model).channel(path) !== undefined;
  const both = (title: string, actual: string, element: number, wanted: string | null, more: Partial<Panel> = {}): Panel | null => {
    const channel = columnsOf(model).channel(actual);
    if (!channel || element >= channel.count) return null;
    const [unit, factor] = channel.units[channel.units.length > 1 ? element : 0];
    const traces: Trace[] = [{ path: actual, element, label: "actual" }];
    if (wanted && seen(wanted)) traces.unshift({ path: wanted, element: 0, label: "wanted", wanted: true });
    return { key: keyOf(traces), title, unit, factor, traces, ...more };
  };
  const planar = model.vessels.find(({ name }) => name === vessel)?.planar;
  if (vessel && !planar && (!guidance || seen(`${guidance}.depth`))) {
    found.push(both("Depth", `${vessel}.eta`, 2, guidance && `${guidance}.depth`, { down: true }));
  }
  if (guidance && seen(`${guidance}.cross_track_error`)) {
    const panel = both("Cross-track error, to starboard", `${guidance}.cross_track_error`, 0, null);
    if (panel && model.planned?.phases) panel.traces[0].where = `${guidance}.following`;
    found.push(panel);
  }
  if (vessel) {
    found.push(both("Heading", `${vessel}.eta`, 5, guidance && `${guidance}.heading`, { unwrap: true }));
    found.push(both("Surge velocity", `${vessel}.nu`, 0, guidance && `${guidance}.speed`));
  }
  for (const [block, port, title] of [[thrusters, "speed", "Thrusters"], [meter, "total_power", "Power"]] as const) {
    const panel = block ? panelsOfChannel(model, `${block}.${port}`)[0] : null;
    if (panel) found.push({ ...panel, title });
  }
  return found.filter((panel): panel is Panel => panel !== null);
}

/** A panel for each unit of a signal. */
export function panelsOfChannel(model: Model, path: string): Panel[] {
  const channel = columnsOf(model).channel(path);
  if (!channel) return [];
  const byUnit = new Map<string, number[]>();
  for (let i = 0; i < Math.min(channel.count, 64); i++) {
    const [unit] = channel.units[channel.units.length > 1 ? i : 0];
    byUnit.set(unit, [...(byUnit.get(unit) ?? []), i]);
  }
  return [...byUnit.values()].flatMap((elements) => {
    const groups: number[][] = [];
    for (let i = 0; i < elements.length; i += MOST_TRACES) groups.push(elements.slice(i, i + MOST_TRACES));
    return groups.map((group) => panelOfElements(channel, group));
  });
}

function panelOfElements(channel: Quantity, elements: number[]): Panel {
  const [unit, factor] = channel.units[channel.units.length > 1 ? elements[0] : 0];
  const traces = elements.map((element) => ({
    path: channel.path,
    element,
    label: channel.count === 1 ? "" : (channel.labels[element] ?? String(element + 1)),
  }));
  const one = traces.length === 1 && channel.count > 1 ? `[${traces[0].label}]` : "";
  return { key: keyOf(traces), title: channel.path + one, unit, factor, traces };
}

/** The panel of a name: "vessel.eta[psi]", or several, "a.b+c.d[1]"; null if there is no such signal. */
export function panelOf(model: Model, name: string): Panel | null {
  const usual = missionPanels(model).find((panel) => panel.key === name);
  if (usual) return usual;
  const traces: Trace[] = [];
  let first: Quantity | undefined;
  for (const part of name.split("+")) {
    const match = /^([^[\]]+)(?:\[([^\]]+)\])?$/.exec(part);
    const channel = match && columnsOf(model).channel(match[1]);
    if (!match || !channel) return null;
    first ??= channel;
    const label = match[2];
    const elements =
      label === undefined
        ? Array.from({ length: Math.min(channel.count, MOST_TRACES) }, (_, i) => i)
        : [channel.labels.includes(label) ? channel.labels.indexOf(label) : Number(label)];
    for (const element of elements) {
      if (!(element >= 0 && element < channel.count)) return null;
      const text = channel.count === 1 ? "" : (channel.labels[element] ?? String(element));
      traces.push({ path: channel.path, element, label: text });
    }
  }
  if (!first || !traces.length) return null;
  const [unit, factor] = first.units[first.units.length > 1 ? traces[0].element : 0];
  return { key: name, title: name.split("+").join(", "), unit, factor, traces };
}

function keyOf(traces: Trace[]): string {
  return traces.map(({ path, element }) => `${path}[${element}]`).join("+");
}

/** All that can be plotted, for a list. */
export function choices(model: Model): Panel[] {
  return [...missionPanels(model), ...model.channels.flatMap((channel) => panelsOfChannel(model, channel.path))];
}
