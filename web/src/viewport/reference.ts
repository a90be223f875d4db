import { DoubleSide, Mesh, MeshBasicMaterial, PlaneGeometry, SRGBColorSpace, type Texture, TextureLoader } from "three";
import type { Model } from "../model/model";
import { keyed } from "../protocol/door";
import type { PictureInfo } from "../protocol/messages";
import { Footage } from "./footage";
import type { Stage } from "./stage";

/** What is on the plane: a picture that stands still, or a video. */
type Shown = { texture: Texture; width: number; height: number; footage: Footage | null };

/** The picture or video that stands behind the clip while one works on it: nothing is hidden by it, and nobody picks it. */
export class ReferencePlane {
  private readonly material = new MeshBasicMaterial({ side: DoubleSide, transparent: true, depthWrite: false, toneMapped: false });
  private readonly mesh = new Mesh(new PlaneGeometry(1, 1).translate(0, 0.5, 0), this.material);
  private url = "";
  private shown: Shown | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
  ) {
    this.mesh.visible = false;
    // Behind all that is translucent, before which it is drawn.
    this.mesh.renderOrder = -1;
    stage.scene.add(this.mesh);
    const [standing, running] = [stage.renewal(() => this.stand()), stage.renewal(() => this.run())];
    stage.beforeDraw.push(() => {
      standing.renew();
      running.renew();
    });
  }

  /** Whether it is drawn; for tests. */
  get isShown(): boolean {
    return this.mesh.visible;
  }

  /** The second of the video that is shown; null where there is none. For tests. */
  get second(): number | null {
    return this.shown?.footage?.position ?? null;
  }

  private stand(): void {
    const info = this.model.picture.value;
    if (info?.url !== this.url) this.clear();
    if (info && info.url !== this.url) void this.load(info);
    this.url = info?.url ?? "";
    this.mesh.visible = info !== null && this.shown !== null;
    if (!info || !this.shown) return;
    const { width, height } = this.shown;
    this.mesh.position.set(...info.position);
    this.mesh.rotation.y = info.turn;
    this.mesh.scale.set((info.height * width) / Math.max(1, height), info.height, 1);
    this.material.opacity = info.opacity;
  }

  /** Keep a video in step with the frame that is shown. */
  private run(): void {
    const { picture, playback } = this.model;
    const [frame, start] = [playback.frame.value, picture.value?.start ?? 0];
    const speed = playback.playing.value && !playback.backward.value ? playback.speed.value : 0;
    this.shown?.footage?.show(this.model.timeOf(frame) - start, speed);
  }

  private clear(): void {
    if (this.shown?.footage) this.shown.footage.dispose();
    else this.shown?.texture.dispose();
    this.shown = null;
  }

  private async load({ url, video }: PictureInfo): Promise<void> {
    try {
      const shown = await (video ? this.film(url) : this.picture(url));
      if (this.url !== url) return shown.footage ? shown.footage.dispose() : shown.texture.dispose();
      this.shown = shown;
      this.material.map = shown.texture;
      this.material.needsUpdate = true;
      this.stand();
      this.run();
      this.stage.invalidate();
    } catch {
      if (this.url === url) this.model.notices.add("warning", `The reference ${video ? "video" : "picture"} cannot be shown: the browser cannot decode it`);
    }
  }

  private async picture(url: string): Promise<Shown> {
    const texture = await new TextureLoader().loadAsync(keyed(url));
    texture.colorSpace = SRGBColorSpace;
    const { width, height } = texture.image as { width: number; height: number };
    return { texture, width, height, footage: null };
  }

  private async film(url: string): Promise<Shown> {
    const footage = await Footage.load(url, () => this.stage.invalidate());
    return { texture: footage.texture, width: footage.width, height: footage.height, footage };
  }
}
