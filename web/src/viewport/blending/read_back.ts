import { Camera, FloatType, GLSL3, type Mesh, NearestFilter, Points, RGBAFormat, ShaderMaterial, type WebGLRenderer, WebGLRenderTarget } from "three";
import { POSED } from "../shaders";
import { COLUMNS } from "../surface";

const WIDE = 256;

/** Where the shader puts the vertices of a mesh of the body, x, y, z each: drawn as numbers, a pixel a vertex. For tests. */
export function readBack(renderer: WebGLRenderer, mesh: Mesh): Float32Array {
  const { defines, uniforms } = mesh.material as ShaderMaterial;
  const count = mesh.geometry.getAttribute("position").count;
  const high = Math.ceil(count / WIDE);
  const material = new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: /* glsl */ `
      ${POSED}
      out vec3 at;
      void main() {
        vec3 facing;
        vec2 marked;
        posed(at, facing, marked);
        vec2 pixel = vec2(gl_VertexID % ${WIDE}, gl_VertexID / ${WIDE}) + 0.5;
        gl_Position = vec4(2.0 * pixel / vec2(${WIDE}.0, ${high}.0) - 1.0, 0.0, 1.0);
        gl_PointSize = 1.0;
      }`,
    fragmentShader: /* glsl */ `
      in vec3 at;
      out vec4 shown;
      void main() { shown = vec4(at, 1.0); }`,
    defines: { ...COLUMNS, ...defines },
    uniforms,
    depthTest: false,
  });
  const geometry = mesh.geometry.clone();
  geometry.setIndex(null);
  const points = new Points(geometry, material);
  points.frustumCulled = false;
  const target = new WebGLRenderTarget(WIDE, high, {
    type: FloatType,
    format: RGBAFormat,
    minFilter: NearestFilter,
    magFilter: NearestFilter,
    depthBuffer: false,
  });
  renderer.setRenderTarget(target);
  renderer.render(points, new Camera());
  const pixels = new Float32Array(4 * WIDE * high);
  renderer.readRenderTargetPixels(target, 0, 0, WIDE, high, pixels);
  renderer.setRenderTarget(null);
  for (const each of [material, geometry, target]) each.dispose();
  return Float32Array.from({ length: 3 * count }, (_, i) => pixels[4 * Math.floor(i / 3) + (i % 3)]);
}
