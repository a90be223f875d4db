import { describe, expect, test, vi } from "vitest";
import { Model } from "../src/model/model";
import type { GuidanceOffer } from "../src/protocol/messages";
import { move } from "../src/viewport/tools/move";

const offer: GuidanceOffer = {
  type: "guidance-offer",
  gesture: 7,
  settings: {
    terms: [
      { name: "torque", weight: 0.5 },
      { name: "style", weight: 2 },
    ],
    regularise: 0.1,
    joints: [{ joint: "chest", factor: null }],
    kernels: [{ centre: 1, width: 0.2, depth: 0.4 }],
    channels: ["arm.rx"],
    start: null,
    end: null,
    gravity: true,
    held_root: true,
    masses: "human",
    style: null,
    frozen: [{ channel: "arm.rx", key: 1, layer: "sway" }],
    seamless: true,
    clear: true,
  },
  layer: "sway",
  before: [{ channel: 3, layer: 1, rows: [0, 1, 0, 0, 0.1, 0.2, 2, 1] }],
};

describe("a run that another page began", () => {
  test("is this one's, with its sliders, and nothing is asked for", () => {
    const model = new Model("ws://nowhere", move);
    const frames = vi.fn();
    vi.stubGlobal("requestAnimationFrame", frames);
    model.guiding.hearOffer(offer);
    const { guiding } = model;
    expect(guiding.gesture.value).toBe(7);
    expect(guiding.isRunning).toBe(true);
    expect(guiding.terms()).toEqual(offer.settings.terms);
    expect(guiding.weights.value.jerk).toBe(0);
    expect(guiding.factor("chest")).toBe(Infinity);
    expect([guiding.gravity.value, guiding.layer.value, guiding.selectedOnly.value, guiding.when]).toEqual([true, "sway", true, "clip"]);
    expect(guiding.areFrozen([{ channel: "arm.rx", key: 1, layer: "sway" }])).toBe(true);
    expect(guiding.before?.get(3, 1)?.keys[0].outY).toBeCloseTo(0.2, 6);
    expect(frames).not.toHaveBeenCalled();
    // Gestures of its own get other numbers.
    expect(model.connection.nextGesture()).toBe(8);
    // What it would steer with is what was told, so that moving a slider changes nothing else.
    const { channels = null, start = null, end = null } = offer.settings;
    expect(JSON.parse(JSON.stringify(guiding.settings({ channels, start, end })))).toEqual(offer.settings);
    vi.unstubAllGlobals();
  });
});

describe("frozen keys", () => {
  test("are frozen together, and let go when all of them are", () => {
    const { guiding } = new Model("ws://nowhere", move);
    const [one, two] = [
      { channel: "arm.rx", key: 0, layer: null },
      { channel: "arm.rx", key: 1, layer: null },
    ];
    guiding.toggleFrozen([one]);
    guiding.toggleFrozen([one, two]);
    expect(guiding.frozen.value).toHaveLength(2);
    expect(guiding.areFrozen([{ channel: "arm.rx", key: 0, layer: "sway" }])).toBe(false);
    guiding.toggleFrozen([one, two]);
    expect(guiding.frozen.value).toEqual([]);
  });
});

describe("kernels", () => {
  const bell = { centre: 1, width: 0.2, depth: 1 };
  const clip = { type: "clip", name: "walk", start: 0, end: 2, rate: 24, frames: 49, dense: false, loops: false, layers: [], kernels: [bell] } as const;

  test("are the clip's, saved as one step, but for a run under way", () => {
    const model = new Model("ws://nowhere", move);
    const ask = vi.spyOn(model, "ask").mockResolvedValue(null);
    vi.stubGlobal("requestAnimationFrame", () => 1);
    model.clip.value = { ...clip, layers: [], kernels: [bell] };
    expect(model.guiding.kernels.value).toEqual([bell]);
    // A hand moves them here, and saves them when it lets go.
    model.guiding.setKernel(0, { ...bell, centre: 1.5 });
    expect(ask).not.toHaveBeenCalled();
    model.guiding.saveKernels();
    expect(ask).toHaveBeenCalledWith({ type: "set-kernels", kernels: [{ ...bell, centre: 1.5 }] });
    // Undone: the clip says so.
    model.clip.value = { ...clip, layers: [], kernels: [bell] };
    expect(model.guiding.kernels.value).toEqual([bell]);
    ask.mockClear();
    model.guiding.gesture.value = 3;
    model.guiding.setKernel(0, null);
    model.guiding.saveKernels();
    model.clip.value = { ...clip, layers: [], kernels: [bell] };
    expect(model.guiding.kernels.value).toEqual([]);
    expect(ask).not.toHaveBeenCalledWith(expect.objectContaining({ type: "set-kernels" }));
    model.guiding.forget();
    expect(model.guiding.kernels.value).toEqual([bell]);
    vi.unstubAllGlobals();
  });
});
