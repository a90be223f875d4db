import { expect, test } from "vitest";
import { SoftMeshes } from "../src/model/soft_meshes";
import { decodeBinary, encodeMove } from "../src/protocol/binary";

test("a move carries its gesture, its place in the sequence and its numbers unrounded", () => {
  const view = new DataView(encodeMove(7, 3, [0.1, -2.5]));
  expect(view.byteLength).toBe(32);
  expect([view.getUint8(0), view.getUint16(2, true), view.getUint32(4, true), view.getUint32(8, true)]).toEqual([1, 2, 7, 3]);
  expect([view.getFloat64(16, true), view.getFloat64(24, true)]).toEqual([0.1, -2.5]);
});

test("a binary message of unknown kind is an error, not silence", () => {
  expect(() => decodeBinary(new Uint8Array(16).fill(9).buffer)).toThrow("unknown kind 9");
});

test("soft meshes come as offsets of every vertex on every frame", () => {
  const data = new ArrayBuffer(20 + 4 * 12);
  const view = new DataView(data);
  view.setUint8(0, 6);
  view.setUint16(2, 4, true);
  [9, 30, 2].forEach((value, i) => view.setUint32(4 + 4 * i, value, true));
  view.setUint32(16, 2, true);
  for (let i = 0; i < 12; i++) view.setFloat32(20 + 4 * i, i, true);
  const soft = decodeBinary(data);
  expect(soft).toMatchObject({ type: "soft", revision: 9, mesh: 4, first: 30, frames: 2, vertices: 2 });
  const kept = new SoftMeshes();
  kept.follow([{ mesh: 4, vertices: [7, 3] }]);
  if (soft.type === "soft") kept.put(soft);
  const offsets = kept.get(31).get(4);
  expect([...(offsets?.vertices ?? [])]).toEqual([7, 3]);
  expect([...(offsets?.by ?? [])]).toEqual([6, 7, 8, 9, 10, 11]);
  expect(kept.get(32).size).toBe(0);
  // The same vertices again change nothing; others make all that was told meaningless.
  kept.follow([{ mesh: 4, vertices: [7, 3] }]);
  expect(kept.get(31).size).toBe(1);
  kept.follow([{ mesh: 4, vertices: [7, 3, 9] }]);
  expect(kept.get(31).size).toBe(0);
  if (soft.type === "soft") kept.put(soft);
  expect(kept.get(31).size).toBe(0);
});

test("poses and blends of the keyed motion are told from those of the loose one", () => {
  const poses = new DataView(new ArrayBuffer(24));
  poses.setUint8(0, 2);
  expect(decodeBinary(poses.buffer)).toMatchObject({ type: "poses", keyed: false });
  poses.setUint8(1, 1);
  expect(decodeBinary(poses.buffer)).toMatchObject({ type: "poses", keyed: true });
  poses.setUint8(1, 2);
  expect(decodeBinary(poses.buffer)).toMatchObject({ type: "poses", keyed: false, compared: true });
  const blend = new DataView(new ArrayBuffer(28));
  blend.setUint8(0, 5);
  for (const [flag, keyed, stretched] of [
    [0, false, false],
    [1, false, true],
    [2, true, false],
    [3, true, true],
  ] as const) {
    blend.setUint8(1, flag);
    const found = decodeBinary(blend.buffer);
    expect(found).toMatchObject({ type: "blend", keyed });
    expect(found.type === "blend" && found.stretches !== null).toBe(stretched);
  }
});
