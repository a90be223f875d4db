import type { Curve } from "../model/curves";
import type { KeyRef } from "../protocol/messages";
import { type Drawn, isOn, type Row } from "./rows";

/** By row, the numbers of keys whose tangents guidance leaves alone. */
export type FrozenKeys = ReadonlyMap<Row, ReadonlySet<number>>;

/** Which keys of the drawn curves are frozen. */
export function frozenOn(drawn: readonly Drawn[], frozen: readonly KeyRef[]): FrozenKeys {
  const found = new Map<Row, Set<number>>();
  if (frozen.length === 0) return found;
  for (const { row } of drawn) {
    const numbers = frozen.filter((ref) => isOn(row, ref)).map(({ key }) => key);
    if (numbers.length > 0) found.set(row, new Set(numbers));
  }
  return found;
}

/** Whether two curves with the same keys look the same: a run that has gone back to its start makes new ones. */
export function sameTangents(one: Curve, other: Curve): boolean {
  if (one === other) return true;
  return (
    one.keys.length === other.keys.length &&
    one.keys.every((key, i) => {
      const { inX, inY, outX, outY } = other.keys[i];
      return key.inX === inX && key.inY === inY && key.outX === outX && key.outY === outY;
    })
  );
}
