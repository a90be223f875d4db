import type { Lane } from "./lanes";
import type { Row } from "./rows";

/** Heights in CSS pixels. */
export const RULER = 26;
/** The strip at the ruler's top that shows the clip's range, with an end to drag on either side. */
export const RANGE_STRIP = 8;
export const SUMMARY = 25;
/** The strip at the summary row's top by which the selected keys are stretched. */
export const SCALE_STRIP = 8;
export const ROW = 18;
export const TRACK = 18;
const SOUND = 36;
const CAMERA = 20;
/** Width of the column of names, in wide panels and in narrow ones. */
const NAMES = 128;
const NARROW_NAMES = 92;

export interface Placed<T> {
  item: T;
  y: number;
  height: number;
}

/** Where everything is, in CSS pixels from the sheet's top left. */
export interface Arrangement {
  width: number;
  height: number;
  /** Where time begins: the width of the names. */
  left: number;
  summary: Placed<Row>;
  /** Rows and lanes scroll on their own, each between these two. */
  rows: Placed<Row>[];
  rowsTop: number;
  rowsBottom: number;
  lanes: Placed<Lane>[];
  lanesTop: number;
  lanesBottom: number;
  /** The strip of the sound, at the bottom; null without one. */
  sound: { y: number; height: number } | null;
  /** The strip of the scene camera's keys, above the sound; null without one. */
  camera: { y: number; height: number } | null;
  /** How far each can scroll. */
  rowsSlack: number;
  lanesSlack: number;
}

/** How far the rows and the lanes are scrolled, in pixels. */
interface Scroll {
  rows: number;
  lanes: number;
}

/** What else the clip has: a sound, a camera of its own. */
interface Beside {
  heard?: boolean;
  filmed?: boolean;
}

/** Lanes stand under the rows; where there is too little room, they take half of it, or what the rows leave. */
export function arrange(width: number, height: number, summary: Row, rows: Row[], lanes: Lane[], scroll: Scroll, beside: Beside = {}): Arrangement {
  const { heard = false, filmed = false } = beside;
  const rowsTop = RULER + SUMMARY;
  const room = Math.max(0, height - rowsTop - (heard ? SOUND : 0) - (filmed ? CAMERA : 0));
  const rowsWanted = rows.length * ROW;
  const lanesWanted = lanes.reduce((sum, lane) => sum + lane.tracks * TRACK, 0);
  const lanesHeight = Math.min(lanesWanted, Math.max(Math.floor(room / 2), room - rowsWanted));
  const rowsHeight = Math.min(rowsWanted, room - lanesHeight);
  const [rowsBottom, lanesTop] = [rowsTop + rowsHeight, rowsTop + rowsHeight];
  const [rowsSlack, lanesSlack] = [rowsWanted - rowsHeight, lanesWanted - lanesHeight];
  let y = lanesTop - within(scroll.lanes, lanesSlack);
  const placedLanes = lanes.map((item) => {
    const placed = { item, y, height: item.tracks * TRACK };
    y += placed.height;
    return placed;
  });
  const firstRow = rowsTop - within(scroll.rows, rowsSlack);
  return {
    width,
    height,
    left: width < 480 ? NARROW_NAMES : NAMES,
    summary: { item: summary, y: RULER, height: SUMMARY },
    rows: rows.map((item, i) => ({ item, y: firstRow + i * ROW, height: ROW })),
    rowsTop,
    rowsBottom,
    lanes: placedLanes,
    lanesTop,
    lanesBottom: lanesTop + lanesHeight,
    sound: heard ? { y: height - SOUND, height: SOUND } : null,
    camera: filmed ? { y: height - (heard ? SOUND : 0) - CAMERA, height: CAMERA } : null,
    rowsSlack,
    lanesSlack,
  };
}

/** Where a row's diamonds are. */
export function middleOf({ item, y, height }: Placed<Row>): number {
  return item.kind === "summary" ? y + (SCALE_STRIP + height) / 2 : y + height / 2;
}

/** The scroll nearest to the present one that shows a lane whole. */
export function scrollToLane(arrangement: Arrangement, lane: Placed<Lane>, scroll: number): number {
  const above = arrangement.lanesTop - lane.y;
  const below = lane.y + lane.height - arrangement.lanesBottom;
  if (above > 0) return scroll - above;
  return below > 0 ? scroll + below : scroll;
}

export function within(value: number, slack: number): number {
  return Math.min(Math.max(0, value), Math.max(0, slack));
}
