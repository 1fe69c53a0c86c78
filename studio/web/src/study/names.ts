// Members of a study in words: their cells, and what they are called.

import type { Column, Member, Study } from "../page/data";
import { brief, withUnit } from "../run/format";

export type Cell = number | string | null;

/** A cell with the unit that people read, or without where the head of its column says it. */
export function cellText(column: Column, cell: Cell, unit = true): string {
  if (cell === null) return "–";
  if (typeof cell === "string") return cell;
  const text = brief(cell * column.factor);
  return unit ? withUnit(text, column.unit) : text;
}

/** "member 17: LOS, 0.3 m/s to E": levels that are numbers by the names of their factors. */
export function nameOf(study: Study, member: Member): string {
  const levels = study.columns.flatMap((column, i) => {
    if (column.kind !== "factor") return [];
    const cell = member.cells[i];
    const text = cellText(column, cell);
    return [typeof cell === "string" ? text : `${column.name} ${text}`];
  });
  return `member ${member.number}: ${levels.join(", ")}`;
}

/** How cells are ordered: numbers by size, text as people count, and what is not there last. */
export function compared(a: Cell, b: Cell, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const [x, y] = [sized(a), sized(b)];
  if (typeof x === "number" && typeof y === "number") return sign * (x === y ? 0 : x - y);
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}

function sized(cell: number | string): number | string {
  return cell === "∞" ? Infinity : cell === "−∞" ? -Infinity : cell;
}
