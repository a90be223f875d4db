import { Vector3 } from "three";
import { expect, test } from "vitest";
import { vertexUnder } from "../src/viewport/picking";

const toPixels = (at: Vector3, into: Vector3): Vector3 => into.set(100 * at.x, 100 * at.y, 0);
const eye = new Vector3(0, 0, 10);
// A near and a far sheet of three vertices each, and one between that is not soft.
const positions = [0, 0, 1, 0.05, 0, 1, 0.5, 0, 1, 0, 0, -1, 0.05, 0, -1, 0.5, 0, -1, 0, 0, 2];
const hat = { mesh: "hat", positions, vertices: [0, 1, 2, 3, 4, 5] };

test("the near side of what is soft is meant, and on it the vertex under the pointer", () => {
  expect(vertexUnder([hat], toPixels, eye, Infinity, 0, 0)).toEqual({ mesh: "hat", vertex: 0 });
  expect(vertexUnder([hat], toPixels, eye, Infinity, 4, 0)).toEqual({ mesh: "hat", vertex: 1 });
  expect(vertexUnder([{ ...hat, vertices: [3, 4, 5] }], toPixels, eye, Infinity, 0, 0)).toEqual({ mesh: "hat", vertex: 3 });
});

test("nothing is meant beside it, nor behind what is before it", () => {
  expect(vertexUnder([hat], toPixels, eye, Infinity, 25, 0)).toBeNull();
  expect(vertexUnder([hat], toPixels, eye, 8, 0, 0)).toBeNull();
  expect(vertexUnder([], toPixels, eye, Infinity, 0, 0)).toBeNull();
});
