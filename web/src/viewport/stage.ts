import * as THREE from "three";
import { GROUND } from "./colours";

/** The three.js scene with its camera and renderer. Draws when asked to, at most once a displayed frame. */
export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.02, 400);
  readonly renderer: THREE.WebGLRenderer;
  /** Called right before every drawing: bring your objects up to date here. */
  readonly beforeDraw: (() => void)[] = [];
  drawn = 0;
  private scheduled = 0;

  constructor(readonly element: HTMLElement) {
    const smooth = new URLSearchParams(location.search).get("aa") !== "0";
    this.renderer = new THREE.WebGLRenderer({ antialias: smooth, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(smooth ? Math.min(2, window.devicePixelRatio) : 1);
    this.scene.background = new THREE.Color(GROUND);
    this.renderer.domElement.style.cssText = "display:block;width:100%;height:100%;touch-action:none";
    element.append(this.renderer.domElement);
    new ResizeObserver(() => this.resize()).observe(element);
    this.resize();
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /** Something changed: draw at the next displayed frame. */
  invalidate(): void {
    if (this.scheduled !== 0) return;
    this.scheduled = requestAnimationFrame(() => {
      this.scheduled = 0;
      for (const prepare of this.beforeDraw) prepare();
      this.renderer.render(this.scene, this.camera);
      this.drawn++;
    });
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

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }
}
