import { expect, test } from "vitest";
import { apartBy, isApart } from "../src/model/constraints";

test("key poses that agree are not worth a word", () => {
  expect(isApart({})).toBe(false);
  expect(isApart({ apart: 0, turned_apart: 0 })).toBe(false);
  expect(apartBy({ apart: 0, turned_apart: 0 })).toBe("");
});

test("how far they are apart is told in millimetres and degrees", () => {
  expect(apartBy({ apart: 0.00128, turned_apart: 0 })).toBe("1.3 mm");
  expect(apartBy({ apart: 0.0234, turned_apart: Math.PI / 60 })).toBe("23 mm and 3.0°");
  expect(apartBy({ apart: 0, turned_apart: Math.PI / 180 })).toBe("1.0°");
  expect(isApart({ apart: 0, turned_apart: 0.1 })).toBe(true);
});
