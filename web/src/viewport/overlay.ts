const SVG = "http://www.w3.org/2000/svg";

/** A sheet over the canvas for what keeps its size in pixels: labels, and shapes as SVG. The pointer goes through it. */
export class Overlay {
  readonly element = document.createElement("div");
  private readonly svg = document.createElementNS(SVG, "svg");

  constructor(parent: HTMLElement) {
    this.element.style.cssText = "position:absolute;inset:0;overflow:hidden;pointer-events:none";
    this.svg.style.cssText = "position:absolute;inset:0;width:100%;height:100%;overflow:hidden";
    this.element.append(this.svg);
    parent.append(this.element);
  }

  /** A new shape on the sheet, hidden until it is shown. */
  shape<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>): SVGElementTagNameMap[K] {
    const shape = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, String(value));
    this.svg.append(shape);
    return shape;
  }
}

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

/** The path of a filled arrow head at (x, y) on a line from (fromX, fromY), in pixels. */
export function arrowHead(fromX: number, fromY: number, x: number, y: number): string {
  const long = Math.hypot(x - fromX, y - fromY) || 1;
  const [dx, dy] = [(x - fromX) / long, (y - fromY) / long];
  const length = Math.min(12, 0.6 * long);
  const [backX, backY] = [x - length * dx, y - length * dy];
  const half = 0.4 * length;
  const corner = (side: number): string => `${(backX - side * half * dy).toFixed(1)} ${(backY + side * half * dx).toFixed(1)}`;
  return `M${x.toFixed(1)} ${y.toFixed(1)}L${corner(1)}L${corner(-1)}Z`;
}
