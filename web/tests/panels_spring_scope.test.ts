import { expect, test } from "vitest";
import { someNames, springScope } from "../src/panels/dynamics/spring_scope";
import type { Looseness, Scene, SpringInfo } from "../src/protocol/messages";

const JOINTS = ["hips", "tail_1", "tail_2", "tail_3", "leg", "foot"];
const scene = { joints: JOINTS.map((name, i) => ({ name, parent: i - 1 })) } as unknown as Scene;
const TAIL: SpringInfo[] = [
  { name: "tail_1", frequency: 8, damping: 1 },
  { name: "tail_2", frequency: 4, damping: 1 },
  { name: "tail_3", frequency: 2, damping: 1 },
];
const chain = { first: "tail_1", joints: ["tail_1", "tail_2", "tail_3"], frequency: 3.5, damping: 0.5, tip: 0.25 };

function told(springs: SpringInfo[], more: Partial<Looseness> = {}): Looseness {
  const rest = { presets: [], sway: null, chains: [], held: [], swinging: [], following: [], targets: [] };
  return { type: "looseness", on: true, loose: true, problem: "", unbumped: "", settings: { springs }, ...rest, ...more };
}

test("nothing selected is the whole body, without its root and what is held", () => {
  const scope = springScope(scene, told([], { held: ["hips", "leg", "foot"] }), []);
  expect(scope).toMatchObject({ kind: "body", joints: ["tail_1", "tail_2", "tail_3"], loose: [], names: null, mixed: false });
});

test("the body swings as one where its springs are alike, and what is held but loose counts with it", () => {
  const springs = ["tail_1", "leg"].map((name) => ({ name, frequency: 7, damping: 1 }));
  const scope = springScope(scene, told(springs, { held: ["hips", "leg", "foot"], sway: { name: "", frequency: 3.5, damping: 0.5 } }), []);
  expect(scope.joints).toEqual(["tail_1", "tail_2", "tail_3", "leg"]);
  expect(scope).toMatchObject({ loose: ["tail_1", "leg"], spring: { frequency: 3.5, damping: 0.5 }, mixed: false });
});

test("the first joint of a chain stands for all of it", () => {
  const scope = springScope(scene, told(TAIL, { chains: [chain] }), ["tail_1"]);
  expect(scope).toMatchObject({ kind: "chain", joints: chain.joints, names: ["tail_1"], tip: 0.25, spring: { frequency: 3.5, damping: 0.5 } });
  expect(scope.whose).toBe("the chain from tail_1");
});

test("a joint further down is itself, and knows the chain that it is within", () => {
  const scope = springScope(scene, told(TAIL, { chains: [chain] }), ["tail_2"]);
  expect(scope).toMatchObject({ kind: "joints", names: ["tail_2"], tip: null, chain, spring: { frequency: 4, damping: 1 }, mixed: false });
});

test("a joint that is as loose as the others swings with the body, and one that is loose alone does not", () => {
  const sway = { name: "", frequency: 3.5, damping: 0.5 };
  const alike = ["tail_1", "leg"].map((name) => ({ name, frequency: 7, damping: 1 }));
  expect(springScope(scene, told(alike, { sway }), ["leg"])).toMatchObject({ kind: "joints", spring: { frequency: 7 }, sway });
  expect(springScope(scene, told(alike.slice(1), { sway }), ["leg"]).sway).toBeNull();
  expect(springScope(scene, told(alike, { sway }), ["foot"])).toMatchObject({ loose: [], sway: null });
});

test("several joints have the middle of their springs, and differ", () => {
  const scope = springScope(scene, told(TAIL, { chains: [chain] }), ["tail_1", "tail_3", "leg"]);
  expect(scope).toMatchObject({ kind: "joints", whose: "3 joints", loose: ["tail_1", "tail_3"], mixed: true, chain: null });
  expect(scope.spring.frequency).toBeCloseTo(4, 12);
});

test("controls have springs of their own, where no joint is selected", () => {
  const springs = [{ name: "smile", frequency: 3, damping: 0.5 }];
  expect(springScope(scene, told(springs), [], ["smile", "open"])).toMatchObject({
    kind: "controls",
    whose: "2 controls",
    joints: ["smile", "open"],
    loose: ["smile"],
  });
  expect(springScope(scene, told(springs), ["leg"], ["smile"])).toMatchObject({ kind: "joints", whose: "leg" });
});

test("many names are cut short, but never for one alone", () => {
  expect(someNames(["a", "b", "c"], 2)).toBe("a, b, c");
  expect(someNames(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more");
});
