import * as THREE from "three";
import type { Renewal } from "../model/changes";
import { keyedArc } from "../model/loosening";
import type { Model } from "../model/model";
import { samplesOf, stretchAround } from "./arc_geometry";
import { GHOST } from "./colours";
import { Ribbon } from "./ribbon";
import type { Stage } from "./stage";

const WIDTH = 1.2;
const OPACITY = 0.6;

/** The motion curves of the selection as keyed, thin, beside the loose ones. */
export class KeyedArcs {
  private readonly group = new THREE.Group();
  private readonly ribbons: Ribbon[] = [];
  private readonly colour = new THREE.Color().setHex(GHOST, THREE.LinearSRGBColorSpace).toArray();
  private readonly renewal: Renewal;

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
  ) {
    stage.scene.add(this.group);
    this.renewal = stage.renewal(() => this.rebuild());
    stage.beforeDraw.push(() => this.prepare());
  }

  private prepare(): void {
    this.renewal.renew();
    const { clientWidth, clientHeight } = this.stage.canvas;
    for (const ribbon of this.ribbons) ribbon.look(clientWidth, clientHeight, WIDTH, OPACITY);
  }

  private rebuild(): void {
    const { arcReach, arcs, clip, loosening, playback, selection } = this.model;
    const shown = loosening.showsBoth ? selection.points.value.flatMap(({ arc }) => arcs.get(keyedArc(arc)) ?? []) : [];
    while (this.ribbons.length < shown.length) {
      const ribbon = new Ribbon();
      this.ribbons.push(ribbon);
      this.group.add(ribbon.group);
    }
    this.ribbons.forEach((ribbon, i) => {
      const arc = shown[i];
      if (!arc) return ribbon.show(0);
      const [from, to] = samplesOf(arc, stretchAround(arc, playback.frame.value, clip.value?.rate ?? 24, arcReach.value));
      const count = to + 1 - from;
      ribbon.reserve(count);
      ribbon.positions.set(arc.positions.subarray(3 * from, 3 * to + 3));
      for (let sample = 0; sample < count; sample++) ribbon.colours.set(this.colour, 3 * sample);
      ribbon.show(count);
    });
  }
}
