import type { Studio } from "../commands/studio";
import { OnionBar } from "./onion_bar";
import { Scenery } from "./scenery";
import { Stage } from "./stage";
import { attachTools } from "./tools/attach";
import { viewCommands } from "./view_commands";
import type { Viewpoints } from "./viewpoints";
import { Words } from "./words";

/**
 * The panel with the character. The stage is made when the panel first comes onto the page, and kept when it is docked
 * elsewhere. For tests and the curious: `stage` draws, `scenery` is what is drawn, and the tools add where things are.
 */
export class Viewport extends HTMLElement {
  /** The three.js scene with its camera and renderer; null where the browser cannot draw. */
  stage: Stage | null = null;
  scenery: Scenery | null = null;
  /** The view that was touched last, which commands mean. */
  private looked: Viewpoints | null = null;

  constructor(private readonly studio: Studio) {
    super();
  }

  /** Where the vertices of a mesh are drawn now, x, y, z each: what targets on soft meshes aim with. */
  async vertices(mesh: string): Promise<number[] | null> {
    const part = this.scenery?.character.anatomy?.parts.find((each) => each.info.name === mesh);
    const { readBack } = await import("./blending/read_back");
    return part && this.stage ? Array.from(readBack(this.stage.renderer, part.solid)) : null;
  }

  /** Whether the body is drawn as the shown frame has it, and nothing that it takes is still on its way; for tests. */
  isUpToDate(): boolean {
    return this.scenery?.isPosed ?? false;
  }

  connectedCallback(): void {
    if (this.childNodes.length > 0) return;
    this.tabIndex = 0;
    this.setAttribute("aria-label", "Viewport");
    this.style.position = "relative";
    if (!canDraw()) {
      this.explain();
      this.studio.commands.add(...viewCommands(null));
      return;
    }
    const stage = new Stage(this);
    const scenery = new Scenery(stage, this.studio.model);
    this.append(new Words(this.studio, scenery.viewpoints.orbit.flat, stage.lost));
    this.append(new OnionBar(this.studio.model));
    this.stage = stage;
    this.scenery = scenery;
    this.looked = scenery.viewpoints;
    for (const type of ["pointerdown", "wheel", "focusin"]) this.addEventListener(type, () => this.lookAt(scenery.viewpoints), true);
    this.studio.commands.add(...viewCommands(() => (this.studio.model.quad.value && this.looked) || scenery.viewpoints));
    attachTools(this.studio, stage, scenery.character, (mesh) => this.vertices(mesh));
  }

  get canDraw(): boolean {
    return this.stage !== null;
  }

  /** From now on commands mean this view. */
  lookAt(viewpoints: Viewpoints): void {
    this.looked = viewpoints;
  }

  private explain(): void {
    const text = document.createElement("p");
    text.style.cssText = "margin:0;padding:20% 15% 0;text-align:center;color:var(--text)";
    text.textContent =
      "This browser cannot draw in three dimensions (WebGL 2 is missing or switched off). Switch hardware acceleration on, " +
      "or use another browser; the timeline, the graph and the other panels work as they are.";
    this.append(text);
  }
}

function canDraw(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

customElements.define("ib-viewport", Viewport);
