import { Ray, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { hitCapsule, pickBody } from "../src/viewport/picking";
import { type BoneProxy, proxiesOf, toJoint, transformed } from "../src/viewport/proxies";

const rayTo = (from: Vector3, to: Vector3): Ray => new Ray(from, to.clone().sub(from).normalize());

/** Numbers from 0 to 1 that are the same on every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("a ray meets a capsule", () => {
  test("where it is exactly one radius from the axis, and nowhere sooner", () => {
    const next = numbers(7);
    const vector = (): Vector3 => new Vector3(next(), next(), next()).subScalar(0.5).multiplyScalar(2);
    const apart = (point: Vector3, a: Vector3, b: Vector3): number => {
      const u = b.clone().sub(a);
      const share = Math.min(1, Math.max(0, point.clone().sub(a).dot(u) / u.lengthSq()));
      return point.distanceTo(a.clone().addScaledVector(u, share));
    };
    let hits = 0;
    for (let i = 0; i < 400; i++) {
      const [a, b, radius] = [vector(), vector(), 0.05 + 0.4 * next()];
      const ray = rayTo(vector().setLength(4), vector());
      const t = hitCapsule(ray, a, b, radius);
      const sampled = Array.from({ length: 800 }, (_, k) => (8 * k) / 800);
      const first = sampled.find((s) => apart(ray.at(s, new Vector3()), a, b) < radius - 1e-3);
      if (t === null) {
        expect(first).toBeUndefined();
        continue;
      }
      hits++;
      expect(apart(ray.at(t, new Vector3()), a, b)).toBeCloseTo(radius, 9);
      expect(sampled.filter((s) => s < t).every((s) => apart(ray.at(s, new Vector3()), a, b) > radius - 1e-9)).toBe(true);
    }
    expect(hits).toBeGreaterThan(50);
  });

  test("also one that is a ball, and not one behind it", () => {
    const ball = new Vector3(0, 0, -3);
    expect(hitCapsule(new Ray(new Vector3(), new Vector3(0, 0, -1)), ball, ball, 1)).toBeCloseTo(2, 12);
    expect(hitCapsule(new Ray(new Vector3(), new Vector3(0, 0, 1)), ball, ball, 1)).toBeNull();
  });
});

/** Joints in a row along x, half a metre apart, each turned a quarter about z and twice as large. */
const LINE = ["root", "elbow", "hand"].map((name, i) => ({
  name,
  parent: i - 1,
  order: "XYZ" as const,
  rest: [0, 0, 0] as [number, number, number],
  mass: 1,
  centre: [0, 0, 0] as [number, number, number],
}));
const WORLD = new Float32Array(LINE.flatMap((_, i) => [0, -2, 0, 0.5 * i, 2, 0, 0, 0, 0, 0, 2, 0]));

test("a point goes into a joint's frame and back", () => {
  const point = new Vector3(0.3, -0.2, 0.7);
  expect(transformed(WORLD, 12, toJoint(WORLD, 1, point.clone())).distanceTo(point)).toBeLessThan(1e-6);
  expect(toJoint(WORLD, 0, new Vector3(0, 2, 0)).toArray()).toEqual([1, 0, 0]);
});

test("bones without skin are slim capsules from joint to joint", () => {
  const [first, second, tip] = proxiesOf(LINE, WORLD, [], 1);
  expect([first.joint, first.child, second.joint, second.child, tip.child]).toEqual([0, 1, 1, 2, -1]);
  // In the joint's frame the bone is half as long, as the joint is twice as large.
  expect(first.bone.length()).toBeCloseTo(0.25, 6);
  expect(first.radius).toBeCloseTo(0.03, 6);
});

test("bones are as thick as the skin that they carry most", () => {
  const ring = Array.from({ length: 200 }, (_, i) => {
    const angle = 0.7 * i;
    return [(0.25 * i) / 199, 0.06 * Math.cos(angle), 0.06 * Math.sin(angle)];
  });
  const arrays = {
    vertices: new Float32Array(ring.flat()),
    triangles: new Uint32Array(0),
    influencesEach: 2,
    // The second joint has some weight everywhere, the first more.
    influences: new Uint32Array(ring.flatMap(() => [1, 0])),
    weights: new Float32Array(ring.flatMap(() => [0.3, 0.7])),
    jointFromMesh: new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0].concat([1, 0, 0, 9, 0, 1, 0, 9, 0, 0, 1, 9])),
    normals: null,
    uvs: null,
    colours: null,
    shapes: [],
  };
  const straight = new Float32Array(LINE.flatMap((_, i) => [1, 0, 0, 0.25 * i, 0, 1, 0, 0, 0, 0, 1, 0]));
  const [first] = proxiesOf(LINE, straight, [{ arrays, joints: [0, 1] }], 1);
  expect(first.radius).toBeCloseTo(0.06, 2);
  expect(first.start.x).toBeCloseTo(0.06, 1);
  expect(first.end.x).toBeCloseTo(0.19, 1);
});

describe("a click on the body", () => {
  const proxies: BoneProxy[] = proxiesOf(LINE, WORLD, [], 1);
  const points = [{ name: "wrist", joint: "elbow", offset: [0, -0.175, 0] as [number, number, number], shapes: [] }];
  const pick = (x: number, y: number, slack = 0) => pickBody(new Ray(new Vector3(x, y, 5), new Vector3(0, 0, -1)), proxies, WORLD, LINE, points, () => slack);

  test("means the spot on the surface, in the frame of the joint that carries it", () => {
    const hit = pick(0.2, 0.01);
    expect(hit?.joint).toBe("root");
    expect(hit?.place.name).toBe("");
    const spot = transformed(WORLD, 0, new Vector3(...(hit?.place.parts[0].offset ?? [])));
    expect([spot.x, spot.y]).toEqual([expect.closeTo(0.2, 6), expect.closeTo(0.01, 6)]);
    expect(Math.hypot(spot.y, spot.z)).toBeCloseTo(0.06, 6);
  });

  test("near a joint means the joint, whichever bone was hit", () => {
    for (const x of [0.46, 0.54]) {
      expect(pick(x, 0)?.place).toEqual({ parts: [{ joint: "elbow", offset: [0, 0, 0], weight: 1 }], name: "" });
    }
    expect(pick(0.42, 0)?.place.parts[0].offset).not.toEqual([0, 0, 0]);
  });

  test("near a named point means it, by its name", () => {
    // 0.175 of a joint twice as large and turned: 35 cm along the bone.
    expect(pick(0.86, 0.01)?.place).toEqual({ parts: [{ joint: "elbow", offset: [0, -0.175, 0], weight: 1, shapes: [] }], name: "wrist" });
  });

  test("beside the body means nothing, unless by a few pixels", () => {
    expect(pick(0.2, 0.1)).toBeNull();
    expect(pick(0.2, 0.1, 0.05)?.joint).toBe("root");
  });
});
