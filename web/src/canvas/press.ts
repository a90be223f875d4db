/** What a drag does while the pointer moves; `cancel` on Escape or when the pointer is taken away. */
export interface DragSteps {
  move(event: PointerEvent): void;
  commit(event: PointerEvent): void;
  cancel(): void;
}

/** A press that may become a drag. */
export interface Press {
  /** The pointer has gone so far that it means a drag; null where a drag does nothing. */
  begin?(): DragSteps | null;
  /** It went up where it went down. */
  click?(event: PointerEvent): void;
  /** It is over, whatever it was: told before that. */
  end?(): void;
  /** How far the pointer has gone from there; all ways count alike where it does not say. */
  apart?(dx: number, dy: number): number;
}

/** A pointer that goes less far than this between down and up has clicked: so many pixels a hand may tremble. */
const STILL = 3;

/** Tell clicks from drags: a drag begins only once the pointer has really moved. */
export function followPress(target: HTMLElement, start: PointerEvent, { begin, click, end, apart = Math.hypot }: Press): void {
  let isDrag = false;
  let steps: DragSteps | null = null;
  followDrag(target, start, {
    move(event) {
      if (!isDrag && apart(event.clientX - start.clientX, event.clientY - start.clientY) >= STILL) {
        isDrag = true;
        steps = begin?.() ?? null;
      }
      steps?.move(event);
    },
    commit(event) {
      end?.();
      if (isDrag) steps?.commit(event);
      else click?.(event);
    },
    cancel() {
      end?.();
      steps?.cancel();
    },
  });
}

/** Follow the pointer that went down in `start` until it goes up; Escape cancels. For what is a drag from the press on. */
export function followDrag(target: HTMLElement, start: PointerEvent, steps: DragSteps): void {
  target.setPointerCapture(start.pointerId);
  const listening = new AbortController();
  const { signal } = listening;
  const stop = (): void => {
    listening.abort();
    if (target.hasPointerCapture(start.pointerId)) target.releasePointerCapture(start.pointerId);
  };
  const isMine = (event: PointerEvent): boolean => event.pointerId === start.pointerId;
  const cancel = (): void => {
    stop();
    steps.cancel();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    cancel();
  };
  const up = (event: PointerEvent): void => {
    if (!isMine(event)) return;
    stop();
    steps.commit(event);
  };
  target.addEventListener("pointermove", (event) => isMine(event) && steps.move(event), { signal });
  target.addEventListener("pointerup", up, { signal });
  target.addEventListener("pointercancel", cancel, { signal });
  window.addEventListener("keydown", key, { capture: true, signal });
}
