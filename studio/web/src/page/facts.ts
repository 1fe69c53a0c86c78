// What the page says of itself at its foot: how it computes, how fast that was, by what it was made.

import type { State } from "./state";
import { eachFrame, el } from "./dom";
import { general, whole } from "../run/format";

export function facts(state: State): HTMLElement {
  const how = el("p", {});
  const keys = "Keys: space plays, , and . go point by point, [ and ] from event to event, Home and End, k keeps the run.";
  const show = eachFrame(() => {
    const { run, model } = state;
    if (!run.rows) return;
    const by = model.adaptive ? `${model.solver}, tolerance ${general(model.tolerance, 3)}` : `${model.solver}, step ${general(model.step, 4)} s`;
    const thinned = model.thinned > 1 ? ` Of the points that a run on a desk records one in ${model.thinned} is kept here; summary and events are of these.` : "";
    how.textContent = `${whole(run.steps)} steps by ${by}; the engine took ${general(1000 * run.seconds, 3)} ms in this browser.${run.over ? "" : " The run goes on."}${thinned}`;
  });
  state.on(["run", "model"], show);
  const { command, kind, version } = state.data;
  const of = kind === "study" ? `${command} NUMBER` : command || "simulate";
  return el(
    "footer",
    {},
    how,
    el("p", {}, keys),
    el("p", {}, `Made by Keelblocks ${version}. The numbers are those of `, kind === "study" ? "what " : "", el("code", {}, of), kind === "study" ? " writes, run on a desk" : "", ", bit by bit. Licences of what is bundled stand at the end of this file."),
  );
}
