import type { SVGTemplateResult } from "lit";

/** What the mouse does somewhere, for the shortcut sheet. */
export interface MouseGesture {
  where: string;
  gesture: string;
  does: string;
}

/** A tool as the bar, the keyboard and the shortcut sheet know it; what it does on the stage is told in viewport/tools. */
export interface Tool {
  /** What it goes by; people read its label. */
  readonly name: string;
  readonly label: string;
  /** The key that chooses it. */
  readonly key: string;
  /** What it is for, as its tooltip says it. */
  readonly does: string;
  /** On a grid of 16 × 16. */
  readonly icon: SVGTemplateResult;
  readonly gestures: readonly MouseGesture[];
  /** Whether it has to know how points are turned along their arcs. */
  readonly needsTurns?: boolean;
  /** Whether keys are set for all joints above the selected ones, too. */
  readonly keysChains?: boolean;
  /** Whether it says itself what to do next, so that hints keep quiet. */
  readonly saysWhatNext?: boolean;
}
