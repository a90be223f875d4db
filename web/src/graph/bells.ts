import type { KernelInfo } from "../protocol/messages";
import { RULER, type View } from "./view";

/** What can be taken hold of on the bell of a kernel: its top moves it and sets its depth, a spot on its right flank widens it. */
export type BellPart = "centre" | "width";

interface BellHit {
  kernel: number;
  part: BellPart;
}

const REACH = 8;
/** How high a bell stands, as a share of the sheet. */
const HEIGHT = 0.55;
/** No bell is narrower, in seconds, or lower: it could not be taken hold of again. */
const NARROWEST = 0.005;
const LOWEST = 0.05;
/** Who moves a bell sideways does not mean to change its depth: that takes so many pixels. */
const STICKS = 6;

/** How much less costs count at a time, 0 to 1. */
export function bellAt({ centre, width, depth = 1 }: KernelInfo, time: number): number {
  return depth * Math.exp(-0.5 * ((time - centre) / width) ** 2);
}

/** The pixel of a height of 0 to 1 of a bell. */
export function bellY(view: View, height: number): number {
  return view.height - height * highest(view);
}

/** The depth of a bell once its top was pulled down by so many pixels. */
export function pulledDepth(view: View, { depth = 1 }: KernelInfo, down: number): number {
  const meant = Math.sign(down) * Math.max(0, Math.abs(down) - STICKS);
  return Math.min(1, Math.max(LOWEST, depth - meant / highest(view)));
}

/** The height of a bell of depth 1, in pixels. */
function highest(view: View): number {
  return HEIGHT * (view.height - RULER);
}

/** Where a part of a bell is on the sheet, in its pixels. */
export function bellGrip(view: View, kernel: KernelInfo, part: BellPart): { x: number; y: number } {
  const time = part === "centre" ? kernel.centre : kernel.centre + kernel.width;
  return { x: view.time.x(time), y: bellY(view, bellAt(kernel, time)) };
}

/** The grip under a pixel; where bells overlap, the nearer. */
export function bellHit(view: View, kernels: readonly KernelInfo[], x: number, y: number): BellHit | null {
  let [nearest, best]: [BellHit | null, number] = [null, REACH];
  kernels.forEach((kernel, number) => {
    for (const part of ["centre", "width"] as const) {
      const grip = bellGrip(view, kernel, part);
      const distance = Math.hypot(grip.x - x, grip.y - y);
      if (distance < best) [nearest, best] = [{ kernel: number, part }, distance];
    }
  });
  return nearest;
}

/** The kernel once the part held is at another time. */
export function pulledBell(kernel: KernelInfo, part: BellPart, time: number): KernelInfo {
  return part === "centre" ? { ...kernel, centre: time } : { ...kernel, width: Math.max(NARROWEST, time - kernel.centre) };
}
