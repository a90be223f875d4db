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

/** Where we are in the clip, in whole frames from its first, and whether it plays, forward, backward or to and fro. */
export class Playback {
  readonly frame = signal(0);
  readonly playing = signal(false);
  readonly backward = signal(false);
  readonly looping = signal(true);
  /** Whether it turns round at its ends, instead of beginning again. */
  readonly toAndFro = signal(false);
  /** How many times real speed. */
  readonly speed = signal(1);
  /** The first and last frame that are played; null for the whole clip. */
  readonly range = signal<readonly [number, number] | null>(null);
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
    const range = this.range.value;
    if (range && range[1] >= count) this.range.value = null;
    this.go(this.frame.value);
  }

  go(frame: number): void {
    this.frame.value = Math.min(this.frames - 1, Math.max(0, Math.round(frame)));
    this.restart();
  }

  /** Play from a frame on, up to where it did. */
  begin(frame: number): void {
    const last = this.range.value?.[1] ?? this.frames - 1;
    this.setRange(frame, last > frame ? last : this.frames - 1);
  }

  /** Play up to a frame, from where it did. */
  end(frame: number): void {
    const first = this.range.value?.[0] ?? 0;
    this.setRange(first < frame ? first : 0, frame);
  }

  /** Play so many times as fast from here on. */
  pace(speed: number): void {
    this.speed.value = speed;
    this.restart();
  }

  private setRange(first: number, last: number): void {
    const whole = first <= 0 && last >= this.frames - 1;
    if (last > first) this.range.value = whole ? null : [first, last];
    this.restart();
  }

  /** The first and last frame that are played. */
  private get ends(): readonly [number, number] {
    return this.range.value ?? [0, this.frames - 1];
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
    const [from, to] = this.ends;
    const [first, last] = backward ? [to, from] : [from, to];
    const outside = this.frame.value < from || this.frame.value > to;
    if (outside || (!this.looping.value && this.frame.value === last)) this.frame.value = first;
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
    const passed = Math.floor(((this.clock.now() - this.began) / 1000) * this.rate * this.speed.value + 1e-6);
    const [first, final] = this.ends;
    const length = final - first + 1;
    const reached = this.from - first + (this.backward.value ? -passed : passed);
    const last = this.backward.value ? first : final;
    if (!this.looping.value) this.frame.value = Math.max(first, Math.min(first + reached, final));
    else if (this.toAndFro.value) {
      // Both ends are shown once a way; what is beyond one of them is on the way back.
      const way = Math.max(1, 2 * (length - 1));
      const along = ((reached % way) + way) % way;
      this.frame.value = first + (along < length ? along : way - along);
    } else {
      // The last frame of a cycle is its first: shown twice, the motion would stutter.
      const turn = this.extent.value.cyclic && this.range.value === null && length > 2 ? length - 1 : length;
      this.frame.value = first + (((reached % turn) + turn) % turn);
    }
    if (!this.looping.value && this.frame.value === last) return this.pause();
    this.scheduled = this.clock.next(this.tick);
  };
}
