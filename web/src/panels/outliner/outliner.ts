import { computed } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit";
import { ContextMenu } from "../../elements/context_menu";
import { icon } from "../../elements/icons";
import { onChange } from "../../model/changes";
import { mainJoint, samePlace } from "../../model/selection";
import type { Place } from "../../protocol/messages";
import { glyphs } from "../glyphs";
import { Panel, panelStyle } from "../panel";
import { type Badges, badgesOf, below } from "./badges";
import { goToHit, marksOf, toggleMesh } from "./marks";
import { type Item, type Line, lineOf, outline, placeOf } from "./outline";
import { outlinerStyle } from "./style";
import { inView, type Row } from "./tree";
import { TreeView } from "./tree_view";

const LINE = 22;
const MENU = ["pin", "pin-both", "insert-keys", "copy-pose", "paste-pose", "paste-mirrored", "reset-pose", "save-pose", "view.frame"];
let menu: ContextMenu | null = null;

/** The document as a list: joints and their points, controls, meshes, obstacles, props. Only lines in view are drawn. */
export class Outliner extends Panel {
  static override styles = [panelStyle, outlinerStyle];

  private readonly view = new TreeView<Item>();
  // Curves change many times a second under a drag; marks are made when they are drawn.
  private readonly badges = computed(() => {
    const { scene, constraints, curves, loosening } = this.model;
    return scene.value ? badgesOf(scene.value, constraints.value, curves, loosening.told.value?.settings.springs) : [];
  });
  private readonly hiddenBadges = computed((): Badges[] => (this.model.scene.value ? below(this.model.scene.value, this.badges.value) : []));
  private documentShown = "";
  /** The place whose line was last brought into view, so that scrolling away from it is allowed. */
  private shown: Place | null = null;
  private endings: (() => void)[] = [];
  private readonly resizing = new ResizeObserver(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    this.endings = [
      onChange(this.model.scene, () => this.reread()),
      onChange(
        () => this.model.selection.active?.place,
        () => this.reveal(),
      ),
    ];
    this.reread();
    this.reveal();
    this.resizing.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.endings) end();
    this.resizing.disconnect();
  }

  /** For tests: the middle of a line in page pixels, by what it is and its name; opened and scrolled into view. */
  async whereIs(kind: Item["kind"], name: string): Promise<{ x: number; y: number } | null> {
    this.view.reveal(`${kind} ${name}`);
    await this.lookAt(this.view.cursor);
    const box = this.renderRoot.querySelector(`[data-at="${this.view.at(this.view.cursor)}"]`)?.getBoundingClientRect();
    return box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : null;
  }

  protected override render(): TemplateResult {
    const { rows, search, cursor } = this.view;
    const list = this.list;
    const [first, last] = inView(list?.scrollTop ?? 0, list?.clientHeight ?? 0, LINE, rows.length);
    const clear = html`<button class="bare" title="Clear the search" aria-label="Clear the search" @click=${() => this.search("")}>
      ${icon("close")}
    </button>`;
    const empty = html`<p class="quiet empty">${search ? `Nothing is called “${search}”.` : "No character is open."}</p>`;
    return html`<div class="panel">
      <label class="search">
        ${glyphs.lens}
        <input
          type="text"
          placeholder="Search"
          title="Search joints, controls, meshes, props and clips by a part of their name"
          aria-label="Search joints, controls, meshes, props and clips"
          .value=${search}
          @input=${(event: InputEvent) => this.search((event.target as HTMLInputElement).value)}
          @keydown=${this.onSearchKey}
        />
        ${search ? clear : nothing}
      </label>
      <div
        class="list"
        role="tree"
        aria-label="Outliner"
        aria-multiselectable="true"
        tabindex="0"
        aria-activedescendant=${cursor === null ? nothing : domId(cursor)}
        @scroll=${() => this.requestUpdate()}
        @keydown=${this.onKey}
        @pointerleave=${() => this.hover(null)}
      >
        <div class="lines" role="presentation" style="height:${rows.length * LINE}px">
          ${rows.slice(first, last).map((row, i) => this.line(row, first + i))}
        </div>
        ${rows.length === 0 ? empty : nothing}
      </div>
    </div>`;
  }

  private line({ node, depth, open, found }: Row<Item>, at: number): TemplateResult {
    const { item, id } = node;
    const name = node.shown ?? node.name;
    const chosen = this.isChosen(item);
    const hovered = this.model.selection.hovered.value;
    const lit = hovered !== null && standsFor(item, hovered);
    const marks =
      item.kind === "joint"
        ? marksOf(this.studio, item, this.badges.value[item.joint], open === false ? this.hiddenBadges.value[item.joint] : undefined)
        : marksOf(this.studio, item);
    return html`<div
      id=${domId(id)}
      class="line ${item.kind} ${chosen} ${lit ? "lit" : ""} ${id === this.view.cursor ? "cursor" : ""}"
      role="treeitem"
      data-at=${at}
      aria-level=${depth + 1}
      aria-expanded=${open === null ? nothing : String(open)}
      aria-selected=${chosen === "chosen"}
      title=${titleOf(node)}
      style="top:${at * LINE}px;padding-left:${2 + 9 * Math.max(0, depth - 1)}px"
      @pointerenter=${() => this.hover(placeOf(item))}
      @click=${(event: MouseEvent) => this.onClick(event, node)}
      @dblclick=${() => this.act(node)}
      @contextmenu=${(event: MouseEvent) => this.openMenu(event, node)}
    >
      <span class="twist ${open ? "open" : ""}" @click=${(event: Event) => this.onTwist(event, node)}>
        ${open === null ? nothing : glyphs.chevron}
      </span>
      ${item.kind === "point" ? html`<i class="spot" aria-hidden="true"></i>` : nothing}
      <span class="name ${item.kind === "section" && depth > 0 ? "quiet" : ""}">${found < 0 ? cut(name) : highlighted(name, found, this.view.search.trim().length)}</span>
      ${marks}
    </div>`;
  }

  /** What can be done with what is selected; a line that is not becomes so. */
  private openMenu(event: MouseEvent, node: Line): void {
    const place = placeOf(node.item);
    event.preventDefault();
    if (!place) return;
    if (this.isChosen(node.item) !== "chosen") this.model.selection.pick(place);
    menu ??= document.body.appendChild(new ContextMenu());
    void menu.open(
      MENU.map((id) => ({ ...this.studio.commands.item(id), parted: id === "copy-pose" || id === "view.frame" })),
      event.clientX,
      event.clientY,
    );
  }

  private get list(): HTMLElement | null {
    return this.renderRoot?.querySelector<HTMLElement>(".list") ?? null;
  }

  private reread(): void {
    const scene = this.model.scene.value;
    const document = scene ? `${scene.name} ${scene.joints.length}` : "";
    this.view.show(scene ? outline(scene) : [], document !== this.documentShown);
    this.documentShown = document;
    this.requestUpdate();
  }

  /** Show the line of what was selected elsewhere. */
  private reveal(): void {
    const place = this.model.selection.active?.place ?? null;
    if (place === this.shown) return;
    this.shown = place;
    const scene = this.model.scene.value;
    if (!place || !scene) return;
    const id = lineOf(scene, place);
    if (this.view.at(id) < 0 || id !== this.view.cursor) this.view.reveal(id);
    void this.lookAt(id);
  }

  /** Scroll as little as needed to see a line, once the list is long enough for it. */
  private async lookAt(id: string | null): Promise<void> {
    this.requestUpdate();
    await this.updateComplete;
    const [list, at] = [this.list, this.view.at(id)];
    if (!list || at < 0) return;
    const [top, bottom] = [at * LINE, (at + 1) * LINE];
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
    else return;
    this.requestUpdate();
    await this.updateComplete;
  }

  private isChosen(item: Item): "chosen" | "part" | "" {
    const { points, controls } = this.model.selection;
    if (item.kind === "clip") return this.model.clip.value?.name === item.clip ? "chosen" : "";
    if (item.kind === "control") return controls.value.includes(item.channel.name) ? "chosen" : "";
    if (item.kind === "handle") return item.channels.every((name) => controls.value.includes(name)) ? "chosen" : "";
    const place = placeOf(item);
    if (place && points.value.some((each) => samePlace(each.place, place))) return "chosen";
    return points.value.some((each) => standsFor(item, each.place)) ? "part" : "";
  }

  private hover(place: Place | null): void {
    this.model.selection.hovered.value = place;
  }

  private search(text: string): void {
    this.view.search = text;
    if (this.list) this.list.scrollTop = 0;
    this.requestUpdate();
  }

  private choose({ item }: Line, add: boolean): void {
    const place = placeOf(item);
    this.shown = place ?? this.shown;
    if (place) this.model.selection.pick(place, add);
    else if (item.kind === "clip") void this.model.ask({ type: "show-clip", clip: item.clip });
    else if (item.kind === "control") this.model.selection.pickControl(item.channel.name, add);
    else if (item.kind === "handle") item.channels.forEach((name, i) => this.model.selection.pickControl(name, add || i > 0));
  }

  /** Enter, or a double click: look at it. */
  private act({ item }: Line): void {
    if (item.kind === "mesh") toggleMesh(this.studio, item.mesh.name);
    else if (item.kind === "prop") goToHit(this.studio, item.prop.name);
    else if (placeOf(item)) this.studio.commands.run("view.frame");
  }

  private onClick(event: MouseEvent, node: Line): void {
    this.view.cursor = node.id;
    if (node.item.kind === "section") this.view.toggle(node.id);
    else this.choose(node, event.shiftKey || event.ctrlKey || event.metaKey);
    this.requestUpdate();
  }

  private onTwist(event: Event, node: Line): void {
    event.stopPropagation();
    this.view.toggle(node.id);
    this.requestUpdate();
  }

  private onSearchKey(event: KeyboardEvent): void {
    if (event.key === "Escape") this.search("");
    else if (event.key === "ArrowDown" || event.key === "Enter") this.list?.focus();
    else return;
    event.preventDefault();
  }

  /** Arrows move and choose; with Ctrl they only move, and Shift+Enter adds what they are on. Other keys are commands'. */
  private onKey(event: KeyboardEvent): void {
    const row = this.view.rows[this.view.at(this.view.cursor)];
    if (event.key === "Enter" && row) {
      if (row.node.item.kind === "section") this.view.toggle(row.node.id);
      else if (event.shiftKey || event.ctrlKey) this.choose(row.node, true);
      else this.act(row.node);
    } else {
      const moved = this.view.onKey(event.key);
      if (moved === null) return;
      const now = this.view.rows[this.view.at(this.view.cursor)];
      if (moved && now && !event.ctrlKey) this.choose(now.node, false);
    }
    event.preventDefault();
    void this.lookAt(this.view.cursor);
  }
}

/** Whether a line is the one to look at for a place: the point itself, or the joint that carries it. */
function standsFor(item: Item, place: Place): boolean {
  if (item.kind === "joint") return item.place.parts[0].joint === mainJoint(place);
  return item.kind === "point" && samePlace(item.place, place);
}

/** What a line is, and what a double click does with it where that is not to be guessed. */
function titleOf({ item, name }: Line): string {
  switch (item.kind) {
    case "section":
      return "";
    case "mesh":
      return `${name}\nDouble click: hide it, or show it again`;
    case "prop":
      return item.prop.role === "obstacle" ? `${name}\nDouble click: go to where it is hit` : name;
    case "handle":
      return `${name}\nSelect its target, pole and blend`;
    default:
      return name;
  }
}

/** A name that is cut in the middle where it is too long for its line: both ends of it tell. */
function cut(name: string): TemplateResult {
  const end = Math.min(10, Math.floor(name.length / 2));
  return html`<span class="start">${name.slice(0, name.length - end)}</span><span class="end">${name.slice(name.length - end)}</span>`;
}

function highlighted(name: string, at: number, length: number): TemplateResult {
  return html`${name.slice(0, at)}<mark>${name.slice(at, at + length)}</mark>${name.slice(at + length)}`;
}

function domId(id: string): string {
  return `line-${id.replace(/\s/g, "_")}`;
}

customElements.define("ib-outliner", Outliner);
