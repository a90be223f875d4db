import { Vector3 } from "three";
import { onChange } from "../../model/changes";
import type { Model } from "../../model/model";
import type { Bones } from "../../protocol/messages";

/** A bone under the pointer, and where along it, 0 to 1. */
export interface BoneHit {
  joint: string;
  place: number;
  /** Pixels. */
  apart: number;
}

type ToPixels = (position: Vector3, into: Vector3) => Vector3;

const [from, to] = [new Vector3(), new Vector3()];

/** The bone nearest to a pixel, within reach. */
export function boneUnder(bones: Bones, toPixels: ToPixels, x: number, y: number, reach: number): BoneHit | null {
  let best: BoneHit | null = null;
  for (const { joint, points } of bones.items) {
    const steps = points.length / 3 - 1;
    for (let i = 0; i < steps; i++) {
      toPixels(from.fromArray(points, 3 * i), from);
      toPixels(to.fromArray(points, 3 * i + 3), to);
      if (from.z >= 1 || to.z >= 1) continue;
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      const long = dx * dx + dy * dy;
      const share = long > 0 ? Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / long)) : 0;
      const apart = Math.hypot(from.x + share * dx - x, from.y + share * dy - y);
      if (apart <= reach && (!best || apart < best.apart)) best = { joint, place: (i + share) / steps, apart };
    }
  }
  return best;
}

/** The middle of some bones, or of all where none are named. */
export function middleOf(bones: Bones, joints: readonly string[], into: Vector3): Vector3 {
  const chosen = bones.items.filter((each) => joints.length === 0 || joints.includes(each.joint));
  into.set(0, 0, 0);
  let count = 0;
  for (const { points } of chosen) {
    for (let i = 0; i < points.length; i += 3) into.add(from.fromArray(points, i));
    count += points.length / 3;
  }
  return count > 0 ? into.divideScalar(count) : into;
}

/** Points x, y, z … along bones and strokes as an SVG path; what is behind the eye is left out. */
export function pathOf(lines: Iterable<ArrayLike<number>>, toPixels: ToPixels): string {
  let path = "";
  for (const points of lines) {
    let pen = "M";
    for (let i = 0; i + 2 < points.length; i += 3) {
      const { x, y, z } = toPixels(from.set(points[i], points[i + 1], points[i + 2]), from);
      if (z >= 1) {
        pen = "M";
        continue;
      }
      path += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
      pen = "L";
    }
  }
  return path;
}

/**
 * Keeps the shapes of the bones on the shown frame up to date while nothing moves: for the sketch tool, and for picking
 * where a character has bends.
 */
export class BoneWatch {
  private isAsking = false;
  private isStale = true;

  constructor(
    private readonly model: Model,
    /** Whether somebody wants them although the character has no bends. */
    private readonly isWanted: () => boolean,
  ) {
    const { tool, playback, changed, hand, clip } = model;
    onChange(
      () => [tool.value, playback.frame.value, playback.playing.value, changed.value, hand.value, clip.value],
      () => this.outdate(),
    );
  }

  private outdate(): void {
    this.isStale = true;
    void this.ask();
  }

  private async ask(): Promise<void> {
    const { playback, hand, clip, scene } = this.model;
    const isQuiet = !playback.playing.value && hand.value === null;
    const isOfUse = this.isWanted() || scene.value?.channels.some((channel) => channel.kind === "bend");
    if (!isQuiet || !isOfUse || this.isAsking || !this.isStale || !clip.value || !scene.value?.joints.length) return;
    this.isAsking = true;
    this.isStale = false;
    await this.model.ask({ type: "fetch-bones", time: this.model.timeOf(playback.frame.value) });
    this.isAsking = false;
    void this.ask();
  }
}
