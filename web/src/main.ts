import "./app/theme.css";
import { build } from "./app/shell";
import { commands, model } from "./app/studio";
import "./graph/graph";
import "./panels/history";
import "./panels/inspector/inspector";
import "./panels/outliner/outliner";
import "./timeline/timeline";
import "./viewport/viewport";

build(document.body);
model.connection.open();

declare global {
  interface Window {
    /** For the browser tests and for the curious. */
    inbetweener: { model: typeof model; commands: typeof commands };
  }
}
window.inbetweener = { model, commands };
