import { describe, expect, test } from "vitest";
import { BEZIER, type Curve, jerks, type Key, LINEAR } from "../src/model/curves";

function key(time: number, slope: number, more: Partial<Key> = {}): Key {
  return { time, value: 0, inX: 0.2, inY: 0.2 * slope, outX: 0.3, outY: 0.3 * slope, interpolation: BEZIER, tied: true, ...more };
}

function curve(...keys: Key[]): Curve {
  return { channel: 0, layer: 0, keys };
}

describe("the seam of a loop", () => {
  test("passes where both ends have one slope", () => {
    expect(jerks(curve(key(0, 2), key(1, 5), key(2, 2)), 0, 2)).toBe(false);
  });

  test("jerks where they have two", () => {
    expect(jerks(curve(key(0, 2), key(2, 2.1)), 0, 2)).toBe(true);
    expect(jerks(curve(key(0, -1), key(2, 1)), 0, 2)).toBe(true);
  });

  test("is the animator's where a key is broken", () => {
    expect(jerks(curve(key(0, 2, { tied: false }), key(2, 3)), 0, 2)).toBe(false);
    expect(jerks(curve(key(0, 2), key(2, 3, { tied: false })), 0, 2)).toBe(false);
  });

  test("is none without keys on both ends, or tangents", () => {
    expect(jerks(curve(key(0.1, 2), key(2, 3)), 0, 2)).toBe(false);
    expect(jerks(curve(key(0, 2)), 0, 2)).toBe(false);
    expect(jerks(curve(key(0, 2, { interpolation: LINEAR }), key(2, 3)), 0, 2)).toBe(false);
    expect(jerks(curve(key(0, 2, { outX: 0 }), key(2, 3)), 0, 2)).toBe(false);
  });

  test("forgives what numbers sent as singles round away", () => {
    expect(jerks(curve(key(0, 100), key(2, 100.00001)), 0, 2)).toBe(false);
  });
});
