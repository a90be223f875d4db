// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from "vitest";
import { Orbit, type Standpoint } from "../src/viewport/camera";
import { CameraControls } from "../src/viewport/camera_controls";

let [orbit, element, isTrackpad]: [Orbit, HTMLElement, boolean] = [] as never;
beforeEach(() => {
  [orbit, element, isTrackpad] = [new Orbit(), document.createElement("div"), true];
  element.getBoundingClientRect = () => new DOMRect(0, 0, 800, 400);
  new CameraControls(
    orbit,
    element,
    document.createElement("canvas"),
    () => undefined,
    () => isTrackpad,
  );
});

function turned(wheel: WheelEventInit): { before: Standpoint; after: Standpoint } {
  const before = orbit.standpoint;
  const usual = { deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, shiftKey: false, clientX: 400, clientY: 200 };
  element.dispatchEvent(Object.assign(new Event("wheel", { cancelable: true }), usual, wheel));
  return { before, after: orbit.standpoint };
}

describe("two fingers on a trackpad", () => {
  test("turn the camera as a drag by as much does", () => {
    const { before, after } = turned({ deltaX: 40, deltaY: -20 });
    expect(after.azimuth - before.azimuth).toBeCloseTo((Math.PI * 40) / 400, 6);
    expect(after.elevation - before.elevation).toBeCloseTo((Math.PI * 20) / 400, 6);
    expect([after.distance, after.target]).toEqual([before.distance, before.target]);
  });

  test("slide it with Shift", () => {
    const { before, after } = turned({ deltaX: 0, deltaY: 40, shiftKey: true });
    expect([after.azimuth, after.elevation, after.distance]).toEqual([before.azimuth, before.elevation, before.distance]);
    expect(after.target).not.toEqual(before.target);
  });

  test("pinch it nearer, which arrives as a wheel with Ctrl", () => {
    const { before, after } = turned({ deltaY: -10, ctrlKey: true });
    expect(after.distance).toBeLessThan(before.distance);
    expect(after.azimuth).toBe(before.azimuth);
  });
});

test("a wheel comes nearer where no trackpad is meant", () => {
  isTrackpad = false;
  const { before, after } = turned({ deltaY: -100 });
  expect(after.distance).toBeLessThan(before.distance);
  expect(after.azimuth).toBe(before.azimuth);
});
