import { expect, test } from "vitest";
import { jointPlace } from "../src/model/selection";
import type { AimInfo, ConstraintInfo } from "../src/protocol/messages";
import { lanesOf, targetTrack } from "../src/timeline/lanes";
import { kindData } from "./kinds";

const CLIP = { start: 0, end: 2 };
const aimAt = (joint: string, time: number): AimInfo => ({
  name: `${joint} target`,
  on: true,
  solved: false,
  gives: [],
  could: [],
  target: { kind: "point", time, place: jointPlace(joint) },
});
const contact: ConstraintInfo = { name: "foot contact", ...kindData("contact"), place: jointPlace("foot"), wanted: "position", start: 0, end: 1, on: true };

test("targets share the lane of their point, on a track under its bars", () => {
  const [foot, ...others] = lanesOf([contact], null, CLIP, [aimAt("foot", 1)]);
  expect(others).toEqual([]);
  expect([foot.bars[0].track, targetTrack(foot), foot.tracks]).toEqual([0, 1, 2]);
});

test("several targets of a point are on one track, and an active point keeps a track for new ranges", () => {
  const [hand] = lanesOf([], jointPlace("hand"), CLIP, [aimAt("hand", 0.5), aimAt("hand", 1.5)]);
  expect(hand.aims.map(({ target }) => target.time)).toEqual([0.5, 1.5]);
  expect([hand.active, hand.tracks, targetTrack(hand)]).toEqual([true, 2, 1]);
});

test("poses and vertices have lanes of their own, without a place to select", () => {
  const pose: AimInfo = { name: "C", on: true, solved: true, gives: [], could: [], target: { kind: "pose", time: 1 } };
  const tip: AimInfo = { name: "tip", on: true, solved: true, gives: [], could: [], target: { kind: "point", time: 1, vertex: { mesh: "hat", vertex: 3 } } };
  const lanes = lanesOf([], null, CLIP, [pose, tip, { ...pose, name: "D" }]);
  expect(lanes.map(({ name, place, aims }) => [name, place, aims.length])).toEqual([
    ["pose", null, 2],
    ["hat", null, 1],
  ]);
});

test("without targets a lane has no track for them", () => {
  const [foot] = lanesOf([contact], null, CLIP);
  expect([foot.tracks, targetTrack(foot)]).toEqual([1, -1]);
});
