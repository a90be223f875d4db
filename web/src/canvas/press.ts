import { type DragSteps, followPointer } from "./drag";

/** A press that may become a drag. */
export interface Press {
  /** The pointer went so far that it means a drag. */
  begin(): DragSteps;
  /** It went up where it went down. */
  click(event: PointerEvent): void;
}

/** Pixels that a hand may tremble in a click. */
const STILL = 3;

/** Tell clicks from drags: a drag begins only once the pointer has really moved. */
export function followPress(target: HTMLElement, start: PointerEvent, press: Press): void {
  let steps: DragSteps | null = null;
  followPointer(target, start, {
    move(event) {
      const far = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > STILL;
      if (!steps && far) steps = press.begin();
      steps?.move(event);
    },
    commit(event) {
      if (steps) steps.commit(event);
      else press.click(event);
    },
    cancel: () => steps?.cancel(),
  });
}
