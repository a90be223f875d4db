import { expect, test } from "vitest";
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
