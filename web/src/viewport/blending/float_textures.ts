import {
  BufferAttribute,
  BufferGeometry,
  Camera,
  DataTexture,
  FloatType,
  GLSL3,
  NearestFilter,
  Points,
  RGBAFormat,
  ShaderMaterial,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";

/** A number that only a texture of whole floats brings through: halves would round it. */
const TOLD = 1 + 2 ** -20;

/** Whether a vertex shader can read floats from a texture, found out by letting one do so; `?gpu=0` says no. */
export function canFetchFloats(renderer: WebGLRenderer): boolean {
  if (new URLSearchParams(location.search).get("gpu") === "0") return false;
  if (renderer.getContext().getParameter(WebGL2RenderingContext.MAX_VERTEX_TEXTURE_IMAGE_UNITS) < 4) return false;
  const texture = new DataTexture(new Float32Array([TOLD, 0, 0, 0]), 1, 1, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  const material = new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: /* glsl */ `
      uniform highp sampler2D told;
      out float same;
      void main() {
        same = texelFetch(told, ivec2(0), 0).x == ${TOLD.toFixed(20)} ? 1.0 : 0.0;
        gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
        gl_PointSize = 4.0;
      }`,
    fragmentShader: /* glsl */ `
      in float same;
      out vec4 shown;
      void main() { shown = vec4(same); }`,
    uniforms: { told: { value: texture } },
    depthTest: false,
  });
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(3), 3));
  const point = new Points(geometry, material);
  point.frustumCulled = false;
  const target = new WebGLRenderTarget(1, 1, { depthBuffer: false });
  const before = renderer.getRenderTarget();
  renderer.setRenderTarget(target);
  renderer.render(point, new Camera());
  const pixel = new Uint8Array(4);
  renderer.readRenderTargetPixels(target, 0, 0, 1, 1, pixel);
  renderer.setRenderTarget(before);
  for (const each of [texture, material, geometry, target]) each.dispose();
  return pixel[0] > 127;
}
