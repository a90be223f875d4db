import { FOV, type Standpoint } from "./camera";

/** The share of the picture that what is framed may fill. */
const MARGIN = 0.86;

/** Azimuth and elevation in degrees. */
export const PRESETS = {
  front: [0, 8],
  side: [90, 8],
  top: [0, 90],
  back: [180, 8],
  "three-quarter": [35, 14],
} as const;
export type Preset = keyof typeof PRESETS;

/**
 * The nearest standpoint at these angles that sees all points (x, y, z, x, y, z …) with some air around them.
 * Exact: along each picture axis the two outermost sight lines meet in the place where the camera stands.
 */
export function framing(points: readonly number[], aspect: number, azimuth: number, elevation: number, fov = FOV): Standpoint {
  const [sa, ca, se, ce] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation)];
  const right = [ca, 0, -sa];
  const up = [-se * sa, ce, -se * ca];
  const back = [ce * sa, se, ce * ca];
  const [halfX, halfY] = [Math.tan(fov / 2) * aspect * MARGIN, Math.tan(fov / 2) * MARGIN];
  const apexX = new Apex(halfX);
  const apexY = new Apex(halfY);
  let [nearest, farthest] = [-Infinity, Infinity];
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
    const along = (axis: number[]): number => axis[0] * x + axis[1] * y + axis[2] * z;
    const depth = along(back);
    apexX.see(along(right), depth);
    apexY.see(along(up), depth);
    nearest = Math.max(nearest, depth);
    farthest = Math.min(farthest, depth);
  }
  const reach = Math.max(apexX.span, apexY.span, nearest - farthest, 1e-3);
  // A single point, or a flat thing seen edge on, still wants some room.
  const eye = Math.max(apexX.back, apexY.back, nearest + 0.5 * reach);
  const middle = (nearest + farthest) / 2;
  const target = right.map((r, i) => apexX.at * r + apexY.at * up[i] + middle * back[i]) as Standpoint["target"];
  return { target, azimuth, elevation, distance: eye - middle, fov };
}

/** Where the outermost sight lines on both sides meet. */
class Apex {
  private high = -Infinity;
  private low = -Infinity;
  private most = -Infinity;
  private least = Infinity;

  constructor(private readonly half: number) {}

  see(across: number, depth: number): void {
    this.high = Math.max(this.high, depth + across / this.half);
    this.low = Math.max(this.low, depth - across / this.half);
    this.most = Math.max(this.most, across);
    this.least = Math.min(this.least, across);
  }

  get at(): number {
    return (this.half * (this.high - this.low)) / 2;
  }

  get back(): number {
    return (this.high + this.low) / 2;
  }

  get span(): number {
    return this.most - this.least;
  }
}
