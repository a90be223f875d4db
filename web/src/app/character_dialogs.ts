import { css, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { Dialog } from "./dialog";
import { model } from "./studio";

interface Added {
  source: string;
  name?: string;
  position: [number, number, number];
  heading: number;
}

/** Metres beside whoever is there: two bodies that stand in each other are no use. */
const ASIDE = 1;

const fields = css`
  .fields {
    display: grid;
    grid-template-columns: 70px 1fr;
    align-items: center;
    gap: 8px;
  }
  .three {
    display: grid;
    grid-template-columns: repeat(3, 1fr);
    gap: 6px;
  }
  select,
  input {
    min-width: 0;
  }
`;

@customElement("ib-add-character")
class AddDialog extends Dialog<Added> {
  static override styles = [...Dialog.styles, fields];

  protected override readonly heading = "Add a character or prop";
  protected override readonly verb = "Add";

  protected override content(): TemplateResult {
    const files = model.files.value;
    const axis = (name: string, value: number): TemplateResult =>
      html`<input id=${name} type="number" step="any" aria-label="${name.toUpperCase()} in metres" title="${name.toUpperCase()} in metres" value=${value} />`;
    return html`
      <div class="fields">
        <label for="source">From</label>
        <select id="source" autofocus>
          <optgroup label="Files of the project folder">${files?.files.map(({ path }) => html`<option>${path}</option>`)}</optgroup>
          <optgroup label="Examples">${files?.examples.map(({ name }) => html`<option>${name}</option>`)}</optgroup>
        </select>
        <label for="name">Name</label>
        <input id="name" maxlength="60" spellcheck="false" placeholder="as its file is called" />
        <span>At (m)</span>
        <span class="three">${axis("x", ASIDE)} ${axis("y", 0)} ${axis("z", 0)}</span>
        <label for="turned">Turned (°)</label>
        <input id="turned" type="number" step="any" value="0" />
      </div>
    `;
  }

  protected override submit(): void {
    const value = (id: string): string => this.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>(`#${id}`)?.value.trim() ?? "";
    const [source, name] = [value("source"), value("name")];
    const [x, y, z, degrees] = ["x", "y", "z", "turned"].map((id) => Number(value(id)));
    if (source) this.answer({ source, ...(name && { name }), position: [x, y, z], heading: (degrees * Math.PI) / 180 });
  }
}

@customElement("ib-remove-character")
class RemoveDialog extends Dialog<string> {
  static override styles = [...Dialog.styles, fields];

  protected override readonly heading = "Remove a character";
  protected override readonly verb = "Remove";

  protected override content(): TemplateResult {
    return html`
      <div class="fields">
        <label for="name">Which</label>
        <select id="name" autofocus>${addedCharacters().map((name) => html`<option>${name}</option>`)}</select>
      </div>
    `;
  }

  protected override submit(): void {
    const name = this.renderRoot.querySelector<HTMLSelectElement>("#name")?.value;
    if (name) this.answer(name);
  }
}

/** Characters that were added: joints after which others are called. */
export function addedCharacters(): string[] {
  const names = model.scene.value?.joints.map(({ name }) => name) ?? [];
  const first = new Set(names.filter((name) => name.includes(":")).map((name) => name.slice(0, name.indexOf(":"))));
  return names.filter((name) => first.has(name));
}

/** Ask who shall join the document, and add them. */
export async function openAdd(): Promise<void> {
  const wanted = await (document.createElement("ib-add-character") as AddDialog).show();
  if (wanted) await model.ask({ type: "add-character", ...wanted });
}

/** Ask who shall go, and take them away. */
export async function openRemove(): Promise<void> {
  const name = await (document.createElement("ib-remove-character") as RemoveDialog).show();
  if (name) await model.ask({ type: "remove-character", name });
}
