import { describe, expect, test } from "vitest";
import { blendRows } from "../src/viewport/blending/blend_vertices";
import { Nodes } from "../src/viewport/blending/nodes";
import { type Plan, PLAN_COLUMNS, planTexture, readPlan } from "../src/viewport/blending/plan";
import { WAYS } from "../src/viewport/blending/ways";

/** A turn about z through a point on the x axis. */
function turn(angle: number, x = 0): number[] {
  const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  return [c, 0, 0, s, 0, 0, -s * x, 0];
}

/** Two joints, the second of which turns by ten steps; a vertex that follows both by halves. */
function halfway(fractions: boolean): Plan {
  const steps = 10;
  const entries = fractions ? [0, steps] : Array.from({ length: steps }, (_, i) => 1 + i);
  return {
    number: 1,
    vertices: 1,
    nodes: steps + 1,
    parents: Int32Array.from({ length: steps + 1 }, (_, i) => i - 1),
    prefixes: Int32Array.of(fractions ? -1 : 0),
    starts: Uint32Array.of(0, entries.length),
    entries: Int32Array.from(entries),
    weights: Float32Array.from(entries, () => (fractions ? 0.5 : -0.5)),
    fractions: fractions ? Float32Array.of(1, 1) : null,
  };
}

function blended(plan: Plan, way: number, angle: number): Float64Array {
  const differentials = Float32Array.from([...turn(0), ...Array.from({ length: 10 }, () => turn(angle / 10, 1)).flat()]);
  const nodes = new Nodes();
  nodes.pose(plan, differentials);
  const rows = new Float64Array(12);
  blendRows(plan, nodes.numbers, way, 0, rows);
  return rows;
}

describe("a vertex halfway between two joints", () => {
  test("turns half as far by differentials, through three whole turns", () => {
    for (const angle of [1, Math.PI, 6 * Math.PI]) {
      const rows = blended(halfway(false), WAYS.differential, angle);
      // Each step is off by less than half a per cent of its own turn.
      expect(rows[0]).toBeCloseTo(Math.cos(angle / 2), angle > 4 ? 1 : 3);
      expect(Math.hypot(rows[0], rows[4])).toBeCloseTo(1, 6);
    }
  });

  test("turns about the joint, not about where it has been taken", () => {
    const rows = blended(halfway(false), WAYS.differential, Math.PI);
    expect(rows[0] + rows[3]).toBeCloseTo(1, 4);
    expect(rows[4] + rows[7]).toBeCloseTo(0, 4);
  });

  test("goes the shorter way by dual quaternions and screws, and collapses by matrices", () => {
    for (const way of [WAYS["dual-quaternion"], WAYS.screw]) {
      expect(blended(halfway(true), way, 1.2)[0]).toBeCloseTo(Math.cos(0.6), 5);
      // A turn of 270° is one of −90° to them.
      expect(blended(halfway(true), way, 1.5 * Math.PI)[4]).toBeCloseTo(-Math.sin(Math.PI / 4), 5);
    }
    expect(blended(halfway(true), WAYS.linear, Math.PI)[0]).toBeCloseTo(0, 5);
  });
});

describe("a plan", () => {
  const plan = halfway(true);
  const numbers = [
    Uint32Array.of(1, 11, 2, 0),
    plan.parents,
    plan.prefixes,
    plan.starts,
    plan.entries,
    plan.weights,
    plan.fractions ?? new Float32Array(),
  ];
  const bytes = new Uint8Array(numbers.flatMap((part) => [...new Uint8Array(part.buffer, part.byteOffset, part.byteLength)]));

  test("is read as it was written", () => {
    expect(readPlan(1, bytes.buffer)).toEqual(plan);
  });

  test("becomes a texel a vertex and a texel an entry", () => {
    const { image } = planTexture(plan);
    const data = image.data as Float32Array;
    expect(image.width).toBe(PLAN_COLUMNS);
    expect([...data.subarray(0, 3)]).toEqual([1, 2, -1]);
    expect([...data.subarray(4, 7)]).toEqual([0, 0.5, 1]);
    expect([...data.subarray(8, 11)]).toEqual([10, 0.5, 1]);
  });
});
