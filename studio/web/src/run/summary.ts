// A run in a few numbers, in the words of blocks/report/summary.py.

import { duration, energy, fixed, general, whole, way } from "./format";
import { Mission } from "./mission";
import { COMPLETE, STOPPED, type Run } from "./run";

export interface Item {
  label: string;
  text: string;
}

export function summary(run: Run): Item[] {
  const mission = Mission.of(run);
  const items = mission ? ofMission(mission) : [];
  const add = (label: string, text: string): number => items.push({ label, text });
  add("run", status(run));
  add("simulated time", duration(run.last - run.model.start));
  add("recorded points", whole(run.rows));
  return items;
}

export function status(run: Run): string {
  if (!run.end) return "goes on";
  if (run.end.status === COMPLETE) return "complete";
  return run.end.status === STOPPED ? "ended by its stop signal" : "failed";
}

function ofMission(mission: Mission): Item[] {
  const items: Item[] = [];
  const add = (label: string, text: string): number => items.push({ label, text });
  const { arrival, planned } = mission;
  add("arrived", arrival === null ? "no" : `yes, after ${duration(arrival)}`);
  const wanted = mission.waypoints.length - 1;
  if (wanted) add("waypoints reached", `${mission.reachedCount} of ${wanted}`);
  const plan = planned.loops ? "one lap" : planned.curved ? "planned" : "legs";
  const of = mission.plannedLength ? ` (${plan}: ${way(mission.plannedLength)})` : "";
  add("path length", `${way(mission.pathLength)}${of}`);
  if (mission.phases?.followed ?? true) {
    add("cross-track error, RMS", `${fixed(mission.errorRms, 3)} m`);
    add("cross-track error, largest", `${fixed(mission.errorMax, 3)} m`);
  }
  if (mission.dives.length) {
    const times = mission.dives.flatMap((dive) => (dive.duration === null ? [] : [dive.duration]));
    const longest = times.length ? `, in up to ${duration(Math.max(...times))}` : "";
    add("depths reached", `${times.length} of ${mission.dives.length}${longest}`);
  }
  const after = mission.depthErrorAfterDive;
  if (after !== null) {
    add(mission.dives.length ? "depth error after the dive" : "depth error, largest", `${fixed(after, 3)} m`);
  }
  const arriving = mission.depthErrorAtArrival;
  if (arriving !== null) {
    add(`depth error ${arrival === null ? "at the end" : "on arrival"}`, `${fixed(arriving, 3)} m`);
  }
  if (mission.phases?.givenUp) {
    const { when, why } = mission.phases.givenUp;
    add("given up", `after ${general(when, 5)} s: ${why}`);
  }
  for (const { name, words } of mission.phases?.all ?? []) add(name, words);
  if (mission.energy !== null) add("thruster energy", energy(mission.energy));
  return items;
}
