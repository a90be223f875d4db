import type { Studio } from "../../commands/studio";
import { Arcs } from "../arcs";
import { Blocked } from "../blocked";
import { Body } from "../body";
import type { Character } from "../character";
import { Ghost } from "../ghosts";
import { Gizmo } from "../gizmo";
import { KeyedArcs } from "../keyed_arcs";
import { Legend } from "../legend";
import { Overlay } from "../overlay";
import type { Stage } from "../stage";
import { TargetMarks } from "../target_marks";
import type { Bench } from "./bench";
import { Hover } from "./hover";
import { lensOf } from "./lens";
import { type Locate, locate } from "./locate";
import { listenForPresses } from "./press";
import { tools } from "./registry";
import { listenForRightClicks } from "./right_click";

/** Give the stage its tools: what the left mouse button, the pointer and the keys do on it; returns where things are. */
export function attachTools(studio: Studio, stage: Stage, character: Character, drawn: Bench["drawn"], main = true): Locate {
  const { model } = studio;
  const lens = lensOf(stage);
  const overlay = new Overlay(stage.element);
  const arcs = new Arcs(stage, model);
  const gizmo = new Gizmo(stage, model, lens, overlay);
  const targets = new TargetMarks(stage, model, overlay);
  new KeyedArcs(stage, model);
  const bench: Bench = { ...studio, stage, lens, body: new Body(model, lens), arcs, gizmo, targets, drawn };
  const blocked = new Blocked(stage, model, overlay, () => gizmo.centre());
  if (main) new Legend(stage, model, arcs, overlay);
  const hover = new Hover(bench, new Ghost(stage, model, character), overlay);
  // Bars and what tools keep on the stage are there once.
  const own = main ? tools.map((tool) => tool.attach?.(bench, overlay)) : [];
  listenForPresses(bench, hover);
  listenForRightClicks(bench);
  const found = locate(bench, () => blocked.text);
  Object.assign(stage.element, found, ...own);
  return found;
}
