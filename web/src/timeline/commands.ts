import { type Command, switching } from "../commands/commands";
import type { Model } from "../model/model";
import { mainJoint } from "../model/selection";
import { KeyTimesCache } from "./key_times";

const go = (to: (model: Model) => number | null) => (each: Model) => {
  const frame = to(each);
  if (frame === null) return;
  each.playback.pause();
  each.playback.go(frame);
};
const moves = (each: Model): boolean => each.playback.frames > 1;

/** Playing, going to frames, and keys over time. */
export const timeCommands: readonly Command[] = [
  {
    id: "play",
    label: "Play or pause",
    group: "Time",
    keys: ["Space"],
    run: ({ playback }) => (playback.playing.value ? playback.pause() : playback.play()),
    enabled: moves,
    why: () => "The clip has a single frame",
  },
  {
    id: "play-backward",
    label: "Play backward or pause",
    group: "Time",
    keys: ["Shift+Space"],
    run: ({ playback }) => playback.toggle(true),
    enabled: moves,
    why: () => "The clip has a single frame",
  },
  switching(({ playback }) => playback.looping, {
    id: "loop",
    label: "Loop playback",
    group: "Time",
  }),
  switching(({ playback }) => playback.toAndFro, {
    id: "to-and-fro",
    label: "Play to and fro",
    group: "Time",
  }),
  { id: "range-start", label: "Play from this frame", group: "Time", keys: ["["], run: ({ playback }) => playback.begin(playback.frame.value) },
  { id: "range-end", label: "Play up to this frame", group: "Time", keys: ["]"], run: ({ playback }) => playback.end(playback.frame.value) },
  {
    id: "range-clear",
    label: "Play the whole clip",
    group: "Time",
    keys: ["Alt+]"],
    run: ({ playback }) => (playback.range.value = null),
    enabled: ({ playback }) => playback.range.value !== null,
    why: () => "The whole clip is played",
  },
  {
    id: "next-frame",
    label: "Next frame",
    group: "Time",
    keys: ["ArrowRight"],
    run: go(({ playback }) => playback.frame.value + 1),
  },
  {
    id: "previous-frame",
    label: "Previous frame",
    group: "Time",
    keys: ["ArrowLeft"],
    run: go(({ playback }) => playback.frame.value - 1),
  },
  {
    id: "next-key",
    label: "Next key",
    group: "Time",
    keys: ["ArrowUp", "Ctrl+ArrowRight"],
    run: go((each) => neighbourKey(each, 1)),
  },
  {
    id: "previous-key",
    label: "Previous key",
    group: "Time",
    keys: ["ArrowDown", "Ctrl+ArrowLeft"],
    run: go((each) => neighbourKey(each, -1)),
  },
  {
    id: "to-start",
    label: "Go to the start",
    group: "Time",
    keys: ["Shift+ArrowLeft"],
    run: go(() => 0),
  },
  {
    id: "to-end",
    label: "Go to the end",
    group: "Time",
    keys: ["Shift+ArrowRight"],
    run: go(({ playback }) => playback.frames - 1),
  },
  switching((each) => each.timeInSeconds, {
    id: "time-in-seconds",
    label: "Time in seconds",
    group: "Time",
  }),
  {
    id: "find-faults",
    label: "Find faults of capture",
    group: "Keys",
    run: (each) => void each.ask({ type: "clean-capture", mend: false }),
    enabled: ({ clip }) => clip.value !== null,
    why: () => "There is no clip",
  },
  {
    id: "clean-capture",
    label: "Clean capture",
    group: "Keys",
    run: (each) => {
      each.selection.keys.value = [];
      void each.ask({ type: "clean-capture" });
    },
    enabled: ({ clip }) => clip.value !== null,
    why: () => "There is no clip",
  },
  {
    id: "delete-keys",
    label: "Delete keys",
    group: "Keys",
    keys: ["Delete", "Backspace"],
    run: (each) => {
      const { selection } = each;
      const keys = [...selection.keys.value];
      // Their numbers mean other keys afterwards.
      selection.keys.value = [];
      void each.ask({ type: "delete-keys", keys });
    },
    enabled: ({ selection }) => selection.keys.value.length > 0,
    why: () => "Select keys in the timeline or the graph",
  },
];

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
