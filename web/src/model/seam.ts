import { BEZIER, type Curve } from "./curves";

/** Slopes that differ by less than this share of the larger, or by so little in units a second, pass for one. */
const ALIKE = 1e-3;

/** Whether a curve of a clip that loops from `start` to `end` seconds jerks where it begins again. Where one of its end keys is broken, that is wanted. */
export function jerks({ keys }: Curve, start: number, end: number): boolean {
  const [first, last, before] = [keys[0], keys[keys.length - 1], keys[keys.length - 2]];
  if (!before || !first.tied || !last.tied || first.interpolation !== BEZIER || before.interpolation !== BEZIER) return false;
  if (Math.abs(first.time - start) > 1e-4 || Math.abs(last.time - end) > 1e-4) return false;
  if (first.outX <= 0 || last.inX <= 0) return false;
  const [leaves, comes] = [first.outY / first.outX, last.inY / last.inX];
  return Math.abs(leaves - comes) > ALIKE * Math.max(1, Math.abs(leaves), Math.abs(comes));
}
