/** What a drag does while the pointer moves; `cancel` on Escape or when the pointer is taken away. */
export interface DragSteps {
  move(event: PointerEvent): void;
  commit(event: PointerEvent): void;
  cancel(): void;
}

/** Follow the pointer that went down in `start` until it goes up; Escape cancels. Works for canvases and elements. */
export function followPointer(target: HTMLElement, start: PointerEvent, steps: DragSteps): void {
  target.setPointerCapture(start.pointerId);
  const stop = (): void => {
    target.removeEventListener("pointermove", move);
    target.removeEventListener("pointerup", up);
    target.removeEventListener("pointercancel", cancel);
    window.removeEventListener("keydown", key, true);
    if (target.hasPointerCapture(start.pointerId)) target.releasePointerCapture(start.pointerId);
  };
  const move = (event: PointerEvent): void => {
    if (event.pointerId === start.pointerId) steps.move(event);
  };
  const up = (event: PointerEvent): void => {
    if (event.pointerId !== start.pointerId) return;
    stop();
    steps.commit(event);
  };
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
  target.addEventListener("pointermove", move);
  target.addEventListener("pointerup", up);
  target.addEventListener("pointercancel", cancel);
  window.addEventListener("keydown", key, true);
}
