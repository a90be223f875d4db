import { signal } from "@preact/signals-core";
import { describe, expect, test, vi } from "vitest";
import { onChange, Renewal, track, Version } from "../src/model/changes";

describe("onChange", () => {
  test("tells changes, not what there is, until it is ended", () => {
    const cell = signal(1);
    const heard: number[] = [];
    const end = onChange(
      () => cell.value,
      (value) => heard.push(value),
    );
    expect(heard).toEqual([]);
    cell.value = 2;
    cell.value = 2;
    cell.value = 3;
    end();
    cell.value = 4;
    expect(heard).toEqual([2, 3]);
  });

  test("what the answer reads is not waited for", () => {
    const [asked, other] = [signal(0), signal(0)];
    const answer = vi.fn(() => void other.value);
    onChange(() => asked.value, answer);
    asked.value = 1;
    other.value = 1;
    expect(answer).toHaveBeenCalledTimes(1);
  });
});

describe("track", () => {
  test("tells the first change of what was read, and no other", () => {
    const [read, unread] = [signal(0), signal(0)];
    const changed = vi.fn();
    track(() => void read.value, changed);
    unread.value = 1;
    expect(changed).not.toHaveBeenCalled();
    read.value = 1;
    read.value = 2;
    expect(changed).toHaveBeenCalledTimes(1);
  });

  test("follows what is read now, not what was read before", () => {
    const [which, left, right] = [signal(true), signal(0), signal(0)];
    const changed = vi.fn();
    const look = (): (() => void) => track(() => void (which.value ? left.value : right.value), changed);
    look()();
    which.value = false;
    look();
    left.value = 1;
    expect(changed).not.toHaveBeenCalled();
    right.value = 1;
    expect(changed).toHaveBeenCalledTimes(1);
  });
});

describe("Renewal", () => {
  test("works only when something that it read has changed", () => {
    const cell = signal(0);
    const [work, outdated] = [vi.fn(() => void cell.value), vi.fn()];
    const renewal = new Renewal(work, outdated);
    expect([renewal.renew(), renewal.renew()]).toEqual([true, false]);
    cell.value = 1;
    cell.value = 2;
    expect(outdated).toHaveBeenCalledTimes(1);
    expect(work).toHaveBeenCalledTimes(1);
    renewal.renew();
    expect(work).toHaveBeenCalledTimes(2);
  });

  test("work that is not done yet is done again, without being asked for", () => {
    const isThere = signal(false);
    const outdated = vi.fn();
    const renewal = new Renewal(() => isThere.value, outdated);
    renewal.renew();
    expect(renewal.isStale).toBe(true);
    expect(outdated).not.toHaveBeenCalled();
    isThere.value = true;
    expect(outdated).toHaveBeenCalledTimes(1);
    renewal.renew();
    expect(renewal.isStale).toBe(false);
  });

  test("inside of other tracked work it keeps what it reads to itself", () => {
    const [inner, outer] = [signal(0), signal(0)];
    const renewal = new Renewal(
      () => inner.value,
      () => undefined,
    );
    const changed = vi.fn();
    track(() => {
      renewal.renew();
      void outer.value;
    }, changed);
    inner.value = 1;
    expect(changed).not.toHaveBeenCalled();
    expect(renewal.isStale).toBe(true);
    outer.value = 1;
    expect(changed).toHaveBeenCalledTimes(1);
  });
});

test("whoever reads a version hears of its changes, and whoever bumps it does not", () => {
  const version = new Version();
  const changed = vi.fn();
  track(() => void version.read(), changed);
  track(() => version.bump(), changed);
  expect(changed).toHaveBeenCalledTimes(1);
});
