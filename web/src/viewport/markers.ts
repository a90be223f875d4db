import * as THREE from "three";
import { HIDDEN_SHARE } from "./ribbon";

const VERTEX = `
attribute vec3 colour;
attribute vec2 look;
uniform float ratio;
varying vec3 shade;
varying float kind, size;

void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  shade = colour;
  size = look.x + 2.0;
  kind = look.y;
  gl_PointSize = size * ratio;
}`;

// 0: a dot with a dark rim; 1: a ball; 2: a ring.
const FRAGMENT = `
uniform float opacity;
varying vec3 shade;
varying float kind, size;

void main() {
  vec2 at = (gl_PointCoord - 0.5) * size;
  float out_ = length(at);
  float radius = 0.5 * size - 1.0;
  float cover = clamp(radius - out_ + 0.5, 0.0, 1.0);
  vec3 colour = shade;
  if (kind > 1.5) cover *= clamp(out_ - radius + 2.5, 0.0, 1.0);
  else if (kind > 0.5) colour *= 0.72 + 0.5 * clamp(1.0 - length(at / radius + vec2(0.35, 0.4)), 0.0, 1.0);
  else colour = mix(shade, vec3(0.06), 0.75 * clamp(out_ - radius + 1.5, 0.0, 1.0));
  if (cover <= 0.0) discard;
  gl_FragColor = vec4(colour, opacity * cover);
}`;

type MarkerKind = 0 | 1 | 2;
export const DOT: MarkerKind = 0;
export const BALL: MarkerKind = 1;
export const RING: MarkerKind = 2;

/** Round marks of some pixels' size at positions: ticks, keys, locks. Buffers are used again and again. */
export class Markers {
  readonly group = new THREE.Group();
  private readonly ratio = { value: 1 };
  private readonly opacities = [{ value: HIDDEN_SHARE }, { value: 1 }];
  private readonly geometry = new THREE.BufferGeometry();
  private positions = new Float32Array(0);
  private colours = new Float32Array(0);
  private looks = new Float32Array(0);
  private count = 0;

  constructor() {
    this.opacities.forEach((opacity, pass) => {
      const material = new THREE.ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { ratio: this.ratio, opacity },
        transparent: true,
        depthTest: pass === 1,
        depthWrite: false,
      });
      const points = new THREE.Points(this.geometry, material);
      points.frustumCulled = false;
      points.renderOrder = 22 + pass;
      this.group.add(points);
    });
  }

  /** Begin anew, with room for so many. */
  begin(most: number): void {
    this.count = 0;
    if (3 * most <= this.positions.length) return;
    this.geometry.dispose();
    const room = most + (most >> 2);
    this.positions = new Float32Array(3 * room);
    this.colours = new Float32Array(3 * room);
    this.looks = new Float32Array(2 * room);
    const sizes: [string, Float32Array, number][] = [
      ["position", this.positions, 3],
      ["colour", this.colours, 3],
      ["look", this.looks, 2],
    ];
    for (const [name, array, size] of sizes) {
      this.geometry.setAttribute(name, new THREE.BufferAttribute(array, size).setUsage(THREE.DynamicDrawUsage));
    }
  }

  /** One more: three numbers of `from` from `at`, a size in CSS pixels; later ones cover earlier ones. */
  add(from: ArrayLike<number>, at: number, colour: ArrayLike<number>, size: number, kind: MarkerKind): void {
    const i = this.count++;
    for (let axis = 0; axis < 3; axis++) {
      this.positions[3 * i + axis] = from[at + axis];
      this.colours[3 * i + axis] = colour[axis];
    }
    this.looks[2 * i] = size;
    this.looks[2 * i + 1] = kind;
  }

  /** Show what was added. */
  end(): void {
    this.geometry.setDrawRange(0, this.count);
    for (const name of ["position", "colour", "look"]) {
      const attribute = this.geometry.getAttribute(name) as THREE.BufferAttribute | undefined;
      if (attribute) attribute.needsUpdate = true;
    }
  }

  look(pixelRatio: number, opacity: number): void {
    this.ratio.value = pixelRatio;
    this.opacities[0].value = HIDDEN_SHARE * opacity;
    this.opacities[1].value = opacity;
  }

  dispose(): void {
    this.geometry.dispose();
    for (const points of this.group.children) ((points as THREE.Points).material as THREE.Material).dispose();
  }
}
