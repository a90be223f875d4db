import type { Scene } from "../../protocol/messages";

export type Blending = Scene["blending"];

/** What the shader calls the ways of blending; matrices of joints are all that is needed for most meshes. */
export const MATRICES = 0;
export const WAYS: Record<Blending, number> = {
  linear: 1,
  "dual-quaternion": 2,
  screw: 3,
  differential: 4,
};
/** How often a screw mean is improved. */
export const SCREW_ROUNDS = 8;
