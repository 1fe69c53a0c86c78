// Dives: how long a vehicle takes to a wanted depth, and how well it keeps it; as blocks/report/dives.py.

export interface Dive {
  /** Until the depth was within the tolerance: 0 if it was from the beginning, null if it never was. */
  duration: number | null;
  /** The largest error from where it ceases to fall; null if the dive did not end. */
  largestError: number | null;
}

export function dives(times: Float64Array, depth: Float64Array, wanted: Float64Array, tolerance: number): Dive[] {
  const found: Dive[] = [];
  let first = 0;
  for (let row = 1; row <= wanted.length; row++) {
    if (row < wanted.length && wanted[row] === wanted[row - 1]) continue;
    if (row - first >= 2) found.push(dive(times, depth, wanted[first], tolerance, first, row));
    first = row;
  }
  return found;
}

function dive(
  times: Float64Array, depth: Float64Array, wanted: number, tolerance: number, first: number, last: number,
): Dive {
  const error = (row: number): number => Math.abs(depth[row] - wanted);
  let end = first;
  while (end < last && error(end) > tolerance) end++;
  if (end === last) return { duration: null, largestError: null };
  let held = end;
  while (held < last - 1 && error(held + 1) < error(held)) held++;
  let largest = 0;
  for (let row = held; row < last; row++) largest = Math.max(largest, error(row));
  return { duration: times[end] - times[first], largestError: largest };
}
