import type { Files, History, Scene } from "../protocol/messages";

/** Whether there are steps that no file has; opened and never touched is as good as saved. */
export function isUnsaved(history: History): boolean {
  return history.at !== (history.saved ?? 0);
}

/** The name of the step that undo would take back; null when there is none. */
export function undoable({ labels, at }: History): string | null {
  return at > 0 ? labels[at] : null;
}

/** The name of the step that redo would do again; null when there is none. */
export function redoable({ labels, at }: History): string | null {
  return at + 1 < labels.length ? labels[at + 1] : null;
}

/** Whether the document is a built-in example that nobody has touched. */
export function isFreshExample(files: Files | null, scene: Scene | null, history: History): boolean {
  const known = files?.examples.some((example) => example.name === scene?.name) ?? false;
  return known && files?.path === null && history.labels.length === 1;
}
