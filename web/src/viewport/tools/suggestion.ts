import type { Hand } from "../../model/hand";
import type { Model } from "../../model/model";
import { isOnKey } from "../blocked";

/** When a drag is let go short of its wish, ask which key would help, before the hand is gone. */
export function suggestKey(model: Model, hand: Hand): void {
  const answer = model.answer.value;
  if (hand.isOver || answer?.gesture !== hand.number || answer.reached || hand.what.kind !== "drag-arc") return;
  if (isOnKey(model, hand)) return; // there is one already
  void model.ask({ type: "suggest-key", gesture: hand.number });
}
