import {
  DepthTexture,
  GLSL3,
  type Group,
  LessEqualCompare,
  LinearFilter,
  Matrix4,
  Mesh,
  NoBlending,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  UnsignedIntType,
  Vector2,
  Vector3,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import type { Box } from "./bounds";
import { KEY_FROM } from "./light";
import type { Room } from "./room";
import { castFromFloor, castFromLight, type Square, squareAround } from "./shadow_maps";

const BLUR_FRAGMENT = /* glsl */ `
uniform sampler2D cover;
uniform vec2 along;
uniform vec3 sigma;
in vec2 at;
out vec4 blurred;
void main() {
  vec3 sum = vec3(0.0), weights = vec3(0.0);
  for (int i = -REACH; i <= REACH; i++) {
    float x = float(i) * STRIDE;
    vec3 weight = exp(-0.5 * x * x / (sigma * sigma));
    sum += weight * texture(cover, at + x * along).rgb;
    weights += weight;
  }
  blurred = vec4(sum / weights, 1.0);
}
`;
const BLUR_VERTEX = /* glsl */ `
out vec2 at;
void main() {
  at = uv;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}
`;
/** The blur of the three layers of the floor's shadow, over the size of the character. */
const BLURS = new Vector3(0.014, 0.04, 0.085);
const LIGHT_TEXELS = 512;

/** The shadow on the floor, and the character in its own light. Coarser and without the latter on slow machines. */
export class Shadows {
  /** What casters need; the pass that is drawn sets it. */
  readonly cast = {
    castFromWorld: { value: new Matrix4() },
    slide: { value: new Vector2() },
    floorHeight: { value: 0 },
    size: { value: 1 },
  };
  /** For the surfaces: the map of the key light. */
  readonly uniforms: Record<string, { value: unknown }>;
  /** For the floor. */
  readonly floor: { shadow: { value: unknown }; shadowCorner: { value: Vector2 }; shadowWidth: { value: number } };
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  private readonly texels: number;
  private readonly cover: WebGLRenderTarget;
  private readonly half: WebGLRenderTarget;
  private readonly light: WebGLRenderTarget | null;
  private readonly blurring = new Scene();
  private readonly blur: ShaderMaterial;
  private readonly mapFromWorld = new Matrix4();
  private readonly bias = new Vector2();
  private room: Room | null = null;
  private body: Box | null = null;
  /** Where the key light stood when its map was drawn last. */
  private readonly drawnFrom = new Vector3();
  /** Towards the light that throws the floor's shadow; it stays while the camera turns. */
  private readonly towards = new Vector3().copy(KEY_FROM);

  constructor(fine: boolean) {
    this.texels = fine ? 320 : 112;
    const smooth = { minFilter: LinearFilter, magFilter: LinearFilter } as const;
    const target = (): WebGLRenderTarget => new WebGLRenderTarget(this.texels, this.texels, smooth);
    this.cover = target();
    this.half = target();
    this.half.depthBuffer = false;
    this.light = fine ? new WebGLRenderTarget(LIGHT_TEXELS, LIGHT_TEXELS) : null;
    if (this.light) {
      const depth = new DepthTexture(LIGHT_TEXELS, LIGHT_TEXELS, UnsignedIntType);
      depth.compareFunction = LessEqualCompare;
      depth.minFilter = depth.magFilter = LinearFilter;
      this.light.depthTexture = depth;
    }
    this.uniforms = this.light
      ? {
          lightDepth: { value: this.light.depthTexture },
          mapFromWorld: { value: this.mapFromWorld },
          texel: { value: 1 / LIGHT_TEXELS },
          bias: { value: this.bias },
        }
      : {};
    this.floor = { shadow: { value: this.cover.texture }, shadowCorner: { value: new Vector2() }, shadowWidth: { value: 1 } };
    this.blur = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: BLUR_VERTEX,
      fragmentShader: BLUR_FRAGMENT,
      defines: fine ? { REACH: 16, STRIDE: "1.5" } : { REACH: 7, STRIDE: "1.3" },
      uniforms: { cover: { value: null }, along: { value: new Vector2() }, sigma: { value: new Vector3() } },
      depthTest: false,
      depthWrite: false,
      blending: NoBlending,
    });
    const quad = new Mesh(new PlaneGeometry(2, 2), this.blur);
    quad.frustumCulled = false;
    this.blurring.add(quad);
  }

  add(...casting: Group[]): void {
    this.scene.add(...casting);
  }

  /** From where the floor's shadow falls, from now on: from the key light as it stands now. */
  settle(key: Vector3): void {
    this.towards.copy(key);
  }

  /** The room, and the box around the character in it now. */
  surround(room: Room, body: Box): void {
    this.room = room;
    this.body = body;
  }

  /** Draw the maps that changed: the floor's with what throws shadows, the light's also with the camera. */
  draw(renderer: WebGLRenderer, key: Vector3, moved: boolean): void {
    const turned = this.light !== null && this.drawnFrom.distanceToSquared(key) > 1e-10;
    const { room, body } = this;
    if (!room || !body || !(moved || turned)) return;
    this.cast.floorHeight.value = room.floor;
    this.cast.size.value = room.size;
    const target = renderer.getRenderTarget();
    renderer.setClearColor(0x000000, 0);
    if (moved) this.drawFloor(renderer, room.size, squareAround(body, room.box, room.size));
    if (this.light) this.drawLight(renderer, this.light, body, room.size, key);
    renderer.setRenderTarget(target);
  }

  private drawFloor(renderer: WebGLRenderer, size: number, square: Square): void {
    castFromFloor(square, this.cast.floorHeight.value, size, this.cast.castFromWorld.value);
    this.cast.slide.value.set(this.towards.x, this.towards.z).multiplyScalar(0.55 / Math.max(this.towards.y, 0.3));
    renderer.setRenderTarget(this.cover);
    renderer.render(this.scene, this.camera);
    const { along, sigma, cover } = this.blur.uniforms;
    sigma.value.copy(BLURS).multiplyScalar((size * this.texels) / square.width);
    for (const [from, to, x, y] of [
      [this.cover, this.half, 1, 0],
      [this.half, this.cover, 0, 1],
    ] as const) {
      cover.value = from.texture;
      along.value.set(x / this.texels, y / this.texels);
      renderer.setRenderTarget(to);
      renderer.render(this.blurring, this.camera);
    }
    this.floor.shadowCorner.value.set(square.x, square.z);
    this.floor.shadowWidth.value = square.width;
  }

  private drawLight(renderer: WebGLRenderer, light: WebGLRenderTarget, body: Box, size: number, key: Vector3): void {
    this.drawnFrom.copy(key);
    const width = castFromLight(body, key, size, this.cast.castFromWorld.value);
    this.cast.slide.value.set(0, 0);
    // From −1 … 1 to 0 … 1.
    this.mapFromWorld.makeScale(0.5, 0.5, 0.5).setPosition(0.5, 0.5, 0.5).multiply(this.cast.castFromWorld.value);
    this.bias.set((2 * width) / LIGHT_TEXELS, 0.003);
    renderer.setRenderTarget(light);
    renderer.render(this.scene, this.camera);
  }
}
