import { PerspectiveCamera, Vector3 } from "three";
import { expect, test } from "vitest";
import { type Box, boxAround, diagonal } from "../src/viewport/bounds";
import { between, Orbit, type Standpoint, standpointOf } from "../src/viewport/camera";
import { framing } from "../src/viewport/framing";
import { roomy } from "../src/viewport/viewpoints";

const ASPECT = 1.7;
const CENTRE = new Vector3(0, 1, 0);

function cameraOf(orbit: Orbit): PerspectiveCamera {
  const camera = new PerspectiveCamera(35, ASPECT);
  orbit.apply(camera, CENTRE, 30);
  return camera;
}

/** Where a point is, in picture heights from the middle, y up. */
function seen(orbit: Orbit, point: Vector3): [number, number] {
  const at = point.clone().project(cameraOf(orbit));
  return [(at.x / 2) * ASPECT, at.y / 2];
}

function standing(): Orbit {
  const orbit = new Orbit();
  orbit.stand({ target: [0.3, 1, -0.2], azimuth: 0.7, elevation: 0.4, distance: 4, fov: 0.55 });
  return orbit;
}

/** The point at the target's depth under a spot of the picture. */
function under(orbit: Orbit, x: number, y: number): Vector3 {
  const { target, distance, fov } = orbit.standpoint;
  const axes = orbit.axes();
  const tall = 2 * distance * Math.tan(fov / 2);
  return new Vector3(...target).addScaledVector(axes.x, x * tall).addScaledVector(axes.y, y * tall);
}

test("the target is in the middle of the picture, from wherever one looks", () => {
  for (const [azimuth, elevation] of [
    [0, 0],
    [2, 1],
    [-3, -1.2],
    [0.5, Math.PI / 2],
  ]) {
    const orbit = standing();
    orbit.stand({ ...orbit.standpoint, azimuth, elevation });
    const [x, y] = seen(orbit, new Vector3(...orbit.standpoint.target));
    expect(Math.hypot(x, y)).toBeLessThan(1e-9);
    expect(cameraOf(orbit).position.distanceTo(new Vector3(...orbit.standpoint.target))).toBeCloseTo(4, 9);
  }
});

test("zooming keeps what is under the pointer under it", () => {
  const orbit = standing();
  const point = under(orbit, 0.31, -0.22);
  for (const factor of [0.5, 0.9, 3]) {
    orbit.zoom(factor, 0.31, -0.22);
    const [x, y] = seen(orbit, point);
    expect(x).toBeCloseTo(0.31, 6);
    expect(y).toBeCloseTo(-0.22, 6);
  }
  expect(orbit.standpoint.distance).toBeCloseTo(4 * 0.5 * 0.9 * 3, 9);
});

test("panning carries what is at the target's depth along with the pointer", () => {
  const orbit = standing();
  const point = under(orbit, 0, 0);
  orbit.pan(0.2, 0.1);
  const [x, y] = seen(orbit, point);
  expect(x).toBeCloseTo(0.2, 6);
  expect(y).toBeCloseTo(-0.1, 6);
});

test("the flat lens shows the target's plane at the same size, and hardly any perspective", () => {
  const orbit = standing();
  const point = under(orbit, 0.4, 0.3);
  orbit.flat.value = true;
  const [x, y] = seen(orbit, point);
  expect(x).toBeCloseTo(0.4, 6);
  expect(y).toBeCloseTo(0.3, 6);
  const nearer = point.clone().addScaledVector(orbit.axes().z, 1);
  const [nearX] = seen(orbit, nearer);
  expect(Math.abs(nearX / 0.4 - 1)).toBeLessThan(0.005);
});

test("near and far hold a scene of two centimetres and one of eighty metres", () => {
  for (const size of [0.02, 1.7, 80]) {
    for (const flat of [false, true]) {
      const orbit = new Orbit();
      orbit.flat.value = flat;
      orbit.stand({ target: [0, size / 2, 0], azimuth: 0.5, elevation: 0.2, distance: 3 * size, fov: 0.55 });
      const camera = new PerspectiveCamera(35, ASPECT);
      orbit.apply(camera, new Vector3(0, size / 2, 0), 8 * size);
      expect(camera.near).toBeGreaterThan(0);
      for (const across of [-1, 1]) {
        const z = new Vector3(0, size / 2, 0).addScaledVector(orbit.axes().z, across * size).project(camera).z;
        expect(Math.abs(z)).toBeLessThan(1);
      }
      expect(camera.far / camera.near).toBeLessThan(1.01e4);
    }
  }
});

test("a document's camera is found again from its angles; a narrow picture steps back", () => {
  const view = { eye: [3.4, 1.2, 2.1], target: [0, 0.79, -0.16], fov: 0.52 } as const;
  const orbit = new Orbit();
  orbit.stand(standpointOf({ ...view, eye: [...view.eye], target: [...view.target] }, 1.9));
  const camera = cameraOf(orbit);
  camera.position.toArray().forEach((x, i) => expect(x).toBeCloseTo(view.eye[i], 9));
  const narrow = standpointOf({ ...view, eye: [...view.eye], target: [...view.target] }, 16 / 18);
  expect(narrow.distance).toBeCloseTo(2 * orbit.standpoint.distance, 9);
});

test("framing touches the margin and cuts nothing off", () => {
  // A spiral over a ball.
  const points = Array.from({ length: 60 }, (_, i) => {
    const [angle, height] = [2.4 * i, 1 - i / 29.5];
    const wide = Math.sqrt(1 - height * height);
    return [1 + wide * Math.cos(angle), 2 + height, wide * Math.sin(angle) - 1];
  }).flat();
  for (const [azimuth, elevation] of [
    [0, 0],
    [0.6, 0.25],
    [2.5, -0.5],
    [0, Math.PI / 2],
  ]) {
    const orbit = new Orbit();
    orbit.stand(framing(points, ASPECT, azimuth, elevation));
    let [right, high] = [0, 0];
    for (let i = 0; i < points.length; i += 3) {
      const [x, y] = seen(orbit, new Vector3().fromArray(points, i));
      right = Math.max(right, Math.abs(x) / (ASPECT / 2));
      high = Math.max(high, Math.abs(y) / 0.5);
    }
    expect(Math.max(right, high)).toBeCloseTo(0.86, 3);
  }
});

test("a single point is framed from some distance", () => {
  const { target, distance } = framing([1, 2, 3], ASPECT, 0.3, 0.1);
  target.forEach((x, i) => expect(x).toBeCloseTo(i + 1, 9));
  expect(distance).toBeGreaterThan(0);
});

test("the way between two standpoints goes the short way round and ends exactly", () => {
  const a: Standpoint = { target: [0, 0, 0], azimuth: 3, elevation: 0, distance: 1, fov: 0.5 };
  const b: Standpoint = { target: [2, 0, 0], azimuth: -3, elevation: 1, distance: 4, fov: 0.5 };
  const middle = between(a, b, 0.5);
  expect(middle.azimuth).toBeCloseTo(Math.PI, 6);
  expect(middle.distance).toBeCloseTo(2, 9);
  const end = between(a, b, 1);
  expect(Math.cos(end.azimuth - b.azimuth)).toBeCloseTo(1, 12);
  expect(end.target).toEqual(b.target);
});

test("a bare joint is framed with its surroundings, a large part as it is", () => {
  expect(diagonal(boxAround(roomy([1, 2, 3], 0.5)) as Box)).toBeCloseTo(0.5, 9);
  expect(roomy([0, 0, 0, 1, 1, 1], 0.5)).toEqual([0, 0, 0, 1, 1, 1]);
  expect(roomy([], 0.5)).toEqual([]);
});
