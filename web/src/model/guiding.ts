import type { Guidance, GuidanceHeat, GuidanceSettings, KernelInfo, TermWeight } from "../protocol/messages";
import { Cell } from "./cell";
import type { Model } from "./model";

export type TermName = TermWeight["name"];

/** How this page steers guidance, and what it was told of the run under way. A run is one gesture, and one undo. */
export class Guiding {
  // How it is steered; changes go to the run under way at once.
  readonly regularise = new Cell(0.3);
  readonly weights = new Cell<Readonly<Record<TermName, number>>>({ torque: 1, jerk: 0, limits: 0, obstacles: 0 });
  /** By joint: how much more its tangents stay as they are. */
  readonly factors = new Cell<ReadonlyMap<string, number>>(new Map());
  readonly kernels = new Cell<readonly KernelInfo[]>([]);
  /** Whether only the channels of the selected joints may change. */
  readonly selectedOnly = new Cell(false);
  /** Whether only keys from the first selected one to the last may change. */
  readonly betweenKeys = new Cell(false);

  // As the server told it.
  /** The run under way, by its gesture; null when there is none. */
  readonly gesture = new Cell<number | null>(null);
  readonly progress = new Cell<Guidance | null>(null);
  readonly heat = new Cell<GuidanceHeat | null>(null);
  /** What the last run changed, in plain words. */
  readonly summary = new Cell("");

  /** What the run under way may change: whoever selects another joint meanwhile does not mean to begin anew. */
  private allowed: Pick<GuidanceSettings, "channels" | "start" | "end"> = {};
  private sequence = 0;
  private steering = 0;

  constructor(private readonly model: Model) {
    for (const cell of [this.regularise, this.weights, this.factors, this.kernels]) cell.watch(() => this.steer());
  }

  get isRunning(): boolean {
    return this.gesture.value !== null && this.progress.value?.state !== "resting";
  }

  /** Why there can be no run; empty when there can. */
  get objection(): string {
    if (!this.model.clip.value) return "Open a clip first";
    if (Object.values(this.weights.value).every((weight) => weight === 0)) return "Give some term a weight first";
    if (this.gesture.value === null && this.channels()?.length === 0) return "Select a joint that has channels, or guide the whole body";
    if (this.gesture.value === null && this.betweenKeys.value && this.model.selection.keys.value.length < 2) return "Select two keys or more, or guide the whole clip";
    return "";
  }

  settings(): GuidanceSettings {
    const terms = (Object.entries(this.weights.value) as [TermName, number][]).filter(([, weight]) => weight > 0);
    return {
      terms: terms.map(([name, weight]) => ({ name, weight })),
      regularise: this.regularise.value,
      joints: [...this.factors.value].map(([joint, factor]) => ({ joint, factor })),
      kernels: [...this.kernels.value],
      ...this.allowed,
    };
  }

  async run(): Promise<void> {
    if (this.gesture.value !== null || this.objection) return;
    const { connection } = this.model;
    const gesture = connection.nextGesture();
    this.sequence = 0;
    this.allowed = { channels: this.channels(), ...this.times() };
    this.summary.value = "";
    this.progress.value = this.heat.value = null;
    this.gesture.value = gesture;
    const begun = await this.model.ask({ type: "begin", gesture, what: { kind: "guide", settings: this.settings() } });
    if (begun === undefined && this.gesture.value === gesture) this.forget();
  }

  stop(): void {
    this.tell("stop-guidance");
  }

  /** From the iterate that is shown. */
  goOn(): void {
    this.steer();
  }

  /** The shown iterate becomes a step of the history. */
  keep(): void {
    this.tell("commit");
  }

  /** Everything as it was before the run. */
  discard(): void {
    this.summary.value = "";
    this.tell("cancel");
  }

  /** Show an iterate of the way that the run has come. */
  goTo(iterate: number): void {
    if (this.gesture.value !== null) this.model.connection.move(this.gesture.value, ++this.sequence, [iterate]);
  }

  weigh(term: TermName, weight: number): void {
    this.weights.value = { ...this.weights.value, [term]: weight };
  }

  factor(joint: string): number {
    return this.factors.value.get(joint) ?? 1;
  }

  setFactor(joint: string, factor: number): void {
    const factors = new Map(this.factors.value);
    if (Math.abs(factor - 1) < 0.02) factors.delete(joint);
    else factors.set(joint, factor);
    this.factors.value = factors;
  }

  setKernel(number: number, kernel: KernelInfo | null): void {
    const kernels = [...this.kernels.value];
    if (kernel) kernels[number] = kernel;
    else kernels.splice(number, 1);
    this.kernels.value = kernels;
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

  hearHeat(message: GuidanceHeat): void {
    if (message.gesture === this.gesture.value) this.heat.value = message;
  }

  /** There is no run any more. */
  forget(): void {
    this.gesture.value = this.progress.value = this.heat.value = null;
  }

  /** Another character: its joints and times are others. */
  reset(): void {
    this.forget();
    this.summary.value = "";
    this.factors.value = new Map();
    this.kernels.value = [];
    this.selectedOnly.value = this.betweenKeys.value = false;
    this.weigh("obstacles", 0);
  }

  private channels(): string[] | null {
    if (!this.selectedOnly.value) return null;
    const joints = new Set(this.model.selection.points.value.flatMap(({ place }) => place.parts.map(({ joint }) => joint)));
    const channels = this.model.scene.value?.channels ?? [];
    return channels.filter((channel) => channel.joints.some((joint) => joints.has(joint))).map(({ name }) => name);
  }

  private times(): { start?: number; end?: number } {
    const { clip, curves, selection } = this.model;
    if (!this.betweenKeys.value) return {};
    const times = selection.keys.value.map(({ channel, key, layer }) => {
      const number = layer ? (clip.value?.layers.findIndex(({ name }) => name === layer) ?? -1) + 1 : 0;
      return curves.get(this.model.channelIndex(channel), number)?.keys[key]?.time ?? NaN;
    });
    const known = times.filter((time) => !Number.isNaN(time));
    return { start: Math.min(...known), end: Math.max(...known) };
  }

  private tell(type: "stop-guidance" | "commit" | "cancel"): void {
    if (this.gesture.value !== null) void this.model.ask({ type, gesture: this.gesture.value });
  }

  /** Sliders move faster than the server need hear: once a displayed frame is enough. */
  private steer(): void {
    if (this.gesture.value === null) return;
    // What it shows is the cost as it was counted before.
    this.heat.value = null;
    if (this.steering !== 0) return;
    this.steering = requestAnimationFrame(() => {
      this.steering = 0;
      const gesture = this.gesture.value;
      if (gesture !== null && !this.objection) void this.model.ask({ type: "steer-guidance", gesture, settings: this.settings() });
    });
  }
}
