import * as THREE from "three";
import { themed } from "../canvas/palette";
import { speedColour } from "../canvas/scale_colours";
import type { Arc } from "../protocol/binary";
import type { ConstraintInfo } from "../protocol/messages";
import { faded, frameCount, type Stretch, samplesOf, samplesWithin } from "./arc_geometry";
import { ARC, CONTACT, KEY, PIN, SELECTED } from "./colours";
import { BALL, DOT, Markers, RING } from "./markers";
import { Ribbon } from "./ribbon";
import { TurnMarks } from "./turn_marks";

/** What an arc looks like besides its own numbers. */
interface ArcLook {
  active: boolean;
  /** What of it is drawn. */
  stretch: Stretch;
  /** The pins, contacts and locks of the same place, those that are on. */
  constraints: readonly ConstraintInfo[];
  /** Counted from the clip's first frame; −1 for none. */
  shown: number;
  hovered: number;
  rate: number;
  /** The speed that gets the last colour, in metres a second. */
  fastest: number;
  /** Of every frame, 0 where the arc still is as it was before; null where it is as it should be. */
  fresh: Uint8Array | null;
  /** The length of orientation axes, in metres; 0 for none. */
  axes: number;
}

const WIDTH = 2.4;
const DIM = 0.5;

/** How bright what is not simulated yet is drawn. */
const STALE = 0.35;

const KEY_PIXELS = 11;
/** From this many keys on their marks shrink. */
const MANY_KEYS = 30;

/** One motion curve: the line, its ticks, keys and locks, and orientation axes where they were asked for. */
export class ArcView {
  readonly group = new THREE.Group();
  private readonly ribbon = new Ribbon();
  private readonly markers = new Markers();
  private readonly turns = new TurnMarks();
  private readonly tint = new Float32Array(3);

  constructor() {
    this.group.add(this.ribbon.group, this.markers.group, this.turns.object);
  }

  update(arc: Arc, look: ArcLook): void {
    this.line(arc, look);
    this.marks(arc, look);
    // Axes a finger apart at most: about twenty along a clip.
    const { first, last } = look.stretch;
    this.turns.show(arc, look.stretch, Math.max(1, Math.ceil((last + 1 - first) / 24)), look.axes);
  }

  /** Fit the screen; called before every drawing. */
  fit(width: number, height: number, ratio: number, active: boolean): void {
    const opacity = active ? 1 : DIM;
    this.ribbon.look(width, height, active ? WIDTH : WIDTH - 0.6, opacity);
    this.markers.look(ratio, opacity);
    this.turns.object.material.opacity = opacity;
  }

  dispose(): void {
    this.ribbon.dispose();
    this.markers.dispose();
    this.turns.dispose();
  }

  private line(arc: Arc, { constraints, rate, fresh, stretch }: ArcLook): void {
    const { ribbon } = this;
    const [from, to] = samplesOf(arc, stretch);
    const count = to + 1 - from;
    ribbon.reserve(count);
    ribbon.positions.set(arc.positions.subarray(3 * from, 3 * to + 3));
    paint(ribbon.colours, 0, count - 1, RGB_ARC);
    // What stands comes last: it is the narrower promise.
    for (const each of [...constraints].sort((a, b) => Number(a.stands) - Number(b.stands))) {
      const range = each.momentary ? null : samplesWithin(arc, rate, each.start, each.end);
      if (range) paint(ribbon.colours, Math.max(0, range[0] - from), Math.min(count - 1, range[1] - from), rgbOf(each.colour));
    }
    if (fresh) dimStale(ribbon.colours, arc, fresh, from, to);
    const fifth = 0.2 * count;
    ribbon.show(count, from > 0 ? fifth : 0, to < arc.samples - 1 ? fifth : 0);
  }

  private marks(arc: Arc, { constraints, rate, fastest, fresh, shown, hovered, stretch }: ArcLook): void {
    const { markers, tint } = this;
    const frames = frameCount(arc);
    const { first, last } = stretch;
    const left = (frame: number): number => faded(stretch, arc, frame);
    markers.begin(last + 1 - first + arc.keyTimes.length + 2 * constraints.length + 3);
    const tick = (frame: number, size: number): void => {
      const sample = frame * arc.perFrame;
      speedColour(fastest > 0 ? arc.speeds[sample] / fastest : 0, tint, 0);
      if (fresh?.[frame] === 0) for (let i = 0; i < 3; i++) tint[i] *= STALE;
      markers.add(arc.positions, 3 * sample, tint, size, DOT);
    };
    for (let frame = first; frame <= last; frame++) if (left(frame) > 0) tick(frame, 5.5 * left(frame));
    // A handful of keys are handles; the hundreds of a capture would bury the arc under them.
    const keys = [...arc.keyTimes.keys()].filter((key) => left((arc.keyTimes[key] - arc.start) * rate) > 0);
    const ball = Math.max(5, Math.min(KEY_PIXELS, (KEY_PIXELS * MANY_KEYS) / keys.length));
    for (const key of keys) markers.add(arc.keyPositions, 3 * key, RGB_KEY, ball * left((arc.keyTimes[key] - arc.start) * rate), BALL);
    for (const each of constraints) {
      if (!each.stands && !each.momentary) continue;
      const range = samplesWithin(arc, rate, each.start, each.momentary ? each.start : each.end);
      if (!range) continue;
      // What is planted hardly moves, so its green stretch is short: rings say where it begins and ends.
      const colour = rgbOf(each.colour);
      for (const sample of new Set(range)) {
        const size = 16 * left(sample / arc.perFrame);
        if (size > 0) markers.add(arc.positions, 3 * sample, colour, size, RING);
      }
    }
    if (shown >= 0 && shown < frames) {
      tick(shown, 8.5);
      markers.add(arc.positions, 3 * shown * arc.perFrame, RGB_SELECTED, 12, RING);
    }
    if (hovered >= 0 && hovered < frames) markers.add(arc.positions, 3 * hovered * arc.perFrame, RGB_SELECTED, 10, DOT);
    markers.end();
  }
}

function srgb(hex: number): readonly [number, number, number] {
  return [((hex >> 16) & 255) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
}

const [RGB_ARC, RGB_KEY, RGB_PIN, RGB_CONTACT, RGB_SELECTED] = [ARC, KEY, PIN, CONTACT, SELECTED].map(srgb);
const constraintColours = new Map([
  ["pin", RGB_PIN],
  ["contact", RGB_CONTACT],
]);

/** The colour that a constraint says it is drawn in, by its name in the theme. */
function rgbOf(colour: string): readonly [number, number, number] {
  const known = constraintColours.get(colour) ?? srgb(Number.parseInt(themed(colour).slice(1), 16) || PIN);
  constraintColours.set(colour, known);
  return known;
}

/** Dim what lies nearest to frames that are not simulated yet, from one sample to another. */
export function dimStale(colours: Float32Array, { perFrame }: Pick<Arc, "perFrame">, fresh: Uint8Array, from: number, to: number): void {
  for (let i = from; i <= to; i++) {
    if (fresh[Math.round(i / perFrame)] !== 0) continue;
    for (let axis = 0; axis < 3; axis++) colours[3 * (i - from) + axis] *= STALE;
  }
}

function paint(colours: Float32Array, first: number, last: number, rgb: readonly [number, number, number]): void {
  for (let i = first; i <= last; i++) colours.set(rgb, 3 * i);
}
