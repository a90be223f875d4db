import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Clock, Playback } from "../src/model/playback";
import { SoundTrack, waveOf } from "../src/model/sound";

const RATE = 24;
const LASTS = 2;

/** A clock that is moved by hand, for pictures and sound alike. */
class Hand implements Clock {
  ms = 0;
  private ticks: (() => void)[] = [];
  now = (): number => this.ms;
  next(tick: () => void): number {
    return this.ticks.push(tick);
  }
  forget(): void {
    this.ticks = [];
  }
  pass(seconds: number): void {
    this.ms += 1000 * seconds;
    for (const tick of this.ticks.splice(0)) tick();
  }
}

interface Started {
  when: number;
  from: number;
  lasts: number | undefined;
  speed: number;
  over: boolean;
}

const samples = Float32Array.from({ length: 8000 * LASTS }, (_, i) => (i >= 4000 && i < 8000 ? 0.5 * Math.sin(i) : 0));
const buffer = { sampleRate: 8000, length: samples.length, duration: LASTS, numberOfChannels: 1, getChannelData: () => samples };
let clock: Hand;
let playback: Playback;
let sound: SoundTrack;
let started: Started[];

beforeEach(async () => {
  [clock, started] = [new Hand(), []];
  class FakeContext {
    state = "running";
    destination = {};
    get currentTime(): number {
      return clock.ms / 1000;
    }
    decodeAudioData = async (): Promise<unknown> => buffer;
    createGain = () => ({ connect: () => undefined, gain: { setValueAtTime: () => undefined, linearRampToValueAtTime: () => undefined } });
    createBufferSource() {
      const made: Started = { when: 0, from: 0, lasts: undefined, speed: 1, over: false };
      const source = {
        playbackRate: { value: 1 },
        connect: <T>(to: T): T => to,
        start(when: number, from: number, lasts?: number) {
          started.push(Object.assign(made, { when, from, lasts, speed: source.playbackRate.value }));
        },
        stop: () => (made.over = true),
      };
      return source;
    }
  }
  vi.stubGlobal("AudioContext", FakeContext);
  vi.stubGlobal("fetch", async () => ({ ok: true, arrayBuffer: async () => new ArrayBuffer(0) }));
  playback = new Playback(clock);
  playback.resize(49, RATE);
  sound = new SoundTrack(playback, (frame) => frame / RATE);
  sound.hear({ name: "beep.wav", url: "/part/1", start: 0.5, muted: false });
  await vi.waitFor(() => expect(sound.wave.value).not.toBeNull());
});
afterEach(() => vi.unstubAllGlobals());

const playing = (): Started[] => started.filter((each) => !each.over && each.lasts === undefined);

test("it waits for its beginning, and goes on in step with the pictures", () => {
  playback.play();
  expect(playing()).toEqual([{ when: 0.5, from: 0, lasts: undefined, speed: 1, over: false }]);
  for (let i = 0; i < 60; i++) {
    clock.pass(0.02);
    expect(Math.abs((sound.position ?? Infinity) - clock.ms / 1000)).toBeLessThan(1e-9);
  }
  expect(started.length).toBe(1);
});

test("it begins anew with another round, another speed and another place", () => {
  playback.go(24);
  started.length = 0;
  playback.play();
  expect(playing()[0].from).toBeCloseTo(0.5);
  playback.pace(0.5);
  expect(playing()).toMatchObject([{ speed: 0.5 }]);
  playback.pace(1);
  clock.pass(1.2); // past the last frame: the round begins again
  expect(playback.frame.value).toBeLessThan(10);
  expect(playing().length).toBe(1);
  expect(sound.position).toBeCloseTo(playback.frame.value / RATE);
  playback.go(36);
  expect(playing()[0].from).toBeCloseTo(1.0);
});

test("nothing is heard backward, muted, or when it stands", () => {
  playback.play(true);
  expect(playing()).toEqual([]);
  playback.play();
  expect(playing().length).toBe(1);
  sound.hear({ name: "beep.wav", url: "/part/1", start: 0.5, muted: true });
  expect(playing()).toEqual([]);
  sound.hear({ name: "beep.wav", url: "/part/1", start: 0.5, muted: false });
  expect(playing().length).toBe(1);
  playback.pause();
  expect(playing()).toEqual([]);
  expect(sound.position).toBeNull();
});

test("scrubbing lets a short piece be heard at that place, and silence where there is none", () => {
  playback.go(30);
  expect(started).toMatchObject([{ from: 30 / RATE - 0.5, lasts: 0.1 }]);
  playback.go(30);
  playback.go(6);
  expect(started.length).toBe(1);
});

test("a sound that is dragged is heard from where it is dragged to", () => {
  sound.draft.value = 0;
  playback.go(12);
  playback.play();
  expect(playing()[0].from).toBeCloseTo(0.5);
  expect(sound.start).toBe(0);
});

test("the wave shows where it is loud, and is left off when it is not wanted any more", async () => {
  const wave = await waveOf(buffer, () => false);
  expect(wave?.rate).toBe(200);
  expect(wave?.high[99]).toBe(0);
  expect(wave?.high[110]).toBeCloseTo(0.5, 1);
  expect(wave?.low[110]).toBeCloseTo(-0.5, 1);
  expect(wave?.high[210]).toBe(0);
  const long = { ...buffer, length: 4e6, duration: 500, getChannelData: () => new Float32Array(4e6) };
  expect(await waveOf(long, () => true)).toBeNull();
});
