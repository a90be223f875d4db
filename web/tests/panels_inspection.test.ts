import { expect, test } from "vitest";
import { BEZIER, type Curve } from "../src/model/curves";
import { channelsOfJoint, chosenGroups, keyAt, keyedAt, limitProblem, shortName, speedAt } from "../src/panels/inspector/inspection";
import type { Arc } from "../src/protocol/binary";
import type { Scene } from "../src/protocol/messages";
import { channel } from "./scenes";

const RATE = 24;

test("a joint's channels stand by kind, controls last", () => {
  const channels = [
    channel("hand.tx", "translation", ["hand"]),
    channel("curl", "control", ["hand", "thumb"]),
    channel("hand.rx", "rotation", ["hand"]),
    channel("foot.rx", "rotation", ["foot"]),
    channel("smile", "shape", []),
  ];
  const groups = channelsOfJoint({ channels } as unknown as Scene, "hand");
  expect(groups.map((group) => group.channels.map((each) => each.name))).toEqual([["hand.rx"], ["hand.tx"], ["curl"]]);
  expect(groups.flatMap((group) => group.channels.map(shortName))).toEqual(["rx", "tx", "curl"]);
  expect(channelsOfJoint({ channels } as unknown as Scene, "head")).toEqual([]);
});

test("the channels of a handle stand apart, for the joints that it moves and where it is chosen", () => {
  const parts = ["x", "y", "z", "pole.x", "pole.y", "pole.z"].map((part) => channel(`arm.${part}`, "translation", ["upper", "fore"], { handle: "arm" }));
  const blend = channel("arm.blend", "control", ["upper", "fore"], { handle: "arm" });
  const titles = ["arm target", "arm pole", "arm blend"];
  const groups = channelsOfJoint({ channels: [channel("fore.tx", "translation", ["fore"]), ...parts, blend] } as unknown as Scene, "fore");
  expect(groups.map(({ title }) => title)).toEqual(["Translation", ...titles]);
  expect(groups.map(({ channels }) => channels.map(shortName).join(" "))).toEqual(["tx", "x y z", "x y z", "blend"]);
  const chosen = chosenGroups([...parts, blend, channel("smile", "shape", [])]);
  expect(chosen.map(({ title }) => title)).toEqual(["Chosen", ...titles]);
});

test("only a joint's own name is taken off", () => {
  expect(shortName(channel("hand.rx", "rotation", ["hand"]))).toBe("rx");
  expect(shortName(channel("hand_twist", "rotation", ["hand"]))).toBe("hand_twist");
  expect(shortName(channel("hand.curl", "control", ["hand"]))).toBe("hand.curl");
});

function curve(...times: number[]): Curve {
  const rest = { value: 0, inX: 0, inY: 0, outX: 0, outY: 0, interpolation: BEZIER, tied: true };
  return { channel: 0, layer: 0, keys: times.map((time) => ({ time, ...rest })) };
}

test("a key is on a frame when it is a tenth of a frame away at most", () => {
  const keys = curve(0, 0.5, 1);
  expect(keyAt(keys, 0.5, RATE)).toBe(1);
  expect(keyAt(keys, 0.5 + 0.09 / RATE, RATE)).toBe(1);
  expect(keyAt(keys, 0.5 + 0.2 / RATE, RATE)).toBe(-1);
  expect(keyAt(null, 0, RATE)).toBe(-1);
  expect([0, 0.25].map((time) => keyedAt(keys, time, RATE))).toEqual(["here", "elsewhere"]);
  expect(keyedAt(null, 0, RATE)).toBe("nowhere");
});

test("a value out of its limits says by how much", () => {
  const knee = channel("knee.rx", "rotation", ["knee"], { lower: 0, upper: Math.PI / 2 });
  expect(limitProblem(knee, 0.5)).toBe("");
  expect(limitProblem(knee, Math.fround(Math.PI / 2))).toBe("");
  expect(limitProblem(knee, -Math.PI / 36)).toBe("5.0° below its lower limit, 0.0°");
  expect(limitProblem(knee, (100 * Math.PI) / 180)).toBe("10.0° above its upper limit, 90.0°");
  expect(limitProblem(channel("hips.ty", "translation", ["hips"]), 1e6)).toBe("");
  const scaled = channel("hips.ty", "translation", ["hips"], { upper: 100, metres: 0.01 });
  expect(limitProblem(scaled, 110)).toBe("10.0 cm above its upper limit, 100.0 cm");
});

test("speed is read at the nearest sample of the arc", () => {
  const arc = { start: 1, perFrame: 4, samples: 9, speeds: Float32Array.from({ length: 9 }, (_, i) => i) } as Arc;
  expect(speedAt(arc, 1, RATE)).toBe(0);
  expect(speedAt(arc, 1 + 1 / RATE, RATE)).toBe(4);
  expect(speedAt(arc, 9, RATE)).toBe(8);
  expect(speedAt(null, 1, RATE)).toBeNull();
});
