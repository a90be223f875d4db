import type { Command } from "../commands/commands";
import type { Model } from "../model/model";
import { HEARD, SEEN } from "./file_names";
import { openFit } from "./fit_dialog";
import { askName } from "./question";
import { bringIn, chooseFile } from "./upload";

const hasClip = ({ clip }: Model): boolean => clip.value !== null;
const noClip = (): string => "No document is open yet";
type Making = Extract<Parameters<Model["ask"]>[0], { type: "new-clip" | "duplicate-clip" | "make-loop" }>;

/** Ask for a clip and show it. */
async function make(model: Model, wish: Making): Promise<void> {
  const name = await model.ask(wish);
  if (!name) return;
  model.playback.pause();
  await model.ask({ type: "show-clip", clip: name });
  model.playback.go(0);
}

/** A round of what is played, or where poses are most alike. */
function round(model: Model, inPlace: boolean): Making {
  const range = model.playback.range.value;
  const [start, end] = range?.map((frame) => model.timeOf(frame)) ?? [null, null];
  return { type: "make-loop", start, end, in_place: inPlace };
}

async function rename(model: Model): Promise<void> {
  const was = model.clip.value?.name ?? "";
  const name = await askName({ heading: "Rename clip", label: "Name", name: was, more: "", verb: "Rename" });
  if (name !== null && name !== was) await model.ask({ type: "rename-clip", name });
}

async function resample(model: Model): Promise<void> {
  const was = String(model.clip.value?.rate ?? 24);
  const rate = await askName({ heading: "Resample clip", label: "Frames a second", name: was, more: "", verb: "Resample" });
  if (rate !== null && rate !== was) await model.ask({ type: "resample-clip", rate: Number(rate) || 0 });
}

async function choose(kinds: readonly string[]): Promise<void> {
  const file = await chooseFile(kinds);
  if (file) await bringIn(file);
}

const isHeard = ({ sound }: Model): boolean => sound.info.value !== null;
const noSound = (): string => "The clip has no sound";

/** Clips as wholes. */
export const clipCommands: readonly Command[] = [
  { id: "clip-new", label: "New clip", group: "Clips", run: (model) => void make(model, { type: "new-clip" }), enabled: hasClip, why: noClip },
  {
    id: "clip-from-pose",
    label: "New clip from this pose",
    group: "Clips",
    run: (model) => void make(model, { type: "new-clip", time: model.timeOf(model.playback.frame.value) }),
    enabled: hasClip,
    why: noClip,
  },
  {
    id: "clip-duplicate",
    label: "Duplicate clip",
    group: "Clips",
    run: (model) => void make(model, { type: "duplicate-clip" }),
    enabled: hasClip,
    why: noClip,
  },
  { id: "clip-rename", label: "Rename clip…", group: "Clips", run: (model) => void rename(model), enabled: hasClip, why: noClip },
  { id: "clip-reverse", label: "Reverse clip", group: "Clips", run: (model) => void model.ask({ type: "reverse-clip" }), enabled: hasClip, why: noClip },
  { id: "clip-mirror", label: "Mirror clip", group: "Clips", run: (model) => void model.ask({ type: "mirror-clip" }), enabled: hasClip, why: noClip },
  {
    id: "clip-faster",
    label: "Clip twice as fast",
    group: "Clips",
    run: (model) => void model.ask({ type: "set-speed", speed: 2 }),
    enabled: hasClip,
    why: noClip,
  },
  {
    id: "clip-slower",
    label: "Clip half as fast",
    group: "Clips",
    run: (model) => void model.ask({ type: "set-speed", speed: 0.5 }),
    enabled: hasClip,
    why: noClip,
  },
  { id: "clip-resample", label: "Resample clip…", group: "Clips", run: (model) => void resample(model), enabled: hasClip, why: noClip },
  {
    id: "clip-in-place",
    label: "Walk in place",
    group: "Clips",
    run: (model) => void model.ask({ type: "travel", in_place: true }),
    enabled: hasClip,
    why: noClip,
  },
  {
    id: "clip-travel",
    label: "Walk on over the ground",
    group: "Clips",
    run: (model) => void model.ask({ type: "travel" }),
    enabled: hasClip,
    why: noClip,
  },
  {
    id: "clip-to-start",
    label: "Shift clip to begin at frame 0",
    group: "Clips",
    run: (model) => void model.ask({ type: "shift-clip", by: -(model.clip.value?.start ?? 0) }),
    enabled: ({ clip }) => (clip.value?.start ?? 0) !== 0,
    why: () => "It begins there",
  },
  {
    id: "clip-trim",
    label: "Trim clip to the played range",
    group: "Clips",
    run: (model) => {
      const range = model.playback.range.value;
      if (!range) return;
      const [start, end] = range.map((frame) => model.timeOf(frame));
      model.playback.range.value = null;
      void model.ask({ type: "trim-clip", start, end });
    },
    enabled: ({ playback }) => playback.range.value !== null,
    why: () => "Choose a range first: [ sets its start, ] its end",
  },
  { id: "clip-delete", label: "Delete clip", group: "Clips", run: (model) => void model.ask({ type: "remove-clip" }), enabled: hasClip, why: noClip },
  {
    id: "clip-loop",
    label: "Loop: cut a round out of the clip",
    group: "Clips",
    run: (model) => void make(model, round(model, false)),
    enabled: hasClip,
    why: noClip,
  },
  {
    id: "clip-loop-in-place",
    label: "Loop in place",
    group: "Clips",
    run: (model) => void make(model, round(model, true)),
    enabled: hasClip,
    why: noClip,
  },
  {
    id: "block-clip",
    label: "Stepped: hold every pose (blocking)",
    group: "Clips",
    run: (model) => void model.ask({ type: "block-clip", stepped: true }),
    enabled: hasClip,
    why: noClip,
  },
  {
    id: "spline-clip",
    label: "Spline: let poses flow",
    group: "Clips",
    run: (model) => void model.ask({ type: "block-clip", stepped: false }),
    enabled: hasClip,
    why: noClip,
  },
  { id: "filter-angles", label: "Filter Euler angles", group: "Clips", run: (model) => void filter(model), enabled: hasClip, why: noClip },
  {
    id: "fit-keys",
    label: "Fit keys to dense motion…",
    group: "Keys",
    run: () => void openFit(),
    enabled: hasClip,
    why: noClip,
  },
  { id: "sound", label: "Sound…", group: "Clips", run: () => void choose(HEARD), enabled: hasClip, why: noClip },
  { id: "picture", label: "Reference picture or video…", group: "Clips", run: () => void choose(SEEN), enabled: hasClip, why: noClip },
  {
    id: "sound-mute",
    label: "Mute sound",
    group: "Clips",
    run: (model) => void model.ask({ type: "change-sound", muted: !model.sound.info.value?.muted }),
    checked: ({ sound }) => sound.info.value?.muted ?? false,
    enabled: isHeard,
    why: noSound,
  },
  {
    id: "sound-remove",
    label: "Remove sound",
    group: "Clips",
    run: (model) => void model.ask({ type: "change-sound", remove: true }),
    enabled: isHeard,
    why: noSound,
  },
];

async function filter(model: Model): Promise<void> {
  const said = await model.ask({ type: "filter-angles" });
  if (said) model.notices.add("info", said);
}
