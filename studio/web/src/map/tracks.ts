// Tracks over ground: those of a run, and those of others, which are drawn by the hundred.

import type { Run } from "../run/run";

/** A track that is drawn besides those of runs, north and east in m. */
export interface Track {
  points: [number, number][];
  /** The same as a line, east and south: hundreds of them are drawn in each frame. */
  line: Path2D;
  low: [number, number];
  high: [number, number];
  colour: string;
  strong: boolean;
  press?: () => void;
}

export function track(points: [number, number][], press?: () => void): Track {
  const line = new Path2D();
  const [low, high]: [number, number][] = [[Infinity, Infinity], [-Infinity, -Infinity]];
  for (const [north, east] of points) {
    line.lineTo(east, -north);
    [low[0], low[1]] = [Math.min(low[0], north), Math.min(low[1], east)];
    [high[0], high[1]] = [Math.max(high[0], north), Math.max(high[1], east)];
  }
  return { points, line, low, high, colour: "", strong: false, press };
}

/** Where the crafts of a run were. */
export function tracksOf(run: Run): { north: Float64Array; east: Float64Array }[] {
  return run.model.vessels.flatMap(({ name }) => {
    const [north, east] = [run.series(`${name}.eta`, 0), run.series(`${name}.eta`, 1)];
    return north && east ? [{ north, east }] : [];
  });
}

/** How far a place is from the line between two others. */
export function fromLine(north: number, east: number, [n0, e0]: number[], [n1, e1]: number[]): number {
  const [dn, de] = [n1 - n0, e1 - e0];
  const share = Math.max(0, Math.min(1, ((north - n0) * dn + (east - e0) * de) / (dn * dn + de * de || 1)));
  return Math.hypot(north - n0 - share * dn, east - e0 - share * de);
}

/** The track that is nearest to a place, within so many m; those that are drawn strong are chosen already. */
export function nearestTrack(tracks: Track[], north: number, east: number, within: number): Track | null {
  let [found, least]: [Track | null, number] = [null, within];
  for (const one of tracks) {
    const { low, high, points } = one;
    if (one.strong || north < low[0] - least || north > high[0] + least || east < low[1] - least || east > high[1] + least) continue;
    for (let i = 1; i < points.length; i++) {
      const away = fromLine(north, east, points[i - 1], points[i]);
      if (away < least) [found, least] = [one, away];
    }
  }
  return found;
}
