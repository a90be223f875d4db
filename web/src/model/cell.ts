/** A value that can be watched. Setting the same value tells nobody. */
export class Cell<T> {
  private readonly watchers = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set value(next: T) {
    if (Object.is(next, this.current)) return;
    this.current = next;
    this.touch();
  }

  /** Tell all watchers, although the value is the same object: its content changed. */
  touch(): void {
    for (const watcher of [...this.watchers]) watcher(this.current);
  }

  /** Call `watcher` on every change; returns what ends that. */
  watch(watcher: (value: T) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}

/** Anything that can be watched, whatever it holds. */
export interface Watchable {
  watch(watcher: () => void): () => void;
}
