import "./app/theme.css";
import { layOut } from "./app/layout";
import { commands, model } from "./app/studio";
import "./app/shell";
import "./graph/graph";
import "./panels/history";
import "./panels/inspector";
import "./panels/outliner";
import "./timeline/timeline";
import "./viewport/viewport";

const [bar, dock, status] = ["ib-bar", "main", "ib-status"].map((tag) => document.createElement(tag));
document.body.append(bar, dock, status);
layOut(dock);
window.addEventListener("keydown", (event) => commands.onKey(event));
model.connection.open();

declare global {
  interface Window {
    /** For the browser tests and for the curious. */
    inbetweener: { model: typeof model; commands: typeof commands };
  }
}
window.inbetweener = { model, commands };
