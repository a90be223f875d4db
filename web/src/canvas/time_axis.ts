/** Maps time to pixels across a sheet, with zoom and pan; shared by the timeline and the graph. */
export class TimeAxis {
  /** Seconds at the left edge, and pixels a second. */
  start = 0;
  scale = 100;

  x(time: number): number {
    return (time - this.start) * this.scale;
  }

  time(x: number): number {
    return this.start + x / this.scale;
  }

  /** Show from one time to another across a width, with a margin on both sides. */
  fit(from: number, to: number, width: number, margin = 24): void {
    const span = Math.max(1e-3, to - from);
    this.scale = Math.max(1, width - 2 * margin) / span;
    this.start = from - margin / this.scale;
  }

  /** Zoom about a pixel: what is under it stays there. */
  zoom(factor: number, x: number): void {
    const time = this.time(x);
    this.scale = Math.min(1e5, Math.max(0.5, this.scale * factor));
    this.start = time - x / this.scale;
  }

  pan(pixels: number): void {
    this.start -= pixels / this.scale;
  }

  /** Seconds between labelled lines so that labels are at least `pixels` apart: whole frames, then round multiples. */
  step(rate: number, pixels = 60): number {
    const frames = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];
    return (frames.find((n) => (n / rate) * this.scale >= pixels) ?? 20000) / rate;
  }
}
