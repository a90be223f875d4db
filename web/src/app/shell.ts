/** Everything around the panels: bar, status line, hints, notices, dialogs, and what to do when the server is gone. */
import "./bar";
import "./corner";
import "./document_name";
import "./drop_target";
import "./hint";
import "./jobs";
import "./lost";
import "./menu";
import "./notices";
import "./obstacle_chip";
import "./shell_commands";
import "./status";
import { playOnFirstView } from "./first_view";
import { layOut } from "./layout";
import { commands } from "./studio";

/** Put the page together. */
export function build(body: HTMLElement): void {
  const parts = ["ib-bar", "main", "ib-status", "ib-corner", "ib-lost", "ib-drop-target"];
  const [bar, dock, ...rest] = parts.map((tag) => document.createElement(tag));
  body.append(bar, dock, ...rest);
  layOut(dock);
  noteHand();
  window.addEventListener("keydown", (event) => commands.onKey(event, document.documentElement.dataset.hand === "keys"));
  playOnFirstView();
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
