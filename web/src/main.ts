import "./elements/theme.css";
import { panelsMade } from "./app/layout";
import { build } from "./app/shell";
import { commands, model } from "./app/studio";

// In a task of its own: reading the code has taken long enough. Panels are there before anything is told to them.
setTimeout(() => {
  build(document.body);
  void panelsMade().then(() => model.connection.open());
});

declare global {
  interface Window {
    /** For the browser tests and for the curious. */
    inbetweener: { model: typeof model; commands: typeof commands };
  }
}
window.inbetweener = { model, commands };
