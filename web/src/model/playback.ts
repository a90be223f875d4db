import { Cell } from "./cell";

/** Where we are in the clip, in whole frames from its first, and whether it plays, at real speed. */
export class Playback {
  readonly frame = new Cell(0);
  readonly playing = new Cell(false);
  readonly looping = new Cell(true);
  frames = 1;
  rate = 24;
  private began = 0;
  private from = 0;

  /** The clip has other frames now; we stay on the nearest. */
  resize(frames: number, rate: number): void {
    this.frames = Math.max(1, frames);
    this.rate = rate;
    this.go(this.frame.value);
  }

  go(frame: number): void {
    this.frame.value = Math.min(this.frames - 1, Math.max(0, Math.round(frame)));
    this.restart();
  }

  toggle(): void {
    if (this.playing.value) this.playing.value = false;
    else this.play();
  }

  play(): void {
    if (this.playing.value || this.frames < 2) return;
    if (!this.looping.value && this.frame.value === this.frames - 1) this.frame.value = 0;
    this.playing.value = true;
    this.restart();
    requestAnimationFrame(this.tick);
  }

  private restart(): void {
    this.from = this.frame.value;
    this.began = performance.now();
  }

  // The clock decides which frame it is; when drawing is slow, frames are left out, never stretched.
  private readonly tick = (): void => {
    if (!this.playing.value) return;
    const passed = this.from + Math.floor(((performance.now() - this.began) / 1000) * this.rate);
    if (passed < this.frames) {
      this.frame.value = passed;
    } else if (this.looping.value) {
      this.frame.value = passed % this.frames;
    } else {
      this.frame.value = this.frames - 1;
      this.playing.value = false;
      return;
    }
    requestAnimationFrame(this.tick);
  };
}
