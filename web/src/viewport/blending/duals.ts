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

/** into = the inverse of a unit dual quaternion. */
export function invertDual(q: Numbers, from: number, into: Numbers, at: number): void {
  for (let i = 0; i < 8; i++) into[at + i] = i % 4 === 0 ? q[from + i] : -q[from + i];
}

/** The nearest unit dual quaternion, in place. */
export function normaliseDual(q: Numbers, at: number): void {
  const s = 1 / (Math.hypot(q[at], q[at + 1], q[at + 2], q[at + 3]) || 1);
  let along = 0;
  for (let i = 0; i < 8; i++) q[at + i] *= s;
  for (let i = 0; i < 4; i++) along += q[at + i] * q[at + 4 + i];
  for (let i = 0; i < 4; i++) q[at + 4 + i] -= along * q[at + i];
}

/** into = that share of the screw of a unit dual quaternion; the short way, as all differentials are small. */
export function powerOfDual(q: Numbers, from: number, share: number, into: Numbers, at: number): void {
  const [w, dw] = [q[from], q[from + 4]];
  const sine = Math.hypot(q[from + 1], q[from + 2], q[from + 3]);
  if (sine < 1e-9) {
    into[at] = 1;
    into[at + 4] = 0;
    for (let i = 1; i < 4; i++) [into[at + i], into[at + 4 + i]] = [share * q[from + i], share * q[from + 4 + i]];
    return;
  }
  const shift = -dw / sine;
  const [h, s] = [share * Math.atan2(sine, w), share * shift];
  const [sin, cos] = [Math.sin(h), Math.cos(h)];
  for (let i = 1; i < 4; i++) {
    const axis = q[from + i] / sine;
    const moment = (q[from + 4 + i] - axis * shift * w) / sine;
    into[at + i] = sin * axis;
    into[at + 4 + i] = s * cos * axis + sin * moment;
  }
  into[at] = cos;
  into[at + 4] = -s * sin;
}

/** rows[at …] += share × the 3×4 matrix of a dual quaternion, which need not have length one; row by row. */
export function addMatrixOf(q: Numbers, from: number, share: number, rows: Numbers, at: number): void {
  const [w, x, y, z] = [q[from], q[from + 1], q[from + 2], q[from + 3]];
  const [dw, dx, dy, dz] = [q[from + 4], q[from + 5], q[from + 6], q[from + 7]];
  const s = (2 * share) / (w * w + x * x + y * y + z * z);
  rows[at] += share - s * (y * y + z * z);
  rows[at + 1] += s * (x * y - w * z);
  rows[at + 2] += s * (x * z + w * y);
  rows[at + 3] += s * (w * dx - x * dw + y * dz - z * dy);
  rows[at + 4] += s * (x * y + w * z);
  rows[at + 5] += share - s * (x * x + z * z);
  rows[at + 6] += s * (y * z - w * x);
  rows[at + 7] += s * (w * dy - y * dw + z * dx - x * dz);
  rows[at + 8] += s * (x * z - w * y);
  rows[at + 9] += s * (y * z + w * x);
  rows[at + 10] += share - s * (x * x + y * y);
  rows[at + 11] += s * (w * dz - z * dw + x * dy - y * dx);
}
