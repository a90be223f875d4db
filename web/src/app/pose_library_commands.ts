import type { Command } from "../commands/commands";
import type { Model } from "../model/model";
import { applyPose } from "../model/pose_library";
import { selectedChannels } from "../model/posing";
import { RefusedError } from "../protocol/connection";
import { showPanel } from "./layout";
import { ask, askName } from "./question";

const hasRig = (model: Model): boolean => (model.scene.value?.channels.length ?? 0) > 0;
const isChosen = ({ poses }: Model): boolean => poses.chosen.value !== null;
const noneChosen = (): string => "Choose a pose in the panel Poses first";

/** Keep the pose at hand under a name; one that is taken is asked about. */
async function save(model: Model, name: string, replace: boolean): Promise<void> {
  const time = model.timeOf(model.playback.frame.value);
  try {
    await model.connection.ask({ type: "save-pose", name, time, channels: selectedChannels(model), replace });
    model.poses.choose(name);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== "exists") return model.refuse(error as Error);
    const answer = await ask("Save pose", `There is a pose ${name} already.`, [
      { id: "replace", label: "Replace it", primary: true },
      { id: "other", label: "Another name…" },
    ]);
    if (answer === "replace") await save(model, name, true);
    if (answer === "other") await saveAs(model, name);
  }
}

async function saveAs(model: Model, name: string): Promise<void> {
  model.playback.pause();
  const chosen = selectedChannels(model);
  const more = chosen ? `Of what is selected: ${chosen.length} channels.` : "Of the whole character; select joints first to keep only theirs.";
  const given = await askName({ heading: "Save pose", label: "Name", name, more, verb: "Save" });
  if (given === null) return;
  showPanel("poses");
  await save(model, given, false);
}

async function rename(model: Model, was: string): Promise<void> {
  const name = await askName({ heading: "Rename pose", label: "Name", name: was, more: "Its file in the project folder is renamed too.", verb: "Rename" });
  if (name === null || name === was) return;
  if ((await model.ask({ type: "rename-pose", name: was, to: name })) !== undefined) model.poses.choose(name);
}

async function remove(model: Model, name: string): Promise<void> {
  const answer = await ask(
    "Delete pose",
    `Delete ${name}?`,
    [
      { id: "delete", label: "Delete" },
      { id: "keep", label: "Keep it", primary: true },
    ],
    "Its file in the project folder is deleted for everybody; this cannot be undone.",
  );
  if (answer === "delete") await model.ask({ type: "delete-pose", name });
}

/** On the chosen pose. */
function onChosen(id: string, label: string, run: (model: Model, name: string) => unknown, more: Partial<Command> = {}): Command {
  return {
    id,
    label,
    group: "Library",
    enabled: isChosen,
    why: noneChosen,
    run: (model) => {
      const name = model.poses.chosen.value;
      if (name !== null) void run(model, name);
    },
    ...more,
  };
}

/** The poses that the project keeps. */
export const poseLibraryCommands: readonly Command[] = [
  {
    id: "save-pose",
    label: "Save pose to the library…",
    group: "Library",
    keys: ["Ctrl+Alt+S"],
    enabled: hasRig,
    why: () => "There is no character to pose",
    run: (model) => void saveAs(model, ""),
  },
  {
    id: "show-poses",
    label: "Show the poses of the project",
    group: "Library",
    run: (model) => {
      showPanel("poses");
      void model.ask({ type: "show-poses" });
    },
  },
  onChosen("apply-pose", "Apply pose", (model, name) => applyPose(model, name, false)),
  onChosen("apply-pose-mirrored", "Apply pose mirrored", (model, name) => applyPose(model, name, true)),
  onChosen("rename-pose", "Rename pose…", rename),
  onChosen("replace-pose", "Replace pose by the one at hand", (model, name) => save(model, name, true), {
    enabled: (model) => isChosen(model) && hasRig(model),
  }),
  onChosen("delete-pose", "Delete pose…", remove),
];
