import { Vector3 } from "three";
import type { Model } from "../model/model";
import type { Scene } from "../protocol/messages";
import { boxAround } from "./bounds";
import { Orbit, type Standpoint, standpointOf } from "./camera";
import { CameraControls } from "./camera_controls";
import { Character } from "./character";
import { framing, type Preset, PRESETS } from "./framing";
import { Ground } from "./ground";
import { Light } from "./light";
import { sharesOf } from "./marks";
import { meshStore } from "./mesh_store";
import { Onion } from "./onion";
import { Props } from "./props";
import { poseAt } from "./rest_pose";
import { type Room, roomOf } from "./room";
import { Shadows } from "./shadows";
import type { Stage } from "./stage";
import { pointsAt, pointsOver, survey } from "./survey";

/** Everything that is seen and nobody drags: the character with its surroundings, the light and the camera. */
export class Scenery {
  readonly orbit = new Orbit();
  readonly controls: CameraControls;
  readonly character: Character;
  private readonly light = new Light();
  private readonly shadows: Shadows;
  private readonly ground: Ground;
  private readonly props: Props;
  private readonly onion: Onion;
  private room: Room = roomOf(null, null, []);
  /** What must be brought up to date before the next drawing. */
  private readonly stale = { pose: true, marks: true, display: true, room: true, camera: true, shadows: true };
  /** What the document looks like from outside; another one gets another camera. */
  private appearance = "";
  private freshMeshes = true;
  private loaded = "";
  /** The camera's version when it was placed for the document. */
  private placed = -1;

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
  ) {
    this.shadows = new Shadows(stage.fine);
    const light = { ...this.light.uniforms, ...this.shadows.uniforms };
    this.character = new Character(light, this.shadows.cast, meshStore);
    this.props = new Props(light, this.shadows.cast);
    this.ground = new Ground(this.shadows.floor);
    this.onion = new Onion(this.character, model);
    this.shadows.add(this.character.casting, this.props.casting);
    stage.scene.background = null;
    stage.scene.add(this.ground.mesh, this.character.group, this.props.group);
    this.controls = new CameraControls(this.orbit, stage.element, stage.canvas, () => stage.invalidate());
    stage.beforeDraw.push(() => this.prepare());
    this.watch();
    if (model.scene.value) this.show(model.scene.value);
  }

  /** Look at the selection, or at the whole body where nothing is selected. */
  frameSelection(): void {
    const { selection, playback } = this.model;
    const joints = sharesOf(selection.points.value.map((point) => point.place), (name) => this.model.jointIndex(name)).keys();
    const points = pointsAt(this.model, this.character, playback.frame.value, selection.active ? joints : undefined);
    this.frame(points);
  }

  /** Look at the whole motion and what stands around it. */
  frameAll(): void {
    this.frame(this.everything());
  }

  lookFrom(preset: Preset): void {
    const [azimuth, elevation] = PRESETS[preset].map((degrees) => (degrees * Math.PI) / 180);
    // Without perspective, from the side means level.
    const level = this.orbit.flat.value && preset !== "top" && preset !== "three-quarter";
    this.controls.travel(framing(this.everything(), this.stage.camera.aspect, azimuth, level ? 0 : elevation));
  }

  /** Through the document's own camera or, where it has none, at everything. */
  lookThroughDocument(): void {
    this.controls.travel(this.ownStandpoint());
  }

  toggleFlat(): void {
    this.orbit.flat.value = !this.orbit.flat.value;
    this.stage.invalidate();
  }

  private watch(): void {
    const { scene, clip, changed, frames, playback, selection, display, hiddenMeshes, onionSkins, obstacles, curves } = this.model;
    const redraw = (...parts: (keyof Scenery["stale"])[]) => (): void => {
      for (const part of parts) this.stale[part] = true;
      this.stage.invalidate();
    };
    changed.watch((what) => {
      // The same address may stand for another mesh in another document.
      if (what?.kind === "open") this.freshMeshes = true;
    });
    scene.watch((told) => told && this.show(told));
    let shown = clip.value?.name;
    clip.watch((told) => {
      if (told?.name !== shown) this.stale.room = true;
      shown = told?.name;
      redraw("pose")();
    });
    frames.version.watch(redraw("pose"));
    playback.frame.watch(redraw("pose"));
    for (const cell of [selection.points, selection.hovered]) cell.watch(redraw("marks"));
    for (const cell of [display, hiddenMeshes]) cell.watch(redraw("display"));
    for (const cell of [onionSkins, obstacles, curves.version]) cell.watch(redraw());
    this.stage.canvas.addEventListener("webglcontextrestored", redraw("shadows"));
    this.orbit.version.watch(redraw());
    this.orbit.flat.watch(redraw());
  }

  private show(scene: Scene): void {
    const appearance = JSON.stringify([scene.joints.map((joint) => joint.name), scene.meshes.map((mesh) => mesh.name), scene.props, scene.view]);
    if (appearance !== this.appearance) this.stale.room = this.stale.camera = true;
    this.appearance = appearance;
    this.props.load(scene);
    const meshes = JSON.stringify([scene.meshes, scene.joints, scene.points, scene.channels.map((channel) => channel.name)]);
    if (this.freshMeshes) meshStore.clear();
    if (this.freshMeshes || meshes !== this.loaded) {
      this.loaded = meshes;
      this.character.load(scene).then(
        () => this.changed(),
        (error: Error) => this.model.refuse(error),
      );
    }
    this.freshMeshes = false;
    this.changed();
  }

  private changed(): void {
    this.stale.pose = this.stale.marks = this.stale.display = true;
    this.stage.invalidate();
  }

  private prepare(): void {
    this.settle();
    const { box, fade } = this.room;
    const centre = new Vector3(...box.low).add(new Vector3(...box.high)).multiplyScalar(0.5);
    this.orbit.apply(this.stage.camera, centre, 3 * fade);
    this.light.follow(this.stage.camera);
    this.ground.follow(this.stage.camera);
    this.pose();
    if (this.stale.marks) this.mark();
    if (this.stale.display) this.character.display(this.model.display.value, this.model.hiddenMeshes.value);
    this.stale.shadows ||= this.stale.display;
    this.stale.display = false;
    const distance = this.stage.camera.position.distanceTo(centre);
    this.onion.update();
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
    if (!this.stale.camera && this.orbit.version.value !== this.placed) return;
    this.stale.camera = false;
    this.controls.halt();
    this.orbit.stand(this.ownStandpoint());
    this.placed = this.orbit.version.value;
    this.orbit.apply(this.stage.camera, new Vector3(), room.fade);
    this.light.follow(this.stage.camera);
    this.shadows.settle(this.light.key);
  }

  private pose(): void {
    const { playback, scene } = this.model;
    if (!this.stale.pose || !scene.value) return;
    const pose = poseAt(this.model, playback.frame.value);
    this.props.pose(pose?.world ?? null);
    this.stale.shadows = true;
    if (!pose) return;
    this.stale.pose = false;
    this.character.pose(pose.world, pose.channels);
  }

  private mark(): void {
    const { selection } = this.model;
    const index = (name: string): number => this.model.jointIndex(name);
    const selected = sharesOf(selection.points.value.map((point) => point.place), index);
    const hovered = sharesOf(selection.hovered.value ? [selection.hovered.value] : [], index);
    this.character.mark(
      (joint) => selected.get(joint) ?? 0,
      (joint) => hovered.get(joint) ?? 0,
    );
    this.stale.marks = false;
  }

  private frame(points: readonly number[]): void {
    if (points.length === 0) return;
    const { azimuth, elevation, fov } = this.orbit.standpoint;
    this.controls.travel(framing(points, this.stage.camera.aspect, azimuth, elevation, fov));
  }

  private ownStandpoint(): Standpoint {
    const view = this.model.scene.value?.view;
    if (view) return standpointOf(view, this.stage.camera.aspect);
    const [azimuth, elevation] = PRESETS["three-quarter"].map((degrees) => (degrees * Math.PI) / 180);
    return framing(this.everything(), this.stage.camera.aspect, azimuth, elevation);
  }

  /** Points around the motion and the props near it. */
  private everything(): number[] {
    const { low, high } = this.room.box;
    const motion = pointsOver(this.model, this.character);
    return motion.length > 0 ? motion : [...low, ...high];
  }
}
