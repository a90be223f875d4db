/** A page of its own: one document that plays, with its motion curves, and no server behind it. */
import "../elements/theme.css";
import { onChange } from "../model/changes";
import { Model } from "../model/model";
import { ShowOnly } from "../viewport/show_only";
import { firstTool } from "../viewport/tools/registry";
import { Player } from "./player";
import { layOutFiles, RecordedSocket, readRecording } from "./recording";

async function start(): Promise<void> {
  const recording = await readRecording(document.getElementById("recording") as HTMLElement);
  layOutFiles(recording);
  const model = new Model(() => new RecordedSocket(recording), firstTool);
  document.body.style.gridTemplateRows = "1fr auto";
  document.body.append(new ShowOnly(model), new Player(model, recording.arcs));
  // A document that is opened begins with nothing selected.
  const begin = onChange(
    () => model.frames.world(0) !== null,
    () => {
      begin();
      model.selection.points.value = recording.arcs;
      if (!matchMedia("(prefers-reduced-motion: reduce)").matches) model.playback.play();
    },
  );
  model.connection.open();
  window.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    model.playback.toggle();
  });
  Object.assign(window, { inbetweener: { model } });
}

start().catch((error: Error) => {
  document.body.textContent = `This page cannot be shown: ${error.message}`;
});
