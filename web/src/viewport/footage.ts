import { SRGBColorSpace, VideoTexture } from "three";
import { keyed } from "../protocol/door";

/** Seconds by which a playing video may be apart from the clip before it is led back: leading back takes a moment. */
const APART = 0.1;
/** A hair into a picture: at its very beginning a browser may still show the one before. */
const INTO = 1e-3;

/** A video that shows the picture of a given second, and runs along while the clip plays. */
export class Footage {
  readonly texture: VideoTexture;
  private wish: number | null = null;

  private constructor(
    private readonly video: HTMLVideoElement,
    private readonly address: string,
    redraw: () => void,
  ) {
    this.texture = new VideoTexture(video);
    this.texture.colorSpace = SRGBColorSpace;
    video.addEventListener("seeked", () => {
      this.texture.needsUpdate = true;
      redraw();
      const next = this.wish;
      this.wish = null;
      if (next !== null) this.seek(next);
    });
  }

  /** Fetched whole, as only then a browser goes to any second of it; rejects where it cannot decode it. */
  static async load(url: string, redraw: () => void): Promise<Footage> {
    const answer = await fetch(keyed(url));
    if (!answer.ok) throw new Error(`the server says ${answer.status}`);
    const address = URL.createObjectURL(await answer.blob());
    const video = document.createElement("video");
    video.muted = true;
    video.playsInline = true;
    video.preload = "auto";
    await new Promise((resolve, reject) => {
      video.addEventListener("loadeddata", resolve, { once: true });
      video.addEventListener("error", () => reject(video.error), { once: true });
      video.src = address;
    }).catch((error) => {
      URL.revokeObjectURL(address);
      throw error;
    });
    return new Footage(video, address, redraw);
  }

  get width(): number {
    return this.video.videoWidth;
  }

  get height(): number {
    return this.video.videoHeight;
  }

  /** The second whose picture is shown. */
  get position(): number {
    return this.video.currentTime;
  }

  /** Show a second of it, and go on at that speed; 0 to stay. Before its beginning and after its end it stands still. */
  show(second: number, speed: number): void {
    const at = Math.min(Math.max(0, second), Math.max(0, this.video.duration - INTO));
    const runs = speed > 0 && at === second;
    if (runs) {
      this.video.playbackRate = speed;
      if (Math.abs(this.video.currentTime - at) > APART * Math.max(1, speed)) this.seek(at);
      // Refused where it was paused again meanwhile.
      if (this.video.paused) this.video.play().catch(() => undefined);
      return;
    }
    this.video.pause();
    this.seek(at);
  }

  dispose(): void {
    this.video.pause();
    this.video.removeAttribute("src");
    URL.revokeObjectURL(this.address);
    this.texture.dispose();
  }

  /** A seek that is under way is finished first, or a hand that scrubs would see nothing. */
  private seek(at: number): void {
    const to = at + INTO;
    if (this.video.seeking) this.wish = at;
    else if (Math.abs(this.video.currentTime - to) > 1e-6) this.video.currentTime = to;
  }
}
