import { describe, expect, test } from "vitest";
import { CENTIMETRES, DEGREES, PLAIN } from "../src/graph/units";
import { RULER, ValueAxis, View } from "../src/graph/view";

describe("a value axis", () => {
  test("fits a range between two rows, high values up", () => {
    const axis = new ValueAxis(CENTIMETRES);
    axis.fit(-1, 3, 20, 120);
    for (const [value, row] of [
      [3, 20],
      [-1, 120],
      [1, 70],
    ])
      expect(axis.y(value)).toBeCloseTo(row, 9);
    expect(axis.value(axis.y(0.7))).toBeCloseTo(0.7, 12);
  });

  test("puts a level line into the middle instead of magnifying nothing", () => {
    const axis = new ValueAxis(DEGREES);
    axis.fit(0.5, 0.5, 20, 120);
    expect(axis.y(0.5)).toBeCloseTo(70, 9);
    expect(100 / axis.scale).toBeCloseTo(DEGREES.leastSpan, 12);
  });

  test("zooms about a row and pans with the pointer", () => {
    const axis = new ValueAxis(PLAIN);
    axis.fit(0, 1, 0, 100);
    const under = axis.value(33);
    axis.zoom(4, 33);
    expect(axis.value(33)).toBeCloseTo(under, 12);
    expect(axis.scale).toBeCloseTo(400, 9);
    axis.pan(10);
    expect(axis.value(43)).toBeCloseTo(under, 12);
  });

  test("labels angles by parts of a turn and lengths by round numbers, far enough apart", () => {
    const [angles, lengths] = [new ValueAxis(DEGREES), new ValueAxis(CENTIMETRES)];
    angles.fit(0, Math.PI, 0, 180);
    lengths.fit(0, 1.8, 0, 180);
    expect([angles.step(28), lengths.step(28)]).toEqual([30, 50]);
    lengths.fit(0, 1e5, 0, 100);
    expect((lengths.step(28) / 100) * lengths.scale).toBeGreaterThanOrEqual(28);
  });
});

describe("the view", () => {
  function view(): View {
    const made = new View();
    [made.width, made.height] = [640, 160];
    return made;
  }

  test("fits each unit to the whole height, below the ruler", () => {
    const made = view();
    made.fit(
      0,
      3,
      new Map([
        [DEGREES, [0, 1]],
        [CENTIMETRES, [-2, 2]],
      ]),
    );
    for (const [unit, low, high] of [
      [DEGREES, 0, 1],
      [CENTIMETRES, -2, 2],
    ] as const) {
      expect(made.axis(unit).y(high)).toBeCloseTo(RULER + 16, 9);
      expect(made.axis(unit).y(low)).toBeCloseTo(160 - 16, 9);
    }
    expect([made.time.x(0), made.time.x(3)]).toEqual([60, 640 - 60]);
  });

  test("zooms time, values or both, whatever is under the pointer staying there", () => {
    const made = view();
    made.fit(0, 3, new Map([[DEGREES, [0, 1]]]));
    const axis = made.axis(DEGREES);
    const before = [made.time.time(200), axis.value(90), made.time.scale, axis.scale];
    made.zoom(2, 200, 90, "time");
    expect([made.time.scale, axis.scale]).toEqual([2 * before[2], before[3]]);
    made.zoom(3, 200, 90, "values");
    expect([made.time.scale, axis.scale / before[3]]).toEqual([2 * before[2], 3]);
    expect(made.time.time(200)).toBeCloseTo(before[0], 12);
    expect(axis.value(90)).toBeCloseTo(before[1], 12);
  });

  test("holds what is below the ruler and on the sheet", () => {
    const made = view();
    expect([made.holds(10, RULER - 1), made.holds(-1, 50), made.holds(10, 50), made.holds(10, 161)]).toEqual([false, false, true, false]);
  });
});
