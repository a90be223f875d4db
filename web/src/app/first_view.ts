import { onChange } from "../model/changes";
import { openBatch } from "./batch_dialog";
import { isFreshExample } from "./document_state";
import { model } from "./studio";

const PLACE = "inbetweener.seen";

/** The very first time, the example plays by itself, so that one sees a motion and not a statue; any touch stops it. */
export function playOnFirstView(): void {
  if (localStorage.getItem(PLACE) !== null) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const wait = onChange(isReady, (ready) => ready && start());
  const touches = ["pointerdown", "keydown", "wheel"] as const;
  const stop = (event: Event): void => {
    quit();
    // Its own button and Space stop it themselves; stopped here, they would start it again.
    if (!playsItself(event)) model.playback.playing.value = false;
  };
  for (const type of touches) window.addEventListener(type, stop, { capture: true, passive: true });

  function start(): void {
    localStorage.setItem(PLACE, "yes");
    wait();
    model.playback.play();
  }

  function quit(): void {
    wait();
    for (const type of touches) window.removeEventListener(type, stop, true);
  }
}

/** Who opens a folder that a batch wrote wants to see its clips; asked for once, when the page is told the folder. */
export function batchOnFirstView(): void {
  const end = onChange(model.files, (files) => {
    end();
    if (files?.batches.includes("")) void openBatch("");
  });
}

function isReady(): boolean {
  const hasMotion = (model.clip.value?.frames ?? 0) > 1 && model.frames.world(0) !== null;
  return hasMotion && isFreshExample(model.files.value, model.scene.value, model.history.value);
}

function playsItself(event: Event): boolean {
  if (event instanceof KeyboardEvent) return event.key === " ";
  const path = event.composedPath().filter((each) => each instanceof Element);
  return path.some((each) => each.tagName === "BUTTON") && path.some((each) => each.tagName === "IB-TIMELINE");
}
