import { sentence } from "../model/notices";
import { RefusedError } from "../protocol/connection";
import { stem } from "./file_names";
import { ask, askName } from "./question";
import { model } from "./studio";

export function openExample(name: string): Promise<boolean> {
  return open((discard) => model.connection.ask({ type: "open-example", name, discard }));
}

export function openFile(path: string): Promise<boolean> {
  return open((discard) => model.connection.ask({ type: "open-file", path, discard }));
}

/** Open work that was left behind, by the name of its journal. */
export function openLeft(name: string): Promise<boolean> {
  return open((discard) => model.connection.ask({ type: "open-left", name, discard }));
}

/** Save where it was saved last or under its own name; false when it came to nothing. */
export function save(): Promise<boolean> {
  return write(null, false);
}

/** Save under a name that the animator gives. */
export async function saveAs(): Promise<boolean> {
  const files = model.files.value;
  const name = await askName({
    heading: "Save as",
    label: "Name, within the project folder",
    name: stem(files?.path ?? model.scene.value?.name ?? "untitled"),
    more: files ? `The folder is ${files.folder}` : "",
    verb: "Save",
  });
  return name !== null && write(name, false);
}

export async function rename(): Promise<void> {
  const name = await askName({
    heading: "Rename document",
    label: "Name",
    name: model.scene.value?.name ?? "",
    more: "",
    verb: "Rename",
  });
  if (name !== null) await model.ask({ type: "rename-document", name });
}

/** Let no browser in any more that was let in before; this one neither. */
export async function logOut(): Promise<void> {
  const choice = await ask(
    "Log out everywhere?",
    "No browser that was let in before can use this Studio any more, this one included.",
    [
      { id: "cancel", label: "Cancel" },
      { id: "out", label: "Log out", primary: true },
    ],
    "The terminal where it runs then shows a new address; committed work stays as it is.",
  );
  if (choice === "out") await model.ask({ type: "log-out" });
}

/** Refusals that a question can settle. */
const SETTLED: ReadonlySet<RefusedError["code"]> = new Set(["unsaved", "unkept", "exists", "changed"]);

type Asking = (discard: boolean) => Promise<string | null>;

/** Open something; where work would be given up, ask first. */
async function open(asking: Asking): Promise<boolean> {
  const outcome = await tried(() => asking(false));
  if (outcome === "done") return true;
  if (outcome?.code === "unkept") return (await settleGuidance(outcome)) && open(asking);
  if (outcome?.code !== "unsaved") return false;
  const name = model.scene.value?.name ?? "The document";
  const choice = await ask(
    "Unsaved changes",
    `${name} has changes that are in no file yet.`,
    [
      { id: "cancel", label: "Cancel" },
      { id: "discard", label: "Discard changes" },
      { id: "save", label: "Save", primary: true },
    ],
    "Until you decide they are kept on disk, whatever happens to this page or the server.",
  );
  if (choice === "discard") return (await tried(() => asking(true))) === "done";
  if (choice !== "save" || !(await save())) return false;
  return (await tried(() => asking(false))) === "done";
}

/** Ask what is to become of a run that is not kept; false when everything shall stay as it is. */
async function settleGuidance(refusal: RefusedError): Promise<boolean> {
  const { guiding } = model;
  if (guiding.gesture.value === null) {
    model.refuse(refusal); // it is another tab's to decide
    return false;
  }
  const choice = await ask(
    "Guidance is not kept",
    `What guidance has made of ${model.scene.value?.name ?? "the document"} is only shown so far.`,
    [
      { id: "cancel", label: "Cancel" },
      { id: "discard", label: "Discard the run" },
      { id: "keep", label: "Keep it", primary: true },
    ],
    "Kept, it is one step of the history.",
  );
  if (choice === "keep") await guiding.keep();
  else if (choice === "discard") await guiding.discard();
  return choice === "keep" || choice === "discard";
}

/** Somebody else has written the file that is open: whose version shall it be? */
async function settleChange(refusal: RefusedError): Promise<boolean> {
  const path = model.files.value?.path;
  const choice = await ask(
    "The file has changed on the disk",
    `${sentence(refusal.message)}.`,
    [
      { id: "cancel", label: "Cancel" },
      { id: "theirs", label: "Take theirs" },
      { id: "beside", label: "Save beside it…" },
      { id: "mine", label: "Keep mine", primary: true },
    ],
    "Theirs gives up your changes since the last save; mine gives up what is on the disk.",
  );
  if (choice === "mine") return write(null, true);
  if (choice === "beside") return saveAs();
  if (choice !== "theirs" || !path) return false;
  return (await tried(() => model.connection.ask({ type: "open-file", path, discard: true }))) === "done";
}

async function write(path: string | null, replace: boolean): Promise<boolean> {
  const outcome = await tried(() => model.connection.ask({ type: "save", path, replace }));
  if (outcome === "done") return true;
  if (outcome?.code === "changed") return settleChange(outcome);
  if (outcome?.code !== "exists") return false;
  const choice = await ask("Replace the file?", `${sentence(outcome.message)}.`, [
    { id: "cancel", label: "Cancel" },
    { id: "other", label: "Another name…" },
    { id: "replace", label: "Replace", primary: true },
  ]);
  if (choice === "other") return saveAs();
  return choice === "replace" && write(path, true);
}

/** Ask the server; a refusal that a question can settle is returned, any other is told (null). */
async function tried(asking: () => Promise<string | null>): Promise<"done" | RefusedError | null> {
  try {
    await asking();
    return "done";
  } catch (error) {
    if (error instanceof RefusedError && SETTLED.has(error.code)) return error;
    model.refuse(error as Error);
    return null;
  }
}
