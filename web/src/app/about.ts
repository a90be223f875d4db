import { html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { Dialog } from "./dialog";
import { model } from "./studio";

@customElement("ib-about")
class About extends Dialog<never> {
  protected override readonly heading = "About Inbetweener";

  protected override content(): TemplateResult {
    return html`
      <p>Inbetweener ${model.welcome.value?.version ?? ""}</p>
      <p class="quiet">
        Drag the motion, keep the keys. Every edit is written to the journal as it is made, so a crash loses nothing.
      </p>
      <p class="quiet">Free software under the Apache License 2.0.</p>
    `;
  }
}

export function openAbout(): void {
  void (document.createElement("ib-about") as About).show();
}
