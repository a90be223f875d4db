import { signal } from "@preact/signals-core";
import { keyed } from "../protocol/door";
import type { SoundInfo } from "../protocol/messages";
import { onChange } from "./changes";
import type { Playback } from "./playback";

/** How loud a sound is, so many times a second: lowest and highest sample of each piece. */
export interface Wave {
  rate: number;
  low: Float32Array;
  high: Float32Array;
  /** Seconds. */
  lasts: number;
}

const PIECES = 200;
/** Samples that are looked at before the page has its turn again: a few milliseconds. */
const AT_ONCE = 1 << 19;
/** Seconds that are heard while somebody scrubs, and by which it fades at both ends, so that it does not click. */
const [PIECE, FADE] = [0.1, 0.01];
/** Seconds by which sound and picture may be apart before the sound is begun anew. */
const APART = 0.06;

/** The sound of the clip, in step with what plays; scrubbing lets a short piece of it be heard. */
export class SoundTrack {
  readonly info = signal<SoundInfo | null>(null);
  readonly wave = signal<Wave | null>(null);
  /** Where it begins while a hand drags it; null otherwise. */
  readonly draft = signal<number | null>(null);
  /** Why it cannot be heard; "" where it can. */
  readonly problem = signal("");
  private context: AudioContext | null = null;
  private buffer: AudioBuffer | null = null;
  private heard: { source: AudioBufferSourceNode; from: number; when: number; speed: number } | null = null;

  constructor(
    private readonly playback: Playback,
    private readonly timeOf: (frame: number) => number,
  ) {
    onChange(
      () => [playback.frame.value, playback.playing.value, playback.backward.value, playback.speed.value, this.info.value, this.draft.value],
      () => this.follow(),
    );
  }

  /** Seconds of the clip at which it begins. */
  get start(): number {
    return this.draft.value ?? this.info.value?.start ?? 0;
  }

  /** The second of the clip that is heard now while it plays; null where nothing is. */
  get position(): number | null {
    const { heard, context } = this;
    return heard && context ? heard.from + (context.currentTime - heard.when) * heard.speed + this.start : null;
  }

  hear(info: SoundInfo | null): void {
    const other = info?.url !== this.info.peek()?.url;
    this.info.value = info;
    if (!other) return;
    this.stop();
    this.buffer = null;
    this.wave.value = null;
    this.problem.value = "";
    if (info) void this.load(info.url);
  }

  private async load(url: string): Promise<void> {
    const gone = (): boolean => this.info.peek()?.url !== url;
    try {
      const answer = await fetch(keyed(url));
      if (!answer.ok) throw new Error(`the server says ${answer.status}`);
      this.context ??= new AudioContext();
      const buffer = await this.context.decodeAudioData(await answer.arrayBuffer());
      if (gone()) return;
      this.buffer = buffer;
      const wave = await waveOf(buffer, gone);
      if (wave) this.wave.value = wave;
    } catch (error) {
      // A decoder says no more than that it would not.
      if (!gone()) this.problem.value = `cannot be decoded (${(error as Error).message}); save it anew`;
    }
  }

  private follow(): void {
    const { playing, backward, speed, frame } = this.playback;
    const info = this.info.peek();
    if (!this.buffer || !info || info.muted) return this.stop();
    const at = this.timeOf(frame.peek()) - this.start;
    if (!playing.peek()) {
      const scrubbed = this.heard === null && this.draft.peek() === null && this.lastFrame !== frame.peek();
      this.stop();
      if (scrubbed) this.play(at, 1, PIECE);
    } else if (backward.peek()) this.stop();
    else if (this.isApart(at, speed.peek())) {
      this.stop();
      this.play(at, speed.peek());
    }
    this.lastFrame = frame.peek();
  }
  private lastFrame = 0;

  private isApart(at: number, speed: number): boolean {
    if (!this.heard || !this.context || this.heard.speed !== speed) return true;
    // A frame is shown for a while, during which the sound goes on.
    const ahead = this.heard.from + (this.context.currentTime - this.heard.when) * speed - at;
    return ahead < -APART || ahead > speed / this.playback.rate + APART;
  }

  /** Let it be heard from a second of it on, to its end or for `seconds`; what is before its beginning is silence. */
  private play(from: number, speed: number, seconds = Infinity): void {
    const [context, buffer] = [this.context, this.buffer];
    if (!context || !buffer || from >= buffer.duration) return;
    if (context.state === "suspended") void context.resume();
    const source = context.createBufferSource();
    const gain = context.createGain();
    source.buffer = buffer;
    source.playbackRate.value = speed;
    source.connect(gain).connect(context.destination);
    const now = context.currentTime;
    if (seconds < Infinity) {
      if (from < 0) return;
      gain.gain.setValueAtTime(0, now);
      gain.gain.linearRampToValueAtTime(1, now + FADE);
      gain.gain.setValueAtTime(1, now + seconds - FADE);
      gain.gain.linearRampToValueAtTime(0, now + seconds);
      source.start(now, from, seconds);
      this.pieces++;
      return;
    }
    source.start(now + Math.max(0, -from) / speed, Math.max(0, from));
    this.heard = { source, from, when: now, speed };
  }
  /** How many short pieces were heard so far. */
  pieces = 0;

  private stop(): void {
    this.heard?.source.stop();
    this.heard = null;
  }
}

/** The wave of a sound, a slice at a time, so that the page never waits for it; null once it is not wanted any more. */
export async function waveOf(
  buffer: Pick<AudioBuffer, "sampleRate" | "length" | "duration" | "numberOfChannels" | "getChannelData">,
  gone: () => boolean,
): Promise<Wave | null> {
  const count = Math.max(1, Math.ceil(buffer.duration * PIECES));
  const [low, high] = [new Float32Array(count), new Float32Array(count)];
  let looked = 0;
  for (let channel = 0; channel < buffer.numberOfChannels; channel++) {
    const samples = buffer.getChannelData(channel);
    for (let piece = 0; piece < count; piece++) {
      const [from, to] = [Math.floor((piece * samples.length) / count), Math.floor(((piece + 1) * samples.length) / count)];
      let [least, most] = [low[piece], high[piece]];
      for (let i = from; i < to; i++) {
        if (samples[i] < least) least = samples[i];
        if (samples[i] > most) most = samples[i];
      }
      [low[piece], high[piece]] = [least, most];
      looked += to - from;
      if (looked < AT_ONCE) continue;
      looked = 0;
      await new Promise((resolve) => setTimeout(resolve));
      if (gone()) return null;
    }
  }
  return { rate: count / buffer.duration, low, high, lasts: buffer.duration };
}
