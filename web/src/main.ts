import "./elements/theme.css";
import { build } from "./app/shell";
import { commands, model } from "./app/studio";

build(document.body);
model.connection.open();

declare global {
  interface Window {
    /** For the browser tests and for the curious. */
    inbetweener: { model: typeof model; commands: typeof commands };
  }
}
window.inbetweener = { model, commands };
