import { signal } from "@preact/signals-core";
import * as THREE from "three";
import type { Renewal } from "../model/changes";
import type { Model } from "../model/model";
import { samePlace } from "../model/selection";
import type { Arc } from "../protocol/binary";
import { type Stretch, stretchAround } from "./arc_geometry";
import { ArcView } from "./arc_view";
import type { Stage } from "./stage";

/** A frame of an arc that the pointer is over. */
interface HoveredTick {
  arc: number;
  frame: number;
}

/** All motion curves of the selection on the stage; brought up to date before a drawing, and only when something changed. */
export class Arcs {
  private readonly group = new THREE.Group();
  private readonly views = new Map<number, ArcView>();
  private readonly renewal: Renewal;
  private readonly hoveredTick = signal<HoveredTick | null>(null);
  /** Metres a second at the end of the colour scale, for the legend; 0 without arcs. */
  fastest = 0;

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
  ) {
    stage.scene.add(this.group);
    this.renewal = stage.renewal(() => this.rebuild());
    stage.beforeDraw.push(() => this.prepare());
  }

  /** The arcs there are, the active one last. */
  shown(): { number: number; arc: Arc }[] {
    return this.model.selection.points.value.flatMap(({ arc: number }) => {
      const arc = this.model.arcs.get(number);
      return arc && arc.samples > 0 ? [{ number, arc }] : [];
    });
  }

  /** What of an arc is drawn and can be taken hold of. */
  stretch(arc: Arc): Stretch {
    const { arcReach, clip, playback } = this.model;
    return stretchAround(arc, playback.frame.value, clip.value?.rate ?? 24, arcReach.value);
  }

  get hovered(): HoveredTick | null {
    return this.hoveredTick.value;
  }

  set hovered(next: HoveredTick | null) {
    const { value } = this.hoveredTick;
    if (next?.arc !== value?.arc || next?.frame !== value?.frame) this.hoveredTick.value = next;
  }

  private prepare(): void {
    this.renewal.renew();
    const { clientWidth, clientHeight } = this.stage.canvas;
    const active = this.model.selection.active?.arc;
    for (const [number, view] of this.views) {
      view.fit(clientWidth, clientHeight, this.stage.renderer.getPixelRatio(), number === active);
    }
  }

  private rebuild(): void {
    const shown = this.shown();
    this.fastest = Math.max(0, ...shown.map(({ arc }) => arc.speeds.reduce((most, speed) => Math.max(most, speed), 0)));
    const numbers = new Set(shown.map(({ number }) => number));
    for (const [number, view] of this.views) {
      if (numbers.has(number)) continue;
      this.group.remove(view.group);
      view.dispose();
      this.views.delete(number);
    }
    const { clip, constraints, playback, scene, selection, showTurns } = this.model;
    const points = new Map(selection.points.value.map((each) => [each.arc, each.place]));
    for (const { number, arc } of shown) {
      const place = points.get(number);
      this.view(number).update(arc, {
        active: number === selection.active?.arc,
        stretch: this.stretch(arc),
        constraints: constraints.value.filter((each) => each.on && place && samePlace(each.place, place)),
        shown: playback.frame.value,
        hovered: this.hovered?.arc === number ? this.hovered.frame : -1,
        rate: clip.value?.rate ?? 24,
        fastest: this.fastest,
        fresh: this.model.arcs.freshness(number),
        axes: showTurns.value ? 0.09 * (scene.value?.height ?? 1) : 0,
      });
    }
  }

  private view(number: number): ArcView {
    let view = this.views.get(number);
    if (!view) {
      view = new ArcView();
      this.views.set(number, view);
      this.group.add(view.group);
    }
    return view;
  }
}
