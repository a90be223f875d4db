// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from "vitest";
import { followDrag, followPress } from "../src/canvas/press";

let [target, captured]: [HTMLElement, Set<number>] = [document.body, new Set()];
const steps = { move: vi.fn(), commit: vi.fn(), cancel: vi.fn() };
const press = { begin: vi.fn(() => steps), click: vi.fn(), end: vi.fn() };

function point(type: string, x: number, y: number, pointerId = 1): PointerEvent {
  const event = new PointerEvent(type, { clientX: x, clientY: y, pointerId });
  target.dispatchEvent(event);
  return event;
}

function pressEscape(): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
  target.dispatchEvent(event);
  return event;
}

beforeEach(() => {
  vi.clearAllMocks();
  target = document.createElement("div");
  captured = new Set();
  target.setPointerCapture = (id) => void captured.add(id);
  target.releasePointerCapture = (id) => void captured.delete(id);
  target.hasPointerCapture = (id) => captured.has(id);
  document.body.replaceChildren(target);
});

describe("a press", () => {
  test("that hardly moves is a click, where it goes up", () => {
    followPress(target, point("pointerdown", 10, 10), press);
    point("pointermove", 12, 11);
    const up = point("pointerup", 12, 11);
    expect(press.click).toHaveBeenCalledExactlyOnceWith(up);
    expect(press.begin).not.toHaveBeenCalled();
    expect(press.end).toHaveBeenCalledOnce();
  });

  test("that goes three pixels is a drag, also when it comes back", () => {
    followPress(target, point("pointerdown", 10, 10), press);
    point("pointermove", 11, 10);
    expect(steps.move).not.toHaveBeenCalled();
    const far = point("pointermove", 10, 13);
    expect(steps.move).toHaveBeenCalledExactlyOnceWith(far);
    point("pointermove", 10, 10);
    const up = point("pointerup", 10, 10);
    expect(press.begin).toHaveBeenCalledOnce();
    expect(steps.move).toHaveBeenCalledTimes(2);
    expect(steps.commit).toHaveBeenCalledExactlyOnceWith(up);
    expect(press.click).not.toHaveBeenCalled();
    expect(press.end.mock.invocationCallOrder[0]).toBeLessThan(steps.commit.mock.invocationCallOrder[0]);
  });

  test("is measured as it wishes: a scrub goes sideways", () => {
    followPress(target, point("pointerdown", 10, 10), { ...press, apart: Math.abs });
    point("pointermove", 11, 60);
    expect(press.begin).not.toHaveBeenCalled();
    point("pointermove", 13, 60);
    expect(press.begin).toHaveBeenCalledOnce();
    point("pointerup", 13, 60);
  });

  test("whose drag does nothing is no click either", () => {
    followPress(target, point("pointerdown", 0, 0), { click: press.click, begin: () => null });
    point("pointermove", 50, 0);
    point("pointerup", 50, 0);
    expect(press.click).not.toHaveBeenCalled();
  });

  test.each([true, false])("is given up by Escape, which goes no further (a drag: %s)", (isDrag) => {
    followPress(target, point("pointerdown", 0, 0), press);
    if (isDrag) point("pointermove", 9, 0);
    const heard = vi.fn();
    target.addEventListener("keydown", heard);
    expect(pressEscape().defaultPrevented).toBe(true);
    point("pointermove", 20, 0);
    point("pointerup", 20, 0);
    expect(heard).not.toHaveBeenCalled();
    expect(steps.cancel).toHaveBeenCalledTimes(isDrag ? 1 : 0);
    expect(steps.move).toHaveBeenCalledTimes(isDrag ? 1 : 0);
    expect([steps.commit, press.click].some((each) => each.mock.calls.length > 0)).toBe(false);
    expect(press.end).toHaveBeenCalledOnce();
  });
});

describe("a drag", () => {
  test("has the pointer to itself until it goes up", () => {
    followDrag(target, point("pointerdown", 0, 0), steps);
    expect(captured).toEqual(new Set([1]));
    point("pointermove", 1, 0, 2);
    point("pointerup", 1, 0, 2);
    expect(steps.move).not.toHaveBeenCalled();
    point("pointermove", 1, 0);
    point("pointerup", 1, 0);
    expect(captured.size).toBe(0);
    point("pointermove", 2, 0);
    expect(steps.move).toHaveBeenCalledOnce();
    expect(steps.commit).toHaveBeenCalledOnce();
    expect(pressEscape().defaultPrevented).toBe(false);
  });

  test("whose pointer is taken away is cancelled", () => {
    followDrag(target, point("pointerdown", 0, 0), steps);
    point("pointercancel", 0, 0);
    expect(steps.cancel).toHaveBeenCalledOnce();
    expect(steps.commit).not.toHaveBeenCalled();
  });
});
