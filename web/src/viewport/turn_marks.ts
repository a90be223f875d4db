import * as THREE from "three";
import type { Arc } from "../protocol/binary";
import type { Stretch } from "./arc_geometry";
import { AXES } from "./colours";

const quaternion = new THREE.Quaternion();
const vector = new THREE.Vector3();
const colour = new THREE.Color();

/** Small red, green and blue axes along a motion curve: which way the point faces there. */
export class TurnMarks {
  readonly object: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private positions = new Float32Array(0);

  constructor() {
    const material = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
    this.object = new THREE.LineSegments(new THREE.BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 21;
  }

  /** Axes of `size` metres on every `step`th frame of a stretch; none for a size of nought or an arc without turns. */
  show(arc: Arc, { first, last }: Stretch, step: number, size: number): void {
    this.object.visible = arc.turns !== null && size > 0;
    if (!arc.turns || size <= 0) return;
    const marks = Math.ceil((last + 1 - first) / step);
    this.reserve(18 * marks);
    for (let mark = 0, at = 0; mark < marks; mark++) {
      const sample = (first + mark * step) * arc.perFrame;
      const [w, x, y, z] = arc.turns.subarray(4 * sample, 4 * sample + 4);
      quaternion.set(x, y, z, w);
      for (let axis = 0; axis < 3; axis++, at += 6) {
        vector.set(0, 0, 0).setComponent(axis, size).applyQuaternion(quaternion);
        for (let i = 0; i < 3; i++) {
          const from = arc.positions[3 * sample + i];
          this.positions[at + i] = from;
          this.positions[at + 3 + i] = from + vector.getComponent(i);
        }
      }
    }
    this.object.geometry.setDrawRange(0, 6 * marks);
    this.object.geometry.getAttribute("position").needsUpdate = true;
  }

  private reserve(numbers: number): void {
    if (numbers <= this.positions.length) return;
    this.object.geometry.dispose();
    this.positions = new Float32Array(numbers);
    const colours = new Float32Array(numbers);
    for (let i = 0; i < numbers / 3; i++) colour.set(AXES[(i >> 1) % 3]).toArray(colours, 3 * i);
    const { geometry } = this.object;
    geometry.setAttribute("position", new THREE.BufferAttribute(this.positions, 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
