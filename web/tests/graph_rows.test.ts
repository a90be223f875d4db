import { describe, expect, test } from "vitest";
import { rowsOf } from "../src/graph/rows";
import { axisOf, CENTIMETRES, DEGREES, PLAIN } from "../src/graph/units";
import { Curves } from "../src/model/curves";
import { jointPlace, type SelectedPoint } from "../src/model/selection";
import type { ChannelInfo, Clip, Scene } from "../src/protocol/messages";

function channel(name: string, kind: ChannelInfo["kind"], ...joints: string[]): ChannelInfo {
  return { name, kind, joints, default: 0, lower: null, upper: null, stiffness: 1, free: true };
}

const SCENE = {
  channels: [
    channel("hips.tx", "translation", "hips"),
    channel("hips.ry", "rotation", "hips"),
    channel("hand.rz", "rotation", "hand"),
    channel("curl", "control", "hand", "thumb"),
    channel("smile", "shape"),
  ],
} as Scene;
const CLIP = { layers: [{ name: "tweak", weight: 1, muted: false }] } as Clip;

function curves(...places: [number, number][]): Curves {
  const made = new Curves();
  const rows = new Float32Array(8);
  made.put({ type: "curves", revision: 1, whole: true, curves: places.map(([channel, layer]) => ({ channel, layer, keys: 1, rows })) });
  return made;
}

function selected(...joints: string[]): SelectedPoint[] {
  return joints.map((joint, arc) => ({ arc, place: jointPlace(joint) }));
}

function labels(known: Curves, points: SelectedPoint[], controls: string[] = []): string[] {
  return rowsOf(SCENE, CLIP, known, { points, controls }).map(({ label }) => label);
}

describe("the rows of the channel list", () => {
  test("are all curves when nothing is selected, layers after their base", () => {
    expect(labels(curves([2, 1], [0, 0], [2, 0]), [])).toEqual(["hips.tx", "hand.rz", "hand.rz · tweak"]);
  });

  test("are the channels that move the selected points, those of the active one first", () => {
    expect(labels(curves([0, 0], [2, 0]), selected("hips", "hand"))).toEqual(["hand.rz", "curl", "hips.tx", "hips.ry"]);
  });

  test("begin with the shapes that move the selected vertex", () => {
    const place = { name: "lip", parts: [{ joint: "hand", offset: [0, 0, 0], weight: 1, shapes: [["smile", [0, 1, 0]]] }] };
    expect(labels(curves(), [{ arc: 1, place: place as SelectedPoint["place"] }])).toEqual(["smile", "hand.rz", "curl"]);
  });

  test("name a channel with a curve on a layer only by that layer", () => {
    expect(labels(curves([1, 1]), selected("hips"))).toEqual(["hips.tx", "hips.ry · tweak"]);
  });

  test("follow joints by their weight and list a channel once", () => {
    const place = {
      name: "",
      parts: [
        { joint: "hips", offset: [0, 0, 0], weight: 0.2 },
        { joint: "hand", offset: [0, 0, 0], weight: 0.8 },
      ],
    };
    const points = [{ arc: 1, place: place as SelectedPoint["place"] }];
    expect(labels(curves(), [...points, ...selected("thumb")])).toEqual(["curl", "hand.rz", "hips.tx", "hips.ry"]);
  });

  test("hold controls that are selected by name", () => {
    expect(labels(curves([0, 0]), [], ["smile"])).toEqual(["smile"]);
  });

  test("know their unit", () => {
    const rows = rowsOf(SCENE, CLIP, curves([0, 0], [1, 0], [4, 0]), { points: [], controls: [] });
    expect(rows.map(({ unit }) => unit)).toEqual([CENTIMETRES, DEGREES, PLAIN]);
  });
});

test("the axis of a channel is its name's last letter; controls have none", () => {
  expect(SCENE.channels.map(axisOf)).toEqual(["x", "y", "z", null, null]);
  expect(axisOf({ name: "lux", kind: "control" })).toBeNull();
  expect(axisOf({ name: "hips.twist", kind: "rotation" })).toBeNull();
});
