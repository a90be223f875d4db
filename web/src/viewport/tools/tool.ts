import type { Vector3 } from "three";
import type { Hand } from "../../model/hand";
import type { Model } from "../../model/model";
import type { Tool } from "../../model/tool";
import type { Place, PointTarget } from "../../protocol/messages";
import type { GizmoPart } from "../gizmo_shape";
import type { Overlay } from "../overlay";
import type { Bench } from "./bench";
import type { Under } from "./under";

/** A drag with the left button, from the moment it is more than a click. */
export interface Drag {
  hand: Hand;
  move(x: number, y: number): void;
  /** The handle that is held, where one is. */
  part: GizmoPart | null;
}

/** What a drag holds: a place on a frame, where it is, and by which handle. */
export interface Grip {
  place: Place;
  frame: number;
  time: number;
  point: Vector3;
  part: GizmoPart | null;
}

/** A target that a drag holds, where it is, and by which handle. */
export interface TargetGrip {
  name: string;
  target: PointTarget;
  point: Vector3;
  part: GizmoPart | null;
}

/** What a tool does on the stage; all that it leaves out is as with every tool. */
export interface StageTool extends Tool {
  /** The handles that it shows at the active point. */
  readonly parts: readonly GizmoPart[];
  /** Whether those move the chosen target, where there is one, and not the motion. */
  readonly holdsTargets: boolean;
  /** What the pointer looks like over something. */
  cursor(what: Under): string;
  /** What is said of what is under the pointer, where `usual` is not enough. */
  words?(what: Under, usual: string): string;
  /** A drag takes hold of the motion; without this it holds nothing. */
  take?(bench: Bench, grip: Grip, x: number, y: number): Drag | null;
  /** A drag takes hold of a target; without this it pulls it. */
  takeTarget?(bench: Bench, grip: TargetGrip, x: number, y: number): Drag | null;
  /** A click; false where it means what it always does. */
  click?(bench: Bench, what: Under, event: PointerEvent): boolean;
  /** A turn of the wheel; false where it is the camera's. */
  wheel?(bench: Bench, event: WheelEvent): boolean;
  /** The left button as a whole, for tools that do not care what is under the pointer; then nothing lights up there. */
  press?(bench: Bench, event: PointerEvent): void;
  /** What of the body is marked instead of the selection, and in which colour. */
  marks?(model: Model): { places: readonly Place[]; colour: number };
  /** Put on the stage what it needs there; returns where scripts find things of its own. */
  attach?(bench: Bench, overlay: Overlay): object | undefined;
}

/** What the pointer looks like with most tools. */
export function usualCursor(what: Under): string {
  if (what.kind === "nothing") return "";
  return what.kind === "body" ? "pointer" : "grab";
}
