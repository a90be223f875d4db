/** The hot path; studio/protocol/binary.py is the other end and says how every message is laid out. */

const MOVE = 1;
const POSES = 2;
const ARC = 3;
const CURVES = 4;
const BLEND = 5;
const SOFT = 6;
const HEADER = 16;

/** Poses of consecutive frames: `world` holds 12 numbers a joint (3×4, row by row), `channels` one a channel. */
export interface Poses {
  type: "poses";
  /** Of the keyed motion, where a loose one is shown. */
  keyed: boolean;
  /** Of another step of the history, which is compared with. */
  compared: boolean;
  revision: number;
  first: number;
  frames: number;
  joints: number;
  channelCount: number;
  world: Float32Array;
  channels: Float32Array;
}

/** A motion curve; sample i is at start + i / (perFrame · rate) seconds. Turns are wxyz. */
export interface Arc {
  type: "arc";
  revision: number;
  arc: number;
  perFrame: number;
  start: number;
  samples: number;
  positions: Float32Array;
  speeds: Float32Array;
  turns: Float32Array | null;
  keyTimes: Float32Array;
  keyPositions: Float32Array;
}

/** Eight numbers a key: time, value, in x, in y, out x, out y, interpolation, tied. */
interface CurveRows {
  channel: number;
  /** 0 is the base, n the layer n − 1. */
  layer: number;
  keys: number;
  rows: Float32Array;
}

export interface CurveUpdate {
  type: "curves";
  revision: number;
  whole: boolean;
  curves: CurveRows[];
}

/** What a mesh's plan blends on consecutive frames: 8 numbers a node, and 12 a joint where the rest shape is stretched. */
export interface Blend {
  type: "blend";
  /** Of the keyed motion, where a loose one is shown. */
  keyed: boolean;
  compared: boolean;
  revision: number;
  mesh: number;
  plan: number;
  first: number;
  frames: number;
  nodes: number;
  joints: number;
  differentials: Float32Array;
  stretches: Float32Array | null;
}

/** How far the vertices of a soft mesh are off on consecutive frames: 3 numbers a vertex, before joints carry them. */
export interface Soft {
  type: "soft";
  revision: number;
  mesh: number;
  first: number;
  frames: number;
  vertices: number;
  offsets: Float32Array;
}

export type BinaryMessage = Poses | Arc | CurveUpdate | Blend | Soft;

export function encodeMove(gesture: number, sequence: number, values: readonly number[]): ArrayBuffer {
  const data = new ArrayBuffer(HEADER + 8 * values.length);
  const view = new DataView(data);
  view.setUint8(0, MOVE);
  view.setUint16(2, values.length, true);
  view.setUint32(4, gesture, true);
  view.setUint32(8, sequence, true);
  values.forEach((value, i) => view.setFloat64(HEADER + 8 * i, value, true));
  return data;
}

/** Whether a message tells a motion curve. */
export function isArc(data: string | ArrayBuffer): boolean {
  return typeof data !== "string" && new DataView(data).getUint8(0) === ARC;
}

export function decodeBinary(data: ArrayBuffer): BinaryMessage {
  const view = new DataView(data);
  const kind = view.getUint8(0);
  const flags = view.getUint8(1);
  const flag = flags === 1;
  const [a, b, c] = [4, 8, 12].map((at) => view.getUint32(at, true));
  switch (kind) {
    case POSES: {
      const joints = view.getUint32(16, true);
      const channelCount = view.getUint32(20, true);
      const world = new Float32Array(data, 24, c * joints * 12);
      const channels = new Float32Array(data, 24 + world.byteLength, c * channelCount);
      return { type: "poses", keyed: flag, compared: flags === 2, revision: a, first: b, frames: c, joints, channelCount, world, channels };
    }
    case ARC: {
      const keys = view.getUint32(16, true);
      const start = view.getFloat32(20, true);
      let offset = 24;
      const take = (count: number): Float32Array => {
        const part = new Float32Array(data, offset, count);
        offset += part.byteLength;
        return part;
      };
      const [positions, speeds] = [take(3 * c), take(c)];
      const turns = flag ? take(4 * c) : null;
      const [keyTimes, keyPositions] = [take(keys), take(3 * keys)];
      const perFrame = view.getUint16(2, true);
      return { type: "arc", revision: a, arc: b, perFrame, start, samples: c, positions, speeds, turns, keyTimes, keyPositions };
    }
    case CURVES: {
      const table = new Uint32Array(data, HEADER, 3 * c);
      let offset = HEADER + table.byteLength;
      const curves: CurveRows[] = [];
      for (let i = 0; i < c; i++) {
        const [channel, layer, keys] = table.subarray(3 * i, 3 * i + 3);
        curves.push({ channel, layer, keys, rows: new Float32Array(data, offset, 8 * keys) });
        offset += 32 * keys;
      }
      return { type: "curves", revision: a, whole: flag, curves };
    }
    case BLEND: {
      const [plan, nodes, joints] = new Uint32Array(data, HEADER, 3);
      const differentials = new Float32Array(data, HEADER + 12, 8 * nodes * c);
      const stretches = flags & 1 ? new Float32Array(data, HEADER + 12 + differentials.byteLength, 12 * joints * c) : null;
      const mesh = view.getUint16(2, true);
      return {
        type: "blend",
        keyed: (flags & 2) !== 0,
        compared: (flags & 4) !== 0,
        revision: a,
        mesh,
        plan,
        first: b,
        frames: c,
        nodes,
        joints,
        differentials,
        stretches,
      };
    }
    case SOFT: {
      const vertices = view.getUint32(HEADER, true);
      const offsets = new Float32Array(data, HEADER + 4, 3 * vertices * c);
      return { type: "soft", revision: a, mesh: view.getUint16(2, true), first: b, frames: c, vertices, offsets };
    }
    default:
      throw new Error(`the server sent a binary message of unknown kind ${kind}`);
  }
}
