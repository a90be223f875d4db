import { html, type TemplateResult } from "lit";
import type { Studio } from "../../commands/studio";
import type { KernelInfo } from "../../protocol/messages";
import { glyphs } from "../glyphs";

/** When costs count less: the bells in the graph, as a list. */
export function kernelList(studio: Studio): TemplateResult {
  const { model } = studio;
  const { guiding } = model;
  const items = guiding.kernels.value.map(
    (kernel, number) => html`<li>
      <span class="name" title=${deep(kernel)}>${reading(studio, kernel)}</span>
      <button class="bare" title="Take this kernel away" aria-label="Take kernel ${number + 1} away" @click=${() => removeKernel(studio, number)}>${glyphs.bin}</button>
    </li>`,
  );
  return html`<p class="quiet">
      ${
        items.length > 0
          ? "Costs count less around these. Drag the bells in the graph: the top sideways or down, the flank wider."
          : "Where effort may be: a kernel lets costs count less around a frame."
      }
    </p>
    <ul>${items}</ul>
    <div class="makers"><button class="add-kernel" title="Let costs count less around the playhead" @click=${() => addKernel(studio)}>Add kernel here</button></div>`;
}

function reading({ model }: Studio, { centre, width, depth = 1 }: KernelInfo): string {
  const rate = model.clip.value?.rate ?? 1;
  return `frame ${Math.round(model.frameLabel(model.frameOf(centre)))} ± ${(width * rate).toFixed(1)}, costs −${Math.round(100 * depth)} %`;
}

function deep({ depth = 1 }: KernelInfo): string {
  return `On its top costs count ${Math.round(100 * depth)} % less`;
}

function removeKernel({ model }: Studio, number: number): void {
  model.guiding.setKernel(number, null);
  model.guiding.saveKernels();
}

function addKernel({ model }: Studio): void {
  const { guiding, clip, playback } = model;
  guiding.setKernel(guiding.kernels.value.length, { centre: model.timeOf(playback.frame.value), width: 3 / (clip.value?.rate ?? 24), depth: 1 });
  guiding.saveKernels();
}
