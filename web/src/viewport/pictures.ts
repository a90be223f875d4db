import { NoColorSpace, RepeatWrapping, SRGBColorSpace, type Texture, TextureLoader, Vector3 } from "three";
import { keyed } from "../protocol/door";
import type { LookInfo, MeshInfo } from "../protocol/messages";
import type { Uniforms } from "./surface";

/** What a mesh is painted with: switches of the shader, and what they need. */
export interface Pictures {
  defines: Record<string, "">;
  uniforms: Uniforms;
  dispose(): void;
}

export const NO_PICTURES: Pictures = { defines: {}, uniforms: {}, dispose: () => {} };

/** By the name of a map: the shader's switch and its sampler. Only what glows is a colour; the others are numbers. */
const MAPS: Record<string, { define: string; uniform: string; coloured?: true }> = {
  normal: { define: "BUMPED", uniform: "bumpMap" },
  "metal-rough": { define: "METALLED", uniform: "metalMap" },
  occlusion: { define: "SHADED", uniform: "shadeMap" },
  emission: { define: "GLOWING", uniform: "glowMap", coloured: true },
};

/** A roughness that looks as surfaces do of which nobody said any. */
const PLAIN = 0.55;

/** The pictures of a mesh, as far as the browser can read them: they are decoration, the plain colour will do. */
export async function loadPictures(mesh: MeshInfo): Promise<Pictures> {
  const maps = Object.entries(mesh.look?.maps ?? {}).filter(([name]) => name in MAPS);
  const wanted = [
    ...(mesh.texture ? [{ url: mesh.texture, define: "TEXTURED", uniform: "picture", coloured: true }] : []),
    ...maps.map(([name, url]) => ({ url, ...MAPS[name] })),
  ];
  const found = await Promise.all(wanted.map(async (each) => ({ ...each, texture: await loadTexture(each.url, each.coloured ?? false) })));
  const drawn = found.filter((each) => each.texture !== null);
  return {
    defines: {
      ...Object.fromEntries(drawn.map((each) => [each.define, ""])),
      ...(drawn.length > 0 ? { MAPPED: "" } : {}),
      ...(mesh.look ? { LOOKED: "" } : {}),
    },
    uniforms: {
      ...Object.fromEntries(drawn.map((each) => [each.uniform, { value: each.texture }])),
      ...(mesh.look ? numbers(mesh.look) : {}),
    },
    dispose: () => {
      for (const each of drawn) each.texture?.dispose();
    },
  };
}

function numbers({ metal, rough, emission, bumps, shade }: LookInfo): Uniforms {
  return {
    look: { value: new Vector3(rough ?? PLAIN, metal ?? 0, shade) },
    emission: { value: new Vector3(...emission) },
    bumps: { value: bumps },
  };
}

async function loadTexture(url: string, coloured: boolean): Promise<Texture | null> {
  const texture = await new TextureLoader().loadAsync(keyed(url)).catch(() => null);
  if (!texture) return null;
  texture.colorSpace = coloured ? SRGBColorSpace : NoColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.flipY = false;
  return texture;
}
