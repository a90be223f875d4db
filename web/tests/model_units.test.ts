import { expect, test } from "vitest";
import { centimetres, centimetresPerSecond, degrees, frameRange, inShownUnit, parse, quantityOf, withUnit } from "../src/model/units";

test.each([
  ["12.5", 0.125],
  ["12.5 cm", 0.125],
  ["12,5cm", 0.125],
  ["0.3 m", 0.3],
  ["0.3 M", 0.3],
  ["4 mm", 0.004],
  ["-3", -0.03],
  ["−3 cm", -0.03],
  ["+.5", 0.005],
  [" 1e2 ", 1],
])("reads %j as a length", (text, metres) => {
  expect(parse(text, "length")).toBeCloseTo(metres, 12);
});

test.each([
  ["30°", Math.PI / 6],
  ["30", Math.PI / 6],
  ["-90 deg", -Math.PI / 2],
  ["0.5 rad", 0.5],
])("reads %j as an angle", (text, radians) => {
  expect(parse(text, "angle")).toBeCloseTo(radians, 12);
});

test.each(["", "abc", "1.2.3", "12 kg", "--1", "1e999", "3 cm", "NaN", "Infinity"])("takes %j for no angle", (text) => {
  expect(parse(text, "angle")).toBeNull();
});

test("lengths are no angles, and plain numbers have no unit", () => {
  expect(parse("3°", "length")).toBeNull();
  expect(parse("3 cm", "number")).toBeNull();
  expect(parse("3", "number")).toBe(3);
});

test("writes what people read", () => {
  expect(centimetres(0.1254)).toBe("12.5 cm");
  expect(centimetres(-2, 0)).toBe("-200 cm");
  expect(degrees(Math.PI / 6)).toBe("30.0°");
  expect(centimetresPerSecond(2.104)).toBe("210 cm/s");
  expect(withUnit(0.256, "number")).toBe("0.26");
  expect(inShownUnit(24, "frames")).toBe("24");
  expect(inShownUnit(24.5, "frames")).toBe("24.5");
});

test("never writes a negative nought", () => {
  expect(centimetres(-1e-9)).toBe("0.0 cm");
  expect(degrees(-1e-9)).toBe("0.0°");
});

test("what is written is read back", () => {
  for (const metres of [0, -0.013, 1.25, 77.9]) expect(parse(centimetres(metres, 6), "length")).toBeCloseTo(metres, 9);
  for (const radians of [0, -0.3, 12.5]) expect(parse(degrees(radians, 6), "angle")).toBeCloseTo(radians, 7);
});

test("names stretches of frames", () => {
  expect(frameRange(3, 17)).toBe("frames 3–17");
  expect(frameRange(12, 12)).toBe("frame 12");
  expect(frameRange(0, 10.25)).toBe("frames 0–10.3");
});

test("channels measure what their kind says", () => {
  expect(quantityOf("rotation")).toBe("angle");
  expect(quantityOf("translation")).toBe("length");
  for (const kind of ["scale", "shape", "control"] as const) expect(quantityOf(kind)).toBe("number");
});
