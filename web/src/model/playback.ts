import { signal } from "@preact/signals-core";

/** What playback needs of the browser; tests bring a clock of their own. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Call once before the next displayed frame; returns a number by which `forget` takes that back. */
  next(tick: () => void): number;
  forget(number: number): void;
}

const DISPLAY: Clock = {
  now: () => performance.now(),
  next: (tick) => requestAnimationFrame(tick),
  forget: (number) => cancelAnimationFrame(number),
};

/** Where we are in the clip, in whole frames from its first, and whether it plays, at real speed, forward or backward. */
export class Playback {
  readonly frame = signal(0);
  readonly playing = signal(false);
  readonly backward = signal(false);
  readonly looping = signal(true);
  private readonly extent = signal({ frames: 1, rate: 24, cyclic: false });
  private began = 0;
  private from = 0;
  private scheduled = 0;

  constructor(private readonly clock: Clock = DISPLAY) {}

  get frames(): number {
    return this.extent.value.frames;
  }

  /** Frames a second. */
  get rate(): number {
    return this.extent.value.rate;
  }

  /** The clip has other frames now; we stay on the nearest. A cyclic clip ends on the pose that it starts with. */
  resize(frames: number, rate: number, cyclic = false): void {
    const count = Math.max(1, frames);
    const was = this.extent.value;
    if (count === was.frames && rate === was.rate && cyclic === was.cyclic) return;
    this.extent.value = { frames: count, rate, cyclic };
    this.go(this.frame.value);
  }

  go(frame: number): void {
    this.frame.value = Math.min(this.frames - 1, Math.max(0, Math.round(frame)));
    this.restart();
  }

  /** Pause what plays that way; else play it. */
  toggle(backward = false): void {
    if (this.playing.value && this.backward.value === backward) this.pause();
    else this.play(backward);
  }

  play(backward = false): void {
    if (this.frames < 2 || (this.playing.value && this.backward.value === backward)) return;
    this.pause();
    this.backward.value = backward;
    const [first, last] = backward ? [this.frames - 1, 0] : [0, this.frames - 1];
    if (!this.looping.value && this.frame.value === last) this.frame.value = first;
    this.restart();
    this.playing.value = true;
    this.scheduled = this.clock.next(this.tick);
  }

  /** Stay on the frame that is shown. */
  pause(): void {
    this.clock.forget(this.scheduled);
    this.playing.value = false;
  }

  private restart(): void {
    this.from = this.frame.value;
    this.began = this.clock.now();
  }

  // The clock decides which frame it is; when drawing is slow, frames are left out, never stretched.
  private readonly tick = (): void => {
    if (!this.playing.value) return;
    // A hair of slack, so that a display in step with the clip's rate does not show a frame twice and skip the next.
    const passed = Math.floor(((this.clock.now() - this.began) / 1000) * this.rate + 1e-6);
    const reached = this.from + (this.backward.value ? -passed : passed);
    // The last frame of a cycle is its first: shown twice, the motion would stutter.
    const turn = this.extent.value.cyclic && this.frames > 2 ? this.frames - 1 : this.frames;
    const last = this.backward.value ? 0 : this.frames - 1;
    if (this.looping.value) this.frame.value = ((reached % turn) + turn) % turn;
    else this.frame.value = Math.max(0, Math.min(reached, this.frames - 1));
    if (!this.looping.value && this.frame.value === last) return this.pause();
    this.scheduled = this.clock.next(this.tick);
  };
}
