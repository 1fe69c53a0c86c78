// What stands in the page's block of data: written by studio/model.py and studio/share.py.

export interface Quantity {
  path: string;
  /** Where its first number stands in the plan. */
  first: number;
  count: number;
  labels: string[];
  /** Unit for people and factor to it, of all elements or of each. */
  units: [string, number][];
  doc: string;
}

export interface Parameter extends Quantity {
  kind: "number" | "integer" | "choice" | "switch" | "input";
  values: number[];
  choices?: string[];
  above?: number;
  least?: number;
  below?: number;
  most?: number;
  columns?: number;
  /** Of arrays that may grow: the number of the size, rows now, the least, and the room there is. */
  rows?: { number: number; now: number; least: number; room: number };
}

/** Where a limit stands in the plan, one number or one for each element, and with which sign. */
export interface Limit {
  first: number;
  count: number;
  sign: 1 | -1;
}

/** An output that is held within limits. */
export interface Held {
  channel: string;
  low: Limit;
  high: Limit;
}

export interface Craft {
  name: string;
  /** Whether it moves in the horizontal plane only. */
  planar: boolean;
  title?: string;
  length?: number;
  breadth?: number;
  height?: number;
}

/** A row of a mission in phases, as far as it says where the way leads. */
export interface Step {
  point: [number, number, number];
  /** Whether it leads to where the mission began, and whether it says a depth. */
  home: boolean;
  deep: boolean;
  circle: [radius: number, turns: number] | null;
  leg: boolean;
}

/** A mission in phases: its way, the names of its phases, those of aborts last, and why it is given up. */
export interface PlannedPhases {
  steps: Step[];
  names: string[];
  /** How many phases there are without those of aborts, and the number of the last waypoint. */
  main: number;
  last: number;
  reasons: string[];
}

export interface Planned {
  /** The parameter; "" where phases say where to go. */
  waypoints: string;
  radius: string | null;
  curved: boolean;
  loops: boolean;
  line: [number, number, number][];
  phases: PlannedPhases | null;
}

export interface WireValue {
  first: number;
  count: number;
  labels: string[];
  units: [string, number][];
  x: number;
  y: number;
  room: number;
  name: string;
}

export interface Picture {
  path: string;
  title: string;
  nested: string[];
  values: WireValue[];
}

export interface Model {
  plan: string;
  solver: string;
  adaptive: boolean;
  step: number;
  start: number;
  end: number;
  tolerance: number;
  every: number;
  thinned: number;
  recorded: string[];
  channels: Quantity[];
  parameters: Parameter[];
  limits: Held[];
  blocks: { name: string; outputs: string[]; faults: string[] }[];
  parts: { guidance: string | null; vessel: string | null; thrusters: string | null; meter: string | null };
  vessels: Craft[];
  planned: Planned | null;
  /** What controllers are told to keep as a depth. */
  depths: { path: string; element: number }[];
  current: string | null;
  depthTolerance: number;
  plots: string[];
  pictures: Picture[];
  /** Whose numbers these are, where they are those of a member of a study. */
  member?: { number: number; name: string };
}

/** What is to have a slider: over a range that was asked for, or a usual one, which has the values of all members. */
export interface Vary {
  parameter: number;
  element: number;
  low?: number;
  high?: number;
  among?: [least: number, most: number];
}

export interface Slider extends Vary {
  low: number;
  high: number;
}

export type Span = [start: number, end: number];

/** Where a value stands in the text of the scenario: see studio/text.py. */
export interface TextEdit {
  start: number;
  end: number;
  before: string;
  after: string;
  /** Characters of `before` that begin a section, which stand once where several are put in. */
  head: number;
  /** Of an array that is written as a list: where its elements stand, and its rows if it may have more or fewer. */
  parts?: Span[];
  rows?: Span[];
  between?: string;
}

export interface ScenarioText {
  yaml: string;
  edits: Record<string, TextEdit>;
}

export interface Data {
  page: number;
  version: string;
  name: string;
  title: string;
  description: string;
  command: string;
  kind: "mission" | "study";
  models: Model[];
  sliders: Vary[];
  text: ScenarioText | null;
  study?: Study;
}

export interface Column {
  name: string;
  unit: string;
  factor: number;
  kind: "factor" | "metric";
  /** Of a comparison's metric: which value is the best. */
  best?: "least" | "greatest";
}

export interface Member {
  number: number;
  status: string;
  reason: string;
  /** A value for each column: a number, a text, or null where there is none. */
  cells: (number | string | null)[];
  model: number;
  /** What its plan has otherwise than the model: places and values. */
  writes: [number, number][];
  /** North and east in centimetres, each as the difference to the point before. */
  track: number[] | null;
}

export interface Study {
  columns: Column[];
  members: Member[];
  /** The column of the factor that gives members their colours. */
  compare: number;
  note: string;
}

/** The block of data of this page. */
export function readData(): Data {
  const found = JSON.parse(textOf("data")) as Data;
  if (found.page !== 1) throw new Error(`this page holds data of version ${found.page}, and shows version 1`);
  if (!Array.isArray(found.models) || !found.models.length) throw new Error("this page is damaged: there is no plan in it");
  return found;
}

/** The text of an inert block of this page. */
export function textOf(id: string): string {
  const block = document.getElementById(id);
  if (!block) throw new Error(`this page is damaged: its part '${id}' is missing`);
  return block.textContent ?? "";
}

/** Bytes that were deflated and written as text. */
export async function unpacked(text: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
