import type { Model } from "../model/model";
import { mainJoint } from "../model/selection";
import { KeyTimesCache } from "./key_times";

const cache = new KeyTimesCache();

/** The frame of the next key of what is selected, or of anything; null when there is none on that side. */
export function neighbourKey(model: Model, direction: 1 | -1): number | null {
  const times = keyTimes(model);
  const frames = [...new Set(Array.from(times, (time) => Math.round(model.frameOf(time))))];
  return neighbour(frames, model.playback.frame.value, direction, model.playback.frames);
}

/** The nearest of some ascending frames of the clip after (1) or before (−1) a frame. */
function neighbour(frames: readonly number[], from: number, direction: 1 | -1, count: number): number | null {
  const inClip = frames.filter((frame) => frame >= 0 && frame < count);
  const found = direction === 1 ? inClip.find((frame) => frame > from) : inClip.findLast((frame) => frame < from);
  return found ?? null;
}

function keyTimes(model: Model): Float64Array {
  const channels = model.scene.value?.channels ?? [];
  const { points, controls } = model.selection;
  const joints = new Set(points.value.map((each) => mainJoint(each.place)));
  const all = [...model.curves.all()].filter((curve) => curve.channel < channels.length);
  const own = all.filter(({ channel }) => {
    const { name, joints: moved } = channels[channel];
    return controls.value.includes(name) || moved.some((joint) => joints.has(joint));
  });
  return cache.of("steps", own.length > 0 ? own : all).times;
}
