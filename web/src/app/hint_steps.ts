/** The first minute, one step after the other; "gone" is for good. */
export type HintStep = "select" | "drag" | "more" | "gone";

/** What the animator did: selected a point or none, let go of a gesture, changed the document otherwise, closed the hint. */
export type HintEvent = "selected" | "cleared" | "gesture" | "edit" | "dismissed";

export const HINTS: Record<Exclude<HintStep, "gone">, string> = {
  select: "Click a part of the character",
  drag: "Drag its arc",
  more: "P pins it · R times it · Ctrl-Z undoes",
};

export function nextStep(step: HintStep, event: HintEvent): HintStep {
  if (step === "gone" || event === "dismissed") return "gone";
  switch (event) {
    case "selected":
      return step === "select" ? "drag" : step;
    case "cleared":
      return step === "drag" ? "select" : step;
    case "gesture":
      return step === "more" ? "gone" : "more";
    case "edit":
      // A pin, an undo: the last hint has done its work. Before it, other edits are no reason to skip a step.
      return step === "more" ? "gone" : step;
  }
}
