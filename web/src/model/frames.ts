import type { Poses } from "../protocol/binary";
import { Version } from "./changes";

const BLOCK = 128;

interface Block {
  world: Float32Array;
  channels: Float32Array;
  /** 1 where a frame is as the server has it now. */
  fresh: Uint8Array;
  /** 1 where a frame was ever told. */
  known: Uint8Array;
}

/** The poses of the shown clip, as far as they are known; what is missing is asked for when somebody looks. */
export class Frames {
  private readonly version = new Version();
  count = 0;
  joints = 0;
  channelCount = 0;
  private blocks = new Map<number, Block>();
  private asked = new Set<number>();

  constructor(private readonly fetch: (first: number, count: number) => void) {}

  /** Another clip or rig: nothing is known any more. */
  reset(count: number, joints: number, channels: number): void {
    if (count === this.count && joints === this.joints && channels === this.channelCount) return;
    [this.count, this.joints, this.channelCount] = [count, joints, channels];
    this.blocks.clear();
    this.asked.clear();
    this.version.bump();
  }

  /** Frames first to last are no longer as the server has them. */
  outdate(first: number, last: number): void {
    for (const [number, block] of this.blocks) {
      const start = number * BLOCK;
      if (start > last || start + BLOCK <= first) continue;
      block.fresh.fill(0, Math.max(0, first - start), Math.min(BLOCK, last + 1 - start));
    }
    this.asked.clear();
  }

  put(poses: Poses): void {
    if (poses.joints !== this.joints || poses.channelCount !== this.channelCount) return;
    const [worldSize, channelSize] = [12 * this.joints, this.channelCount];
    for (let i = 0; i < poses.frames; i++) {
      const frame = poses.first + i;
      const block = this.block(Math.floor(frame / BLOCK));
      const at = frame % BLOCK;
      block.world.set(poses.world.subarray(i * worldSize, (i + 1) * worldSize), at * worldSize);
      block.channels.set(poses.channels.subarray(i * channelSize, (i + 1) * channelSize), at * channelSize);
      block.fresh[at] = block.known[at] = 1;
    }
    this.version.bump();
  }

  /** The 3×4 matrices of all joints at a frame, 12 numbers each; null until the server told them once. */
  world(frame: number): Float32Array | null {
    const block = this.look(frame);
    if (!block) return null;
    const at = (frame % BLOCK) * 12 * this.joints;
    return block.world.subarray(at, at + 12 * this.joints);
  }

  /** All channel values at a frame. */
  channels(frame: number): Float32Array | null {
    const block = this.look(frame);
    if (!block) return null;
    const at = (frame % BLOCK) * this.channelCount;
    return block.channels.subarray(at, at + this.channelCount);
  }

  /** Whether a frame is as the server has it now; asks for it if not. Tests on the page wait for it. */
  isFresh(frame: number): boolean {
    this.look(frame);
    return this.blocks.get(Math.floor(frame / BLOCK))?.fresh[frame % BLOCK] === 1;
  }

  /** Of every frame, 1 where it is as the server has it now; asks for nothing. */
  freshness(): Uint8Array {
    const fresh = new Uint8Array(this.count);
    for (const [number, block] of this.blocks) fresh.set(block.fresh.subarray(0, Math.max(0, this.count - number * BLOCK)), number * BLOCK);
    return fresh;
  }

  private look(frame: number): Block | null {
    this.version.read();
    if (frame < 0 || frame >= this.count || this.joints + this.channelCount === 0) return null;
    const number = Math.floor(frame / BLOCK);
    const block = this.blocks.get(number);
    const at = frame % BLOCK;
    if (!block?.fresh[at]) this.ask(number);
    return block?.known[at] ? block : null;
  }

  private ask(number: number): void {
    if (this.asked.has(number)) return;
    this.asked.add(number);
    this.fetch(number * BLOCK, Math.min(BLOCK, this.count - number * BLOCK));
  }

  private block(number: number): Block {
    let block = this.blocks.get(number);
    if (!block) {
      block = {
        world: new Float32Array(BLOCK * 12 * this.joints),
        channels: new Float32Array(BLOCK * this.channelCount),
        fresh: new Uint8Array(BLOCK),
        known: new Uint8Array(BLOCK),
      };
      this.blocks.set(number, block);
    }
    return block;
  }
}
