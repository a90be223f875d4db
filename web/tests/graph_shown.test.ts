import { beforeEach, describe, expect, test } from "vitest";
import { Shown } from "../src/graph/shown";
import { Model } from "../src/model/model";
import { jointPlace } from "../src/model/selection";
import type { Clip } from "../src/protocol/messages";
import { move } from "../src/viewport/tools/move";
import { channel, joint, sceneOf } from "./scenes";

const AXES = ["x", "y", "z"] as const;
const SCENE = sceneOf(
  [joint("body", -1), joint("arm", 0), joint("leg", 0)],
  ["arm", "leg"].flatMap((name) => AXES.map((axis) => channel(`${name}.r${axis}`, "rotation", [name]))),
);

let [model, shown]: [Model, Shown] = [] as never;
beforeEach(() => {
  model = new Model("ws://nowhere", move);
  model.scene.value = SCENE;
  model.clip.value = { name: "clip", start: 0, end: 2, rate: 24, frames: 49, layers: [] } as unknown as Clip;
  model.curves.put({
    type: "curves",
    revision: 1,
    whole: true,
    curves: SCENE.channels.map((_, i) => ({ channel: i, layer: 0, keys: 2, rows: new Float32Array([0, 0, 0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0, 0, 2, 1]) })),
  });
  shown = new Shown(model);
});

const visible = (): string[] => shown.visible.map(({ info }) => info.name);

describe("a curve that is looked at alone", () => {
  test("hides the others of its joint", () => {
    model.selection.pick(jointPlace("arm"));
    shown.isolate(shown.rows.value[0]);
    expect(visible()).toEqual(["arm.rx"]);
  });

  test("does not hide those of the next joint", () => {
    shown.isolate(shown.rows.value[0]);
    expect(visible()).toEqual(["arm.rx"]);
    model.selection.pick(jointPlace("leg"));
    expect(visible()).toEqual(["leg.rx", "leg.ry", "leg.rz"]);
  });

  test("shows all again by a second click", () => {
    model.selection.pick(jointPlace("arm"));
    const [row] = shown.rows.value;
    shown.isolate(row);
    shown.isolate(row);
    expect(visible()).toEqual(["arm.rx", "arm.ry", "arm.rz"]);
  });
});

test("frames of a clip that was trimmed are counted as in its file", () => {
  model.clip.value = { ...(model.clip.value as Clip), start: 1, end: 2, frames: 25 };
  expect(model.frameLabel(0)).toBe(24);
  expect(model.frameLabel(8)).toBe(32);
});
