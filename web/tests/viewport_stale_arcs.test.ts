import { expect, test } from "vitest";
import { Arcs } from "../src/model/arcs";
import { Frames } from "../src/model/frames";
import type { Arc } from "../src/protocol/binary";
import { dimStale } from "../src/viewport/arc_view";

const arc = { arc: 1 } as Arc;

function framesOf(count: number, ...told: number[]): Frames {
  const frames = new Frames(() => undefined);
  frames.reset(count, 1, 0);
  for (const first of told) {
    frames.put({
      type: "poses",
      keyed: false,
      compared: false,
      revision: 1,
      first,
      frames: 1,
      joints: 1,
      channelCount: 0,
      world: new Float32Array(12),
      channels: new Float32Array(0),
    });
  }
  return frames;
}

test("frames say which of them are as the server has them, across blocks, and ask for none", () => {
  const frames = framesOf(300, 0, 5, 299);
  frames.outdate(5, 200);
  const fresh = frames.freshness();
  expect(fresh).toHaveLength(300);
  expect([...fresh].flatMap((each, frame) => (each ? [frame] : []))).toEqual([0, 299]);
});

test("an arc remembers where it is as before until it is told whole", () => {
  const arcs = new Arcs();
  arcs.put(arc, new Uint8Array([1, 0, 1]));
  expect(arcs.freshness(1)).toEqual(new Uint8Array([1, 0, 1]));
  arcs.put(arc, new Uint8Array([1, 1, 1]));
  expect(arcs.freshness(1)).toBeNull();
  arcs.put(arc, new Uint8Array([0, 0, 0]));
  arcs.keep(new Set());
  expect(arcs.freshness(1)).toBeNull();
});

test("only samples around stale frames are dimmed", () => {
  const colours = new Float32Array(3 * 9).fill(1);
  dimStale(colours, { perFrame: 4 }, new Uint8Array([1, 0, 1]), 0, 8);
  const bright = Array.from({ length: 9 }, (_, i) => colours[3 * i] === 1);
  expect(bright).toEqual([true, true, false, false, false, false, true, true, true]);
});
