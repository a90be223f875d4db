import { following, Palette } from "../canvas/palette";
import { type DragSteps, followDrag, followPress, type Press } from "../canvas/press";
import { Sheet } from "../canvas/sheet";
import type { Commands } from "../commands/commands";
import type { Studio } from "../commands/studio";
import { onChange } from "../model/changes";
import type { Model } from "../model/model";
import { jointPlace } from "../model/selection";
import type { Arrangement } from "./arrangement";
import { dragCameraKey, drawCamera } from "./camera_lane";
import { deleteKeys, openChoices, switchConstraint } from "./choices";
import { includesAll, refsWithin } from "./chosen_keys";
import type { DragSheet } from "./drag_sheet";
import { drawLanes } from "./draw_lanes";
import { drawBox, drawCorner, drawSaying } from "./draw_overlay";
import { drawRows } from "./draw_rows";
import { drawGrid, drawPlayhead, drawRuler } from "./draw_ruler";
import { drawSound } from "./draw_sound";
import type { Hit } from "./hits";
import { boxSelect, clickKeys, dragKeys, scaleKeys } from "./key_drags";
import type { Bar, Lane } from "./lanes";
import { locate, type Target } from "./locate";
import { dragBar, dragClipEnd, dragNewRange } from "./range_drags";
import type { Row } from "./rows";
import { clip } from "./shapes";
import { dragSound } from "./sound_drags";
import { dragTarget } from "./target_drags";
import { View } from "./view";
import { pan, scrub } from "./view_drags";

const DOUBLE_CLICK_MS = 500;

/** Keys and constraints over time: what the animator sees of the clip, and takes hold of. */
export class DopeSheet extends Sheet implements DragSheet {
  readonly view: View;
  private readonly palette = following(() => new Palette());
  private shownClip = "";
  private lastBar: { name: string; when: number; x: number; y: number } | null = null;

  private readonly model: Model;
  private readonly commands: Commands;

  constructor({ model, commands }: Studio) {
    super();
    [this.model, this.commands] = [model, commands];
    this.view = new View(model);
    this.setAttribute("role", "application");
    this.setAttribute("aria-label", "Dope sheet: keys, pins and contacts over time");
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    this.canvas.addEventListener("pointerleave", () => this.leave());
    this.canvas.addEventListener("contextmenu", (event) => openChoices(event, this.hitOf(event), this.view, this.commands, this.timeAt(event)));
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.addEventListener("keydown", (event) => this.key(event));
  }

  protected override listen(): (() => void)[] {
    return [onChange(this.model.playback.frame, () => this.reveal()), onChange(this.model.selection.points, () => this.showActive())];
  }

  protected override draw(context: CanvasRenderingContext2D): void {
    const palette = this.palette();
    const { view } = this;
    const name = `${this.model.scene.value?.name}\n${this.model.clip.value?.name}`;
    if (name !== this.shownClip) [this.shownClip, view.fitted, view.scroll.rows] = [name, true, 0];
    const place = this.place();
    if (view.fitted) view.fit(place);
    context.font = palette.font;
    context.fillStyle = palette.panel;
    context.fillRect(0, 0, place.width, place.height);
    clip(context, place.left, 0, place.width - place.left, place.height, () => drawGrid(context, place, view, palette));
    drawRows(context, place, view, palette);
    drawLanes(context, place, view, palette);
    drawCamera(context, place, view, palette);
    drawSound(context, place, view, palette);
    clip(context, place.left, 0, place.width - place.left, place.height, () => drawRuler(context, place, view, palette));
    drawCorner(context, place, view, palette);
    context.fillStyle = palette.line;
    context.fillRect(place.left - 1, 0, 1, place.height);
    drawPlayhead(context, place, view, palette);
    drawBox(context, view, palette);
    drawSaying(context, place, view, palette);
  }

  place(): Arrangement {
    return this.view.arrange(this.width, this.height);
  }

  override at(event: MouseEvent): { x: number; y: number } {
    return super.at(event);
  }

  timeAt(event: MouseEvent): number {
    return this.view.axis.time(this.at(event).x - this.place().left);
  }

  say(text: string, event: MouseEvent): void {
    this.view.said = { text, ...this.at(event) };
    this.invalidate();
  }

  saying(steps: DragSteps): DragSteps {
    const hush = (): void => {
      this.view.said = null;
      this.invalidate();
    };
    return {
      move: (event) => steps.move(event),
      commit: (event) => {
        hush();
        steps.commit(event);
      },
      cancel: () => {
        hush();
        steps.cancel();
      },
    };
  }

  fit(): void {
    this.view.fit(this.place());
    this.invalidate();
  }

  /** Where something is, in pixels of the page; null when it is not in sight. */
  whereIs(target: Target): { x: number; y: number } | null {
    const found = locate(target, this.view, this.place());
    const box = this.canvas.getBoundingClientRect();
    return found && { x: box.left + found.x, y: box.top + found.y };
  }

  private hitOf(event: MouseEvent): Hit {
    const { x, y } = this.at(event);
    return this.view.hit(x, y, this.place());
  }

  private press(event: PointerEvent): void {
    this.focus({ preventScroll: true });
    const hit = this.hitOf(event);
    if (event.button === 1 || (event.button === 0 && event.altKey && !this.canDrag(hit))) {
      event.preventDefault();
      followDrag(this.canvas, event, pan(this, event));
    } else if (event.button === 0) this.take(hit, event);
  }

  private take(hit: Hit, event: PointerEvent): void {
    const { view } = this;
    this.view.hover = null;
    const press = (begin?: Press["begin"], click?: Press["click"]): void => followPress(this.canvas, event, { begin, click });
    const twice = this.clickedTwice(event);
    if (twice !== null) return switchConstraint(view, twice);
    if (hit.kind !== "bar") view.constraint = null;
    switch (hit.kind) {
      case "ruler":
        return followDrag(this.canvas, event, scrub(this, event));
      case "clip-end":
        return press(() => dragClipEnd(this, hit.side));
      case "scale":
        return press(() => scaleKeys(this, event, hit.side));
      case "key": {
        const refs = refsWithin(hit.row.curves, hit.time, hit.time, view.names);
        const drags = this.canDrag(hit);
        const begin = (): DragSteps => (drags ? dragKeys(this, event, refs, hit.time) : boxSelect(this, event));
        return press(begin, (up) => clickKeys(this, refs, up.shiftKey));
      }
      case "keys":
        return press(
          () => boxSelect(this, event),
          (up) => up.shiftKey || view.select([]),
        );
      case "bar":
        return press(
          () => dragBar(this, event, hit.bar, hit.part),
          (up) => this.clickBar(hit.bar, up),
        );
      case "target":
        return press(
          () => dragTarget(this, event, hit.aim, hit.part),
          () => this.model.loosening.choose(hit.aim.name),
        );
      case "lane":
        if (hit.lane.active) return press(() => dragNewRange(this, event, hit.lane));
        return press(undefined, (up) => this.pickLane(hit.lane, up));
      case "lane-name":
        return press(undefined, (up) => this.pickLane(hit.lane, up));
      case "name":
        return press(undefined, (up) => this.clickName(hit.row, hit.twisty, up));
      case "sound":
        return press(() => dragSound(this, event));
      case "sound-name":
        return press(undefined, () => void this.model.ask({ type: "change-sound", muted: !this.model.sound.info.value?.muted }));
      case "camera-key":
        return press(
          () => dragCameraKey(this, event, hit.time),
          () => this.model.playback.go(this.model.frameOf(hit.time)),
        );
      case "camera":
        return;
      case "camera-name":
        return press(undefined, () => this.commands.run("camera-through"));
      case "corner":
        return press(undefined, () => this.toggleList());
    }
  }

  /** Whether a drag moves keys. Dense capture leaves no empty ground: there one selects first, then moves that. */
  private canDrag(hit: Hit): boolean {
    if (hit.kind !== "key") return false;
    const refs = refsWithin(hit.row.curves, hit.time, hit.time, this.view.names);
    return !hit.crowded || includesAll(this.model.selection.keys.value, refs);
  }

  private clickBar({ constraint }: Bar, event: PointerEvent): void {
    this.lastBar = { name: constraint.name, when: event.timeStamp, x: event.clientX, y: event.clientY };
    this.model.selection.pick(constraint.place, event.shiftKey);
    this.view.constraint = constraint.name;
    this.invalidate();
  }

  /** The constraint that a second click is on: the first one selects its point, which moves the lanes about. */
  private clickedTwice(event: PointerEvent): string | null {
    const last = this.lastBar;
    this.lastBar = null;
    if (!last || event.timeStamp - last.when > DOUBLE_CLICK_MS) return null;
    return Math.hypot(event.clientX - last.x, event.clientY - last.y) <= 4 ? last.name : null;
  }

  private clickName(row: Row, twisty: boolean, event: PointerEvent): void {
    if (twisty && row.kind === "group") this.view.toggleOpen(row);
    else if (row.joint !== null) this.model.selection.pick(jointPlace(row.joint), event.shiftKey);
    else if (row.control !== null) this.model.selection.pickControl(row.control, event.shiftKey);
    this.invalidate();
  }

  private pickLane({ place, aims }: Lane, event: PointerEvent): void {
    if (place) this.model.selection.pick(place, event.shiftKey);
    else if (aims.length > 0) this.model.loosening.choose(aims[0].name);
  }

  private toggleList(): void {
    this.view.listsAll.value = !this.view.listsAll.value;
    this.invalidate();
  }

  private hover(event: PointerEvent): void {
    if (event.buttons !== 0) return;
    const hit = this.hitOf(event);
    const was = this.view.hover;
    this.canvas.style.cursor = cursorOf(hit);
    const isPlain = (each: Hit | undefined): boolean => !each || ["ruler", "keys", "lane", "name", "lane-name"].includes(each.kind);
    this.view.hover = { hit, ...this.at(event) };
    // Over plain ground nothing is lit, and nothing is drawn.
    if (!isPlain(hit) || !isPlain(was?.hit)) this.invalidate();
  }

  private leave(): void {
    if (!this.view.hover) return;
    this.view.hover = null;
    this.invalidate();
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const place = this.place();
    const { x, y } = this.at(event);
    const [dx, dy] = event.deltaMode === 1 ? [16 * event.deltaX, 16 * event.deltaY] : [event.deltaX, event.deltaY];
    if (x < place.left) this.view.scrollBy(dy, y >= place.lanesTop ? "lanes" : "rows", place);
    else if (Math.abs(dx) > Math.abs(dy) || event.shiftKey) this.view.axis.pan(-(dx || dy));
    else this.view.axis.zoom(Math.exp(-dy / 400), x - place.left);
    if (x >= place.left) this.view.fitted = false;
    this.view.hover = null;
    this.invalidate();
  }

  /** Keys of this panel's own, while it has the focus. */
  private key(event: KeyboardEvent): void {
    const pressed = (event.ctrlKey || event.metaKey ? "Ctrl+" : "") + event.key.toLowerCase();
    if (pressed === "f") this.fit();
    else if (pressed === "ctrl+a") this.view.select(refsWithin(this.listed(), -Infinity, Infinity, this.view.names));
    else if (pressed === "delete" || pressed === "backspace") this.delete();
    else if (pressed === "escape" && this.model.selection.keys.value.length > 0) this.view.select([]);
    else return;
    event.preventDefault();
  }

  private delete(): void {
    const { constraint } = this.view;
    const target = this.model.loosening.chosen.value;
    if (!this.view.chosen.isEmpty) deleteKeys(this.view);
    else if (target !== null) void this.model.ask({ type: "remove-target", name: target });
    else if (constraint !== null) {
      this.view.constraint = null;
      void this.model.ask({ type: "remove-constraint", name: constraint });
    }
  }

  private listed(): Set<Row["curves"][number]> {
    return new Set(this.place().rows.flatMap((row) => row.item.curves));
  }

  private reveal(): void {
    if (!this.view.fitted) this.view.reveal(this.model.timeOf(this.model.playback.frame.value), this.place());
  }

  private showActive(): void {
    this.view.scroll.rows = 0;
    this.view.revealActiveLane(this.place());
  }
}
customElements.define("ib-dope-sheet", DopeSheet);

function cursorOf(hit: Hit): string {
  if (hit.kind === "clip-end" || hit.kind === "scale") return "ew-resize";
  if (hit.kind === "target") return hit.part === "time" ? "grab" : "ew-resize";
  if (hit.kind === "sound" || hit.kind === "camera-key") return "grab";
  if (hit.kind === "bar") return hit.part === "body" ? "grab" : "ew-resize";
  if (["key", "name", "lane-name", "corner", "sound-name", "camera-name"].includes(hit.kind)) return "pointer";
  return hit.kind === "lane" && hit.lane.active ? "crosshair" : "default";
}
