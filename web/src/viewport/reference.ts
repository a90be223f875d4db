import { DoubleSide, Mesh, MeshBasicMaterial, PlaneGeometry, SRGBColorSpace, type Texture, TextureLoader } from "three";
import type { Model } from "../model/model";
import { keyed } from "../protocol/door";
import type { Stage } from "./stage";

/** The picture that stands behind the clip while one works on it: nothing is hidden by it, and nobody picks it. */
export class ReferencePlane {
  private readonly material = new MeshBasicMaterial({ side: DoubleSide, transparent: true, depthWrite: false, toneMapped: false });
  private readonly mesh = new Mesh(new PlaneGeometry(1, 1).translate(0, 0.5, 0), this.material);
  private url = "";
  private texture: Texture | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
  ) {
    this.mesh.visible = false;
    // Behind all that is translucent, before which it is drawn.
    this.mesh.renderOrder = -1;
    stage.scene.add(this.mesh);
    const standing = stage.renewal(() => this.stand());
    stage.beforeDraw.push(() => standing.renew());
  }

  /** Whether it is drawn; for tests. */
  get isShown(): boolean {
    return this.mesh.visible;
  }

  private stand(): void {
    const info = this.model.picture.value;
    if (info && info.url !== this.url) void this.load(info.url);
    this.url = info?.url ?? "";
    this.mesh.visible = info !== null && this.texture !== null;
    if (!info || !this.texture) return;
    const { width, height } = this.texture.image as { width: number; height: number };
    this.mesh.position.set(...info.position);
    this.mesh.rotation.y = info.turn;
    this.mesh.scale.set((info.height * width) / Math.max(1, height), info.height, 1);
    this.material.opacity = info.opacity;
  }

  private async load(url: string): Promise<void> {
    this.texture?.dispose();
    this.texture = null;
    try {
      const texture = await new TextureLoader().loadAsync(keyed(url));
      if (this.url !== url) return texture.dispose();
      texture.colorSpace = SRGBColorSpace;
      this.texture = this.material.map = texture;
      this.material.needsUpdate = true;
      this.stand();
      this.stage.invalidate();
    } catch {
      if (this.url === url) this.model.notices.add("warning", "The reference picture cannot be shown: the browser cannot decode it");
    }
  }
}
