import { createDockview, type DockviewApi, type IContentRenderer, type ITabRenderer } from "dockview";
import "dockview/dist/styles/dockview.css";
import { Graph } from "../graph/graph";
import { History } from "../panels/history";
import { Inspector } from "../panels/inspector/inspector";
import { Outliner } from "../panels/outliner/outliner";
import { Poses } from "../panels/poses";
import { Timeline } from "../timeline/timeline";
import { Viewports } from "../viewport/viewports";
import { recall, remember } from "./layout_memory";
import { studio } from "./studio";

const PANELS = {
  outliner: { title: "Outliner", tag: "ib-outliner", Element: Outliner },
  poses: { title: "Poses", tag: "ib-poses", Element: Poses },
  viewport: { title: "Viewport", tag: "ib-viewport", Element: Viewports },
  inspector: { title: "Inspector", tag: "ib-inspector", Element: Inspector },
  history: { title: "History", tag: "ib-history", Element: History },
  timeline: { title: "Timeline", tag: "ib-timeline", Element: Timeline },
  graph: { title: "Graph", tag: "ib-graph", Element: Graph },
} as const;
type PanelName = keyof typeof PANELS;

let made = Promise.resolve();

/** Do this after all that waits already: one thing a task, so that none of them holds up what else the page has to do. */
export function inTurn(work: () => void): void {
  made = made.then(() => new Promise<void>((done) => setTimeout(() => done(work()))));
}

/** When all panels that were asked for are there. */
export async function panelsMade(): Promise<void> {
  for (let known: unknown = null; known !== made; await made) known = made;
}

/** Where a panel lives; its element is made once, so that it keeps its state wherever the panel goes. */
class Frame implements IContentRenderer {
  readonly element = document.createElement("div");

  constructor(name: PanelName) {
    this.element.style.cssText = "position:relative;width:100%;height:100%;overflow:hidden";
    inTurn(() => this.fill(name));
  }

  private fill(name: PanelName): void {
    const panel = new PANELS[name].Element(studio);
    panel.style.cssText = "display:block;width:100%;height:100%;overflow:hidden";
    panel.setAttribute("aria-label", PANELS[name].title);
    this.element.append(panel);
    // Over the picture, because that is where a newcomer looks.
    if (name === "viewport") this.element.append(document.createElement("ib-hint"));
  }

  init(): void {}
}

/** A title and nothing else: panels are moved, never closed, because one that is gone would have to be looked for. */
class Tab implements ITabRenderer {
  readonly element = document.createElement("div");

  constructor(name: PanelName) {
    this.element.className = "tab";
    this.element.textContent = PANELS[name].title;
  }

  init(): void {}
}

const frames = new Map<PanelName, Frame>();
let dock: DockviewApi | null = null;

function frame(name: PanelName): Frame {
  const found = frames.get(name) ?? new Frame(name);
  frames.set(name, found);
  return found;
}

/** Panels that can be moved, split and tabbed, arranged as they were left or, the first time, as they should be. */
export function layOut(parent: HTMLElement): DockviewApi {
  const api = createDockview(parent, {
    className: "dockview-theme-inbetweener",
    disableFloatingGroups: true,
    createComponent: ({ name }) => frame(name as PanelName),
    createTabComponent: ({ id }) => new Tab(id as PanelName),
    defaultTabComponent: "tab",
  });
  parent.addEventListener("keydown", keepTabs, true);
  dock = api;
  if (!restore(api)) arrange(api);
  api.onDidLayoutChange(() => remember(localStorage, api.toJSON()));
  return api;
}

/** Every panel back to where it belongs. */
export function resetLayout(): void {
  if (!dock) return;
  dock.clear();
  arrange(dock);
}

/** Bring a panel to the front of its tabs. */
export function showPanel(name: PanelName): void {
  dock?.getPanel(name)?.api.setActive();
}

/** Go to the next panel that is to be seen, or the one before; the bar is one of them. */
export function focusNext(by: 1 | -1): void {
  const shown = new Set(dock?.groups.map((group) => group.activePanel?.id));
  const names = (Object.keys(PANELS) as PanelName[]).filter((name) => shown.has(name));
  const stops = ["ib-bar", ...names.map((name) => PANELS[name].tag)].map((tag) => document.querySelector<HTMLElement>(tag));
  const at = stops.findIndex((stop) => stop?.matches(":focus-within"));
  const next = stops[at < 0 ? (by > 0 ? 1 : stops.length - 1) : (at + by + stops.length) % stops.length];
  if (!next) return;
  // A panel that cannot take the focus itself is made to, but is not put into the way of the Tab key.
  if (next.tabIndex < 0 && next.tagName !== "IB-BAR") next.tabIndex = -1;
  next.focus();
}

/** Dockview would close a tab that has the focus. */
function keepTabs(event: KeyboardEvent): void {
  const onTab = event.target instanceof Element && event.target.classList.contains("dv-tab");
  if (onTab && (event.key === "Delete" || event.key === "Backspace")) event.stopPropagation();
}

function restore(api: DockviewApi): boolean {
  const remembered = recall(localStorage, Object.keys(PANELS));
  if (!remembered) return false;
  try {
    api.fromJSON(remembered as unknown as ReturnType<DockviewApi["toJSON"]>);
    return true;
  } catch (error) {
    // Dockview reads another version's arrangement differently; the default is always good.
    console.warn("The remembered layout does not fit any more:", error);
    api.clear();
    return false;
  }
}

function arrange(api: DockviewApi): void {
  const share = (part: number, least: number, most: number, whole: number): number => Math.round(Math.min(most, Math.max(least, part * whole)));
  const add = (name: PanelName, position?: object, size?: object): void => {
    api.addPanel({ id: name, component: name, title: PANELS[name].title, position, ...size } as never);
  };
  const [width, height] = [api.width || window.innerWidth, api.height || window.innerHeight];
  add("viewport");
  add("timeline", { referencePanel: "viewport", direction: "below" }, { initialHeight: share(0.32, 200, 420, height) });
  add("graph", { referencePanel: "timeline", direction: "right" });
  add("outliner", { referencePanel: "viewport", direction: "left" }, { initialWidth: share(0.15, 210, 300, width) });
  add("inspector", { referencePanel: "viewport", direction: "right" }, { initialWidth: share(0.19, 270, 360, width) });
  add("history", { referencePanel: "inspector", direction: "within" });
  add("poses", { referencePanel: "outliner", direction: "within" });
  api.getPanel("outliner")?.api.setActive();
  api.getPanel("inspector")?.api.setActive();
  api.getPanel("viewport")?.api.setActive();
}
