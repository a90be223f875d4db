import { NODE_COLUMNS } from "./nodes";
import { PLAN_COLUMNS } from "./plan";
import { SCREW_ROUNDS, WAYS } from "./ways";

/**
 * The rows of a vertex's matrix, blended as its plan says. Quaternions are wxyz, newest on the right: q = q_parent · Δ.
 * Every WebGL 2 can read whole floats from textures in a vertex shader (OpenGL ES 3.0 asks for it), so nothing stands in for this.
 */
export const BLENDED = /* glsl */ `
uniform highp sampler2D plan;
uniform highp sampler2D nodes;
uniform int blending;
uniform bool stretched;
struct Dual { vec4 r; vec4 d; };
const Dual STILL = Dual(vec4(1.0, 0.0, 0.0, 0.0), vec4(0.0));
vec4 planTexel(int i) { return texelFetch(plan, ivec2(i % ${PLAN_COLUMNS}, i / ${PLAN_COLUMNS}), 0); }
Dual nodeTexels(int i) {
  ivec2 at = ivec2(i % ${NODE_COLUMNS}, i / ${NODE_COLUMNS});
  return Dual(texelFetch(nodes, at, 0), texelFetch(nodes, at + ivec2(1, 0), 0));
}
Dual differential(int node) { return nodeTexels(4 * node); }
Dual whole(int node) { return nodeTexels(4 * node + 2); }
vec4 times(vec4 a, vec4 b) {
  return vec4(a.x * b.x - dot(a.yzw, b.yzw), a.x * b.yzw + b.x * a.yzw + cross(a.yzw, b.yzw));
}
Dual times(Dual a, Dual b) { return Dual(times(a.r, b.r), times(a.r, b.d) + times(a.d, b.r)); }
Dual back(Dual q) { return Dual(vec4(q.r.x, -q.r.yzw), vec4(q.d.x, -q.d.yzw)); }
Dual unit(Dual q) {
  float s = 1.0 / max(length(q.r), 1e-20);
  vec4 r = s * q.r, d = s * q.d;
  return Dual(r, d - dot(r, d) * r);
}
// A share of the screw of q; half of its turn and shift along the axis, and the axis with its moment.
Dual power(Dual q, float share) {
  float sine = length(q.r.yzw);
  if (sine < 1e-6) return Dual(vec4(1.0, share * q.r.yzw), vec4(0.0, share * q.d.yzw));
  vec3 axis = q.r.yzw / sine;
  float along = -q.d.x / sine;
  vec3 moment = (q.d.yzw - axis * along * q.r.x) / sine;
  float h = share * atan(sine, q.r.x), s = share * along;
  return Dual(vec4(cos(h), sin(h) * axis), vec4(-s * sin(h), s * cos(h) * axis + sin(h) * moment));
}
void addRows(Dual q, float share, inout vec4 a, inout vec4 b, inout vec4 c) {
  float s = 2.0 * share / dot(q.r, q.r);
  float w = q.r.x;
  vec3 v = q.r.yzw;
  vec3 shift = w * q.d.yzw - q.d.x * v + cross(v, q.d.yzw);
  a += vec4(share - s * (v.y * v.y + v.z * v.z), s * (v.x * v.y - w * v.z), s * (v.x * v.z + w * v.y), s * shift.x);
  b += vec4(s * (v.x * v.y + w * v.z), share - s * (v.x * v.x + v.z * v.z), s * (v.y * v.z - w * v.x), s * shift.y);
  c += vec4(s * (v.x * v.z - w * v.y), s * (v.y * v.z + w * v.x), share - s * (v.x * v.x + v.y * v.y), s * shift.z);
}
// Where an influence alone would take its vertex.
Dual attached(vec4 entry) {
  Dual q = whole(int(entry.x));
  if (entry.z == 1.0) return q;
  return times(q, power(differential(int(entry.x)), entry.z - 1.0));
}
Dual stepByStep(int start, int count, int prefix) {
  Dual q = STILL, step = STILL;
  if (prefix >= 0) q = whole(prefix);
  for (int i = 0; i < count; i++) {
    vec4 entry = planTexel(start + i);
    Dual d = differential(int(entry.x));
    float share = abs(entry.y);
    step.r += share * (d.r - STILL.r);
    step.d += share * d.d;
    if (entry.y < 0.0) {
      q = times(q, step);
      step = STILL;
    }
  }
  return q;
}
// Each with the sign that brings it nearest to the heaviest.
Dual shortestMean(int start, int count) {
  vec4 pivot = STILL.r;
  float heaviest = 0.0;
  for (int i = 0; i < count; i++) {
    vec4 entry = planTexel(start + i);
    if (entry.y <= heaviest) continue;
    heaviest = entry.y;
    pivot = attached(entry).r;
  }
  Dual sum = Dual(vec4(0.0), vec4(0.0));
  for (int i = 0; i < count; i++) {
    vec4 entry = planTexel(start + i);
    Dual q = attached(entry);
    float share = dot(pivot, q.r) < 0.0 ? -entry.y : entry.y;
    sum.r += share * q.r;
    sum.d += share * q.d;
  }
  return sum;
}
Dual screwMean(int start, int count) {
  Dual mean = unit(shortestMean(start, count));
  for (int round_ = 0; round_ < ${SCREW_ROUNDS}; round_++) {
    vec3 turn = vec3(0.0), move = vec3(0.0);
    for (int i = 0; i < count; i++) {
      vec4 entry = planTexel(start + i);
      Dual away = times(back(mean), attached(entry));
      float sign_ = away.r.x < 0.0 ? -1.0 : 1.0;
      vec4 r = sign_ * away.r, d = sign_ * away.d;
      float sine = length(r.yzw);
      if (sine < 1e-6) {
        turn += entry.y * r.yzw;
        move += entry.y * d.yzw;
        continue;
      }
      float h = atan(sine, r.x), along = -d.x / sine;
      vec3 axis = r.yzw / sine;
      turn += entry.y * h * axis;
      move += entry.y * (along * axis + h * (d.yzw - axis * along * r.x) / sine);
    }
    float h = length(turn);
    Dual step = Dual(vec4(1.0, turn), vec4(0.0, move));
    if (h > 1e-6) {
      vec3 axis = turn / h;
      float along = dot(axis, move);
      vec3 moment = (move - along * axis) / h;
      step = Dual(vec4(cos(h), sin(h) * axis), vec4(-along * sin(h), along * cos(h) * axis + sin(h) * moment));
    }
    mean = unit(times(mean, step));
  }
  return mean;
}
void blendRows(out vec4 a, out vec4 b, out vec4 c) {
  vec4 own = planTexel(gl_VertexID);
  int start = int(own.x), count = int(own.y);
  a = b = c = vec4(0.0);
  if (blending == ${WAYS.linear}) {
    for (int i = 0; i < count; i++) {
      vec4 entry = planTexel(start + i);
      addRows(attached(entry), entry.y, a, b, c);
    }
    return;
  }
  Dual q;
  if (blending == ${WAYS["dual-quaternion"]}) q = shortestMean(start, count);
  else if (blending == ${WAYS.screw}) q = screwMean(start, count);
  else q = stepByStep(start, count, int(own.z));
  addRows(q, 1.0, a, b, c);
}
`;
