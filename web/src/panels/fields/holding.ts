/** What a field or slider holds while it is dragged: a gesture of one number, or anything that behaves like one. */
export interface Holding {
  move(value: number): void;
  commit(): unknown;
  cancel(): unknown;
}

/** A holding for edits in one stroke: nothing is asked until the hand lets go. */
export function atTheEnd(set: (value: number) => unknown): Holding {
  let last: number | null = null;
  return {
    move: (value) => {
      last = value;
    },
    commit: () => (last === null ? undefined : set(last)),
    cancel: () => undefined,
  };
}

/** A holding for what this page alone keeps: it follows the hand, and goes back when that is wanted. */
export function live(before: number, set: (value: number) => void): Holding {
  return { move: set, commit: () => undefined, cancel: () => set(before) };
}
