import { describe, expect, test } from "vitest";
import { type Box, frameOf, gripAt, type Hit, hasHandle, hitAt, keysWithin, locate } from "../src/graph/hits";
import type { Drawn, Row } from "../src/graph/rows";
import { CENTIMETRES, DEGREES, type Unit } from "../src/graph/units";
import { View } from "../src/graph/view";
import { BEZIER, CONSTANT, type Key, LINEAR } from "../src/model/curves";

const view = new View();
[view.width, view.height] = [600, 200];
view.fit(
  0,
  4,
  new Map([
    [DEGREES, [0, 1]],
    [CENTIMETRES, [0, 10]],
  ]),
);

function key(time: number, value: number, interpolation = BEZIER): Key {
  return { time, value, inX: 0.4, inY: 0.3, outX: 0.4, outY: 0.3, interpolation, tied: true };
}

function drawn(label: string, unit: Unit, keys: Key[], ...selected: number[]): Drawn {
  const row = { label, unit, info: { name: label }, layer: 0, layerName: null, channel: 0 } as Row;
  return { row, curve: { channel: 0, layer: 0, keys }, selected: new Set(selected) };
}

const turn = drawn("turn", DEGREES, [key(0, 0), key(2, 0.5), key(4, 1)], 1);
const rise = drawn("rise", CENTIMETRES, [key(0, 10, LINEAR), key(4, 0)]);

function at(time: number, value: number, unit: Unit): [number, number] {
  return [view.time.x(time), view.axis(unit).y(value)];
}

function named(hit: Hit): unknown[] {
  const label = "drawn" in hit ? hit.drawn.row.label : null;
  return [hit.what, label, "key" in hit ? hit.key : null, "side" in hit ? hit.side : null];
}

describe("what the pointer is over", () => {
  test("keys, each by its own unit's axis", () => {
    const [x, y] = at(0, 10, CENTIMETRES);
    expect(named(hitAt(view, [turn, rise], x + 3, y - 3))).toEqual(["key", "rise", 0, null]);
    expect(named(hitAt(view, [turn, rise], ...at(2, 0.5, DEGREES)))).toEqual(["key", "turn", 1, null]);
  });

  test("handles, of selected keys only", () => {
    const end = at(2.4, 0.8, DEGREES);
    expect(named(hitAt(view, [turn], ...end))).toEqual(["handle", "turn", 1, "out"]);
    expect(hitAt(view, [{ ...turn, selected: new Set() }], ...end).what).not.toBe("handle");
  });

  test("curves between their keys, steep or level", () => {
    expect(named(hitAt(view, [rise], ...at(1.3, 6.75, CENTIMETRES)))).toEqual(["curve", "rise", null, null]);
    const steep = drawn("steep", DEGREES, [key(1, 0, LINEAR), key(1.02, 1)]);
    const [x, y] = at(1.01, 0.3, DEGREES);
    expect(hitAt(view, [steep], x + 3, y).what).toBe("curve");
    expect(hitAt(view, [steep], x + 30, y).what).toBe("empty");
    const stepped = drawn("stepped", DEGREES, [key(0, 0, CONSTANT), key(2, 1)]);
    expect(hitAt(view, [stepped], ...at(2, 0.5, DEGREES)).what).toBe("curve");
  });

  test("the ruler on top, and nothing where nothing is", () => {
    expect(hitAt(view, [turn], 300, 4).what).toBe("ruler");
    expect(hitAt(view, [turn], ...at(1, 1, DEGREES)).what).toBe("empty");
  });

  test("of two keys on one spot the selected one", () => {
    const [under, over] = [drawn("under", DEGREES, [key(1, 0.5)]), drawn("over", DEGREES, [key(1, 0.5)], 0)];
    expect(named(hitAt(view, [under, over], ...at(1, 0.5, DEGREES)))[1]).toBe("over");
    expect(named(hitAt(view, [over, under], ...at(1, 0.5, DEGREES)))[1]).toBe("over");
  });
});

test("a handle is where its segment is a Bezier one", () => {
  const keys = [key(0, 0), key(1, 0, CONSTANT), key(2, 0)];
  const found = keys.flatMap((_, i) => (["in", "out"] as const).filter((side) => hasHandle(keys, i, side)).map((side) => `${side} ${i}`));
  expect(found).toEqual(["out 0", "in 1"]);
  expect(hasHandle([{ ...key(0, 0), outX: 0 }, key(1, 1)], 0, "out")).toBe(false);
});

describe("the rectangle around selected keys", () => {
  const two = drawn("turn", DEGREES, [key(1, 0.2), key(2, 0.9), key(3, 0.5)], 0, 2);

  test("stands around them, and its grips can be hit", () => {
    const framed = frameOf(view, [two]);
    expect(framed?.extent).toEqual({ start: 1, end: 3, low: 0.2, high: 0.5 });
    const { x, y } = gripAt(framed?.box as Box, "right");
    expect(hitAt(view, [two], x, y)).toMatchObject({ what: "edge", edge: "right" });
    expect(x).toBeGreaterThan(view.time.x(3));
  });

  test("is not there for one key, nor grips values where units differ", () => {
    expect(frameOf(view, [turn])).toBeNull();
    const mixed = [drawn("a", DEGREES, [key(1, 0.2)], 0), drawn("b", CENTIMETRES, [key(2, 5)], 0)];
    expect(frameOf(view, mixed)?.extent).toEqual({ start: 1, end: 2, low: null, high: null });
  });

  test("stays on the sheet", () => {
    const wide = frameOf(view, [drawn("turn", DEGREES, [key(-50, -9), key(50, 9)], 0, 1)]);
    expect(wide?.box).toEqual({ left: 4, right: 596, top: 22, bottom: 196 });
  });
});

test("a band takes the keys within it, by each unit's axis", () => {
  const [left, top] = at(1.5, 0.6, DEGREES);
  const [right, bottom] = at(4.1, 0, DEGREES);
  const found = keysWithin(view, [turn, rise], { left, right, top, bottom: bottom + 1 });
  expect(found).toEqual([
    { channel: "turn", key: 1, layer: null },
    { channel: "rise", key: 1, layer: null },
  ]);
});

describe("where things are", () => {
  test("keys and handles are found where the pointer hits them", () => {
    for (const part of ["key", "in", "out"] as const) {
      const { x, y } = locate(view, [turn, rise], { channel: "turn", key: 1, part }) as { x: number; y: number };
      const hit = hitAt(view, [turn, rise], x, y);
      expect(named(hit)).toEqual(part === "key" ? ["key", "turn", 1, null] : ["handle", "turn", 1, part]);
    }
  });

  test("what cannot be seen is nowhere", () => {
    expect(locate(view, [turn], { channel: "turn", key: 0, part: "out" })).toBeNull();
    expect(locate(view, [turn], { channel: "turn", key: 9 })).toBeNull();
    expect(locate(view, [turn], { channel: "turn", key: 0, layer: "tweak" })).toBeNull();
    expect(locate(view, [drawn("far", DEGREES, [key(0, 99)])], { channel: "far", key: 0 })).toBeNull();
    expect(locate(view, [turn], { edge: "left" })).toBeNull();
  });
});
