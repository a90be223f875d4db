import type { Command } from "../commands/commands";
import type { Model } from "../model/model";
import { openAbout } from "./about";
import { markClip, openBatch } from "./batch_dialog";
import { openBring } from "./bring_dialog";
import { addedCharacters, openAdd, openRemove } from "./character_dialogs";
import { redoable, undoable } from "./document_state";
import { openExport } from "./export_dialog";
import { logOut, rename, save, saveAs } from "./files";
import { openGallery } from "./gallery";
import { focusNext, resetLayout } from "./layout";
import { openNotices } from "./notice_log";
import { openPalette } from "./palette";
import { openShortcuts } from "./shortcut_sheet";

const hasDocument = (model: Model): boolean => model.scene.value !== null;
const notYet = (): string => "No document is open yet";

/** What the shell around the panels does: files, history, panels, help. */
export const shellCommands: readonly Command[] = [
  { id: "open", label: "Open…", group: "File", keys: ["Ctrl+O"], run: () => void openGallery() },
  {
    id: "save",
    label: "Save",
    group: "File",
    keys: ["Ctrl+S"],
    run: () => void save(),
    enabled: hasDocument,
    why: notYet,
  },
  {
    id: "save-as",
    label: "Save as…",
    group: "File",
    keys: ["Ctrl+Shift+S"],
    run: () => void saveAs(),
    enabled: hasDocument,
    why: notYet,
  },
  {
    id: "export",
    label: "Export…",
    group: "File",
    keys: ["Ctrl+E"],
    run: () => void openExport(),
    enabled: hasDocument,
    why: notYet,
  },
  {
    id: "bring-clip",
    label: "Bring in a clip…",
    group: "Clips",
    run: () => void openBring(),
    enabled: hasDocument,
    why: notYet,
  },
  {
    id: "add-character",
    label: "Add a character or prop…",
    group: "Character",
    run: () => void openAdd(),
    enabled: hasDocument,
    why: notYet,
  },
  {
    id: "remove-character",
    label: "Remove a character…",
    group: "Character",
    run: () => void openRemove(),
    enabled: () => addedCharacters().length > 0,
    why: () => "Nobody was added",
  },
  {
    id: "rename",
    label: "Rename document…",
    group: "File",
    keys: ["F2"],
    run: () => void rename(),
    enabled: hasDocument,
    why: notYet,
  },
  {
    id: "batch",
    label: "Clips of the batch…",
    group: "File",
    keys: ["Ctrl+B"],
    run: ({ files }) => void openBatch(files.value?.clip?.folder ?? files.value?.batches[0] ?? ""),
    enabled: ({ files }) => (files.value?.batches.length ?? 0) > 0,
    why: () => "No batch has written into this folder",
  },
  {
    id: "mark-done",
    label: "Mark as done",
    group: "File",
    keys: ["Ctrl+Enter"],
    run: ({ files }) => {
      const clip = files.value?.clip;
      if (clip) void markClip(clip.folder, clip.name, !clip.done);
    },
    checked: ({ files }) => files.value?.clip?.done ?? false,
    enabled: ({ files }) => !!files.value?.clip,
    why: () => "The open document is no clip of a batch",
  },
  { id: "log-out", label: "Log out everywhere…", group: "File", keys: [], run: () => void logOut() },
  {
    id: "undo",
    label: "Undo",
    group: "Edit",
    keys: ["Ctrl+Z"],
    run: (model) => void model.ask({ type: "undo" }),
    enabled: (model) => undoable(model.history.value) !== null,
    why: () => "Nothing to undo",
  },
  {
    id: "redo",
    label: "Redo",
    group: "Edit",
    keys: ["Ctrl+Shift+Z", "Ctrl+Y"],
    run: (model) => void model.ask({ type: "redo" }),
    enabled: (model) => redoable(model.history.value) !== null,
    why: () => "Nothing has been undone",
  },
  { id: "next-panel", label: "Go to next panel", group: "Panels", keys: ["F6"], run: () => focusNext(1) },
  { id: "previous-panel", label: "Go to previous panel", group: "Panels", keys: ["Shift+F6"], run: () => focusNext(-1) },
  { id: "reset-layout", label: "Reset layout", group: "Panels", run: () => resetLayout() },
  { id: "palette", label: "Find a command…", group: "Help", keys: ["Ctrl+K", "F3"], run: () => void openPalette() },
  { id: "shortcuts", label: "Shortcuts and gestures", group: "Help", keys: ["?", "F1"], run: () => openShortcuts() },
  { id: "notices", label: "Notices so far", group: "Help", run: () => openNotices() },
  { id: "about", label: "About Inbetweener", group: "Help", run: () => openAbout() },
];
