import { BLENDED } from "./blending/shader";

/** The shaders of everything solid. Light and tone are those of pictures and movies (render/shaders.py). */

/** Where a vertex is in the world and which way it faces: skinned, or placed by its matrix. */
export const POSED = /* glsl */ `
#ifdef SKINNED
${BLENDED}
uniform highp sampler2D pose;
uniform int firstBone;
in vec4 bonesA;
in vec4 weightsA;
#ifdef EIGHT
in vec4 bonesB;
in vec4 weightsB;
#endif
#ifdef SHAPED
uniform highp sampler2D shapes;
uniform int shapeCount;
uniform int firstShape;
uniform int vertexCount;
vec3 shapeTexel(int i) { return texelFetch(shapes, ivec2(i % SHAPE_COLUMNS, i / SHAPE_COLUMNS), 0).xyz; }
void reshape(inout vec3 p, inout vec3 n) {
  for (int s = 0; s < shapeCount; s++) {
    int at = firstShape + s;
    float share = texelFetch(pose, ivec2(at % POSE_COLUMNS, at / POSE_COLUMNS), 0).x;
    if (share == 0.0) continue;
    int i = 2 * (s * vertexCount + gl_VertexID);
    p += share * shapeTexel(i);
    n += share * shapeTexel(i + 1);
  }
}
#endif
ivec2 boneTexel(float bone) {
  int at = 4 * (firstBone + int(bone));
  return ivec2(at % POSE_COLUMNS, at / POSE_COLUMNS);
}
void addBone(float bone, float share, inout vec4 a, inout vec4 b, inout vec4 c, inout vec2 marked) {
  if (share == 0.0) return;
  ivec2 at = boneTexel(bone);
  a += share * texelFetch(pose, at, 0);
  b += share * texelFetch(pose, at + ivec2(1, 0), 0);
  c += share * texelFetch(pose, at + ivec2(2, 0), 0);
  marked += share * texelFetch(pose, at + ivec2(3, 0), 0).xy;
}
#endif
// Through rows of a matrix; the matrix of cofactors carries normals through scales and shears, its sign through mirrors.
void through(vec4 a, vec4 b, vec4 c, inout vec3 p, inout vec3 n) {
  vec4 q = vec4(p, 1.0);
  p = vec3(dot(a, q), dot(b, q), dot(c, q));
  vec3 bc = cross(b.xyz, c.xyz), ca = cross(c.xyz, a.xyz), ab = cross(a.xyz, b.xyz);
  n = vec3(dot(bc, n), dot(ca, n), dot(ab, n)) * (dot(a.xyz, bc) < 0.0 ? -1.0 : 1.0);
}
void posed(out vec3 place, out vec3 facing, out vec2 marked) {
  vec3 p = position;
  vec3 n = normal;
  vec4 a = vec4(0.0), b = vec4(0.0), c = vec4(0.0);
  marked = vec2(0.0);
#ifdef SKINNED
#ifdef SHAPED
  reshape(p, n);
#endif
  addBone(bonesA.x, weightsA.x, a, b, c, marked);
  addBone(bonesA.y, weightsA.y, a, b, c, marked);
  addBone(bonesA.z, weightsA.z, a, b, c, marked);
  addBone(bonesA.w, weightsA.w, a, b, c, marked);
#ifdef EIGHT
  addBone(bonesB.x, weightsB.x, a, b, c, marked);
  addBone(bonesB.y, weightsB.y, a, b, c, marked);
  addBone(bonesB.z, weightsB.z, a, b, c, marked);
  addBone(bonesB.w, weightsB.w, a, b, c, marked);
#endif
  if (blending != 0) {
    if (stretched) through(a, b, c, p, n);
    blendRows(a, b, c);
  }
#else
  mat4 m = modelMatrix;
#ifdef USE_INSTANCING
  m = m * instanceMatrix;
#endif
  m = transpose(m);
  a = m[0]; b = m[1]; c = m[2];
#endif
  through(a, b, c, p, n);
  place = p;
  facing = n;
}
`;

export const SURFACE_VERTEX = /* glsl */ `
${POSED}
#ifdef TINTED
in vec3 tint;
#endif
uniform vec3 colour;
uniform float push;
out vec3 place;
out vec3 facing;
out vec3 own;
out vec2 marked;
#ifdef MAPPED
out vec2 at;
#endif
void main() {
  posed(place, facing, marked);
  // Seen from the eye the same, but a little farther away.
  place += push * (place - cameraPosition);
  own = colour;
#ifdef TINTED
  own *= tint;
#endif
#ifdef USE_INSTANCING_COLOR
  own *= instanceColor;
#endif
#ifdef MAPPED
  at = uv;
#endif
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
}
`;

export const SURFACE_FRAGMENT = /* glsl */ `
uniform vec3 lampTowards[3];
uniform vec3 lampColour[5];
uniform vec3 selectedColour;
uniform vec3 hoveredColour;
uniform vec4 wash;
uniform vec4 glow;
uniform float opacity;
uniform bool weighed;
uniform vec3 scale[5];
#ifdef MAPPED
in vec2 at;
#endif
#ifdef TEXTURED
uniform sampler2D picture;
#endif
#ifdef BUMPED
uniform sampler2D bumpMap;
uniform float bumps;
#endif
#ifdef LOOKED
// Roughness, metal, and how much of the map of shade counts.
uniform vec3 look;
uniform vec3 emission;
#endif
#ifdef METALLED
uniform sampler2D metalMap;
#endif
#ifdef SHADED
uniform sampler2D shadeMap;
#endif
#ifdef GLOWING
uniform sampler2D glowMap;
#endif
#ifdef SHADOWED
uniform highp sampler2DShadow lightDepth;
uniform mat4 mapFromWorld;
uniform float texel;
uniform vec2 bias;
#endif
in vec3 place;
in vec3 facing;
in vec3 own;
in vec2 marked;
out vec4 shown;
float srgb(float x) { return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055; }
float encode(float x) {
  x = max(x, 0.0);
  return srgb(min(min(x * (1.0 + x / 6.25) / (1.0 + x), 1.0) * 1.12, 1.0));
}
// How much a joint carries, as a colour; what it does not carry at all stays grey.
vec3 carried(float share) {
  float along = 4.0 * clamp(share, 0.0, 1.0);
  int low = min(int(along), 3);
  return mix(vec3(0.2), mix(scale[low], scale[low + 1], along - float(low)), smoothstep(0.0, 0.02, share));
}
#ifdef BUMPED
// A direction of the map, laid along how its coordinates run over what one sees; green points up, coordinates go down.
vec3 bumped(vec3 n) {
  vec3 across = dFdx(place), along = dFdy(place);
  vec2 u = dFdx(at), w = dFdy(at);
  vec3 right = cross(along, n) * u.x + cross(n, across) * w.x;
  vec3 down = cross(along, n) * u.y + cross(n, across) * w.y;
  float size = max(dot(right, right), dot(down, down));
  if (size <= 0.0) return n;
  vec3 bent = 2.0 * texture(bumpMap, at).xyz - 1.0;
  bent.xy *= bumps;
  return normalize((right * bent.x - down * bent.y) * inversesqrt(size) + n * bent.z);
}
#endif
float wrapped(vec3 n, vec3 l) { float h = 0.5 + 0.5 * dot(n, l); return h * h; }
#ifdef SHADOWED
float passing(vec3 n) {
  vec3 p = (mapFromWorld * vec4(place + bias.x * n, 1.0)).xyz;
  p.z -= bias.y;
  float inside = 8.0 * min(min(p.x, 1.0 - p.x), min(min(p.y, 1.0 - p.y), 1.0 - p.z));
  if (inside <= 0.0) return 1.0;
  float sum = 0.0;
  for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++) sum += texture(lightDepth, vec3(p.xy + 1.8 * texel * vec2(i, j), p.z));
  return 1.0 - 0.7 * min(inside, 1.0) * (1.0 - sum / 9.0);
}
#endif
void main() {
  vec3 v = normalize(cameraPosition - place);
  // The side one sees is lit, whichever way its triangles wind: thin sheets have two, and mirrored joints turn them over.
  vec3 flat_ = cross(dFdx(place), dFdy(place));
  vec3 n = normalize(facing);
  if (dot(n, flat_) * dot(v, flat_) < 0.0) n = -n;
#ifdef BUMPED
  n = bumped(n);
#endif
  vec3 paint = own;
#ifdef TEXTURED
  paint *= texture(picture, at).rgb;
#endif
  // Pure black and pure white leave the light nothing to shape.
  paint = mix(clamp(paint, 0.02, 0.86), wash.rgb, wash.a);
  float grazing = 1.0 - clamp(dot(n, v), 0.0, 1.0);
  float edge = grazing * grazing * grazing * wrapped(n, lampTowards[2]);
  float up = 0.5 + 0.5 * n.y;
  float sharp = 28.0, shine = 0.07;
  vec3 sheen = vec3(1.0);
#ifdef LOOKED
  float rough = look.x, metal = look.y;
#ifdef METALLED
  vec3 told = texture(metalMap, at).rgb;
  rough *= told.g;
  metal *= told.b;
#endif
  sharp = mix(160.0, 4.0, sqrt(clamp(rough, 0.0, 1.0)));
  shine = mix(0.5, 0.03, clamp(rough, 0.0, 1.0)) * (1.0 + metal);
  sheen = mix(sheen, paint, metal);
  paint *= 1.0 - 0.45 * metal;
#endif
  float gloss = pow(max(dot(n, normalize(v + lampTowards[0])), 1e-4), sharp);
  float reached = 1.0;
#ifdef SHADOWED
  reached = passing(n);
#endif
  vec3 diffuse = reached * wrapped(n, lampTowards[0]) * lampColour[0] + wrapped(n, lampTowards[1]) * lampColour[1];
  diffuse += up * lampColour[3] + (1.0 - up) * lampColour[4];
#ifdef SHADED
  diffuse *= mix(1.0, texture(shadeMap, at).r, look.z);
#endif
  vec3 light = paint * diffuse + 0.5 * edge * lampColour[2] + shine * gloss * reached * sheen * lampColour[0];
#ifdef LOOKED
  vec3 shining = emission;
#ifdef GLOWING
  shining *= texture(glowMap, at).rgb;
#endif
  light += shining;
#endif
  if (weighed) {
    // Flatly lit, so that colours are those of the legend.
    vec3 paler = carried(marked.x) * (0.55 + 0.45 * wrapped(n, lampTowards[0]));
    shown = vec4(srgb(paler.r), srgb(paler.g), srgb(paler.b), 1.0);
    return;
  }
  // A chosen part has a bright rim and a breath of colour; one under the pointer is only lighter.
  light += marked.x * selectedColour * (0.04 + 1.2 * grazing * grazing * grazing);
  light += marked.y * hoveredColour * (0.09 + 0.5 * grazing * grazing);
  light = mix(light, glow.rgb * (0.35 + 0.85 * diffuse + 0.5 * grazing * grazing), glow.a);
  float alpha = opacity;
#ifdef GLASS
  alpha *= 0.3 + 0.7 * grazing;
#endif
  shown = vec4(encode(light.r), encode(light.g), encode(light.b), alpha);
}
`;

/**
 * What throws a shadow. Depth serves the map of the key light; the colour serves the floor: how much of three layers,
 * by height over the floor, a vertex darkens. Each vertex is pushed along the light to the floor by slide.
 */
export const CASTER_VERTEX = /* glsl */ `
${POSED}
uniform mat4 castFromWorld;
uniform vec2 slide;
uniform float floorHeight;
uniform float size;
out float height;
void main() {
  vec3 place, facing;
  vec2 marked;
  posed(place, facing, marked);
  height = max(place.y - floorHeight, 0.0) / size;
  // Far up, the slanted shadow would leave the picture: it then falls straight down.
  place.xz -= slide * size * tanh(height);
  gl_Position = castFromWorld * vec4(place, 1.0);
  gl_Position.z = clamp(gl_Position.z, -1.0, 1.0);
}
`;

export const CASTER_FRAGMENT = /* glsl */ `
in float height;
out vec4 cover;
void main() {
  cover = vec4(height < 0.05, height < 0.3, height < 4.0, 1.0) / vec4(vec3(1.0 + height), 1.0);
}
`;
