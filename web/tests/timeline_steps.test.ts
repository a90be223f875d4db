import { beforeEach, expect, test } from "vitest";
import { dropStaleKeys } from "../src/model/key_refs";
import { Model } from "../src/model/model";
import { jointPlace } from "../src/model/selection";
import type { CurveUpdate } from "../src/protocol/binary";
import type { Clip, Scene } from "../src/protocol/messages";
import { neighbourKey } from "../src/timeline/commands";
import { move } from "../src/viewport/tools/move";
import { channel, joint } from "./timeline_curves";

const SCENE: Scene = {
  type: "scene",
  name: "test",
  height: 1.7,
  joints: [joint("hips"), joint("head", 0)],
  channels: [channel("hips.rx", ["hips"]), channel("head.rx", ["head"])],
  points: [],
  meshes: [],
  props: [],
  clips: ["walk"],
  view: null,
  stiffness_presets: [],
  blending: "linear",
  kind: "object",
};
const CLIP: Clip = { type: "clip", name: "walk", start: 0.5, end: 2.5, rate: 24, frames: 49, dense: false, loops: false, layers: [], kernels: [] };

/** The curves of the two channels, keyed at frames of the clip. */
function curves(whole: boolean, ...frames: number[][]): CurveUpdate {
  const rowsOf = (own: number[]): Float32Array => Float32Array.from(own.flatMap((frame) => [0.5 + frame / 24, 0, 0, 0, 0, 0, 2, 1]));
  return { type: "curves", revision: 1, whole, curves: frames.map((own, i) => ({ channel: i, layer: 0, keys: own.length, rows: rowsOf(own) })) };
}

let model: Model;
beforeEach(() => {
  model = new Model("ws://nowhere/socket", move);
  model.scene.value = SCENE;
  model.clip.value = CLIP;
  model.playback.resize(CLIP.frames, CLIP.rate);
  model.curves.put(curves(true, [0, 12, 48], [6, 30]));
});

function walk(direction: 1 | -1): number[] {
  const met: number[] = [];
  for (let next = neighbourKey(model, direction); next !== null; next = neighbourKey(model, direction)) {
    model.playback.go(next);
    met.push(next);
  }
  return met;
}

test("with nothing selected, steps go over all keys, both ways", () => {
  expect(walk(1)).toEqual([6, 12, 30, 48]);
  expect(walk(-1)).toEqual([30, 12, 6, 0]);
});

test("with a point selected, over the keys of its joint", () => {
  model.selection.pick(jointPlace("head"));
  expect(walk(1)).toEqual([6, 30]);
  model.playback.go(10);
  expect(neighbourKey(model, -1)).toBe(6);
});

test("keys outside the clip are not stepped to", () => {
  model.curves.put(curves(true, [-4, 12, 70], []));
  expect(walk(1)).toEqual([12]);
  expect(walk(-1)).toEqual([]);
});

test("selected keys stay while they move, and are dropped where their numbers would mean others", () => {
  dropStaleKeys(model, model.selection.keys);
  const refs = [
    { channel: "hips.rx", key: 1 },
    { channel: "head.rx", key: 0 },
  ];
  model.selection.keys.value = refs;
  model.curves.put(curves(false, [0, 20, 48]));
  expect(model.selection.keys.value).toBe(refs);
  model.curves.put(curves(false, [0, 5, 20, 48]));
  expect(model.selection.keys.value).toEqual([refs[1]]);
  model.curves.put(curves(true, [0, 5, 20, 48]));
  expect(model.selection.keys.value).toEqual([]);
});
