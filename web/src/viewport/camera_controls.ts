import { type DragSteps, followDrag, followPress } from "../canvas/press";
import { between, type Orbit, type Standpoint } from "./camera";

const TRAVEL_MS = 180;

type Motion = (dx: number, dy: number) => void;

/** The mouse on the camera: Alt or the middle button turn it, with Shift slide it; the right button slides; the wheel zooms. */
export class CameraControls {
  private travelling = 0;
  /** Whether the plain left button turns the camera too, where no tool wants it. */
  leftTurns = false;

  constructor(
    private readonly orbit: Orbit,
    private readonly element: HTMLElement,
    private readonly canvas: HTMLCanvasElement,
    private readonly redraw: () => void,
  ) {
    // On the way down, so that tools never see a press that is the camera's.
    element.addEventListener("pointerdown", (event) => this.press(event), true);
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
    const pace = event.ctrlKey ? 0.01 : 0.0015;
    const factor = Math.exp(Math.max(-0.7, Math.min(0.7, pace * lines * event.deltaY)));
    const x = (event.clientX - box.left - box.width / 2) / box.height;
    const y = (box.top + box.height / 2 - event.clientY) / box.height;
    this.orbit.zoom(factor, x, y);
    this.redraw();
  }
}
