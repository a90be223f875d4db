import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals-core";

/** Call `then` whenever a signal, or what a function reads of some, has changed, though not for what it is now; returns what ends that. */
export function onChange<T>(read: () => T, then: (value: T) => void): () => void;
export function onChange<T>(read: ReadonlySignal<T>, then: (value: T) => void): () => void;
export function onChange<T>(read: ReadonlySignal<T> | (() => T), then: (value: T) => void): () => void {
  let isFirst = true;
  return effect(() => {
    const value = typeof read === "function" ? read() : read.value;
    if (!isFirst) untracked(() => then(value));
    isFirst = false;
  });
}

/** Do `work`, and call `changed` once, as soon as anything that it read has changed; returns what ends that. */
export function track(work: () => void, changed: () => void): () => void {
  let isFirst = true;
  return effect(() => {
    if (isFirst) work();
    else untracked(changed);
    isFirst = false;
  });
}

/** Work that is done again only when something that it read has changed; work that says false is not done yet. */
export class Renewal {
  private stale = true;
  private forget = (): void => undefined;

  constructor(
    private readonly work: () => unknown,
    private readonly outdated: () => void,
  ) {}

  get isStale(): boolean {
    return this.stale;
  }

  /** Bring it up to date; whether there was anything to do. */
  renew(): boolean {
    if (!this.stale) return false;
    this.stale = false;
    let isDone = true;
    this.forget();
    this.forget = track(
      () => {
        isDone = this.work() !== false;
      },
      () => this.outdate(),
    );
    this.stale ||= !isDone;
    return true;
  }

  /** Something else that it is made from has changed. */
  outdate(): void {
    this.stale = true;
    this.outdated();
  }
}

/** Changes of something that is no signal itself, such as numbers that are written in place. */
export class Version {
  private readonly count = signal(0);

  /** Depend on everything that comes. */
  read(): number {
    return this.count.value;
  }

  bump(): void {
    this.count.value = this.count.peek() + 1;
  }
}
