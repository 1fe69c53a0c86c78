// The colour of each member: by its level of one factor, of the first unless a comparison says another one.

import type { Member, Study } from "../page/data";
import { colour, RUN_COLOURS, seriesColour } from "../page/dom";
import { cellText } from "./names";

export interface Colours {
  /** The factor's name, and what is told of its levels. */
  factor: string;
  levels: { label: string; colour: () => string }[];
  of(member: Member): string;
}

export function coloursOf(study: Study): Colours {
  const column = study.columns[study.compare];
  const cells = study.members.map((member) => member.cells[study.compare]);
  const label = (member: Member): string => cellText(column, member.cells[study.compare]);
  const levels = [...new Set(study.members.map(label))];
  const numbers = cells.filter((cell): cell is number => typeof cell === "number");
  if (levels.length > RUN_COLOURS && numbers.length === cells.length) {
    const [low, high] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
    const at = (value: number): string => mixed(colour("series-1"), colour("series-2"), (value - low) / (high - low));
    return {
      factor: column.name,
      levels: [low, (low + high) / 2, high].map((value) => ({ label: cellText(column, rounded(value, high - low)), colour: () => at(value) })),
      of: (member) => at(member.cells[study.compare] as number),
    };
  }
  // labels such as "LOS, Δ 4 m" are of one family, that of what stands before the comma
  const family = (text: string): string => text.split(",")[0];
  const named = levels.length > RUN_COLOURS ? family : (text: string): string => text;
  const order = [...new Set(levels.map(named))];
  const numberOf = new Map(order.map((name, i) => [name, i]));
  return {
    factor: column.name,
    levels: order.slice(0, 2 * RUN_COLOURS).map((name, i) => ({ label: name, colour: () => seriesColour(i) })),
    of: (member) => seriesColour(numberOf.get(named(label(member)))!),
  };
}

/** A number with the digits that tell apart what spans so much. */
function rounded(value: number, span: number): number {
  return Number(value.toFixed(Math.max(0, Math.min(12, 2 - Math.floor(Math.log10(span))))));
}

/** A colour between two that are written #rrggbb. */
function mixed(from: string, to: string, share: number): string {
  const part = (text: string, i: number): number => parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
  const parts = [0, 1, 2].map((i) => Math.round(part(from, i) + share * (part(to, i) - part(from, i))));
  return `rgb(${parts.join(" ")})`;
}
