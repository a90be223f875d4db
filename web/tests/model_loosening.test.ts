import { Vector3 } from "three";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Model } from "../src/model/model";
import { jointPlace, mainJoint } from "../src/model/selection";
import type { Arc } from "../src/protocol/binary";
import type { AimInfo, Clip, Looseness } from "../src/protocol/messages";
import { move } from "../src/viewport/tools/move";
import { nearestTick } from "../src/viewport/tools/target_drags";

// There is no display here to wait for.
beforeAll(() => void vi.stubGlobal("cancelAnimationFrame", () => undefined));
afterAll(() => void vi.unstubAllGlobals());

const aim: AimInfo = { name: "hand target", on: true, solved: false, gives: [], could: [], target: { kind: "point", time: 0.5, place: jointPlace("hand") } };
const clip: Clip = { type: "clip", name: "punch", start: 0, end: 2, rate: 24, frames: 49, dense: false, loops: false, layers: [], kernels: [] };

function told(targets: AimInfo[]): Looseness {
  const settings = { springs: [{ name: "hand", frequency: 2 }] };
  return {
    type: "looseness",
    on: true,
    loose: true,
    problem: "",
    unbumped: "",
    settings,
    presets: [],
    sway: null,
    chains: [],
    held: [],
    swinging: [],
    following: [],
    targets,
  };
}

function modelWith(targets: AimInfo[]): Model {
  const model = new Model("ws://nowhere", move);
  model.clip.value = clip;
  model.playback.resize(clip.frames, clip.rate);
  model.loosening.hear(told(targets));
  return model;
}

test("a chosen target brings its point and its frame, and another selection lets it go", () => {
  const { loosening, selection, playback } = modelWith([aim]);
  loosening.choose(aim.name);
  expect([loosening.chosen.value, selection.activeJoint, playback.frame.value]).toEqual([aim.name, "hand", 12]);
  selection.pick(jointPlace("head"));
  expect(loosening.chosen.value).toBeNull();
});

test("a target that is gone is not chosen any more", () => {
  const { loosening } = modelWith([aim]);
  loosening.choose(aim.name);
  loosening.hear(told([]));
  expect([loosening.chosen.value, loosening.chosenTarget]).toEqual([null, null]);
});

test("a new target is chosen once it is told, whether that comes before or after the answer", async () => {
  for (const late of [true, false]) {
    const model = modelWith([]);
    vi.spyOn(model.connection, "ask").mockImplementation(async () => {
      if (!late) model.loosening.hear(told([aim]));
      return aim.name;
    });
    await model.loosening.add(aim.target);
    if (late) {
      expect(model.loosening.chosen.value).toBeNull();
      model.loosening.hear(told([aim]));
    }
    expect(model.loosening.chosen.value).toBe(aim.name);
    expect(mainJoint(model.selection.active?.place ?? jointPlace("nothing"))).toBe("hand");
  }
});

test("what windows leave is not known any more once something changed", () => {
  const { loosening, changed } = modelWith([aim]);
  loosening.windows.value = { type: "windows", lengths: [0.5], errors: [0.001] };
  changed.value = { type: "changed", revision: 1, kind: "commit", label: "", first: 0, last: -1 };
  expect(loosening.windows.value).not.toBeNull();
  changed.value = { type: "changed", revision: 2, kind: "commit", label: "", first: 3, last: 4 };
  expect(loosening.windows.value).toBeNull();
});

test("a dragged target snaps to a tick that it is on to the eye, and to no other", () => {
  const positions = Float32Array.from([0, 0, 0, 1, 0, 5, 2, 0, 0]);
  const arc = { perFrame: 1, samples: 3, positions } as Arc;
  const toPixels = (at: Vector3, into: Vector3): Vector3 => into.set(100 * at.x, 100 * at.y, 0);
  expect(nearestTick([arc], toPixels, new Vector3(1.03, 0.02, 0))?.toArray()).toEqual([1, 0, 5]);
  expect(nearestTick([arc], toPixels, new Vector3(1.5, 0, 0))).toBeNull();
  expect(nearestTick([], toPixels, new Vector3())).toBeNull();
});
