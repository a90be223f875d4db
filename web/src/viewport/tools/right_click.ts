import { followPress } from "../../canvas/press";
import { ContextMenu } from "../../elements/context_menu";
import { onChange } from "../../model/changes";
import type { Model } from "../../model/model";
import { samePlace } from "../../model/selection";
import { type Bench, pixelOf, placeOf } from "./bench";
import { type MenuSubject, menuItems } from "./menu_items";
import { under } from "./under";

const LONGEST_WAIT_MS = 300;

/** A right click, not a drag, opens the menu of what is under it; so do the menu key and Shift+F10, for the active point. */
export function listenForRightClicks(bench: Bench): void {
  const { stage } = bench;
  const menu = new ContextMenu();
  document.body.append(menu);
  const open = async (subject: MenuSubject, x: number, y: number): Promise<void> => {
    await whenTold(bench.model, subject.arc);
    await menu.open(menuItems(bench, subject), x, y);
  };
  // Where a right click opens the browser's own menu differs between systems: at the press or at the release.
  stage.canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  const click = (event: PointerEvent): void => {
    if (!bench.model.hand.value) void open(subjectAt(bench, ...pixelOf(stage, event)), event.clientX, event.clientY);
  };
  stage.canvas.addEventListener("pointerdown", (event) => {
    if (event.button === 2 && !event.altKey) followPress(stage.canvas, event, { click });
  });
  stage.element.addEventListener("keydown", (event) => {
    if (event.key !== "ContextMenu" && !(event.key === "F10" && event.shiftKey)) return;
    event.preventDefault();
    const box = stage.canvas.getBoundingClientRect();
    const centre = bench.gizmo.centre();
    const at = centre ? bench.lens.toPixels(centre, centre) : { x: box.width / 2, y: box.height / 2 };
    void open(activeSubject(bench), box.left + at.x, box.top + at.y);
  });
}

function subjectAt(bench: Bench, x: number, y: number): MenuSubject {
  const { model } = bench;
  const frame = model.playback.frame.value;
  const what = under(bench, x, y);
  if (what.kind === "tick") return { place: placeOf(model, what.arc), arc: what.arc, frame: what.frame };
  if (what.kind !== "body") return activeSubject(bench);
  // The body under the pointer becomes the selection, so that one sees what the menu is about.
  const isKnown = model.selection.points.value.some((each) => samePlace(each.place, what.hit.place));
  const sameLimb = model.selection.activeJoint === what.hit.joint;
  if (!isKnown && !sameLimb) model.selection.pick(what.hit.place);
  return { ...activeSubject(bench), frame };
}

/** A point that was selected just now has its arc, and so its keys, a moment later; nobody waits long for it. */
function whenTold(model: Model, arc: number | null): Promise<void> {
  if (arc === null || model.arcs.get(arc)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(done, LONGEST_WAIT_MS);
    const stop = onChange(
      () => model.arcs.get(arc),
      (told) => told && done(),
    );
  });
}

function activeSubject({ model }: Bench): MenuSubject {
  const active = model.selection.active;
  return { place: active?.place ?? null, arc: active?.arc ?? null, frame: model.playback.frame.value };
}
