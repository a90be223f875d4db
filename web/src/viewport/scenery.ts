import { effect, untracked } from "@preact/signals-core";
import { Vector3 } from "three";
import { onChange } from "../model/changes";
import type { Model } from "../model/model";
import { jointPlace } from "../model/selection";
import type { Scene } from "../protocol/messages";
import { Plans } from "./blending/plans";
import { AS_BEFORE, AS_KEYED, BodyGhost } from "./body_ghost";
import { boxAround } from "./bounds";
import { Character } from "./character";
import { SELECTED } from "./colours";
import type { Preset } from "./framing";
import { Ground } from "./ground";
import { Light } from "./light";
import { selectionColour, sharesOf } from "./marks";
import { MassMark } from "./mass_mark";
import { meshStore } from "./mesh_arrays";
import { Onion } from "./onion";
import { comparedPoseAt, poseAt } from "./pose";
import { Props } from "./props";
import { ReferencePlane } from "./reference";
import { pointsAt, type Room, roomOf, survey } from "./room";
import { CameraMark } from "./scene_camera";
import { Shadows } from "./shadows";
import type { Stage } from "./stage";
import { toolOf } from "./tools/registry";
import { Viewpoints } from "./viewpoints";

/** Everything that is seen and nobody drags: the character with its surroundings, the light and the camera. */
export class Scenery {
  readonly character: Character;
  readonly viewpoints: Viewpoints;
  readonly massMark: MassMark;
  readonly cameraMark: CameraMark;
  readonly reference: ReferencePlane;
  private readonly light = new Light();
  private readonly shadows: Shadows;
  private readonly ground: Ground;
  private readonly props: Props;
  readonly onion: Onion;
  readonly keyedGhost: BodyGhost;
  readonly comparedGhost: BodyGhost;
  private room: Room = roomOf(null, null, []);
  /** What must be brought up to date before the next drawing. */
  private readonly stale = { room: true, camera: true, shadows: true };
  private readonly posing = this.stage.renewal(() => this.pose());
  private readonly marking = this.stage.renewal(() => this.mark());
  private readonly displaying = this.stage.renewal(() => this.display());
  private readonly onionSkins = this.stage.renewal(() => this.onion.update());
  /** What the document looks like from outside; another one gets another camera. */
  private appearance = "";
  private freshMeshes = true;
  /** What of the scene the character and the props were made from. */
  private loaded = "";
  private furnished = "";
  /** The camera's version when it was placed for the document. */
  private placed = -1;

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
    /** From where it is looked at, without perspective, unless by the document's own camera. */
    side: Preset | null = null,
    /** The view that it stands beside, with the same camera: then it shows the step that is compared with. */
    private readonly beside: Viewpoints | null = null,
  ) {
    this.shadows = new Shadows(stage.fine);
    const light = { ...this.light.uniforms, ...this.shadows.uniforms };
    const plans = new Plans(
      () => this.changed(),
      (error) => model.refuse(error),
    );
    onChange(model.welcome, () => plans.forget());
    effect(() => plans.want(model.skins.value));
    this.character = new Character(light, this.shadows.cast, meshStore, plans);
    this.props = new Props(light, this.shadows.cast);
    this.ground = new Ground(this.shadows.floor);
    this.onion = new Onion(this.character, model);
    this.keyedGhost = new BodyGhost(stage, this.character, model, AS_KEYED);
    this.comparedGhost = new BodyGhost(stage, this.character, model, AS_BEFORE);
    this.shadows.add(this.character.casting, this.props.casting);
    stage.scene.add(this.ground.mesh, this.character.group, this.props.group);
    this.viewpoints = new Viewpoints(stage, model, this.character, () => this.room, side, beside?.orbit);
    stage.beforeDraw.push(() => this.prepare());
    this.massMark = new MassMark(stage, model, () => this.room.floor);
    this.cameraMark = new CameraMark(stage, model, side === null ? this.viewpoints.orbit : null, () => this.room.size);
    this.reference = new ReferencePlane(stage, model);
    this.watch();
  }

  /** Whether the body stands as the shown frame has it. */
  get isPosed(): boolean {
    return !this.posing.isStale;
  }

  private watch(): void {
    const { scene, clip, changed } = this.model;
    onChange(changed, (what) => {
      // The same address may stand for another mesh in another document.
      if (what?.kind === "open") this.freshMeshes = true;
    });
    effect(() => {
      const told = scene.value;
      if (told) untracked(() => this.show(told));
    });
    onChange(
      () => clip.value?.name,
      () => {
        this.stale.room = true;
        this.stage.invalidate();
      },
    );
    this.stage.canvas.addEventListener("webglcontextrestored", () => {
      this.stale.shadows = true;
      this.stage.invalidate();
    });
  }

  private show(scene: Scene): void {
    const joints = scene.joints.map((joint) => joint.name);
    const appearance = JSON.stringify([joints, scene.meshes.map((mesh) => mesh.name), scene.props, scene.view]);
    if (appearance !== this.appearance) {
      this.character.clear();
      this.loaded = "";
      this.stale.room = this.stale.camera = true;
    }
    this.appearance = appearance;
    const props = JSON.stringify([scene.props, joints]);
    if (props !== this.furnished) this.props.load(scene);
    this.furnished = props;
    const channels = new Map(scene.channels.map((channel, i) => [channel.name, i]));
    const shapes = scene.meshes.map((mesh) => mesh.shapes.map((name) => channels.get(name)));
    const meshes = JSON.stringify([scene.meshes, scene.joints, scene.points, shapes]);
    if (this.freshMeshes) meshStore.clear();
    if (this.freshMeshes || meshes !== this.loaded) {
      this.loaded = meshes;
      this.character.load(scene).then(
        () => this.changed(),
        (error: Error) => this.model.refuse(error),
      );
    }
    this.freshMeshes = false;
    this.character.blend(scene.blending);
    this.changed();
  }

  private changed(): void {
    for (const each of [this.posing, this.marking, this.displaying, this.onionSkins]) each.outdate();
  }

  private prepare(): void {
    this.settle();
    const { box, fade } = this.room;
    const centre = new Vector3(...box.low).add(new Vector3(...box.high)).multiplyScalar(0.5);
    this.viewpoints.orbit.apply(this.stage.camera, centre, 3 * fade);
    this.light.follow(this.stage.camera);
    this.ground.follow(this.stage.camera);
    if (this.model.scene.value) this.posing.renew();
    this.marking.renew();
    this.displaying.renew();
    const distance = this.stage.camera.position.distanceTo(centre);
    this.onionSkins.renew();
    this.keyedGhost.prepare();
    this.comparedGhost.prepare();
    this.character.setBack((0.06 * this.room.size) / distance);
    const { obstacles, playback } = this.model;
    this.props.warn(obstacles.value?.items ?? [], playback.frame.value, playback.rate);
    if (this.stale.shadows) {
      const body = boxAround(pointsAt(this.model, this.character, playback.frame.value)) ?? box;
      this.shadows.surround(this.room, body);
    }
    this.shadows.draw(this.stage.renderer, this.light.key, this.stale.shadows);
    this.stale.shadows = false;
  }

  /** Lay the floor and place the camera, once enough is known; anew while more of a long clip comes in. */
  private settle(): void {
    const { scene } = this.model;
    if (!this.stale.room || !scene.value || !this.character.isThere) return;
    if (scene.value.joints.length > 0 && !poseAt(this.model, 0)) return;
    const { room, complete } = survey(this.model, this.character, this.props);
    this.room = room;
    this.stale.room = !complete;
    this.stale.shadows = true;
    this.ground.lay(room);
    // Who has moved the camera meanwhile keeps it where it is.
    const { orbit } = this.viewpoints;
    if (this.beside || (!this.stale.camera && orbit.version.read() !== this.placed)) return;
    this.stale.camera = false;
    this.viewpoints.place();
    this.placed = orbit.version.read();
    this.viewpoints.orbit.apply(this.stage.camera, new Vector3(), room.fade);
    this.light.follow(this.stage.camera);
    this.shadows.settle(this.light.key);
  }

  /** Whether all that it takes was there. */
  private pose(): boolean {
    const { playback, comparing } = this.model;
    const frame = playback.frame.value;
    const compared = comparing.isOn && (this.beside || comparing.alone.value) ? comparedPoseAt(this.model, frame) : null;
    const pose = this.beside ? compared : (compared ?? poseAt(this.model, frame));
    this.props.pose(pose?.world ?? null);
    this.stale.shadows = true;
    return pose !== null && this.character.pose(pose);
  }

  private display(): void {
    this.character.display(this.model.display.value, this.model.hiddenMeshes.value);
    this.stale.shadows = true;
  }

  private mark(): void {
    const { selection } = this.model;
    const index = (name: string): number => this.model.jointIndex(name);
    const usual = { places: selection.points.value.map((point) => point.place), colour: SELECTED };
    const { places, colour } = toolOf(this.model).marks?.(this.model) ?? usual;
    selectionColour.set(colour);
    // Weights are those of one joint, whatever else carries the selected place.
    const weighed = this.model.display.value === "weights" ? selection.activeJoint : null;
    const selected = sharesOf(weighed === null ? places : [jointPlace(weighed)], index);
    const hovered = sharesOf(selection.hovered.value ? [selection.hovered.value] : [], index);
    this.character.mark(
      (joint) => selected.get(joint) ?? 0,
      (joint) => hovered.get(joint) ?? 0,
    );
  }
}
