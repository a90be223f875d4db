import { css, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { Dialog } from "./dialog";
import { model } from "./studio";

interface Wanted {
  source: string;
  clip?: string;
  travels: boolean;
}

@customElement("ib-bring")
class BringDialog extends Dialog<Wanted> {
  static override styles = [
    ...Dialog.styles,
    css`
      .fields {
        display: grid;
        grid-template-columns: 60px 1fr;
        align-items: center;
        gap: 8px;
      }
      select,
      input:not([type]) {
        min-width: 0;
      }
    `,
  ];

  protected override readonly heading = "Bring in a clip";
  protected override readonly verb = "Bring in";

  protected override content(): TemplateResult {
    const files = model.files.value;
    return html`
      <div class="fields">
        <label for="source">From</label>
        <select id="source" autofocus>
          <optgroup label="Files of the project folder">
            ${files?.files.map(({ path }) => html`<option>${path}</option>`)}
          </optgroup>
          <optgroup label="Examples">${files?.examples.map(({ name }) => html`<option>${name}</option>`)}</optgroup>
        </select>
        <label for="clip">Clip</label>
        <input id="clip" maxlength="180" spellcheck="false" placeholder="its only one" />
        <label for="way">Way</label>
        <select id="way">
          <option value="travels">goes along, as far as legs are long</option>
          <option value="stays">stays in place</option>
        </select>
      </div>
    `;
  }

  protected override submit(): void {
    const [source, clip, way] = ["#source", "#clip", "#way"].map(
      (each) => this.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>(each)?.value.trim() ?? "",
    );
    if (source) this.answer({ source, ...(clip && { clip }), travels: way === "travels" });
  }
}

/** Ask whose clip shall be brought to this character, and bring it; what became of it is told as a job. */
export async function openBring(): Promise<void> {
  const wanted = await (document.createElement("ib-bring") as BringDialog).show();
  if (wanted) await model.ask({ type: "bring-clip", ...wanted });
}
