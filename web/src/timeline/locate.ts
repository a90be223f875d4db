import { type Arrangement, middleOf, type Placed, RANGE_STRIP, RULER, SCALE_STRIP, TRACK } from "./arrangement";
import { canScale } from "./hits";
import { nearest } from "./key_times";
import { targetTrack } from "./lanes";
import type { Row } from "./rows";
import { partTime, type TargetPart } from "./target_drags";
import type { View } from "./view";

/** Things that a mouse may want to find. Frames count from the clip's first, as in the model. */
export type Target =
  | { kind: "frame"; frame: number }
  | { kind: "key"; frame: number /** A joint, control or curve by its name in the list; without it, the summary. */; row?: string }
  | { kind: "name"; row: string; part?: "twisty" | "text" }
  | { kind: "constraint"; name: string; part?: "start" | "end" | "body" }
  | { kind: "target"; name: string; part?: TargetPart }
  | { kind: "contact-lane"; frame: number }
  | { kind: "sound"; frame: number }
  | { kind: "camera"; frame: number }
  | { kind: "clip-end"; side: "start" | "end" }
  | { kind: "scale"; side: "from" | "to" };

/** Where it is on the sheet, or null when it is not there or out of sight. */
export function locate(target: Target, view: View, place: Arrangement): { x: number; y: number } | null {
  const spot = find(target, view, place);
  if (!spot || spot.y < 0 || spot.y > place.height || spot.x > place.width) return null;
  return spot.x >= place.left || target.kind === "name" ? spot : null;
}

function find(target: Target, view: View, place: Arrangement): { x: number; y: number } | null {
  const xOf = (time: number): number => place.left + view.axis.x(time);
  switch (target.kind) {
    case "frame":
      return { x: xOf(view.model.timeOf(target.frame)), y: (RANGE_STRIP + RULER) / 2 };
    case "key": {
      const row = rowNamed(target.row, place);
      if (!row) return null;
      const { times } = view.timesOf(row.item);
      const i = nearest(times, view.model.timeOf(target.frame));
      const there = i >= 0 && Math.abs(view.model.frameOf(times[i]) - target.frame) < 0.5;
      return there ? { x: xOf(times[i]), y: middleOf(row) } : null;
    }
    case "name": {
      const row = rowNamed(target.row, place);
      return row && { x: target.part === "twisty" ? 9 : 40, y: middleOf(row) };
    }
    case "constraint":
      return barSpot(target.name, target.part ?? "body", view, place);
    case "target":
      return targetSpot(target.name, target.part ?? "time", view, place);
    case "contact-lane": {
      const lane = place.lanes.find((each) => each.item.active);
      if (!lane) return null;
      const x = xOf(view.model.timeOf(target.frame));
      // The first track that is free there.
      for (let track = 0; track < lane.item.tracks; track++) {
        const spot = { x, y: lane.y + (track + 0.5) * TRACK };
        if (view.hit(spot.x, spot.y, place).kind === "lane") return spot;
      }
      return null;
    }
    case "sound":
      return place.sound && { x: xOf(view.model.timeOf(target.frame)), y: place.sound.y + place.sound.height / 2 };
    case "camera":
      return place.camera && { x: xOf(view.model.timeOf(target.frame)), y: place.camera.y + place.camera.height / 2 };
    case "clip-end":
      return { x: xOf(view.clip[target.side]), y: RANGE_STRIP / 2 };
    case "scale":
      return canScale(view.chosen) ? { x: xOf(view.chosen[target.side]), y: RULER + SCALE_STRIP / 2 } : null;
  }
}

function rowNamed(name: string | undefined, place: Arrangement): Placed<Row> | null {
  if (name === undefined) return place.summary;
  const row = place.rows.find((each) => each.item.name === name);
  return row && row.y >= place.rowsTop - 1 && row.y + row.height <= place.rowsBottom + 1 ? row : null;
}

function targetSpot(name: string, part: TargetPart, view: View, place: Arrangement): { x: number; y: number } | null {
  for (const { item, y: top } of place.lanes) {
    const aim = item.aims.find((each) => each.name === name);
    if (!aim) continue;
    const y = top + (targetTrack(item) + 0.5) * TRACK;
    return y >= place.lanesTop && y <= place.lanesBottom ? { x: place.left + view.axis.x(partTime(aim, part)), y } : null;
  }
  return null;
}

function barSpot(name: string, part: "start" | "end" | "body", view: View, place: Arrangement): { x: number; y: number } | null {
  for (const lane of place.lanes) {
    const bar = lane.item.bars.find((each) => each.constraint.name === name);
    if (!bar) continue;
    const [from, to] = [place.left + view.axis.x(bar.from), place.left + view.axis.x(bar.to)];
    const inset = Math.min(2, (to - from) / 6);
    const x = part === "start" ? from + inset : part === "end" ? to - inset : (from + to) / 2;
    const y = lane.y + (bar.track + 0.5) * TRACK;
    return y >= place.lanesTop && y <= place.lanesBottom ? { x, y } : null;
  }
  return null;
}
