import type { DragSteps } from "../canvas/press";
import type { Arrangement } from "./arrangement";
import type { View } from "./view";

/** What drags need of the dope sheet. */
export interface DragSheet {
  readonly view: View;
  place(): Arrangement;
  /** Where a pointer event is, in CSS pixels from the sheet's top left. */
  at(event: MouseEvent): { x: number; y: number };
  /** The time under a pointer event. */
  timeAt(event: MouseEvent): number;
  /** Say something beside the pointer until the drag is over. */
  say(text: string, event: MouseEvent): void;
  /** The same steps, falling silent at their end. */
  saying(steps: DragSteps): DragSteps;
  invalidate(): void;
}
