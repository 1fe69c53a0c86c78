// A hull of length one: a box with a pointed bow in another colour and a fin on its back, as animations have it.

import type { Vector } from "../views/hull";

export interface Face {
  corners: Vector[];
  normal: Vector;
  colour: string;
}

const [STERN, SHOULDER, BOW] = [-0.5, 0.12, 0.5];

/** The faces, for a breadth and height in lengths. */
export function faces(breadth: number, height: number): Face[] {
  const [b, h] = [breadth / 2, height / 2];
  const at = (x: number, y: number, z: number): Vector => [x, y, z];
  const level = (z: number): Record<string, Vector> => ({
    sternPort: at(STERN, -b, z), sternStarboard: at(STERN, b, z), port: at(SHOULDER, -b, z), starboard: at(SHOULDER, b, z), bow: at(BOW, 0, z),
  });
  const [deck, keel] = [level(-h), level(h)];
  const found: Face[] = [];
  for (const [plane, down] of [[deck, -1], [keel, 1]] as const) {
    found.push({ corners: [plane.sternPort, plane.sternStarboard, plane.starboard, plane.port], normal: [0, 0, down], colour: "actual" });
    found.push({ corners: [plane.port, plane.starboard, plane.bow], normal: [0, 0, down], colour: "reference" });
  }
  const long = Math.hypot(b / (BOW - SHOULDER), 1);
  const slant: Vector = [b / (BOW - SHOULDER) / long, 1 / long, 0];
  const sides: [string, string, Vector, string][] = [
    ["sternPort", "sternStarboard", [-1, 0, 0], "actual"],
    ["sternStarboard", "starboard", [0, 1, 0], "actual"],
    ["sternPort", "port", [0, -1, 0], "actual"],
    ["starboard", "bow", slant, "reference"],
    ["port", "bow", [slant[0], -slant[1], 0], "reference"],
  ];
  for (const [one, other, normal, colour] of sides) {
    found.push({ corners: [deck[one], deck[other], keel[other], keel[one]], normal, colour });
  }
  const top = -h - 0.16;
  found.push({ corners: [at(-0.46, 0, -h), at(-0.12, 0, -h), at(-0.3, 0, top), at(-0.46, 0, top)], normal: [0, 0, -1], colour: "ink" });
  return found;
}
