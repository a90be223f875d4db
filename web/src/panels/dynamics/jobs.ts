import { model } from "../../app/studio";
import type { Job } from "../../protocol/messages";

/** The running job whose label begins so; null for none. */
export function runningJob(label: string): Job | null {
  return [...model.jobs.value.values()].find((job) => job.state === "running" && job.label.startsWith(label)) ?? null;
}
