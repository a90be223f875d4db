import type { Studio } from "../commands/studio";
import type { Box } from "./hits";
import type { Copies } from "./key_selection";
import type { Shown } from "./shown";
import type { View } from "./view";

/** What drags on the sheet work with. */
export interface Desk extends Studio {
  readonly shown: Shown;
  readonly view: View;
  /** Where a pointer event is, in CSS pixels from the sheet's top left. */
  at(event: MouseEvent): { x: number; y: number };
  /** A time as people read it: "frame 17", "0.71 s". */
  moment(time: number): string;
  /** A line beside the pointer; null takes it away. */
  note(text: string | null, x?: number, y?: number): void;
  /** The rubber band of a box selection. */
  stretchBand(band: Box | null): void;
  /** Show all curves, or the selected keys. */
  fit(): void;
  /** The view is no longer what the last fit made it. */
  viewed(): void;
  /** Select the copies of keys as they come, wherever their numbers are by then. */
  followCopies(copies: Copies | null): void;
}
