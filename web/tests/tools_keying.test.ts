import { beforeEach, describe, expect, test } from "vitest";
import { carrierFor, lockAt, pinOf } from "../src/model/constraints";
import { Model } from "../src/model/model";
import { jointPlace } from "../src/model/selection";
import type { ConstraintInfo, Scene } from "../src/protocol/messages";
import { channelsToKey, keysAt } from "../src/viewport/tools/keying";
import { move } from "../src/viewport/tools/move";
import { pose } from "../src/viewport/tools/pose";
import { kindData } from "./kinds";
import { channel, joint, sceneOf } from "./scenes";

const turning = (name: string, ...joints: string[]) => channel(name, "rotation", joints);
const SCENE = sceneOf(
  [joint("body", -1), joint("arm", 0), joint("hand", 1), joint("nail", 2), joint("leg", 0)],
  [turning("body.tx", "body"), turning("arm.rx", "arm"), turning("arm.ry", "arm"), turning("hand.rx", "hand"), turning("leg.rx", "leg"), turning("smile")],
);

/** A key a time, one every second. */
const curve = (index: number, keys: number) => ({
  channel: index,
  layer: 0,
  keys,
  rows: new Float32Array(Array.from({ length: keys }, (_, time) => [time, 0, 0.3, 0, 0.3, 0, 2, 1]).flat()),
});

let model: Model;
beforeEach(() => {
  model = new Model("ws://nowhere", move);
  model.scene.value = SCENE;
  model.curves.put({ type: "curves", revision: 1, whole: true, curves: [curve(0, 4), curve(1, 3), curve(4, 2)] });
});

describe("K keys", () => {
  test("everything that is keyed when nothing is selected", () => {
    expect(channelsToKey(model)).toEqual(["body.tx", "arm.rx", "leg.rx"]);
  });

  test("the channels of what is selected, keyed or not", () => {
    model.selection.pick(jointPlace("arm"));
    expect(channelsToKey(model)).toEqual(["arm.rx", "arm.ry"]);
    model.selection.pick(jointPlace("leg"), true);
    model.selection.pickControl("smile", true);
    expect(channelsToKey(model).sort()).toEqual(["arm.rx", "arm.ry", "leg.rx", "smile"]);
  });

  test("the joint above, for one without channels", () => {
    model.selection.pick(jointPlace("nail"));
    expect(channelsToKey(model)).toEqual(["hand.rx"]);
  });

  test("the keyed chain in the pose tool, because a pose is keyed whole", () => {
    model.tool.value = pose;
    model.selection.pick(jointPlace("hand"));
    expect(channelsToKey(model).sort()).toEqual(["arm.rx", "body.tx"]);
  });
});

test("the keys of a joint at some times, by channel and number", () => {
  expect(keysAt(model, "arm", [1, 2, 9])).toEqual([
    { channel: "arm.rx", key: 1 },
    { channel: "arm.rx", key: 2 },
  ]);
  expect(keysAt(model, "hand", [0])).toEqual([]);
});

test("a place knows its own pin, and a moment its own lock", () => {
  const info = (name: string, kind: ConstraintInfo["kind"], at: string, start: number | null): ConstraintInfo => ({
    name,
    ...kindData(kind),
    place: jointPlace(at),
    wanted: "position",
    start,
    end: start,
    on: true,
  });
  model.clip.value = { type: "clip", name: "clip", start: 0, end: 3, rate: 24, frames: 73, dense: false, loops: false, layers: [], kernels: [] };
  model.constraints.value = [info("hand lock", "lock", "hand", 1), info("hand pin", "pin", "hand", null), info("leg lock", "lock", "leg", 2)];
  expect(pinOf(model, jointPlace("hand"))?.name).toBe("hand pin");
  expect(pinOf(model, jointPlace("leg"))).toBeNull();
  expect(lockAt(model, jointPlace("hand"), 1 + 0.4 / 24)?.name).toBe("hand lock");
  expect(lockAt(model, jointPlace("hand"), 2)).toBeNull();
});

test("a place is held on the part selected before it, or on the prop which that carries", () => {
  const hand = jointPlace("hand");
  model.selection.pick(hand);
  expect(carrierFor(model, hand)).toBeNull();
  model.selection.pick(jointPlace("leg"));
  model.selection.pick(hand, true);
  expect(carrierFor(model, hand)).toBe("leg");
  model.scene.value = { ...SCENE, props: [{ name: "drum", joint: "leg" } as Scene["props"][number]] };
  expect(carrierFor(model, hand)).toBe("drum");
});
