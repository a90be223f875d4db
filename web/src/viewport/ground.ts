import {
  AlwaysDepth,
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  GLSL3,
  Matrix4,
  Mesh,
  type PerspectiveCamera,
  ShaderMaterial,
  Vector2,
  Vector4,
} from "three";
import { BACK_BOTTOM, BACK_TOP, FLOOR, LINE, SHADOW } from "./colours";
import type { Room } from "./room";
import type { Uniforms } from "./surface";

const VERTEX = /* glsl */ `
uniform mat4 worldFromClip;
out vec3 near;
out vec3 far;
out vec2 across;
void main() {
  vec4 a = worldFromClip * vec4(position.xy, -1.0, 1.0);
  vec4 b = worldFromClip * vec4(position.xy, 1.0, 1.0);
  // Points of the near and the far plane run evenly over the picture, so they may be blended between corners.
  near = a.xyz / a.w;
  far = b.xyz / b.w;
  across = 0.5 + 0.5 * position.xy;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
uniform mat4 clipFromWorld;
uniform vec3 top;
uniform vec3 bottom;
uniform vec3 floorColour;
uniform vec3 lineColour;
uniform vec3 shadowColour;
uniform vec4 laid; // height, centre x and z, fade
uniform float stride;
uniform float sunk;
uniform sampler2D shadow;
uniform vec2 shadowCorner;
uniform float shadowWidth;
in vec3 near;
in vec3 far;
in vec2 across;
out vec4 shown;
// How much of x ± spread / 2 lies on lines at whole numbers, each share wide: exact, so no moiré far away.
float lines(float x, float spread, float share) {
  vec2 ends = x + 0.5 * vec2(-spread, spread) + 0.5 * share;
  vec2 covered = share * floor(ends) + min(fract(ends), share);
  return (covered.y - covered.x) / spread;
}
void main() {
  float down = 1.0 - across.y;
  vec2 off = vec2(across.x - 0.5, down - 0.55);
  // A soft pool of light behind the character, darker corners.
  vec3 colour = mix(top, bottom, down) * (0.72 + 0.42 * exp(-3.0 * dot(off, off)));
  gl_FragDepth = 1.0;
  float fall = near.y - far.y;
  if (fall > 1e-6 && near.y > laid.x) {
    vec3 p = near + (far - near) * ((near.y - laid.x) / fall);
    vec2 away = p.xz - laid.yz;
    float fade = exp(-dot(away, away) / (laid.w * laid.w));
    vec2 cell = p.xz / stride;
    vec2 spread = max(fwidth(cell), vec2(1e-6));
    float share = max(0.012, 0.9 * min(spread.x, spread.y));
    float fine = max(lines(cell.x, spread.x, share), lines(cell.y, spread.y, share));
    // At the horizon there is no telling how many lines a pixel covers.
    fine = fade > 1e-4 ? fine * 0.55 * fade * max(0.0, 1.0 - 2.5 * share) : 0.0;
    colour = mix(colour, floorColour, fade);
    colour = mix(colour, lineColour, fine);
    vec2 at = (p.xz - shadowCorner) / shadowWidth;
    if (all(greaterThan(at, vec2(0.0))) && all(lessThan(at, vec2(1.0)))) {
      vec3 light = 1.0 - vec3(0.40, 0.34, 0.30) * texture(shadow, at).rgb;
      colour = mix(colour, shadowColour, 1.0 - light.r * light.g * light.b);
    }
    // Faded floor hides nothing; and all of it lies a hair lower than it looks, under a floor that the scene brings along.
    vec4 clip = clipFromWorld * vec4(p.x, p.y - sunk, p.z, 1.0);
    if (fade > 0.02) gl_FragDepth = clamp(0.5 + 0.5 * clip.z / clip.w, 0.0, 1.0);
  }
  // Less than one level of noise, or the soft gradient would show bands.
  float noise = fract(52.9829189 * fract(dot(floor(gl_FragCoord.xy), vec2(0.06711056, 0.00583715))));
  shown = vec4(colour + (noise - 0.5) / 255.0, 1.0);
}
`;

/** Display values of a colour: the backdrop is painted, not lit. */
function painted(hex: number): Color {
  return new Color().setHex(hex, "");
}

/** The background, and on it the floor with a soft grid that fades out and the shadow that ties a character to it. */
export class Ground {
  readonly mesh: Mesh;
  private readonly material: ShaderMaterial;

  constructor(shadow: Uniforms) {
    this.material = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        worldFromClip: { value: new Matrix4() },
        clipFromWorld: { value: new Matrix4() },
        top: { value: painted(BACK_TOP) },
        bottom: { value: painted(BACK_BOTTOM) },
        floorColour: { value: painted(FLOOR) },
        lineColour: { value: painted(LINE) },
        shadowColour: { value: painted(SHADOW) },
        laid: { value: new Vector4(0, 0, 0, 1) },
        stride: { value: 1 },
        sunk: { value: 0 },
        shadowCorner: { value: new Vector2() },
        ...shadow,
      },
      depthFunc: AlwaysDepth,
    });
    const triangle = new BufferGeometry();
    triangle.setAttribute("position", new Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
    this.mesh = new Mesh(triangle, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1000;
  }

  lay({ floor, box, fade, step, size }: Room): void {
    this.material.uniforms.sunk.value = 0.002 * size;
    this.material.uniforms.laid.value.set(floor, (box.low[0] + box.high[0]) / 2, (box.low[2] + box.high[2]) / 2, fade);
    this.material.uniforms.stride.value = step;
  }

  follow(camera: PerspectiveCamera): void {
    const { clipFromWorld, worldFromClip } = this.material.uniforms;
    clipFromWorld.value.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    worldFromClip.value.copy(clipFromWorld.value).invert();
  }
}
