// The range of a slider: what was asked for, or what is usual about a value.

import type { Model, Parameter, Slider, Vary } from "../page/data";
import { unitOf } from "../run/changes";

/** A slider with its range, about the value `now` where none was asked for. */
export function sliderOf(model: Model, vary: Vary, now: number): Slider {
  let [low, high] = usual(model.parameters[vary.parameter], vary.element, now);
  if (vary.among) [low, high] = [Math.min(low, vary.among[0]), Math.max(high, vary.among[1])];
  return { low, high, ...vary };
}

/** From nothing to twice as much, of angles half a turn each way, as far as it may go. */
function usual(parameter: Parameter, element: number, now: number): [number, number] {
  const [unit] = unitOf(parameter, element);
  const { above, least, below, most } = parameter;
  const open = below === undefined && most === undefined;
  let [low, high] = unit === "deg" && open ? [-Math.PI, Math.PI] : now && Math.abs(now) < 1e300 ? [Math.min(0, 2 * now), Math.max(0, 2 * now)] : [-1, 1];
  if (least !== undefined) low = Math.max(low, least);
  if (most !== undefined) high = Math.min(high, most);
  if (above !== undefined && low <= above) low = Math.min(now, above + 0.05 * (high - above));
  if (below !== undefined && high >= below) high = Math.max(now, below - 0.05 * (below - low));
  if (parameter.kind === "integer") [low, high] = [Math.ceil(low), Math.max(Math.floor(high), Math.ceil(low) + 1)];
  return [low, high];
}
