import { expect, test } from "vitest";
import { readableSpeed, speedColour } from "../src/canvas/scale_colours";
import { KEYED, shortfall, WIDEST } from "../src/model/shortfall";
import type { Answer } from "../src/protocol/messages";
import { notches } from "../src/viewport/tools/timing";

const ANSWER: Answer = {
  type: "answer",
  gesture: 1,
  sequence: 1,
  reached: false,
  solve_ms: 1,
  blockers: [],
  position: [0, 0, 0],
  wish: [0, 0.023, 0],
  distance: 0.0231,
  turn: 0,
  held: 0,
  server_ms: 1,
  text: "",
};

test("a blocked drag says who holds it and how much is missing", () => {
  expect(shortfall(ANSWER)).toBe("out of reach (2.3 cm short)");
  expect(shortfall(ANSWER, KEYED)).toBe("keyed here: press Q to change the pose (2.3 cm short)");
  expect(shortfall({ ...ANSWER, wish: null }, WIDEST)).toBe("as far as the keys allow");
  const blockers = [
    { name: "foot_l contact", share: 0.05 },
    { name: "head pin", share: 0.7 },
    { name: "hand_l pin", share: 0.25 },
  ];
  expect(shortfall({ ...ANSWER, blockers })).toBe("held by: head pin, hand_l pin (2.3 cm short)");
  expect(shortfall({ ...ANSWER, blockers, wish: null, turn: 0.5 })).toBe("held by: head pin, hand_l pin (29° short)");
  expect(shortfall({ ...ANSWER, blockers, reached: true })).toBe("");
});

test("speeds are read with two digits that mean something", () => {
  expect([0, 0.123, 1.26, 23.4].map(readableSpeed)).toEqual(["0 cm/s", "12 cm/s", "1.3 m/s", "23 m/s"]);
});

test("speed colours grow lighter in even steps", () => {
  const lightness = (share: number): number => {
    const rgb = [0, 0, 0];
    speedColour(share, rgb, 0);
    const [r, g, b] = rgb.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 116 * Math.cbrt(0.2126 * r + 0.7152 * g + 0.0722 * b) - 16;
  };
  const steps = Array.from({ length: 20 }, (_, i) => lightness((i + 1) / 20) - lightness(i / 20));
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  for (const step of steps) expect(Math.abs(step / mean - 1)).toBeLessThan(0.5);
});

test("a notch is a notch, whether the wheel tells pixels or lines", () => {
  expect(notches({ deltaY: -100, deltaMode: 0 })).toBe(-1);
  expect(notches({ deltaY: 3, deltaMode: 1 })).toBe(1);
});
