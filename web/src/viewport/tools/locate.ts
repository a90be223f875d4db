import { Vector3 } from "three";
import { atFrame } from "../arc_geometry";
import type { GizmoPart } from "../gizmo_shape";
import { originOf } from "../proxies";
import type { Bench } from "./bench";

/** A pixel of the page. */
export interface Pixel {
  x: number;
  y: number;
}

/** What a mouse that is driven by a script needs to know: where things are on the page; null when they are not shown. */
export interface Locate {
  whereIsJoint(name: string): Pixel | null;
  /** A frame (counted from the clip's first) of an arc; the active point's arc unless its place in the selection is given. */
  whereIsTick(frame: number, arcIndex?: number): Pixel | null;
  whereIsGizmo(part: GizmoPart): Pixel | null;
  /** The crosshair of a target. */
  whereIsTarget(name: string): Pixel | null;
  /** The end of the arrow that shows the velocity that a target was given. */
  whereIsVelocity(name: string): Pixel | null;
  /** What a blocked drag says now; empty when nothing blocks. */
  blockedText(): string;
}

export function locate({ stage, model, gizmo, targets }: Bench, blockedText: () => string): Locate {
  const onPage = (x: number, y: number): Pixel => {
    const box = stage.canvas.getBoundingClientRect();
    return { x: box.left + x, y: box.top + y };
  };
  const ofPosition = (position: Vector3): Pixel | null => {
    const { x, y, z } = stage.toPixels(position, new Vector3());
    const isSeen = z > -1 && z < 1 && x >= 0 && y >= 0 && x < stage.canvas.clientWidth && y < stage.canvas.clientHeight;
    return isSeen ? onPage(x, y) : null;
  };
  return {
    whereIsJoint: (name) => {
      const world = model.frames.world(model.playback.frame.value);
      const joint = model.jointIndex(name);
      return world && joint >= 0 ? ofPosition(new Vector3(...originOf(world, joint))) : null;
    },
    whereIsTick: (frame, arcIndex = -1) => {
      const point = model.selection.points.value.at(arcIndex);
      const arc = point && model.arcs.get(point.arc);
      return arc ? ofPosition(atFrame(arc, frame, new Vector3())) : null;
    },
    whereIsGizmo: (part) => {
      const at = gizmo.handle(part);
      return at && onPage(...at);
    },
    whereIsTarget: (name) => {
      const at = targets.pixelOf(name);
      return at && onPage(...at);
    },
    whereIsVelocity: (name) => {
      const at = targets.tipOf(name);
      return at && onPage(...at);
    },
    blockedText,
  };
}
