import { beforeEach, describe, expect, test } from "vitest";
import { onChange } from "../src/model/changes";
import { type Clock, Playback } from "../src/model/playback";

/** A display that shows a frame whenever the test says so, however late. */
class FakeClock implements Clock {
  ms = 0;
  private waiting = new Map<number, () => void>();
  private last = 0;

  now(): number {
    return this.ms;
  }

  next(tick: () => void): number {
    this.waiting.set(++this.last, tick);
    return this.last;
  }

  forget(number: number): void {
    this.waiting.delete(number);
  }

  get pending(): number {
    return this.waiting.size;
  }

  pass(ms: number): void {
    this.ms += ms;
    const due = [...this.waiting.values()];
    this.waiting.clear();
    for (const tick of due) tick();
  }
}

let clock: FakeClock;
let playback: Playback;
beforeEach(() => {
  clock = new FakeClock();
  playback = new Playback(clock);
  playback.resize(73, 24);
});

describe("at real speed", () => {
  test("a second is as many frames as the rate, at any display rate", () => {
    for (const step of [1, 7, 1000 / 60, 1000 / 24, 90, 250]) {
      playback.go(0);
      playback.play();
      const until = clock.ms + 1000;
      while (clock.ms + step <= until) clock.pass(step);
      const elapsed = 1000 - (until - clock.ms);
      expect(playback.frame.value).toBe(Math.floor((elapsed / 1000) * 24 + 1e-6));
      playback.pause();
    }
  });

  test("a slow display leaves frames out and is never behind", () => {
    const shown: number[] = [];
    onChange(
      () => playback.frame.value,
      (frame) => shown.push(frame),
    );
    playback.play();
    for (let i = 0; i < 4; i++) clock.pass(250);
    expect(shown).toEqual([6, 12, 18, 24]);
  });

  test("a display in step with the clip shows every frame once", () => {
    const shown: number[] = [];
    onChange(
      () => playback.frame.value,
      (frame) => shown.push(frame),
    );
    playback.play();
    for (let i = 0; i < 40; i++) clock.pass(1000 / 24);
    expect(shown).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  });
});

describe("where it begins and ends", () => {
  test("it plays from where it is", () => {
    playback.go(30);
    playback.play();
    clock.pass(500);
    expect(playback.frame.value).toBe(42);
  });

  test("looping goes on at the first frame after the last", () => {
    playback.go(70);
    playback.play();
    clock.pass((1000 / 24) * 3);
    expect(playback.frame.value).toBe(0);
    clock.pass((1000 / 24) * 73 * 2);
    expect(playback.frame.value).toBe(0);
    expect(playback.playing.value).toBe(true);
  });

  test("a cycle turns in its duration: its last frame is its first", () => {
    playback.resize(73, 24, true);
    playback.play();
    clock.pass(3000);
    expect(playback.frame.value).toBe(0);
    clock.pass((1000 / 24) * 71);
    expect(playback.frame.value).toBe(71);
  });

  test("without looping it stops on the last frame, and plays again from the first", () => {
    playback.looping.value = false;
    playback.go(60);
    playback.play();
    clock.pass(10_000);
    expect([playback.frame.value, playback.playing.value, clock.pending]).toEqual([72, false, 0]);
    playback.play();
    clock.pass(250);
    expect(playback.frame.value).toBe(6);
  });

  test("a clip of one frame does not play", () => {
    playback.resize(1, 24);
    playback.play();
    expect(playback.playing.value).toBe(false);
  });
});

describe("meanwhile", () => {
  test("stopping and starting between two displayed frames leaves one clockwork running", () => {
    playback.play();
    playback.toggle();
    playback.toggle();
    expect(clock.pending).toBe(1);
    clock.pass(1000);
    expect([playback.frame.value, clock.pending]).toEqual([24, 1]);
  });

  test("going elsewhere while it plays goes on from there", () => {
    playback.play();
    clock.pass(500);
    playback.go(40);
    clock.pass(250);
    expect(playback.frame.value).toBe(46);
  });

  test("the same clip told again does not lose time", () => {
    playback.play();
    clock.pass(30);
    playback.resize(73, 24);
    clock.pass(30);
    expect(playback.frame.value).toBe(1);
  });

  test("a shorter clip keeps us inside", () => {
    playback.go(72);
    playback.resize(10, 24);
    expect(playback.frame.value).toBe(9);
    playback.go(-5);
    expect(playback.frame.value).toBe(0);
  });
});

describe("backward", () => {
  test("it passes the same frames the other way, and begins again at the end", () => {
    playback.go(10);
    playback.play(true);
    clock.pass(250);
    expect(playback.frame.value).toBe(4);
    clock.pass(250);
    expect(playback.frame.value).toBe(71);
    playback.play();
    clock.pass(125);
    expect([playback.frame.value, clock.pending]).toEqual([1, 1]);
  });

  test("without a loop it stops on the first frame, and starts again from the last", () => {
    playback.looping.value = false;
    playback.go(3);
    playback.play(true);
    clock.pass(1000);
    expect([playback.frame.value, playback.playing.value]).toEqual([0, false]);
    playback.play(true);
    expect(playback.frame.value).toBe(72);
  });

  test("a cycle shows the pose of its seam once", () => {
    playback.resize(25, 24, true);
    playback.go(1);
    playback.play(true);
    clock.pass(2000 / 24);
    expect(playback.frame.value).toBe(23);
  });
});

describe("other ways to play", () => {
  const frames = (count: number, ms = 1000 / 24): number[] =>
    Array.from({ length: count }, () => {
      clock.pass(ms);
      return playback.frame.value;
    });

  test("half speed shows every frame twice as long", () => {
    playback.pace(0.5);
    playback.play();
    expect(frames(6)).toEqual([0, 1, 1, 2, 2, 3]);
  });

  test("to and fro shows each end once", () => {
    playback.resize(4, 24);
    playback.toAndFro.value = true;
    playback.play();
    expect(frames(8)).toEqual([1, 2, 3, 2, 1, 0, 1, 2]);
  });

  test("a range is played alone, and left when the whole clip is chosen", () => {
    playback.begin(10);
    playback.end(12);
    playback.go(40);
    playback.play();
    expect(playback.frame.value).toBe(10);
    expect(frames(4)).toEqual([11, 12, 10, 11]);
    playback.begin(0);
    playback.end(72);
    expect(playback.range.value).toBeNull();
  });

  test("a clip that became shorter forgets a range that it has not", () => {
    playback.end(60);
    playback.resize(20, 24);
    expect(playback.range.value).toBeNull();
  });
});
