import { createDockview, type DockviewApi, type IContentRenderer } from "dockview";
import "dockview/dist/styles/dockview.css";

const PANELS = {
  outliner: { title: "Outliner", tag: "ib-outliner" },
  viewport: { title: "Viewport", tag: "ib-viewport" },
  inspector: { title: "Inspector", tag: "ib-inspector" },
  history: { title: "History", tag: "ib-history" },
  timeline: { title: "Timeline", tag: "ib-timeline" },
  graph: { title: "Graph", tag: "ib-graph" },
} as const;
type PanelName = keyof typeof PANELS;

class Panel implements IContentRenderer {
  readonly element: HTMLElement;

  constructor(name: PanelName) {
    this.element = document.createElement(PANELS[name].tag);
    this.element.style.cssText = "display:block;width:100%;height:100%;overflow:hidden";
  }

  init(): void {}
}

/** Panels that can be moved, split and tabbed; the arrangement is STUDIO's picture of it. */
export function layOut(parent: HTMLElement): DockviewApi {
  const api = createDockview(parent, {
    className: "dockview-theme-inbetweener",
    disableFloatingGroups: true,
    createComponent: ({ name }) => new Panel(name as PanelName),
  });
  const add = (name: PanelName, position?: object, size?: object): void => {
    api.addPanel({ id: name, component: name, title: PANELS[name].title, position, ...size } as never);
  };
  add("viewport");
  add("timeline", { referencePanel: "viewport", direction: "below" }, { initialHeight: 220 });
  add("graph", { referencePanel: "timeline", direction: "right" });
  add("outliner", { referencePanel: "viewport", direction: "left" }, { initialWidth: 210 });
  add("inspector", { referencePanel: "viewport", direction: "right" }, { initialWidth: 270 });
  add("history", { referencePanel: "inspector", direction: "within" });
  api.getPanel("inspector")?.api.setActive();
  api.getPanel("viewport")?.api.setActive();
  return api;
}
