import type { Stage } from "../stage";

/** Give the stage its tools: what the left mouse button, the pointer and the keys do on it. */
export function attachTools(_stage: Stage): void {}
