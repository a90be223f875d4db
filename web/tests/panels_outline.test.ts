import { expect, test } from "vitest";
import { Curves } from "../src/model/curves";
import { commonBeginning, shortened } from "../src/model/names";
import { jointPlace } from "../src/model/selection";
import { badgesOf, below } from "../src/panels/outliner/badges";
import { type Line, lineOf, outline } from "../src/panels/outliner/outline";
import { flatten, openAtFirst } from "../src/panels/outliner/tree";
import type { ConstraintInfo, Scene } from "../src/protocol/messages";
import { kindData } from "./kinds";
import { channel, joint } from "./scenes";

const scene = {
  joints: [joint("hips", -1), joint("leg", 0), joint("foot", 1), joint("head", 0)],
  points: [{ name: "heel", joint: "foot", offset: [0, -0.1, 0] }],
  channels: [channel("hips.ty", "translation", ["hips"]), channel("foot.rx", "rotation", ["foot"]), channel("bend", "control", ["leg", "foot"])],
  meshes: [{ name: "body" }],
  props: [
    { name: "wall", role: "obstacle" },
    { name: "cup", role: "prop" },
  ],
  clips: ["walk"],
} as unknown as Scene;

const drawn = (lines: readonly Line[]): string => lines.map((line) => (line.children.length ? `${line.name}(${drawn(line.children)})` : line.name)).join(" ");

test("joints hang below their parents, points before joints, empty parts are left out", () => {
  expect(drawn(outline(scene))).toBe("Skeleton(hips(leg(foot(heel)) head)) Controls(bend) Obstacles(wall) Meshes(body) Props(cup)");
  expect(drawn(outline({ ...scene, channels: [], meshes: [], props: [] }))).toBe("Skeleton(hips(leg(foot(heel)) head))");
});

test("a handle is one line, and its channels are not listed among controls", () => {
  const parts = ["x", "y", "z", "pole.x", "pole.y", "pole.z"].map((part) => ({ ...channel(`arm.${part}`, "translation", ["leg"]), handle: "arm" }));
  const channels = [...scene.channels, ...parts, { ...channel("arm.blend", "control", ["leg"]), handle: "arm" }];
  const lines = outline({ ...scene, channels, meshes: [], props: [] });
  expect(drawn(lines)).toBe("Skeleton(hips(leg(foot(heel)) head)) Controls(bend) Handles(arm)");
  expect(lines[2].children[0].item).toEqual({ kind: "handle", channels: [...parts, { name: "arm.blend" }].map(({ name }) => name) });
});

test("what only helps is folded away below its joint, and what the body hangs on is not", () => {
  const bare = (name: string, parent: number) => ({ ...joint(name, parent), bare: true });
  const joints = [bare("armature", -1), joint("hips", 0), bare("hips_end", 1), bare("pole", 1), bare("pole_tip", 3), joint("leg", 1), bare("mesh", 0)];
  const [skeleton] = outline({ ...scene, joints, points: [], channels: [], meshes: [], props: [] });
  expect(drawn([skeleton])).toBe("Skeleton(armature(hips(leg 2 helpers(hips_end pole(pole_tip))) 1 helper(mesh)))");
  const group = skeleton.children[0].children[0].children[1];
  expect([group.folded, group.heading]).toEqual([true, true]);
  expect(openAtFirst([skeleton], 40)).toEqual(new Set(["section Skeleton", "joint armature", "joint hips"]));
  expect(flatten([skeleton], () => false, "tip").map((row) => row.node.name)).toContain("pole_tip");
});

test("names are written without what all have in common; the whole name is what is searched and chosen", () => {
  const names = ["Hips", "Spine", "LeftArm", "LeftHand", "RightArm"].map((name) => `mixamorig:${name}`);
  const [skeleton] = outline({ ...scene, joints: names.map((name, i) => joint(name, i - 1)), points: [], channels: [], meshes: [], props: [] });
  const [hips] = skeleton.children;
  expect([hips.name, hips.shown, hips.id]).toEqual(["mixamorig:Hips", "Hips", "joint mixamorig:Hips"]);
  const rows = flatten([skeleton], () => true, "arm");
  expect(rows.filter(({ found }) => found >= 0).map(({ node, found }) => [node.shown, found])).toEqual([
    ["LeftArm", 4],
    ["RightArm", 5],
  ]);
  expect(commonBeginning(["CC_Base_Hip", "CC_Base_L_Arm", "CC_Base_R_Arm", "CC_Base_Head", "Camera"])).toBe("CC_Base_");
  expect(commonBeginning(["arm_l", "arm_r", "leg_l", "leg_r", "head"])).toBe("");
  expect(shortened("mixamorig:", "mixamorig:")).toBe("mixamorig:");
});

test("clips are listed where there is a choice", () => {
  const clips = ["Rig|Idle", "Rig|Run", "Rig|Jump", "Rig|Wave"];
  const lines = outline({ ...scene, channels: [], meshes: [], props: [], clips });
  expect(lines[1].children.map(({ shown, item }) => [shown, item])).toEqual(
    ["Idle", "Run", "Jump", "Wave"].map((name) => [name, { kind: "clip", clip: `Rig|${name}` }]),
  );
  expect(openAtFirst(lines, 40).has("section Clips")).toBe(false);
});

test("every line has an id of its own", () => {
  const ids: string[] = [];
  const visit = (lines: readonly Line[]): void =>
    lines.forEach((line) => {
      ids.push(line.id);
      visit(line.children);
    });
  visit(outline(scene));
  expect(new Set(ids).size).toBe(ids.length);
});

test("a place is shown by its point, else by the joint that carries it most", () => {
  expect(lineOf(scene, { name: "", parts: [{ joint: "foot", offset: [0, -0.1, 0], weight: 1 }] })).toBe("point heel");
  expect(lineOf(scene, { name: "", parts: [{ joint: "foot", offset: [0, 0.1, 0], weight: 1 }] })).toBe("joint foot");
  const shared = [
    { joint: "leg", offset: [0, 0, 0], weight: 0.3 },
    { joint: "foot", offset: [0, 0, 0], weight: 0.7 },
  ];
  expect(lineOf(scene, { name: "skin", parts: shared as never })).toBe("joint foot");
});

const rule = { wanted: "position", start: null, end: null } as const;
const constraints: ConstraintInfo[] = [
  { name: "foot contact", ...kindData("contact"), place: jointPlace("foot"), on: true, ...rule },
  { name: "head pin", ...kindData("pin"), place: jointPlace("head"), on: false, ...rule },
  { name: "leg lock", ...kindData("lock"), place: jointPlace("leg"), on: true, ...rule },
];

test("joints are marked by what is on, and by keys of their own alone", () => {
  const curves = new Curves();
  const rows = new Float32Array(8);
  curves.put({ type: "curves", revision: 1, whole: true, curves: [1, 2].map((each) => ({ channel: each, layer: 0, keys: 1, rows })) });
  const badges = badgesOf(scene, constraints, curves);
  expect(badges.map((each) => each.pinned)).toEqual([false, true, false, false]);
  expect(badges.map((each) => each.planted)).toEqual([false, false, true, false]);
  // The control "bend" drives two joints: its keys are its own.
  expect(badges.map((each) => each.keyed)).toEqual([false, false, true, false]);
});

test("a closed branch tells what is below it, not what is on it", () => {
  const sums = below(scene, badgesOf(scene, constraints, new Curves()));
  expect(sums.map((each) => each.pinned)).toEqual([true, false, false, false]);
  expect(sums.map((each) => each.planted)).toEqual([true, true, false, false]);
});

test("curves of a document that has gone are no trouble", () => {
  const curves = new Curves();
  curves.put({ type: "curves", revision: 1, whole: true, curves: [{ channel: 99, layer: 0, keys: 1, rows: new Float32Array(8) }] });
  expect(badgesOf(scene, [], curves).some((each) => each.keyed)).toBe(false);
});
