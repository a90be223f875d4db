import { BEZIER, CONSTANT, type Curve, type Key } from "../model/curves";

/** Number of the last key at or before a time; −1 before the first. */
export function keyBefore(keys: readonly Key[], time: number): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle].time <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The curve's value at a time; held before the first key and after the last. */
export function valueAt(curve: Curve, time: number): number {
  const { keys } = curve;
  const before = keyBefore(keys, time);
  if (before < 0) return keys[0].value;
  if (before === keys.length - 1) return keys[before].value;
  const [from, to] = [keys[before], keys[before + 1]];
  if (from.interpolation === CONSTANT) return from.value;
  if (from.interpolation !== BEZIER) {
    return from.value + ((time - from.time) / (to.time - from.time)) * (to.value - from.value);
  }
  const along = whereTimeIs(from, to, time);
  return cubic(from.value, from.value + from.outY, to.value - to.inY, to.value, along);
}

/** The lowest and highest value that the curve takes between two times; the ends count as they are held. */
export function valueRange(curve: Curve, start: number, end: number): [number, number] {
  let [lowest, highest] = [Infinity, -Infinity];
  const take = (value: number): void => {
    lowest = Math.min(lowest, value);
    highest = Math.max(highest, value);
  };
  take(valueAt(curve, start));
  take(valueAt(curve, end));
  const { keys } = curve;
  for (let i = Math.max(0, keyBefore(keys, start)); i < keys.length && keys[i].time <= end; i++) {
    if (keys[i].time >= start) take(keys[i].value);
    if (keys[i].interpolation !== BEZIER || i + 1 === keys.length) continue;
    const [a, b, c, d] = [keys[i].value, keys[i].value + keys[i].outY, keys[i + 1].value - keys[i + 1].inY, keys[i + 1].value];
    for (const along of turningPoints(a, b, c, d)) {
      const time = cubic(keys[i].time, keys[i].time + keys[i].outX, keys[i + 1].time - keys[i + 1].inX, keys[i + 1].time, along);
      if (time >= start && time <= end) take(cubic(a, b, c, d, along));
    }
  }
  return [lowest, highest];
}

/** Numbers of the keys of a curve nearest to some times, those within a reach; each key once, in order. */
export function keysNear(keys: readonly Key[], times: readonly number[], reach: number): number[] {
  const found = new Set<number>();
  for (const time of keys.length > 0 ? times : []) {
    const before = Math.max(0, keyBefore(keys, time));
    const after = Math.min(keys.length - 1, before + 1);
    const nearest = Math.abs(keys[after].time - time) < Math.abs(keys[before].time - time) ? after : before;
    if (Math.abs(keys[nearest].time - time) <= reach) found.add(nearest);
  }
  return [...found].sort((a, b) => a - b);
}

function cubic(a: number, b: number, c: number, d: number, u: number): number {
  const v = 1 - u;
  return v * v * v * a + 3 * v * v * u * b + 3 * v * u * u * c + u * u * u * d;
}

/** How far along a Bezier segment, from 0 to 1, a time is. Time runs forward, so halving always finds it. */
function whereTimeIs(from: Key, to: Key, time: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 48; i++) {
    const middle = (low + high) / 2;
    if (cubic(from.time, from.time + from.outX, to.time - to.inX, to.time, middle) <= time) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Where between 0 and 1 a cubic Bezier polynomial neither rises nor falls. */
function turningPoints(a: number, b: number, c: number, d: number): number[] {
  // The derivative over 3: (b − a)(1 − u)² + 2(c − b)(1 − u)u + (d − c)u².
  const [p, q, r] = [b - a, c - b, d - c];
  const [square, linear] = [p - 2 * q + r, 2 * (q - p)];
  if (Math.abs(square) < 1e-12 * (Math.abs(p) + Math.abs(q) + Math.abs(r))) {
    return linear === 0 ? [] : [-p / linear].filter(within);
  }
  const under = linear * linear - 4 * square * p;
  if (under < 0) return [];
  const root = Math.sqrt(under);
  return [(-linear - root) / (2 * square), (-linear + root) / (2 * square)].filter(within);
}

function within(u: number): boolean {
  return u > 0 && u < 1;
}
