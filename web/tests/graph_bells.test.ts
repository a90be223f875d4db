import { describe, expect, test } from "vitest";
import { bellAt, bellGrip, bellHit, bellY, pulledBell, pulledDepth } from "../src/graph/bells";
import { hitAt, locate } from "../src/graph/hits";
import { RULER, View } from "../src/graph/view";

const view = new View();
[view.width, view.height] = [600, 200];
view.fit(0, 4, new Map());
const kernels = [
  { centre: 1, width: 0.2 },
  { centre: 2, width: 0.3 },
];

describe("the bells of kernels", () => {
  test("stand highest on their centres, and at one width have fallen to exp(-1/2)", () => {
    expect(bellAt(kernels[0], 1)).toBe(1);
    expect(bellAt(kernels[0], 1.2)).toBeCloseTo(Math.exp(-0.5), 12);
    expect(bellAt(kernels[0], 0.8)).toBeCloseTo(bellAt(kernels[0], 1.2), 12);
  });

  test("have grips on the sheet that the pointer finds, each its own", () => {
    kernels.forEach((kernel, number) => {
      for (const part of ["centre", "width"] as const) {
        const { x, y } = bellGrip(view, kernel, part);
        expect(y).toBeGreaterThan(RULER);
        expect(y).toBeLessThan(view.height);
        expect(bellHit(view, kernels, x + 3, y - 3)).toEqual({ kernel: number, part });
        expect(hitAt(view, [], x, y, kernels)).toEqual({ what: "bell", kernel: number, part });
        expect(locate(view, [], { kernel: number, part }, kernels)).toEqual({ x, y });
      }
    });
    expect(bellHit(view, kernels, view.time.x(3), 100)).toBeNull();
    expect(locate(view, [], { kernel: 2 }, kernels)).toBeNull();
  });

  test("stand as high as they are deep, and follow the hand that pulls their top", () => {
    const half = { centre: 1, width: 0.2, depth: 0.5 };
    expect(bellAt(half, 1)).toBe(0.5);
    expect(bellAt(half, 1.2)).toBeCloseTo(0.5 * Math.exp(-0.5), 12);
    const down = bellY(view, 0.5) - bellY(view, 1);
    // A few pixels stick, so that moving a bell sideways leaves its depth alone.
    expect(pulledDepth(view, kernels[0], down + 6)).toBeCloseTo(0.5, 12);
    expect(pulledDepth(view, half, -down - 6)).toBeCloseTo(1, 12);
    expect(pulledDepth(view, half, 4)).toBe(0.5);
    expect(pulledDepth(view, half, -1000)).toBe(1);
    expect(pulledDepth(view, half, 1000)).toBeGreaterThan(0);
  });

  test("are moved by the top and widened by the flank, never to nothing", () => {
    expect(pulledBell(kernels[0], "centre", 3)).toEqual({ centre: 3, width: 0.2 });
    expect(pulledBell(kernels[0], "width", 1.5)).toEqual({ centre: 1, width: 0.5 });
    expect(pulledBell(kernels[0], "width", 0.5).width).toBeGreaterThan(0);
  });
});
