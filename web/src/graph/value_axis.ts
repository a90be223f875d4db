import type { Unit } from "./units";

/** Maps the values of one unit to pixels, upwards; one for each unit that is shown. */
export class ValueAxis {
  /** The value at the top pixel row, and pixels for one of the document's unit. */
  top = 1;
  scale = 100;

  constructor(readonly unit: Unit) {}

  y(value: number): number {
    return (this.top - value) * this.scale;
  }

  value(y: number): number {
    return this.top - y / this.scale;
  }

  /** Show from the lowest to the highest value between two pixel rows; a level line comes to the middle. */
  fit(lowest: number, highest: number, upper: number, lower: number): void {
    const missing = Math.max(0, this.unit.leastSpan - (highest - lowest)) / 2;
    const span = highest - lowest + 2 * missing;
    this.scale = Math.max(1, lower - upper) / span;
    this.top = highest + missing + upper / this.scale;
  }

  /** Zoom about a pixel: the value under it stays there. */
  zoom(factor: number, y: number): void {
    const value = this.value(y);
    this.scale = Math.min(1e8, Math.max(1e-4, this.scale * factor));
    this.top = value + y / this.scale;
  }

  pan(pixels: number): void {
    this.top += pixels / this.scale;
  }

  /** The distance between labelled lines, in the unit people read, so that they are at least `pixels` apart. */
  step(pixels: number): number {
    const perPixel = this.unit.factor / this.scale;
    const least = pixels * perPixel;
    return this.unit.steps.find((step) => step >= least) ?? 10 ** Math.ceil(Math.log10(least));
  }
}
