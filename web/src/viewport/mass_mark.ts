import * as THREE from "three";
import type { Renewal } from "../model/changes";
import { massCentre } from "../model/mass_centre";
import type { Model } from "../model/model";
import { TARGET } from "./colours";
import { BALL, Markers, RING } from "./markers";
import { HIDDEN_SHARE } from "./ribbon";
import type { Stage } from "./stage";

const BALL_PIXELS = 13;
const RING_PIXELS = 15;

/** The centre of mass on the shown frame, a line down from it, and the spot on the floor that it is above. */
export class MassMark {
  private readonly group = new THREE.Group();
  private readonly markers = new Markers();
  private readonly ends = new Float32Array(6);
  private readonly plumb: THREE.Line;
  private readonly colour = new THREE.Color().setHex(TARGET, THREE.LinearSRGBColorSpace).toArray();
  private readonly renewal: Renewal;

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
    private readonly floor: () => number,
  ) {
    const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(this.ends, 3));
    this.plumb = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: TARGET, transparent: true, opacity: 0.6, depthTest: false }));
    this.plumb.frustumCulled = false;
    this.plumb.renderOrder = 21;
    this.group.add(this.plumb, this.markers.group);
    this.group.visible = false;
    stage.scene.add(this.group);
    this.renewal = stage.renewal(() => this.place());
    stage.beforeDraw.push(() => this.prepare());
  }

  /** Where the centre of mass is drawn, in metres; null while it is not. For tests. */
  get centre(): [number, number, number] | null {
    return this.group.visible ? [this.ends[0], this.ends[1], this.ends[2]] : null;
  }

  private prepare(): void {
    this.renewal.renew();
    // It lies inside the body, and must be seen all the same.
    this.markers.look(this.stage.renderer.getPixelRatio(), 1 / HIDDEN_SHARE);
  }

  private place(): void {
    const { scene, frames, playback, showMassCentre } = this.model;
    const world = showMassCentre.value ? frames.world(playback.frame.value) : null;
    const centre = world && scene.value ? massCentre(scene.value.joints, world) : null;
    this.group.visible = centre !== null;
    if (!centre) return;
    const [x, y, z] = centre;
    this.ends.set([x, y, z, x, this.floor(), z]);
    this.plumb.geometry.attributes.position.needsUpdate = true;
    this.markers.begin(2);
    this.markers.add(this.ends, 3, this.colour, RING_PIXELS, RING);
    this.markers.add(this.ends, 0, this.colour, BALL_PIXELS, BALL);
    this.markers.end();
  }
}
