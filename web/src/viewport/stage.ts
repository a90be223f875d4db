import { signal } from "@preact/signals-core";
import * as THREE from "three";
import { Renewal, track } from "../model/changes";

/** The three.js scene with its camera and renderer. Draws when asked to, at most once a displayed frame. */
export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.02, 400);
  readonly renderer: THREE.WebGLRenderer;
  /** Whether edges are smooth and shadows fine; `?aa=0` does without, for machines without a graphics card. */
  readonly fine = new URLSearchParams(location.search).get("aa") !== "0";
  /** Called right before every drawing: bring your objects up to date here. What signals this reads ask for the next. */
  readonly beforeDraw: (() => void)[] = [];
  drawn = 0;
  /** Whether the browser has taken the graphics card away, as it does when the driver fails; it gives it back by itself. */
  readonly lost = signal(false);
  private isPaused = false;
  private forget = (): void => undefined;
  private readonly pace = new Pace();
  private scheduled = 0;

  constructor(readonly element: HTMLElement) {
    this.renderer = new THREE.WebGLRenderer({ antialias: this.fine, powerPreference: "high-performance" });
    this.canvas.style.cssText = "display:block;width:100%;height:100%;touch-action:none";
    element.append(this.canvas);
    // Also tells the first size.
    new ResizeObserver(() => this.resize()).observe(element);
    // three.js makes everything anew by itself; somebody has to ask for the picture.
    this.canvas.addEventListener("webglcontextlost", () => {
      this.lost.value = true;
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.lost.value = false;
      this.invalidate();
    });
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /** How often it draws now; 0 when it has nothing to draw. */
  get framesPerSecond(): number {
    return this.pace.perSecond(performance.now());
  }

  /** While true nothing is drawn: for measuring all else. */
  get paused(): boolean {
    return this.isPaused;
  }

  set paused(paused: boolean) {
    this.isPaused = paused;
    this.invalidate();
  }

  /** Something changed: draw at the next displayed frame. */
  invalidate(): void {
    if (this.scheduled !== 0) return;
    this.scheduled = requestAnimationFrame(() => this.draw());
  }

  /** Work for drawings that is done again only when something that it read has changed. */
  renewal(work: () => unknown): Renewal {
    return new Renewal(work, () => this.invalidate());
  }

  /** Where a world position is on the canvas, in CSS pixels; z is the depth from −1 to 1. */
  toPixels(position: THREE.Vector3, into = new THREE.Vector3()): THREE.Vector3 {
    into.copy(position).project(this.camera);
    into.x = (0.5 + 0.5 * into.x) * this.canvas.clientWidth;
    into.y = (0.5 - 0.5 * into.y) * this.canvas.clientHeight;
    return into;
  }

  /** The ray under a pixel, in the world. */
  ray(x: number, y: number): THREE.Ray {
    const caster = new THREE.Raycaster();
    const at = new THREE.Vector2((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight);
    caster.setFromCamera(at, this.camera);
    return caster.ray;
  }

  private draw(): void {
    cancelAnimationFrame(this.scheduled);
    this.scheduled = 0;
    if (this.paused || this.renderer.getContext().isContextLost()) return;
    this.forget();
    this.forget = track(
      () => {
        for (const prepare of this.beforeDraw) prepare();
      },
      () => this.invalidate(),
    );
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
    this.pace.drew(performance.now());
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(this.fine ? Math.min(2, window.devicePixelRatio) : 1);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    // At once: a resized canvas is empty, and the next displayed frame would show that.
    this.draw();
  }
}

const REMEMBERED_MS = 1000;
/** A pause this long is rest, not slowness. */
const REST_MS = 300;

/** How often something is drawn, over the last second in which it was drawn without rest. */
export class Pace {
  private times: number[] = [];

  drew(now: number): void {
    if (this.times.length > 0 && now - this.times[this.times.length - 1] > REST_MS) this.times = [];
    this.times.push(now);
    while (now - this.times[0] > REMEMBERED_MS) this.times.shift();
  }

  /** Drawings a second; 0 at rest. */
  perSecond(now: number): number {
    const count = this.times.length;
    if (count < 2 || now - this.times[count - 1] > REST_MS) return 0;
    return (1000 * (count - 1)) / (this.times[count - 1] - this.times[0]);
  }
}
