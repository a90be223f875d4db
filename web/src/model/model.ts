import { computed, type Signal, signal } from "@preact/signals-core";
import type { BinaryMessage } from "../protocol/binary";
import { Connection, RefusedError, type Socket, type Wish } from "../protocol/connection";
import type {
  Answer,
  AnyGesture,
  AnyMessage,
  ArcWish,
  Batch,
  Changed,
  Clip,
  ConstraintInfo,
  Files,
  History,
  Job,
  Looseness,
  Obstacles,
  Part,
  PictureInfo,
  Place,
  Scene,
  SceneCamera,
  SkinInfo,
  Warming,
  Welcome,
} from "../protocol/messages";
import { ARC_REACH, Arcs, LONG } from "./arcs";
import { Blends } from "./blends";
import { onChange } from "./changes";
import { Comparing } from "./comparing";
import { CostMap } from "./cost_map";
import { Curves } from "./curves";
import { Frames } from "./frames";
import { Guiding } from "./guiding";
import { Hand } from "./hand";
import { dropStaleKeys } from "./key_refs";
import { isKeyedArc, keyedArc, Loosening } from "./loosening";
import { Notices } from "./notices";
import { USUAL_ONION } from "./onion_options";
import { Playback } from "./playback";
import { PoseLibrary } from "./pose_library";
import { Posing } from "./posing";
import { Selection } from "./selection";
import { Sketching } from "./sketching";
import { SoftMeshes } from "./soft_meshes";
import { SoundTrack } from "./sound";
import type { Tool } from "./tool";

/** How the character is shown; "weights" colours its skin by how much the selected joint carries. */
export type Display = "shaded" | "x-ray" | "skeleton" | "weights";

/** Requests and gestures that change curves: of the base, or of the chosen layer. */
const ON_LAYERS = new Set([
  "insert-keys",
  "paste-pose",
  "mirror-pose",
  "reset-pose",
  "drag-arc",
  "pull-pose",
  "blend-pose",
  "apply-pose",
  "reach-pose",
  "paste-keys",
  "set-value",
  "scale-timing",
  "move-tick",
  "stagger",
  "chart",
  "snap-keys",
]);

/** Everything the page knows: what the server told, and how this page looks at it. */
export class Model {
  // As the server told it.
  readonly welcome = signal<Welcome | null>(null);
  readonly scene = signal<Scene | null>(null);
  readonly clip = signal<Clip | null>(null);
  /** The camera that the clip is seen by. */
  readonly camera = signal<SceneCamera | null>(null);
  /** The picture that stands behind the clip. */
  readonly picture = signal<PictureInfo | null>(null);
  readonly constraints = signal<readonly ConstraintInfo[]>([]);
  readonly history = signal<History>({ type: "history", labels: ["Open"], at: 0, saved: null });
  readonly files = signal<Files | null>(null);
  /** The batch that was asked for last. */
  readonly batch = signal<Batch | null>(null);
  readonly obstacles = signal<Obstacles | null>(null);
  readonly warming = signal<Warming | null>(null);
  readonly jobs = signal<ReadonlyMap<number, Job>>(new Map());
  readonly changed = signal<Changed | null>(null);
  readonly answer = signal<Answer | null>(null);
  /** The meshes that are blended by plans, and not by the matrices of their joints. */
  readonly skins = signal<readonly SkinInfo[]>([]);
  readonly blends = new Blends();
  readonly soft = new SoftMeshes();
  readonly curves = new Curves();
  readonly arcs = new Arcs();
  readonly frames: Frames;
  /** The keyed motion where a loose one is shown, as far as it was told beside it. */
  readonly keyedFrames = new Frames(() => undefined);
  readonly keyedBlends = new Blends();

  // How this page looks at it.
  readonly selection = new Selection();
  readonly playback = new Playback();
  readonly posing = new Posing();
  readonly sound: SoundTrack;
  readonly comparing: Comparing;
  readonly poses = new PoseLibrary();
  /** Keys that were copied on this page, as text, for browsers that let no page read the clipboard. */
  readonly clipboard = signal<string | null>(null);
  readonly sketching = new Sketching();
  readonly guiding: Guiding;
  readonly costs: CostMap;
  readonly loosening: Loosening;
  readonly notices = new Notices();
  readonly tool: Signal<Tool>;
  readonly display = signal<Display>("shaded");
  /** Whether views from above, the front and the side stand beside the main one. */
  readonly quad = signal(false);
  /** Whether the main view is that of the scene's camera. */
  readonly throughCamera = signal(false);
  readonly onionSkins = signal(false);
  readonly onion = signal(USUAL_ONION);
  readonly showTurns = signal(false);
  readonly wholeArcs = signal(false);
  /** Frames; contacts that last fewer are left out of long lists. */
  readonly shortestContact = signal(0);
  /** Whether a clip is so long that its whole motion curves would be a tangle. */
  readonly isLong = computed(() => {
    const clip = this.clip.value;
    return clip !== null && clip.end - clip.start > LONG;
  });
  /** Seconds around the frame that is shown within which motion curves are drawn; null for all of them. */
  readonly arcReach = computed(() => (this.isLong.value && !this.wholeArcs.value ? ARC_REACH : null));
  readonly showMassCentre = signal(false);
  readonly timeInSeconds = signal(false);
  readonly hiddenMeshes = signal<ReadonlySet<string>>(new Set());
  readonly hand = signal<Hand | null>(null);

  readonly connection: Connection;

  constructor(where: string | (() => Socket), tool: Tool) {
    this.tool = signal(tool);
    this.connection = new Connection(where, (message) => this.receive(message));
    this.guiding = new Guiding(this);
    this.comparing = new Comparing(this);
    this.sound = new SoundTrack(this.playback, (frame) => this.timeOf(frame));
    this.costs = new CostMap(this);
    this.loosening = new Loosening(this);
    this.frames = new Frames((first, count) => void this.ask({ type: "fetch-poses", first, count, looked: this.playback.frame.peek() }));
    onChange(
      () => [this.selection.points.value, this.showTurns.value, this.tool.value, this.loosening.showKeyed.value],
      () => this.wishArcs(),
    );
    for (const keys of [this.selection.keys, this.guiding.frozen]) dropStaleKeys(this, keys);
    // Whoever takes hold of something wants to see it stand still.
    onChange(this.hand, (hand) => hand && this.playback.pause());
  }

  /** Ask the server; a refusal becomes a notice. Resolves to what the server said, or undefined when it would not. */
  async ask(wish: Wish): Promise<string | null | undefined> {
    try {
      return await this.connection.ask(this.onLayer(wish));
    } catch (error) {
      this.refuse(error as Error);
      return undefined;
    }
  }

  /** Take hold of something; moves, then commit or cancel. */
  take(what: AnyGesture): Hand {
    return new Hand(this, this.onLayer(what));
  }

  /** What is asked of curves without naming a layer means the chosen one. */
  private onLayer<T extends { type?: string; kind?: string; layer?: string | null }>(wish: T): T {
    const name = this.guiding.layer.peek();
    return name !== null && wish.layer === undefined && ON_LAYERS.has(wish.type ?? wish.kind ?? "") ? { ...wish, layer: name } : wish;
  }

  refuse(error: Error): void {
    // That nobody answers is told once, by the banner, not for every question.
    if (this.connection.state.value === "lost" && !(error instanceof RefusedError)) return;
    this.notices.add(error instanceof RefusedError ? "warning" : "error", error.message);
  }

  /** Seconds of a frame counted from the clip's first, and back. */
  timeOf(frame: number): number {
    const clip = this.clip.value;
    return clip ? clip.start + frame / clip.rate : 0;
  }

  frameOf(time: number): number {
    const clip = this.clip.value;
    return clip ? (time - clip.start) * clip.rate : 0;
  }

  /** The number an animator reads for a frame: counted from zero seconds, like keys in files. */
  frameLabel(frame: number): number {
    const clip = this.clip.value;
    return clip ? Math.round(clip.start * clip.rate) + frame : frame;
  }

  channelIndex(name: string): number {
    return this.scene.value?.channels.findIndex((channel) => channel.name === name) ?? -1;
  }

  jointIndex(name: string): number {
    return this.scene.value?.joints.findIndex((joint) => joint.name === name) ?? -1;
  }

  /** Where a place is on a frame, in metres; null while poses are not there yet. */
  positionOf(place: Place, frame: number): [number, number, number] | null {
    const world = this.frames.world(frame);
    if (!world) return null;
    const sum: [number, number, number] = [0, 0, 0];
    for (const part of place.parts) {
      const joint = 12 * this.jointIndex(part.joint);
      if (joint < 0) return null;
      const at = this.shapedOffset(part, frame);
      for (let row = 0; row < 3; row++) {
        const m = joint + 4 * row;
        const along = world[m] * at[0] + world[m + 1] * at[1] + world[m + 2] * at[2];
        sum[row] += part.weight * (along + world[m + 3]);
      }
    }
    return sum;
  }

  /** Where blend shapes take a part of a place in its joint's frame. */
  private shapedOffset({ offset, shapes = [] }: Part, frame: number): readonly number[] {
    const channels = shapes.length > 0 ? this.frames.channels(frame) : null;
    if (!channels) return offset;
    return offset.map((x, axis) => shapes.reduce((sum, [channel, move]) => sum + (channels[this.channelIndex(channel)] ?? 0) * move[axis], x));
  }

  /** The running job whose label begins so; null for none. */
  runningJob(label: string): Job | null {
    return [...this.jobs.value.values()].find((job) => job.state === "running" && job.label.startsWith(label)) ?? null;
  }

  private receive(message: AnyMessage | BinaryMessage): void {
    switch (message.type) {
      case "poses":
        return (message.compared ? this.comparing.frames : message.keyed ? this.keyedFrames : this.frames).put(message);
      case "blend":
        return (message.compared ? this.comparing.blends : message.keyed ? this.keyedBlends : this.blends).put(message);
      case "soft":
        return this.soft.put(message);
      case "skins":
        if (message.items.length === 0) for (const each of [this.blends, this.keyedBlends]) each.clear();
        this.skins.value = message.items;
        return;
      case "bones":
        this.sketching.shapes.value = message;
        return;
      case "chosen-bones":
        return this.sketching.choose(message.joints);
      case "arc":
        return this.arcs.put(message, this.loosening.isLoose && !isKeyedArc(message.arc) ? this.frames.freshness() : null);
      case "curves":
        return this.curves.put(message);
      case "changed":
        this.frames.outdate(message.first, message.last);
        this.changed.value = message;
        return;
      case "soft-vertices":
        return this.soft.follow(message.meshes);
      case "looseness":
        return this.showLooseness(message);
      case "loose-state":
        this.loosening.state.value = message;
        return;
      case "windows":
        this.loosening.windows.value = message;
        return;
      case "scene":
        return this.showScene(message);
      case "clip":
        this.clip.value = message;
        this.playback.resize(message.frames, message.rate, message.loops);
        return this.resizeFrames();
      case "staging":
        this.camera.value = message.camera;
        this.picture.value = message.picture;
        return this.sound.hear(message.sound);
      case "constraints":
        this.constraints.value = message.items;
        return;
      case "history":
        this.history.value = message;
        return;
      case "files":
        this.files.value = message;
        return;
      case "kept-poses":
        this.poses.items.value = message.items;
        return;
      case "batch":
        this.batch.value = message;
        return;
      case "answer":
        this.answer.value = message;
        return;
      case "guidance":
        return this.guiding.hear(message);
      case "costs-over-time":
        return this.costs.hear(message);
      case "guidance-offer":
        return this.guiding.hearOffer(message);
      case "obstacles":
        this.obstacles.value = message;
        return;
      case "warming":
        this.warming.value = message;
        return;
      case "job":
        this.jobs.value = new Map(this.jobs.value).set(message.job, message);
        return;
      case "notice":
        this.notices.add(message.level, message.text, message.more, { left: message.left, url: message.url, choices: message.choices });
        return;
      case "refused":
        this.notices.add("error", message.text);
        return;
      case "welcome":
        // Those that still run are told anew; another server counts from one again.
        this.jobs.value = new Map();
        for (const each of [this.blends, this.keyedBlends, this.soft]) each.clear();
        this.guiding.forget();
        this.welcome.value = message;
        // A new connection knows nothing of what this page wants to see.
        this.costs.ask();
        return this.wishArcs();
      case "done":
        return;
    }
  }

  private showScene(scene: Scene): void {
    // A document that is renamed is still the same one: only what was opened may be another.
    const was = this.scene.value;
    const opened = this.changed.value?.kind === "open" && was?.name !== scene.name;
    const other = opened || was?.joints.length !== scene.joints.length;
    this.scene.value = scene;
    this.resizeFrames();
    const joints = new Set(scene.joints.map((joint) => joint.name));
    this.sketching.keep(joints);
    const kept = this.selection.points.value.filter((each) => each.place.parts.every((part) => joints.has(part.joint)));
    if (other || kept.length < this.selection.points.value.length) this.selection.points.value = other ? [] : kept;
    if (other) {
      if (was) this.notices.turnPage();
      this.selection.controls.value = [];
      this.selection.keys.value = [];
      this.obstacles.value = null;
      this.answer.value = null;
      this.guiding.reset();
      this.costs.forget();
      this.playback.go(0);
    }
  }

  private showLooseness(message: Looseness): void {
    const was = this.loosening.isLoose;
    this.loosening.hear(message);
    // Keyed arcs are worth showing only beside loose ones.
    if (message.loose !== was) this.wishArcs();
  }

  private resizeFrames(): void {
    const [scene, clip] = [this.scene.value, this.clip.value];
    if (!scene || !clip) return;
    for (const each of [this.frames, this.keyedFrames]) each.reset(clip.frames, scene.joints.length, scene.channels.length);
  }

  private wishArcs(): void {
    if (this.connection.state.value !== "open") return;
    const points = this.selection.points.value;
    const turns = this.showTurns.value || this.tool.value.needsTurns;
    const arcs: ArcWish[] = points.map(({ arc, place }) => ({ arc, place, turns }));
    if (this.loosening.showsBoth) for (const { arc, place } of points) arcs.push({ arc: keyedArc(arc), place, keyed: true });
    this.arcs.keep(new Set(arcs.map(({ arc }) => arc)));
    void this.ask({ type: "show-arcs", arcs });
  }
}
