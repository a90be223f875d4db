import type { ConstraintInfo, Scene, TermWeight } from "../protocol/messages";

export type TermName = TermWeight["name"];

/** The terms that everybody has, in the order in which they are shown, and how much each counts until somebody says otherwise. */
export const TERM_DEFAULTS = {
  torque: 1,
  "follow-through": 0,
  jerk: 0,
  acceleration: 0,
  balance: 0,
  slide: 0,
  style: 0,
  limits: 0,
  obstacles: 0,
} as const;

/** Why a term has nothing to count here, in words; empty when it has. */
export function whyNot(term: TermName, scene: Scene | null, constraints: readonly ConstraintInfo[]): string {
  switch (term) {
    case "balance":
    case "slide":
      return constraints.some(({ planted }) => planted) ? "" : "No contacts in this clip";
    case "limits":
      return scene?.channels.some(({ lower, upper }) => lower !== null || upper !== null) ? "" : "No channel has limits";
    case "obstacles":
      return scene?.props.some(({ role, joint }) => role === "obstacle" && joint === null) ? "" : "No obstacles in this scene";
    default:
      return "";
  }
}
