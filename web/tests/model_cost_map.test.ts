import { describe, expect, test, vi } from "vitest";
import { roundUp } from "../src/model/cost_map";
import { Model } from "../src/model/model";
import type { Clip, CostsOverTime } from "../src/protocol/messages";
import { move } from "../src/viewport/tools/move";

const costs = (arm: number[], leg: number[]): CostsOverTime => ({
  type: "costs-over-time",
  term: "torque",
  unit: "N·m",
  times: arm.map((_, i) => i),
  rows: [
    { label: "arm", values: arm },
    { label: "leg", values: leg },
  ],
  problem: "",
});

const clip = { name: "walk", layers: [] } as unknown as Clip;

function shown(): Model {
  const model = new Model("ws://nowhere", move);
  model.clip.value = clip;
  return model;
}

describe("the cost map", () => {
  test("is of what is asked for, in the unit of its term, and of the whole body where that costs nothing", () => {
    const { costs: map } = shown();
    expect(map.strip(null)).toBeNull();
    map.hear(costs([3, 0, 6], [4, 1, 8]));
    expect(map.strip(new Set(["arm"]))).toMatchObject({ values: [3, 0, 6], unit: "N·m", term: "torque", isWhole: false });
    expect(map.strip(new Set(["arm", "leg"]))?.values).toEqual([5, 1, 10]);
    expect(map.strip(new Set(["tail"]))).toMatchObject({ values: [5, 1, 10], isWhole: true });
  });

  test("keeps its scale when costs fall, until somebody rescales", () => {
    const { costs: map } = shown();
    map.hear(costs([3, 3, 3], [40, 40, 40]));
    expect(map.most).toBe(50);
    map.hear(costs([0.3, 0.3, 0.3], [4, 4, 4]));
    expect(map.most).toBe(50);
    expect(map.strip(null)?.most).toBe(50);
    map.rescale();
    expect(map.most).toBe(5);
    map.rescale(new Set(["arm"]));
    expect(map.most).toBeCloseTo(0.5, 12);
  });

  test("has another scale for another measure, and the old one again when it comes back", () => {
    const { costs: map, guiding } = shown();
    map.hear(costs([1, 1], [1, 1]));
    guiding.gravity.value = true;
    expect(map.most).toBeNull();
    map.hear(costs([90, 90], [1, 1]));
    expect(map.most).toBe(100);
    guiding.gravity.value = false;
    expect(map.most).toBe(1);
  });

  test("says nothing while it is off, of a term that does not count, or of another clip", () => {
    const model = shown();
    const { costs: map } = model;
    map.hear(costs([1, 1], [1, 1]));
    map.on.value = false;
    expect(map.strip(null)).toBeNull();
    map.on.value = true;
    model.guiding.weigh("torque", 0);
    model.guiding.weigh("jerk", 1);
    expect([map.term.value, map.strip(null)]).toEqual(["jerk", null]);
    model.guiding.weigh("torque", 1);
    expect(map.strip(null)).not.toBeNull();
    model.clip.value = { ...clip, name: "run" };
    expect([map.told.value, map.most]).toEqual([null, null]);
  });

  test("asks once a frame for what counts, and drops what was measured before", async () => {
    const model = shown();
    const frames: FrameRequestCallback[] = [];
    vi.stubGlobal("requestAnimationFrame", (call: FrameRequestCallback) => frames.push(call));
    model.connection.state.value = "open";
    let answer: (text: null) => void = () => undefined;
    const ask = vi.spyOn(model, "ask").mockImplementation(() => new Promise((done) => (answer = done)));
    model.guiding.gravity.value = true;
    model.guiding.setKernel(0, { centre: 1, width: 0.1, depth: 1 });
    expect(frames.length).toBe(1);
    const asked = frames[0](0) as unknown as Promise<void>;
    expect(ask).toHaveBeenCalledOnce();
    expect(ask.mock.calls[0][0]).toMatchObject({
      type: "show-costs",
      settings: { terms: [{ name: "torque", weight: 1 }], gravity: true, kernels: [{ centre: 1 }] },
    });
    model.costs.hear(costs([1], [1]));
    expect(model.costs.told.value).toBeNull();
    answer(null);
    await asked;
    model.costs.hear(costs([1], [1]));
    expect(model.costs.most).toBe(1);
    vi.unstubAllGlobals();
  });

  test("has round scales", () => {
    expect([0.003, 0.9, 1, 1.1, 2.1, 5.1, 74, 0].map(roundUp)).toEqual([0.005, 1, 1, 2, 5, 10, 100, 1]);
  });
});
