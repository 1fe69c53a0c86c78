// The craft as it is drawn: its outline, turned by roll, pitch and yaw.

export type Vector = [number, number, number];

/** From body axes to north, east, down: angles by z, y, x (Fossen 2021, eq. 2.31). */
export function rotation(phi: number, theta: number, psi: number): [Vector, Vector, Vector] {
  const [sf, cf, st, ct, sp, cp] = [phi, theta, psi].flatMap((angle) => [Math.sin(angle), Math.cos(angle)]);
  return [
    [cp * ct, -sp * cf + cp * st * sf, sp * sf + cp * cf * st],
    [sp * ct, cp * cf + sf * st * sp, -cp * sf + st * sp * cf],
    [-st, ct * sf, ct * cf],
  ];
}

export function turned(by: [Vector, Vector, Vector], [x, y, z]: Vector): Vector {
  return by.map((row) => row[0] * x + row[1] * y + row[2] * z) as Vector;
}

/** The outline from above of a hull of length and breadth one, about its middle. */
export const OUTLINE: Vector[] = [
  [-0.5, -0.44, 0],
  [-0.46, -0.5, 0],
  [0.12, -0.5, 0],
  [0.36, -0.28, 0],
  [0.5, 0, 0],
  [0.36, 0.28, 0],
  [0.12, 0.5, 0],
  [-0.46, 0.5, 0],
  [-0.5, 0.44, 0],
];

export interface Size {
  length: number;
  breadth: number;
  height: number;
  /** Whether it is the craft's own. */
  known: boolean;
}

export function sizeOf(craft: { length?: number; breadth?: number; height?: number } | undefined): Size {
  const length = craft?.length ?? 1;
  return {
    length,
    breadth: craft?.breadth ?? 0.44 * length,
    height: craft?.height ?? 0.3 * length,
    known: craft?.length !== undefined,
  };
}
