import { signal } from "@preact/signals-core";
import type { Reread } from "../protocol/messages";

export interface Notice {
  number: number;
  level: "info" | "warning" | "error";
  text: string;
  /** For whoever wants to know exactly. */
  more: readonly string[];
  /** A journal that can be opened. */
  left: string | null;
  /** Where what is told of can be fetched. */
  url: string | null;
  /** Other ways to read the open file: a question, which stays until it is answered or closed. */
  choices: readonly Reread[];
}

type Offers = Pick<Notice, "left" | "url" | "choices">;

const SHOWN_MS = { info: 5000, warning: 8000, error: 0 };

/** What was told, and when, in milliseconds since 1970. */
export type Told = Pick<Notice, "number" | "level" | "text" | "more"> & { at: number };

const MOST_TOLD = 200;

/** What the animator should read; errors stay until they are closed, the rest goes by itself, and all can be read again. */
export class Notices {
  readonly items = signal<readonly Notice[]>([]);
  /** Everything that was told on this page, the newest last. */
  readonly told = signal<readonly Told[]>([]);
  private last = 0;
  private readonly kept = new Set<number>();

  add(level: Notice["level"], line: string, more: readonly string[] = [], offers: Partial<Offers> = {}): void {
    const text = sentence(line);
    const same = this.items.value.find((each) => each.text === text);
    if (same) this.close(same.number);
    const number = ++this.last;
    this.told.value = [...this.told.value, { number, level, text, more, at: Date.now() }].slice(-MOST_TOLD);
    this.items.value = [...this.items.value, { number, level, text, more, left: null, url: null, choices: [], ...offers }].slice(-5);
    if (offers.choices?.length) this.keep(number);
    else if (SHOWN_MS[level] > 0) setTimeout(() => !this.kept.has(number) && this.close(number), SHOWN_MS[level]);
  }

  /** Somebody reads it: it stays until it is closed. */
  keep(number: number): void {
    this.kept.add(number);
  }

  /** Another document is open: what was told of the one before is over, but for what went wrong. */
  turnPage(): void {
    this.items.value = this.items.value.filter(({ level }) => level === "error");
  }

  close(number: number): void {
    this.kept.delete(number);
    this.items.value = this.items.value.filter((each) => each.number !== number);
  }
}

/** With a capital, as a line that stands alone begins; names of files, joints and channels keep their letters. */
export function sentence(text: string): string {
  return /^[a-z]+[ ,;]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
