import { addMatrixOf, invertDual, multiplyDuals, normaliseDual, powerOfDual } from "./duals";
import type { Plan } from "./plan";
import { SCREW_ROUNDS, WAYS } from "./ways";

const [whole, step, one, away, sum] = Array.from({ length: 5 }, () => new Float64Array(8));
const screw = new Float64Array(6);

/** rows (12) of a vertex's matrix, blended as its plan says; `numbers` are those of its nodes. The shader's twin. */
export function blendRows(plan: Plan, numbers: Float32Array, way: number, vertex: number, rows: Float64Array): void {
  const [start, end] = [plan.starts[vertex], plan.starts[vertex + 1]];
  rows.fill(0);
  if (way === WAYS.linear) {
    for (let e = start; e < end; e++) {
      attached(plan, numbers, e, one);
      addMatrixOf(one, 0, plan.weights[e], rows, 0);
    }
    return;
  }
  if (way === WAYS["dual-quaternion"]) shortestMean(plan, numbers, start, end, whole);
  else if (way === WAYS.screw) screwMean(plan, numbers, start, end, whole);
  else stepByStep(plan, numbers, plan.prefixes[vertex], start, end, whole);
  addMatrixOf(whole, 0, 1, rows, 0);
}

/** Where an influence alone would take its vertex. */
function attached({ entries, fractions }: Plan, numbers: Float32Array, entry: number, into: Float64Array): void {
  const at = 16 * entries[entry];
  powerOfDual(numbers, at, (fractions?.[entry] ?? 1) - 1, into, 0);
  multiplyDuals(numbers, at + 8, into, 0, into, 0);
}

function stepByStep(plan: Plan, numbers: Float32Array, prefix: number, start: number, end: number, q: Float64Array): void {
  for (let i = 0; i < 8; i++) q[i] = prefix >= 0 ? numbers[16 * prefix + 8 + i] : +(i === 0);
  step.fill(0);
  step[0] = 1;
  for (let e = start; e < end; e++) {
    const [at, share] = [16 * plan.entries[e], Math.abs(plan.weights[e])];
    for (let i = 0; i < 8; i++) step[i] += share * (numbers[at + i] - +(i === 0));
    if (plan.weights[e] >= 0) continue;
    multiplyDuals(q, 0, step, 0, q, 0);
    step.fill(0);
    step[0] = 1;
  }
}

/** Each with the sign that brings it nearest to the heaviest. */
function shortestMean(plan: Plan, numbers: Float32Array, start: number, end: number, q: Float64Array): void {
  let heaviest = start;
  for (let e = start; e < end; e++) if (plan.weights[e] > plan.weights[heaviest]) heaviest = e;
  attached(plan, numbers, heaviest, away);
  sum.fill(0);
  for (let e = start; e < end; e++) {
    attached(plan, numbers, e, one);
    const near = one[0] * away[0] + one[1] * away[1] + one[2] * away[2] + one[3] * away[3];
    for (let i = 0; i < 8; i++) sum[i] += (near < 0 ? -1 : 1) * plan.weights[e] * one[i];
  }
  q.set(sum);
}

/** Where the weighted screws to all of them cancel. */
function screwMean(plan: Plan, numbers: Float32Array, start: number, end: number, q: Float64Array): void {
  shortestMean(plan, numbers, start, end, q);
  normaliseDual(q, 0);
  for (let round = 0; round < SCREW_ROUNDS; round++) {
    screw.fill(0);
    for (let e = start; e < end; e++) {
      attached(plan, numbers, e, one);
      invertDual(q, 0, away, 0);
      multiplyDuals(away, 0, one, 0, away, 0);
      addHalfScrew(away, plan.weights[e]);
    }
    fromHalfScrew(one);
    multiplyDuals(q, 0, one, 0, q, 0);
    normaliseDual(q, 0);
  }
}

function addHalfScrew(q: Float64Array, share: number): void {
  const sign = q[0] < 0 ? -1 : 1;
  const sine = Math.hypot(q[1], q[2], q[3]);
  const half = Math.atan2(sine, sign * q[0]);
  const along = sine < 1e-9 ? 0 : (-sign * q[4]) / sine;
  for (let i = 0; i < 3; i++) {
    const [turn, move] = [sign * q[1 + i], sign * q[5 + i]];
    const axis = sine < 1e-9 ? 0 : turn / sine;
    const moment = sine < 1e-9 ? 0 : (move - axis * along * sign * q[0]) / sine;
    screw[i] += share * (sine < 1e-9 ? turn : half * axis);
    screw[3 + i] += share * (sine < 1e-9 ? move : along * axis + half * moment);
  }
}

function fromHalfScrew(into: Float64Array): void {
  const half = Math.hypot(screw[0], screw[1], screw[2]);
  const sinc = half < 1e-9 ? 1 : Math.sin(half) / half;
  const dot = screw[0] * screw[3] + screw[1] * screw[4] + screw[2] * screw[5];
  const bend = half < 1e-9 ? 0 : (Math.cos(half) - sinc) / (half * half);
  into[0] = Math.cos(half);
  into[4] = -sinc * dot;
  for (let i = 0; i < 3; i++) {
    into[1 + i] = sinc * screw[i];
    into[5 + i] = sinc * screw[3 + i] + bend * dot * screw[i];
  }
}
