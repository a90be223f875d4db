import type { Overlay } from "./overlay";

const MARGIN = 8;

/** A few words beside a spot on the stage; kept within it. */
export class Label {
  private readonly element = document.createElement("div");

  constructor(
    private readonly overlay: Overlay,
    colour = "var(--text)",
  ) {
    this.element.style.cssText =
      "position:absolute;left:0;top:0;padding:2px 7px;border-radius:var(--radius);white-space:nowrap;display:none;" +
      `background:color-mix(in srgb, var(--ground) 86%, transparent);color:${colour};font-size:12px`;
    overlay.element.append(this.element);
  }

  get text(): string {
    return this.element.style.display === "none" ? "" : (this.element.textContent ?? "");
  }

  /** Show a text with its left edge `beside` pixels right of a spot; on the other side where there is no room. */
  show(text: string, x: number, y: number, beside = 14): void {
    if (this.element.textContent !== text) this.element.textContent = text;
    this.element.style.display = "block";
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const { clientWidth, clientHeight } = this.overlay.element;
    const right = x + beside + width + MARGIN <= clientWidth;
    const left = Math.max(MARGIN, right ? x + beside : x - beside - width);
    const top = Math.min(clientHeight - height - MARGIN, Math.max(MARGIN, y - height / 2));
    this.element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  hide(): void {
    this.element.style.display = "none";
  }
}
