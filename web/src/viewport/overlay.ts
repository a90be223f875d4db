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
