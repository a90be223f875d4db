import type { Curve } from "../src/model/curves";
import type { ChannelInfo, JointInfo } from "../src/protocol/messages";

/** A curve with keys at some times; the rest of a key does not matter on a timeline. */
export function curveAt(times: readonly number[], channel = 0, layer = 0): Curve {
  const keys = times.map((time) => ({ time, value: 0, inX: 0, inY: 0, outX: 0, outY: 0, interpolation: 2, tied: true }));
  return { channel, layer, keys };
}

export function channel(name: string, joints: string[], kind: ChannelInfo["kind"] = "rotation"): ChannelInfo {
  return { name, kind, joints, default: 0, lower: null, upper: null, stiffness: 1, free: true };
}

export function joint(name: string, parent = -1): JointInfo {
  return { name, parent, order: "ZYX", rest: [0, 0, 0], mass: 1, centre: [0, 0, 0] };
}

/** The same numbers every time (a linear congruential generator), from 0 up to 1. */
export function* randomNumbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state * 1664525 + 1013904223) % 4294967296;
    yield state / 4294967296;
  }
}
