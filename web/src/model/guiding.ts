import { signal } from "@preact/signals-core";
import type { Guidance, GuidanceOffer } from "../protocol/messages";
import { ARC_REACH } from "./arcs";
import { onChange } from "./changes";
import type { Curves } from "./curves";
import type { Model } from "./model";
import { type Allowed, Steering } from "./steering";

/** How this page steers guidance, and what it was told of the run under way. A run is one gesture, and one undo. */
export class Guiding extends Steering {
  /** The run under way, by its gesture; null when there is none. */
  readonly gesture = signal<number | null>(null);
  readonly progress = signal<Guidance | null>(null);
  /** What the last run changed, in plain words. */
  readonly summary = signal("");
  /** The curves as they were before the run; null without one. */
  before: Curves | null = null;

  private allowed: Allowed = {};
  private sequence = 0;
  private steering = 0;

  constructor(model: Model) {
    super(model);
    onChange(
      () => this.steered,
      () => this.steer(),
    );
    let shown = model.clip.value?.name;
    onChange(model.clip, (clip) => {
      // The keys of another clip are others; a run goes on with those that it has.
      if (this.gesture.value === null) {
        if (clip?.name !== shown) this.frozen.value = [];
        this.followKernels();
      }
      shown = clip?.name;
    });
    onChange(model.selection.keys, (keys) => {
      const [first, ...others] = keys.map(({ layer }) => layer ?? null);
      if (first !== undefined && this.gesture.value === null && others.every((layer) => layer === first)) this.layer.value = first;
    });
  }

  get isRunning(): boolean {
    return this.gesture.value !== null && this.progress.value?.state !== "resting";
  }

  /** Why there can be no run; empty when there can. */
  get objection(): string {
    if (!this.model.clip.value) return "Open a clip first";
    if (this.terms().length === 0) return "Give some term a weight first";
    if (this.gesture.value === null && this.channels()?.length === 0) return "Select a joint that has channels, or guide the whole body";
    if (this.gesture.value === null && this.when === "keys" && this.model.selection.keys.value.length < 2)
      return "Select two keys or more, or guide the whole clip";
    return "";
  }

  async run(): Promise<void> {
    if (this.gesture.value !== null || this.objection) return;
    const gesture = this.model.connection.nextGesture();
    this.sequence = 0;
    this.allowed = { channels: this.channels(), ...this.times() };
    this.summary.value = "";
    this.progress.value = null;
    this.before = this.model.curves.snapshot();
    this.gesture.value = gesture;
    const what = { kind: "guide", settings: this.settings(this.allowed), layer: this.layer.value } as const;
    const begun = await this.model.ask({ type: "begin", gesture, what });
    if (begun === undefined && this.gesture.value === gesture) this.forget();
  }

  stop(): void {
    void this.tell("stop-guidance");
  }

  /** From the iterate that is shown. */
  goOn(): void {
    this.steer();
  }

  /** The shown iterate becomes a step of the history. */
  async keep(): Promise<void> {
    if (this.gesture.value !== null) await this.model.ask({ type: "commit", gesture: this.gesture.value, ...this.shown });
  }

  /** Everything as it was before the run. */
  discard(): Promise<void> {
    this.summary.value = "";
    return this.tell("cancel");
  }

  /** Show an iterate of the way that the run has come. */
  goTo(iterate: number): void {
    if (this.gesture.value !== null) this.model.connection.move(this.gesture.value, ++this.sequence, [iterate]);
  }

  /** Show the motion as it was, or again what the run has made of it. */
  compare(): void {
    const told = this.progress.value;
    if (told) this.goTo(told.before ? told.iterate : -1);
  }

  hear(message: Guidance): void {
    if (message.gesture !== this.gesture.value) return;
    if (message.state === "failed") {
      this.model.notices.add("warning", message.text);
      this.summary.value = "";
    } else if (message.state === "over") this.forget();
    else {
      this.progress.value = message;
      if (message.text) this.summary.value = message.text;
    }
  }

  /** A run that another page began, or this one before it was loaded again, is this one's from now on. */
  hearOffer({ gesture, settings, layer, before }: GuidanceOffer): void {
    this.forget();
    this.model.connection.reserveGesture(gesture);
    this.sequence = 0;
    this.allowed = this.adopt(settings, layer);
    this.before = this.model.curves.snapshot();
    const curves = before.map(({ channel, layer: on, rows }) => ({ channel, layer: on, keys: rows.length / 8, rows: new Float32Array(rows) }));
    this.before.put({ type: "curves", revision: 0, whole: false, curves });
    this.gesture.value = gesture;
  }

  /** Save kernels as they are set here, as one step of the history; those of a run are saved when it is kept. */
  saveKernels(): void {
    if (this.gesture.value === null) void this.model.ask({ type: "set-kernels", kernels: [...this.kernels.value] });
  }

  private followKernels(): void {
    const kernels = this.model.clip.value?.kernels ?? [];
    if (JSON.stringify(kernels) !== JSON.stringify(this.kernels.value)) this.kernels.value = kernels;
  }

  /** There is no run any more. */
  forget(): void {
    this.before = null;
    this.gesture.value = this.progress.value = null;
    this.followKernels();
  }

  reset(): void {
    this.forget();
    this.summary.value = "";
    this.resetSteering();
  }

  private channels(): string[] | null {
    if (!this.selectedOnly.value) return null;
    const joints = new Set(this.model.selection.points.value.flatMap(({ place }) => place.parts.map(({ joint }) => joint)));
    const channels = this.model.scene.value?.channels ?? [];
    return channels.filter((channel) => channel.joints.some((joint) => joints.has(joint))).map(({ name }) => name);
  }

  private times(): { start?: number; end?: number } {
    const { clip, curves, selection } = this.model;
    if (this.when === "clip") return {};
    if (this.when === "range") return this.atHand();
    const times = selection.keys.value.map(({ channel, key, layer }) => {
      const number = layer ? (clip.value?.layers.findIndex(({ name }) => name === layer) ?? -1) + 1 : 0;
      return curves.get(this.model.channelIndex(channel), number)?.keys[key]?.time ?? NaN;
    });
    const known = times.filter((time) => !Number.isNaN(time));
    return { start: Math.min(...known), end: Math.max(...known) };
  }

  /** The played range; without one the seconds around the shown frame within which arcs of long clips are drawn. */
  private atHand(): { start: number; end: number } {
    const { playback } = this.model;
    const around = Math.round(ARC_REACH * playback.rate);
    const [first, last] = playback.range.value ?? [playback.frame.value - around, playback.frame.value + around];
    return { start: this.model.timeOf(Math.max(0, first)), end: this.model.timeOf(Math.min(playback.frames - 1, last)) };
  }

  private async tell(type: "stop-guidance" | "cancel"): Promise<void> {
    if (this.gesture.value !== null) await this.model.ask({ type, gesture: this.gesture.value });
  }

  /** Names the iterate that is shown: the run may have come further meanwhile. */
  private get shown(): { iterate?: number } {
    return this.progress.value ? { iterate: this.progress.value.iterate } : {};
  }

  /** Sliders move faster than the server need hear: once a displayed frame is enough. */
  private steer(): void {
    if (this.gesture.value === null || this.steering !== 0) return;
    this.steering = requestAnimationFrame(() => {
      this.steering = 0;
      const gesture = this.gesture.value;
      if (gesture !== null && !this.objection) void this.model.ask({ type: "steer-guidance", gesture, settings: this.settings(this.allowed), ...this.shown });
    });
  }
}
