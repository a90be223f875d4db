import * as THREE from "three";

const VERTEX = `
attribute vec2 corner;
attribute vec3 from, to, fromColour, toColour;
uniform vec2 screen, fading;
uniform float width, count;
varying vec3 colour;
varying float across, left;

void main() {
  vec4 a = projectionMatrix * modelViewMatrix * vec4(from, 1.0);
  vec4 b = projectionMatrix * modelViewMatrix * vec4(to, 1.0);
  // What lies behind the eye is cut off; its projection would come out mirrored.
  if (a.z < -a.w && b.z > -b.w) a = mix(a, b, (a.z + a.w) / (a.z + a.w - b.z - b.w));
  else if (b.z < -b.w && a.z > -a.w) b = mix(b, a, (b.z + b.w) / (b.z + b.w - a.z - a.w));
  vec2 along = (b.xy / b.w - a.xy / a.w) * screen;
  along = length(along) > 1e-4 ? normalize(along) : vec2(1.0, 0.0);
  // A little longer than the segment, so that neighbours close up in bends.
  vec2 offset = (vec2(-along.y, along.x) * corner.y + along * (corner.x - 0.5) * 0.6) * (width + 1.0);
  vec4 at = corner.x < 0.5 ? a : b;
  at.xy += offset / screen * at.w;
  gl_Position = at;
  colour = corner.x < 0.5 ? fromColour : toColour;
  across = corner.y * (width + 1.0) * 0.5;
  float at_ = float(gl_InstanceID) + corner.x;
  left = min(fading.x > 0.0 ? at_ / fading.x : 1.0, fading.y > 0.0 ? (count - 1.0 - at_) / fading.y : 1.0);
}`;

const FRAGMENT = `
uniform float opacity, width;
varying vec3 colour;
varying float across, left;

void main() {
  float edge = clamp(0.5 * width + 0.5 - abs(across), 0.0, 1.0);
  gl_FragColor = vec4(colour, opacity * edge * clamp(left, 0.0, 1.0));
}`;

/** Drawn where the body hides it, faintly, and where it does not, fully. */
export const HIDDEN_SHARE = 0.3;

/** A line of some pixels' width through many positions, each with a colour; its buffers are used again and again. */
export class Ribbon {
  readonly group = new THREE.Group();
  /** Three numbers a position, and sRGB; fill them, then call `show`. */
  positions = new Float32Array(0);
  colours = new Float32Array(0);
  private readonly uniforms = {
    screen: { value: new THREE.Vector2(1, 1) },
    width: { value: 2 },
    fading: { value: new THREE.Vector2() },
    count: { value: 0 },
  };
  private readonly opacities = [{ value: HIDDEN_SHARE }, { value: 1 }];
  private readonly geometry = new THREE.InstancedBufferGeometry();
  private buffers: THREE.InstancedInterleavedBuffer[] = [];

  constructor() {
    this.geometry.setAttribute("corner", new THREE.Float32BufferAttribute([0, -1, 1, -1, 1, 1, 0, 1], 2));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.geometry.instanceCount = 0;
    this.opacities.forEach((opacity, pass) => {
      const material = new THREE.ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { ...this.uniforms, opacity },
        transparent: true,
        depthTest: pass === 1,
        depthWrite: false,
        side: THREE.DoubleSide,
      });
      const mesh = new THREE.Mesh(this.geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = 20 + pass;
      this.group.add(mesh);
    });
  }

  /** Make room for so many positions. */
  reserve(count: number): void {
    if (3 * count <= this.positions.length) return;
    this.geometry.dispose();
    this.positions = new Float32Array(3 * (count + (count >> 2)));
    this.colours = new Float32Array(this.positions.length);
    this.buffers = [this.positions, this.colours].map((array) => {
      const buffer = new THREE.InstancedInterleavedBuffer(array, 3);
      buffer.setUsage(THREE.DynamicDrawUsage);
      return buffer;
    });
    // A segment's end is the next one's start: the same buffer, one position later.
    for (const [i, name] of (["", "Colour"] as const).entries()) {
      this.geometry.setAttribute(`from${name}`, new THREE.InterleavedBufferAttribute(this.buffers[i], 3, 0));
      this.geometry.setAttribute(`to${name}`, new THREE.InterleavedBufferAttribute(this.buffers[i], 3, 3));
    }
  }

  /** Show the first `count` positions as they are now; over so many of them it fades in and out, over none by default. */
  show(count: number, fadeIn = 0, fadeOut = 0): void {
    this.uniforms.count.value = count;
    this.uniforms.fading.value.set(fadeIn, fadeOut);
    this.geometry.instanceCount = Math.max(0, count - 1);
    for (const buffer of this.buffers) {
      buffer.clearUpdateRanges();
      buffer.addUpdateRange(0, 3 * count);
      buffer.needsUpdate = true;
    }
  }

  /** How it looks on a screen of so many CSS pixels. */
  look(screenWidth: number, screenHeight: number, width: number, opacity: number): void {
    this.uniforms.screen.value.set(screenWidth, screenHeight);
    this.uniforms.width.value = width;
    this.opacities[0].value = HIDDEN_SHARE * opacity;
    this.opacities[1].value = opacity;
  }

  dispose(): void {
    this.geometry.dispose();
    for (const mesh of this.group.children) ((mesh as THREE.Mesh).material as THREE.Material).dispose();
  }
}
