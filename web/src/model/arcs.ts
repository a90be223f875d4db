import type { Arc } from "../protocol/binary";
import { Cell } from "./cell";

/** The motion curves that the server has told, by the page's own numbers. */
export class Arcs {
  readonly version = new Cell(0);
  private readonly told = new Map<number, Arc>();

  put(arc: Arc): void {
    this.told.set(arc.arc, arc);
    this.version.value++;
  }

  get(number: number): Arc | null {
    return this.told.get(number) ?? null;
  }

  /** Forget all but some. */
  keep(numbers: ReadonlySet<number>): void {
    for (const number of [...this.told.keys()]) if (!numbers.has(number)) this.told.delete(number);
    this.version.value++;
  }
}
