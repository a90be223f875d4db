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
