import { type DragSteps, followDrag, followPress } from "../canvas/press";
import { between, type Orbit, type Standpoint } from "./camera";

const TRAVEL_MS = 180;

type Motion = (dx: number, dy: number) => void;

interface Spot {
  x: number;
  y: number;
}

/**
 * The mouse on the camera: Alt or the middle button turn it, with Shift slide it; the right button slides; the wheel zooms.
 * Two fingers on a screen slide and pinch it, three turn it; one is the tools'. On a trackpad, where that is wished, two
 * turn it, with Shift slide it, and pinch.
 */
export class CameraControls {
  private travelling = 0;
  /** Fingers that are down, by pointer. */
  private fingers = new Map<number, Spot>();
  /** Whether the plain left button turns the camera too, where no tool wants it. */
  leftTurns = false;

  constructor(
    private readonly orbit: Orbit,
    private readonly element: HTMLElement,
    private readonly canvas: HTMLCanvasElement,
    private readonly redraw: () => void,
    private readonly isTrackpad: () => boolean,
  ) {
    // On the way down, so that tools never see a press that is the camera's.
    element.addEventListener("pointerdown", (event) => this.press(event), true);
    element.addEventListener("pointermove", (event) => this.moveFinger(event), true);
    for (const type of ["pointerup", "pointercancel"] as const) {
      element.addEventListener(type, (event) => this.fingers.delete(event.pointerId), true);
    }
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    element.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Go to a standpoint: quickly, but so that one sees where one goes. */
  travel(to: Standpoint): void {
    cancelAnimationFrame(this.travelling);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.orbit.stand(to);
    const from = this.orbit.standpoint;
    const began = performance.now();
    const step = (): void => {
      const share = Math.min(1, (performance.now() - began) / TRAVEL_MS);
      this.orbit.stand(share === 1 ? to : between(from, to, 1 - (1 - share) ** 3));
      this.redraw();
      this.travelling = share < 1 ? requestAnimationFrame(step) : 0;
    };
    step();
  }

  /** Stop where we are. */
  halt(): void {
    cancelAnimationFrame(this.travelling);
    this.travelling = 0;
  }

  private press(event: PointerEvent): void {
    if (event.pointerType === "touch" && this.addFinger(event)) return;
    const motion = this.motionFor(event);
    if (!motion) return;
    // A plain right press may yet be a click on the menu; all else is ours at once.
    const certain = event.button !== 2 || event.altKey;
    if (certain) {
      event.stopPropagation();
      event.preventDefault();
      this.element.focus({ preventScroll: true });
    }
    this.halt();
    const before = this.orbit.standpoint;
    let [x, y] = [event.clientX, event.clientY];
    const steps: DragSteps = {
      move: (to) => {
        motion((to.clientX - x) / this.element.clientHeight, (to.clientY - y) / this.element.clientHeight);
        [x, y] = [to.clientX, to.clientY];
        this.redraw();
      },
      commit: () => {},
      cancel: () => {
        this.orbit.stand(before);
        this.redraw();
      },
    };
    if (certain) followDrag(this.canvas, event, steps);
    else followPress(this.canvas, event, { begin: () => steps });
  }

  /** Whether this finger comes beside others: then they are the camera's, and what the first one held is let go as it was. */
  private addFinger(event: PointerEvent): boolean {
    const others = [...this.fingers];
    if (others.length === 1) {
      const [[pointerId]] = others;
      this.canvas.dispatchEvent(new PointerEvent("pointercancel", { pointerId, pointerType: "touch", bubbles: true }));
    }
    this.fingers = new Map([...others, [event.pointerId, spotOf(event)]]);
    if (others.length === 0) return false;
    event.stopPropagation();
    event.preventDefault();
    this.halt();
    return true;
  }

  private moveFinger(event: PointerEvent): void {
    if (!this.fingers.has(event.pointerId)) return;
    const before = grip(this.fingers);
    this.fingers.set(event.pointerId, spotOf(event));
    if (this.fingers.size < 2) return;
    const after = grip(this.fingers);
    const box = this.element.getBoundingClientRect();
    const [dx, dy] = [(after.x - before.x) / box.height, (after.y - before.y) / box.height];
    if (this.fingers.size > 2) this.orbit.rotate(-Math.PI * dx, Math.PI * dy);
    else {
      this.orbit.pan(dx, dy);
      this.zoomAt(Math.max(1, before.spread) / Math.max(1, after.spread), after, box);
    }
    this.redraw();
  }

  private zoomAt(factor: number, { x, y }: Spot, box: DOMRect): void {
    this.orbit.zoom(factor, (x - box.left - box.width / 2) / box.height, (box.top + box.height / 2 - y) / box.height);
  }

  private motionFor({ button, altKey, shiftKey }: PointerEvent): Motion | null {
    const turn: Motion = (dx, dy) => this.orbit.rotate(-Math.PI * dx, Math.PI * dy);
    const slide: Motion = (dx, dy) => this.orbit.pan(dx, dy);
    const near: Motion = (dx, dy) => this.orbit.zoom(Math.exp(-2 * (dx - dy)));
    if (button === 0) return altKey || this.leftTurns ? (shiftKey ? slide : turn) : null;
    if (button === 1) return altKey || shiftKey ? slide : turn;
    if (button === 2) return altKey ? near : slide;
    return null;
  }

  private wheel(event: WheelEvent): void {
    // Also keeps the browser from zooming the page when two fingers pinch, which arrives as wheel with Ctrl.
    event.preventDefault();
    this.halt();
    const box = this.element.getBoundingClientRect();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
    // Browsers tell of a pinch as of a wheel with Ctrl.
    if (this.isTrackpad() && !event.ctrlKey) {
      const [dx, dy] = [(-lines * event.deltaX) / box.height, (-lines * event.deltaY) / box.height];
      if (event.shiftKey) this.orbit.pan(dx, dy);
      else this.orbit.rotate(-Math.PI * dx, Math.PI * dy);
      return this.redraw();
    }
    const pace = event.ctrlKey ? 0.01 : 0.0015;
    const factor = Math.exp(Math.max(-0.7, Math.min(0.7, pace * lines * event.deltaY)));
    this.zoomAt(factor, spotOf(event), box);
    this.redraw();
  }
}

function spotOf({ clientX: x, clientY: y }: MouseEvent): Spot {
  return { x, y };
}

/** The middle of all fingers, and how far they are from it on average. */
function grip(fingers: ReadonlyMap<number, Spot>): Spot & { spread: number } {
  const spots = [...fingers.values()];
  const mean = (of: (spot: Spot) => number): number => spots.reduce((sum, each) => sum + of(each), 0) / spots.length;
  const [x, y] = [mean((each) => each.x), mean((each) => each.y)];
  return { x, y, spread: mean((each) => Math.hypot(each.x - x, each.y - y)) };
}
