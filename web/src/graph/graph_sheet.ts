import { type FrameGrid, momentText } from "../canvas/frames";
import { following } from "../canvas/palette";
import { followPress, type Press } from "../canvas/press";
import { Sheet } from "../canvas/sheet";
import type { Commands } from "../commands/commands";
import type { Studio } from "../commands/studio";
import { onChange } from "../model/changes";
import type { Curve } from "../model/curves";
import type { Model } from "../model/model";
import { openChoices } from "./choices";
import type { Desk } from "./desk";
import { pressBell, pressCurve, pressEdge, pressEmpty, pressHandle, pressKey, pressRuler, pressView } from "./drags";
import { drawPicture } from "./draw_picture";
import { frozenOn, sameTangents } from "./frozen";
import { type Box, type GraphSpot, type Hit, hitAt, locate } from "./hits";
import { cursorOf, hintOf, readingOf } from "./hover";
import { type Copies, copiedKeys, countSelected } from "./key_selection";
import { Palette } from "./palette";
import { type Row, refOf } from "./rows";
import type { Shown } from "./shown";
import { fitCurves, fitKeys, View } from "./view";

/** What the axis of time shows where there is no clip. */
const NO_CLIP: FrameGrid = { start: 0, end: 1, rate: 24 };

/** The sheet of curves: draws them and takes the pointer. */
export class GraphSheet extends Sheet implements Desk {
  readonly model: Model;
  readonly commands: Commands;
  readonly view = new View();
  private readonly palette = following(() => new Palette());
  private band: Box | null = null;
  private noted: { text: string; x: number; y: number } | null = null;
  private copies: Copies | null = null;
  private remembered = new Map<Row, Curve>();
  private wantsFit = true;
  /** Whether the view is as a fit of everything left it; then it may follow the sheet's size. */
  private fitted = true;
  private dragging = false;

  constructor(
    { model, commands }: Studio,
    readonly shown: Shown,
  ) {
    super();
    [this.model, this.commands] = [model, commands];
    this.setAttribute("role", "application");
    this.setAttribute("aria-label", "Curves");
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.canvas.addEventListener("pointerdown", this.press);
    this.canvas.addEventListener("mousedown", keepStill);
    this.canvas.addEventListener("contextmenu", this.choose);
    this.canvas.addEventListener("pointermove", this.hover);
    this.canvas.addEventListener("pointerleave", this.leave);
    this.canvas.addEventListener("wheel", this.wheel, { passive: false });
    this.addEventListener("keydown", this.key);
  }

  /** Show the selected keys or, when there are none, all curves over the clip. */
  fit(): void {
    this.wantsFit = false;
    const [drawn, clip] = [this.shown.curves(), this.model.clip.value];
    if (!clip || drawn.length === 0) return;
    this.fitted = countSelected(drawn) === 0;
    if (this.fitted) fitCurves(this.view, drawn, clip);
    else fitKeys(this.view, drawn, 8 / clip.rate);
    this.invalidate();
  }

  /** Where something is in page pixels; null when it cannot be seen. */
  whereIs(spot: GraphSpot): { x: number; y: number } | null {
    this.settle();
    const found = locate(this.view, this.shown.curves(), spot, this.model.guiding.kernels.value);
    const box = this.canvas.getBoundingClientRect();
    return found && { x: box.left + found.x, y: box.top + found.y };
  }

  // --- Desk --------------------------------------------------------------------------------------------------------

  override at(event: MouseEvent): { x: number; y: number } {
    return super.at(event);
  }

  moment(time: number): string {
    const [clip, inSeconds] = [this.model.clip.value, this.model.timeInSeconds.value];
    return clip ? `${inSeconds ? "" : "frame "}${momentText(time, clip, inSeconds)}` : "";
  }

  note(text: string | null, x = 0, y = 0): void {
    this.noted = text === null ? null : { text, x, y };
    this.invalidate();
  }

  stretchBand(band: Box | null): void {
    this.band = band;
    this.invalidate();
  }

  viewed(): void {
    this.fitted = false;
    this.invalidate();
  }

  followCopies(copies: Copies | null): void {
    this.copies = copies;
  }

  // --- drawing -----------------------------------------------------------------------------------------------------

  protected override listen(): (() => void)[] {
    const { selection, clip, scene, hand, curves } = this.model;
    const wantFit = (): void => {
      this.wantsFit = true;
      this.invalidate();
    };
    return [
      onChange(() => [selection.points.value, selection.controls.value, clip.value, this.shown.rows.value, this.shown.hidden.value], wantFit),
      onChange(scene, this.leave),
      onChange(hand, () => this.remember()),
      onChange(
        () => curves.all(),
        () => this.selectCopies(),
      ),
    ];
  }

  protected override draw(context: CanvasRenderingContext2D): void {
    this.settle();
    const clip = this.model.clip.value ?? NO_CLIP;
    drawPicture(context, this.view, this.palette(), {
      drawn: this.shown.curves(),
      ghosts: this.ghosts(),
      active: this.shown.active,
      hovered: this.shown.hovered.value,
      span: clip,
      inSeconds: this.model.timeInSeconds.value,
      time: this.model.timeOf(this.model.playback.frame.value),
      costs: this.model.costs.strip(this.shown.names),
      kernels: this.model.guiding.kernels.value,
      target: this.model.loosening.chosenTarget,
      frozen: frozenOn(this.shown.curves(), this.model.guiding.frozen.value),
      band: this.band,
      note: this.noted && { ...this.noted, text: `${this.noted.text}${this.objection()}` },
      emptiness: this.shown.emptiness,
    });
  }

  /** What the server says against the gesture under way, such as a key that is in the way. */
  private objection(): string {
    const [hand, answer] = [this.model.hand.value, this.model.answer.value];
    return hand && answer?.gesture === hand.number && answer.text ? ` · ${answer.text}` : "";
  }

  /** Bring the view up to the sheet's size and to the fit that is due; a hand that holds something keeps its view. */
  private settle(): void {
    const resized = this.view.width !== this.width || this.view.height !== this.height;
    [this.view.width, this.view.height] = [this.width, this.height];
    const [drawn, clip] = [this.shown.curves(), this.model.clip.value];
    if (!clip || drawn.length === 0 || this.width === 0 || this.dragging || this.model.hand.value) return;
    if (!this.wantsFit && !(resized && this.fitted)) return;
    fitCurves(this.view, drawn, clip);
    [this.wantsFit, this.fitted] = [false, true];
  }

  /** Curves are replaced, never changed: keeping them is remembering how they were. */
  private remember(): void {
    this.remembered.clear();
    if (this.model.hand.value) for (const { row, curve } of this.shown.curves()) this.remembered.set(row, curve);
  }

  private hitAt(x: number, y: number): Hit {
    return hitAt(this.view, this.shown.curves(), x, y, this.model.guiding.kernels.value);
  }

  /** Curves as they were before the gesture under way, or before the run of guidance, whichever rows are shown by now. */
  private ghosts(): { row: Row; curve: Curve }[] {
    const { before } = this.model.guiding;
    if (before && !this.model.hand.value) {
      const pairs = this.shown.curves().map(({ row, curve }) => ({ row, curve: before.get(row.channel, row.layer), now: curve }));
      return pairs.flatMap(({ row, curve, now }) => (curve && !sameTangents(curve, now) ? [{ row, curve }] : []));
    }
    return [...this.remembered].filter(([row, curve]) => this.model.curves.get(row.channel, row.layer) !== curve).map(([row, curve]) => ({ row, curve }));
  }

  private selectCopies(): void {
    if (this.copies) this.model.selection.keys.value = copiedKeys(this.copies, this.model.curves, this.model.clip.value?.rate ?? 1);
  }

  // --- pointer and keyboard ----------------------------------------------------------------------------------------

  private readonly press = (event: PointerEvent): void => {
    if (this.model.hand.value || this.dragging || event.button > 1) return;
    const { x, y } = this.at(event);
    const { begin, click } = this.pressOn(this.hitAt(x, y), event);
    this.copies = null;
    this.note(null);
    followPress(this.canvas, event, {
      click,
      begin: () => {
        this.dragging = true;
        return begin?.() ?? null;
      },
      end: () => {
        this.dragging = false;
      },
    });
  };

  private pressOn(hit: Hit, event: PointerEvent): Press {
    if (event.button === 1) return pressView(this, event);
    switch (hit.what) {
      case "ruler":
        return pressRuler(this, event);
      case "key":
        return pressKey(this, hit, event);
      case "handle":
        return pressHandle(this, hit, event);
      case "edge":
        return pressEdge(this, hit, event);
      case "bell":
        return pressBell(this, hit, event);
      case "curve":
        return event.altKey ? pressView(this, event) : pressCurve(this, hit, event);
      case "empty":
        return event.altKey ? pressView(this, event) : pressEmpty(this, event);
    }
  }

  private readonly choose = (event: MouseEvent): void => {
    const { x, y } = this.at(event);
    openChoices(event, this.hitAt(x, y), this);
  };

  private readonly hover = (event: PointerEvent): void => {
    if (this.dragging || event.buttons !== 0) return;
    const { x, y } = this.at(event);
    const hit = this.hitAt(x, y);
    this.canvas.style.cursor = cursorOf(hit);
    this.title = hintOf(hit);
    this.shown.hovered.value = "drawn" in hit ? hit.drawn.row : null;
    const named = readingOf(hit, this.view.time.time(x));
    const name = named && `${named.label} · ${this.moment(named.time)} · ${named.value}`;
    if (name !== null || this.noted) this.note(name, x, y);
  };

  private readonly leave = (): void => {
    if (this.dragging) return;
    this.shown.hovered.value = null;
    if (this.noted) this.note(null);
  };

  private readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { x, y } = this.at(event);
    // With Shift some browsers turn the wheel sideways.
    const turned = (event.deltaY || event.deltaX) * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 32 : 1);
    const what = event.shiftKey ? "time" : event.ctrlKey || event.altKey || event.metaKey ? "values" : "both";
    this.view.zoom(Math.exp(-turned * 0.0016), x, y, what);
    this.viewed();
  };

  private readonly key = (event: KeyboardEvent): void => {
    const key = event.key.toLowerCase();
    if (key === "f" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey) this.fit();
    else if (key === "a" && (event.ctrlKey || event.metaKey)) this.selectAll();
    else return;
    event.preventDefault();
  };

  private selectAll(): void {
    this.model.selection.keys.value = this.shown.curves().flatMap(({ row, curve }) => curve.keys.map((_, key) => refOf(row, key)));
  }
}

/** Browsers scroll by themselves after a middle press. */
function keepStill(event: MouseEvent): void {
  if (event.button === 1) event.preventDefault();
}

customElements.define("ib-graph-sheet", GraphSheet);
