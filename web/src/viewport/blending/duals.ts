/** Dual quaternions as eight numbers in arrays: real part wxyz, then dual part wxyz; first b, then a. */

type Numbers = Float32Array | Float64Array;

/** into[at …] = a[atA …] · b[atB …]; `into` may be a factor. */
export function multiplyDuals(a: Numbers, atA: number, b: Numbers, atB: number, into: Numbers, at: number): void {
  const [a0, a1, a2, a3] = [a[atA], a[atA + 1], a[atA + 2], a[atA + 3]];
  const [a4, a5, a6, a7] = [a[atA + 4], a[atA + 5], a[atA + 6], a[atA + 7]];
  const [b0, b1, b2, b3] = [b[atB], b[atB + 1], b[atB + 2], b[atB + 3]];
  const [b4, b5, b6, b7] = [b[atB + 4], b[atB + 5], b[atB + 6], b[atB + 7]];
  into[at] = a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3;
  into[at + 1] = a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2;
  into[at + 2] = a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1;
  into[at + 3] = a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0;
  into[at + 4] = a0 * b4 - a1 * b5 - a2 * b6 - a3 * b7 + a4 * b0 - a5 * b1 - a6 * b2 - a7 * b3;
  into[at + 5] = a0 * b5 + a1 * b4 + a2 * b7 - a3 * b6 + a4 * b1 + a5 * b0 + a6 * b3 - a7 * b2;
  into[at + 6] = a0 * b6 - a1 * b7 + a2 * b4 + a3 * b5 + a4 * b2 - a5 * b3 + a6 * b0 + a7 * b1;
  into[at + 7] = a0 * b7 + a1 * b6 - a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 - a6 * b1 + a7 * b0;
}
