import { type Ray, Vector3 } from "three";

const toStart = new Vector3();
const axis = new Vector3();

/** How far along a ray a capsule begins; null when the ray misses it or starts within. */
export function hitCapsule(ray: Ray, start: Vector3, end: Vector3, radius: number): number | null {
  axis.subVectors(end, start);
  toStart.subVectors(ray.origin, start);
  const long = axis.lengthSq();
  const [along, from] = long > 0 ? [ray.direction.dot(axis) / long, toStart.dot(axis) / long] : [0, 0];
  // What is across the axis of the ray's direction and origin makes a circle of the cylinder.
  const a = 1 - along * along * long;
  const b = toStart.dot(ray.direction) - from * along * long;
  const c = toStart.lengthSq() - from * from * long - radius * radius;
  let nearest = Infinity;
  const root = b * b - a * c;
  if (long > 0 && a > 1e-12 && root >= 0) {
    const t = (-b - Math.sqrt(root)) / a;
    const share = from + t * along;
    if (t >= 0 && share >= 0 && share <= 1) nearest = t;
  }
  nearest = Math.min(nearest, hitSphere(ray, start, radius), hitSphere(ray, end, radius));
  return Number.isFinite(nearest) ? nearest : null;
}

function hitSphere(ray: Ray, centre: Vector3, radius: number): number {
  toStart.subVectors(ray.origin, centre);
  const b = toStart.dot(ray.direction);
  const root = b * b - toStart.lengthSq() + radius * radius;
  if (root < 0) return Infinity;
  const t = -b - Math.sqrt(root);
  return t >= 0 ? t : Infinity;
}
