import type { JointInfo } from "../protocol/messages";

/** What a body weighs, in kilograms. */
export function totalMass(joints: readonly JointInfo[]): number {
  return joints.reduce((sum, { mass }) => sum + mass, 0);
}

/** The centre of mass of a pose, 12 numbers a joint, in metres; null for a body without any mass. */
export function massCentre(joints: readonly JointInfo[], world: Float32Array): [number, number, number] | null {
  const total = totalMass(joints);
  if (total <= 0 || world.length !== 12 * joints.length) return null;
  const sum: [number, number, number] = [0, 0, 0];
  joints.forEach(({ mass, centre: [x, y, z] }, joint) => {
    for (let row = 0; row < 3; row++) {
      const m = 12 * joint + 4 * row;
      sum[row] += (mass / total) * (world[m] * x + world[m + 1] * y + world[m + 2] * z + world[m + 3]);
    }
  });
  return sum;
}

/** "29.8 kg", "850 g". */
export function weightText(mass: number): string {
  return mass >= 1 ? `${mass.toFixed(1)} kg` : `${(1000 * mass).toFixed(mass < 0.01 ? 1 : 0)} g`;
}
