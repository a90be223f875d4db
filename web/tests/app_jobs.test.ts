import { describe, expect, it } from "vitest";
import { JobCards } from "../src/app/job_cards";
import type { Job } from "../src/protocol/messages";

const job = (state: Job["state"], more: Partial<Job> = {}): ReadonlyMap<number, Job> =>
  new Map([[1, { type: "job", job: 1, label: "Export a.mp4", state, progress: null, text: "", short: false, path: null, url: null, ...more }]]);
const shown = (cards: JobCards, jobs: ReadonlyMap<number, Job>, now: number): number => cards.look(jobs, now).shown.length;

describe("job cards", () => {
  it("come after 300 ms", () => {
    const cards = new JobCards();
    expect(cards.look(job("running"), 1000)).toEqual({ shown: [], again: 300 });
    expect(shown(cards, job("running"), 1299)).toBe(0);
    const later = cards.look(job("running"), 1300);
    expect(later.shown).toHaveLength(1);
    expect(later.again).toBeNull();
  });

  it("do not come at all for quick work that has nothing to say", () => {
    const cards = new JobCards();
    cards.look(job("running"), 0);
    expect(shown(cards, job("done"), 100)).toBe(0);
    expect(shown(cards, job("done"), 500)).toBe(0);
  });

  it("tell what quick work has found, because nobody else does", () => {
    const cards = new JobCards();
    cards.look(job("running"), 0);
    expect(shown(cards, job("done", { text: "2 contacts found" }), 100)).toBe(1);
    expect(shown(cards, job("done", { text: "2 contacts found" }), 10_000)).toBe(0);
  });

  it("offer what quick work wrote, and go by themselves", () => {
    const cards = new JobCards();
    cards.look(job("running"), 0);
    const done = job("done", { url: "/download/a.glb" });
    const first = cards.look(done, 100);
    expect(first.shown).toHaveLength(1);
    expect(first.again).toBeGreaterThan(0);
    expect(shown(cards, done, 100 + (first.again ?? 0) - 1)).toBe(1);
    expect(cards.look(done, 100 + (first.again ?? 0))).toEqual({ shown: [], again: null });
  });

  it("go when closed, and leave failures to the notices", () => {
    const cards = new JobCards();
    const done = job("done", { url: "/download/a.glb" });
    expect(shown(cards, done, 0)).toBe(1);
    cards.close(1);
    expect(shown(cards, done, 1)).toBe(0);
    const others = new JobCards();
    others.look(job("running"), 0);
    expect(shown(others, job("failed", { text: "disk full" }), 5000)).toBe(0);
  });

  it("start afresh when a new server counts from one again", () => {
    const cards = new JobCards();
    cards.look(job("running"), 0);
    expect(shown(cards, job("running"), 400)).toBe(1);
    cards.look(new Map(), 500);
    expect(shown(cards, job("running"), 600)).toBe(0);
  });

  it("that fell short stay longer", () => {
    const cards = new JobCards();
    const short = job("done", { text: "toe_l slides still", short: true });
    expect(shown(cards, short, 1000)).toBe(1);
    expect(shown(cards, short, 20_000)).toBe(1);
    expect(shown(cards, job("done", { text: "done" }), 31_001)).toBe(0);
  });
});
