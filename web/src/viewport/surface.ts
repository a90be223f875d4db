import { Color, DoubleSide, FrontSide, GLSL3, type IUniform, ShaderMaterial, SRGBColorSpace, Vector4 } from "three";
import { STOPS } from "../canvas/scale_colours";
import { SHAPE_COLUMNS } from "./body_geometry";
import { HOVERED } from "./colours";
import { selectionColour } from "./marks";
import { POSE_COLUMNS } from "./pose_texture";
import { CASTER_FRAGMENT, CASTER_VERTEX, SURFACE_FRAGMENT, SURFACE_VERTEX } from "./shaders";

export type Uniforms = Record<string, IUniform>;

const MARKS: Uniforms = {
  scale: { value: STOPS.map((stop) => new Color().setRGB(stop[0], stop[1], stop[2], SRGBColorSpace)) },
  selectedColour: { value: selectionColour },
  hoveredColour: { value: new Color(HOVERED) },
};
export const COLUMNS = { POSE_COLUMNS, SHAPE_COLUMNS };

/** What a surface is made of: switches of the shader, and uniforms that are shared by reference. */
export interface Make {
  defines?: Record<string, "">;
  uniforms?: Uniforms;
}

/** A surface one cannot see through. `light` holds the lamps, and the map of the key light where there is one. */
export function solid(light: Uniforms, { defines = {}, uniforms = {} }: Make): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: SURFACE_VERTEX,
    fragmentShader: SURFACE_FRAGMENT,
    defines: { ...COLUMNS, ...defines, ...("lightDepth" in light ? { SHADOWED: "" } : {}) },
    uniforms: { ...light, ...MARKS, ...plain(), ...uniforms },
    side: DoubleSide,
  });
}

/** A surface like tinted glass, clearest where one looks straight at it. */
export function glass(light: Uniforms, make: Make): ShaderMaterial {
  const { lightDepth: _unused, ...lamps } = light;
  const material = solid(lamps, { ...make, defines: { ...make.defines, GLASS: "" } });
  material.side = FrontSide;
  material.transparent = true;
  material.depthWrite = false;
  return material;
}

/** What only throws a shadow; `cast` holds what the pass that is drawn needs. */
export function caster(cast: Uniforms, { defines = {}, uniforms = {} }: Make): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: CASTER_VERTEX,
    fragmentShader: CASTER_FRAGMENT,
    defines: { ...COLUMNS, ...defines },
    uniforms: { ...cast, ...uniforms },
    side: DoubleSide,
  });
}

function plain(): Uniforms {
  return {
    colour: { value: new Color(1, 1, 1) },
    wash: { value: new Vector4(0, 0, 0, 0) },
    glow: { value: new Vector4(0, 0, 0, 0) },
    opacity: { value: 1 },
    push: { value: 0 },
    weighed: { value: false },
  };
}

/** A colour with how much it counts, in linear light. */
export function washOf(hex: number, amount: number): Vector4 {
  const colour = new Color(hex);
  return new Vector4(colour.r, colour.g, colour.b, amount);
}
