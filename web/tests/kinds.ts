import type { ConstraintInfo } from "../src/protocol/messages";

type KindData = Pick<ConstraintInfo, "kind" | "colour" | "stands" | "planted" | "momentary" | "to">;

/** What the server says of a constraint's kind. */
export function kindData(kind: string): KindData {
  const stands = kind === "contact";
  return { kind, colour: stands ? "contact" : "pin", stands, planted: stands, momentary: kind === "lock", to: "" };
}
