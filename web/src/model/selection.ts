import { signal } from "@preact/signals-core";
import type { KeyRef, Place } from "../protocol/messages";

/** A selected spot on the body; its motion curve goes by the same number. */
export interface SelectedPoint {
  arc: number;
  place: Place;
}

/** What is selected: points of the body (the last one is the active one) and keys of curves. */
export class Selection {
  readonly points = signal<readonly SelectedPoint[]>([]);
  readonly keys = signal<readonly KeyRef[]>([]);
  /** Controls and shapes, by channel name: chosen in the outliner, as they have no place on the body. */
  readonly controls = signal<readonly string[]>([]);
  /** What the pointer is over, in the viewport or the outliner. */
  readonly hovered = signal<Place | null>(null);
  private lastArc = 0;

  get active(): SelectedPoint | null {
    return this.points.value.at(-1) ?? null;
  }

  /** The joint that carries the active point most. */
  get activeJoint(): string | null {
    return this.active ? mainJoint(this.active.place) : null;
  }

  /** Select a place alone or, with `add`, besides the others; adding what is selected takes it away. */
  pick(place: Place, add = false): void {
    const known = this.points.value.find((each) => samePlace(each.place, place));
    const others = this.points.value.filter((each) => each !== known);
    if (add) {
      this.points.value = known ? others : [...others, { arc: ++this.lastArc, place }];
    } else {
      this.points.value = [known ?? { arc: ++this.lastArc, place }];
    }
    if (!add) this.controls.value = [];
    this.keys.value = [];
  }

  /** Choose a control or shape, alone or, with `add`, besides the others and the points. */
  pickControl(channel: string, add = false): void {
    const others = this.controls.value.filter((each) => each !== channel);
    const known = others.length < this.controls.value.length;
    if (!add) this.points.value = [];
    this.controls.value = !add ? [channel] : known ? others : [...others, channel];
    this.keys.value = [];
  }

  clear(): void {
    this.points.value = [];
    this.controls.value = [];
    this.keys.value = [];
  }
}

export function jointPlace(joint: string): Place {
  return { parts: [{ joint, offset: [0, 0, 0], weight: 1 }], name: "" };
}

export function mainJoint(place: Place): string {
  return place.parts.reduce((most, part) => (part.weight > most.weight ? part : most)).joint;
}

/** What a place is called, as the server does. */
export function placeName(place: Place): string {
  return place.name || (place.parts.length === 1 ? place.parts[0].joint : `point on ${place.parts[0].joint}`);
}

export function samePlace(a: Place, b: Place): boolean {
  return (
    a.parts.length === b.parts.length &&
    a.parts.every((part, i) => {
      const other = b.parts[i];
      return (
        part.joint === other.joint && Math.abs(part.weight - other.weight) < 1e-6 && part.offset.every((x, axis) => Math.abs(x - other.offset[axis]) < 1e-6)
      );
    })
  );
}
