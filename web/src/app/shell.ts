/** Everything around the panels: bar, status line, hints, notices, dialogs, and what to do when the server is gone. */
import "./bar";
import "./batch_chip";
import "./corner";
import "./document_name";
import "./drop_target";
import "./hint";
import "./jobs";
import "./lost";
import "./menu";
import "./notices";
import "./obstacle_chip";
import "./status";
import { recallKeys } from "../commands/keymap";
import { tangentCommands } from "../graph/commands";
import { loosenessCommands } from "../panels/dynamics/commands";
import { guidanceCommands } from "../panels/guidance/commands";
import { characterCommands } from "../panels/inspector/character";
import { skinCommands } from "../panels/inspector/skin_section";
import { timeCommands } from "../timeline/commands";
import { pointCommands } from "../viewport/tools/commands";
import { poseCommands } from "../viewport/tools/pose_commands";
import { toolCommands } from "../viewport/tools/registry";
import { clipCommands } from "./clip_commands";
import { batchOnFirstView, playOnFirstView } from "./first_view";
import { copyCommands, pasteCommands } from "./key_clipboard";
import { inTurn, layOut } from "./layout";
import { applyLook, lookCommands } from "./look_commands";
import { poseLibraryCommands } from "./pose_library_commands";
import { rememberLook } from "./remembered";
import { shellCommands } from "./shell_commands";
import { spacingCommands } from "./spacing_commands";
import { commands } from "./studio";
import { tellSelection } from "./tell_selection";

// In the order in which menus list them; the viewport adds those of its camera when there is one.
const COMMANDS = [
  shellCommands,
  clipCommands,
  copyCommands,
  spacingCommands,
  poseCommands,
  pasteCommands,
  poseLibraryCommands,
  tangentCommands,
  loosenessCommands,
  guidanceCommands,
  skinCommands,
  characterCommands,
  timeCommands,
  toolCommands,
  pointCommands,
  lookCommands,
].flat();

/** Put the page together. */
export function build(body: HTMLElement): void {
  applyLook();
  commands.add(...COMMANDS);
  commands.keymap.value = recallKeys(localStorage);
  const parts = ["ib-bar", "main", "ib-status", "ib-corner", "ib-lost", "ib-drop-target"];
  const [bar, dock, ...rest] = parts.map((tag) => document.createElement(tag));
  body.append(bar, dock, ...rest);
  inTurn(() => layOut(dock));
  noteHand();
  window.addEventListener("keydown", (event) => commands.onKey(event, document.documentElement.dataset.hand === "keys"));
  playOnFirstView();
  batchOnFirstView();
  rememberLook();
  tellSelection();
}

/** Remember whether the mouse or the keyboard went to a place last: for the ring around it, and for what Space does. */
function noteHand(): void {
  const { dataset } = document.documentElement;
  window.addEventListener("pointerdown", () => (dataset.hand = "mouse"), true);
  const leads = (event: KeyboardEvent): boolean => event.key === "Tab" || event.key === "F6";
  const note = (event: KeyboardEvent): void => {
    if (leads(event)) dataset.hand = "keys";
  };
  window.addEventListener("keydown", note, true);
}
