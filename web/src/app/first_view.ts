import { isFreshExample } from "./document_state";
import { model } from "./studio";

const PLACE = "inbetweener.seen";

/** The very first time, the example plays by itself, so that one sees a motion and not a statue; any touch stops it. */
export function playOnFirstView(): void {
  if (localStorage.getItem(PLACE) !== null) return;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const waits = [model.files, model.scene, model.clip, model.frames.version].map((cell) => cell.watch(start));
  const touches = ["pointerdown", "keydown", "wheel"] as const;
  const stop = (event: Event): void => {
    quit();
    // Its own button and Space stop it themselves; stopped here, they would start it again.
    if (!playsItself(event)) model.playback.playing.value = false;
  };
  for (const type of touches) window.addEventListener(type, stop, { capture: true, passive: true });

  function start(): void {
    const ready = (model.clip.value?.frames ?? 0) > 1 && model.frames.world(0) !== null;
    if (!ready || !isFreshExample(model.files.value, model.scene.value, model.history.value)) return;
    localStorage.setItem(PLACE, "yes");
    for (const end of waits) end();
    model.playback.play();
  }

  function quit(): void {
    for (const end of waits) end();
    for (const type of touches) window.removeEventListener(type, stop, true);
  }
}

function playsItself(event: Event): boolean {
  if (event instanceof KeyboardEvent) return event.key === " ";
  const path = event.composedPath().filter((each) => each instanceof Element);
  return path.some((each) => each.tagName === "BUTTON") && path.some((each) => each.tagName === "IB-TIMELINE");
}
