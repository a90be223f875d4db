import { commands } from "../../app/studio";
import type { Model } from "../../model/model";
import type { Blending } from "./ways";

/** The ways of blending that an animator chooses from; the others are for comparison, from the command line. */
export const OFFERED: readonly { blending: Blending; name: string; label: string; does: string }[] = [
  { blending: "linear", name: "Linear", label: "Blend the skin linearly", does: "As most programs do: quick, and thin where joints twist" },
  { blending: "dual-quaternion", name: "Dual", label: "Blend the skin by dual quaternions", does: "Keeps its volume; jumps beyond half a turn" },
  {
    blending: "differential",
    name: "Differential",
    label: "Blend the skin by differentials",
    does: "Keeps its volume through any number of turns, and along bent bones",
  },
];

for (const { blending, label } of OFFERED) {
  commands.add({
    id: `blend.${blending}`,
    label,
    group: "Skin",
    run: (model) => {
      if (model.scene.value?.blending !== blending) void model.ask({ type: "set-blending", blending });
    },
    checked: (model) => hasSkin(model) && model.scene.value?.blending === blending,
    enabled: hasSkin,
    why: () => "This character has no skin",
  });
}

function hasSkin(model: Model): boolean {
  return (model.scene.value?.meshes.length ?? 0) > 0;
}
