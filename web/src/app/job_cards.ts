import type { Job } from "../protocol/messages";
import { suffix } from "./file_names";

/** Shorter work is over before anybody wonders. */
const QUICK_MS = 300;
/** How long the end of a job is shown; longer where there is something to fetch. A saved document is at home already. */
const SHOWN_MS = { done: 6000, fetch: 15_000, short: 30_000 };

/** Which jobs are to be seen, and when that changes next. Time comes from outside, so that it can be tested. */
export class JobCards {
  private readonly began = new Map<number, number>();
  private readonly ended = new Map<number, number>();
  private readonly closed = new Set<number>();

  close(job: number): void {
    this.closed.add(job);
  }

  /** The jobs to show at `now`, and in how many milliseconds to look again (null: not before something happens). */
  look(jobs: ReadonlyMap<number, Job>, now: number): { shown: Job[]; again: number | null } {
    const shown: Job[] = [];
    const waits: number[] = [];
    for (const number of [...this.began.keys()]) if (!jobs.has(number)) this.forget(number);
    for (const [number, job] of jobs) {
      if (!this.began.has(number)) this.began.set(number, now);
      if (job.state !== "running" && !this.ended.has(number)) this.ended.set(number, now);
      const wait = this.closed.has(number) ? 0 : this.wait(job, now);
      if (wait > 0) waits.push(wait);
      if (wait !== 0 && this.isSeen(job, now)) shown.push(job);
    }
    const next = Math.min(...waits);
    return { shown, again: Number.isFinite(next) ? next : null };
  }

  private isSeen(job: Job, now: number): boolean {
    if (job.state === "running") return now - (this.began.get(job.job) ?? now) >= QUICK_MS;
    // What it has to say is told here and nowhere else, however quick it was; one that says nothing just goes.
    return job.url !== null || job.text !== "";
  }

  /** Milliseconds until a card appears or goes; infinite where only the server can say, 0 when it has gone. */
  private wait(job: Job, now: number): number {
    if (job.state === "running") {
      const left = QUICK_MS - (now - (this.began.get(job.job) ?? now));
      return left > 0 ? left : Number.POSITIVE_INFINITY;
    }
    // Failing and being cancelled are answers to whoever asked, and told as notices.
    if (job.state !== "done") return 0;
    if (job.short) return Math.max(0, SHOWN_MS.short - (now - (this.ended.get(job.job) ?? now)));
    const stays = job.url !== null && suffix(job.path ?? "") !== ".tween" ? SHOWN_MS.fetch : SHOWN_MS.done;
    return Math.max(0, stays - (now - (this.ended.get(job.job) ?? now)));
  }

  private forget(number: number): void {
    this.began.delete(number);
    this.ended.delete(number);
    this.closed.delete(number);
  }
}
