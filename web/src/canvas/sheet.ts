import { track } from "../model/changes";

/** A canvas that fills its element, sharp on every screen, and draws only when something that it drew has changed. */
export abstract class Sheet extends HTMLElement {
  protected readonly canvas = document.createElement("canvas");
  protected readonly context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
  protected width = 0;
  protected height = 0;
  private endings: (() => void)[] = [];
  private forget = (): void => undefined;
  private scheduled = 0;
  private readonly resizing = new ResizeObserver(() => this.resize());

  constructor() {
    super();
    this.canvas.style.cssText = "display:block;width:100%;height:100%;touch-action:none";
    this.tabIndex = 0;
  }

  connectedCallback(): void {
    this.append(this.canvas);
    this.resizing.observe(this);
    this.endings = this.listen();
    this.resize();
  }

  disconnectedCallback(): void {
    this.resizing.disconnect();
    this.forget();
    for (const end of this.endings) end();
  }

  /** Draw at the next displayed frame. */
  invalidate(): void {
    if (this.scheduled !== 0) return;
    this.scheduled = requestAnimationFrame(() => {
      this.scheduled = 0;
      if (this.width === 0 || this.height === 0 || !this.isConnected) return;
      this.forget();
      this.forget = track(
        () => this.draw(this.context),
        () => this.invalidate(),
      );
    });
  }

  /** What else happens on changes, while it is on the page: what ends each. */
  protected listen(): (() => void)[] {
    return [];
  }

  /** Draw everything, in CSS pixels; what this reads of signals draws it anew when it changes. */
  protected abstract draw(context: CanvasRenderingContext2D): void;

  /** Where a pointer event is, in CSS pixels from the top left. */
  protected at(event: MouseEvent): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private resize(): void {
    const ratio = window.devicePixelRatio || 1;
    [this.width, this.height] = [this.clientWidth, this.clientHeight];
    this.canvas.width = Math.max(1, Math.round(this.width * ratio));
    this.canvas.height = Math.max(1, Math.round(this.height * ratio));
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.invalidate();
  }
}
