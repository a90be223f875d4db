"""The shaders: what `kernels.light` and `kernels.shadow_floor` do, so that both ways of drawing give one picture."""

from inbetweener.render.kernels import DULL_METAL

DISPLAY = """
#version 330 core
float srgb(float x) { return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055; }
float plain(float x) { return srgb(clamp(x, 0.0, 1.0)); }
float encode(float x) {
    x = max(x, 0.0);
    return srgb(min(min(x * (1.0 + x / 6.25) / (1.0 + x), 1.0) * 1.12, 1.0));
}
"""

BODY_VERTEX = """
#version 330 core
uniform mat4 clip_from_world;
in vec3 vertex;
in vec3 normal;
in vec4 colour;
in float glow;
in vec4 look;
in vec3 emission;
out vec3 place;
out vec3 facing;
out vec4 tint;
out float shine;
out vec4 seen;
out vec3 emitted;
void main() {
    place = vertex; facing = normal; tint = colour; shine = glow; seen = look; emitted = emission;
    gl_Position = clip_from_world * vec4(vertex, 1.0);
}
"""

BODY_FRAGMENT = (
    DISPLAY
    + f"#define DULL_METAL {DULL_METAL}\n"
    + """
uniform vec3 eye;
uniform vec3 lamp_towards[3];
uniform vec3 lamp_colour[5];
uniform int mode;
uniform float faint;
uniform bool shadowed;
uniform vec4 map_from_world[3];
uniform sampler2D moments;
in vec3 place;
in vec3 facing;
in vec4 tint;
in float shine;
in vec4 seen;
in vec3 emitted;
out vec4 shown;
float passing(vec3 p) {
    vec4 q = vec4(p, 1.0);
    vec3 at = vec3(dot(map_from_world[0], q), dot(map_from_world[1], q), dot(map_from_world[2], q));
    vec2 texels = vec2(textureSize(moments, 0));
    vec2 cell = at.xy * texels - 0.5;
    if (any(lessThan(cell, vec2(0.0))) || any(greaterThanEqual(cell, texels - 1.0))) return 1.0;
    vec2 m = texture(moments, at.xy).rg;
    float beyond = at.z - 0.012 - m.x;
    if (beyond <= 0.0) return 1.0;
    float variance = max(m.y - m.x * m.x, 2e-5);
    float share = variance / (variance + beyond * beyond);
    float inside = min(8.0 * min(min(at.x, 1.0 - at.x), min(at.y, 1.0 - at.y)), 1.0);
    return 1.0 - 0.7 * inside * (1.0 - max(share - 0.25, 0.0) / 0.75);
}
float wrapped(vec3 n, vec3 l) { float half_ = 0.5 + 0.5 * dot(n, l); return half_ * half_; }
void main() {
    vec3 n = normalize(facing) * (gl_FrontFacing ? 1.0 : -1.0);
    vec3 v = normalize(eye - place);
    float grazing = 1.0 - clamp(dot(n, v), 0.0, 1.0);
    float edge = grazing * grazing * grazing * wrapped(n, lamp_towards[2]);
    float up = 0.5 + 0.5 * n.y;
    float gloss = seen.y * pow(max(dot(n, normalize(v + lamp_towards[0])), 1e-4), seen.x);
    float reached = shadowed ? passing(place) : 1.0;
    gloss *= reached;
    vec3 diffuse = reached * wrapped(n, lamp_towards[0]) * lamp_colour[0];
    diffuse += wrapped(n, lamp_towards[1]) * lamp_colour[1];
    diffuse += up * lamp_colour[3] + (1.0 - up) * lamp_colour[4];
    vec3 bare = tint.rgb * (1.0 - DULL_METAL * seen.w);
    vec3 sheen = gloss * mix(vec3(1.0), tint.rgb, seen.w) * lamp_colour[0];
    vec3 light = bare * seen.z * diffuse + edge * lamp_colour[2] * 0.5 + sheen + emitted;
    vec3 lit = vec3(encode(light.r), encode(light.g), encode(light.b));
    vec3 own = vec3(plain(tint.r), plain(tint.g), plain(tint.b));
    float alpha = tint.a;
    if (mode == 1) alpha *= 0.3 + 0.7 * grazing;
    if (mode == 2) alpha *= faint;
    shown = vec4(mix(lit, own, shine), alpha);
}
"""
)

BACKDROP_VERTEX = """
#version 330 core
in vec2 corner;
void main() { gl_Position = vec4(corner, 0.0, 1.0); }
"""

BACKDROP_FRAGMENT = """
#version 330 core
uniform vec2 size;
uniform float focal;
uniform vec3 eye;
uniform vec3 right;
uniform vec3 above;
uniform vec3 backward;
uniform vec3 tint;
uniform vec2 corner_;
uniform float width;
uniform vec2 range;
uniform sampler2D back;
uniform sampler2D shadow;
out vec4 shown;
float dark_at(vec2 uv) {
    vec2 texels = vec2(textureSize(shadow, 0));
    vec2 at = uv * texels - 0.5;
    if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, texels - 1.0))) return 0.0;
    return texture(shadow, uv).r;
}
void main() {
    vec2 at = vec2(gl_FragCoord.x, size.y - gl_FragCoord.y);
    vec4 seen = texelFetch(back, ivec2(at), 0);
    gl_FragDepth = 1.0;
    if (seen.a > 0.0) {
        vec3 d = right * (at.x - 0.5 * size.x) / focal + above * (0.5 * size.y - at.y) / focal - backward;
        vec2 p = eye.xz + d.xz / seen.a;
        seen.rgb = mix(seen.rgb, tint, dark_at((p - corner_) / width));
        float n = range.x, f = range.y;
        gl_FragDepth = clamp(0.5 + 0.5 * ((f + n) / (f - n) - 2.0 * f * n / (f - n) * seen.a), 0.0, 1.0);
    }
    shown = vec4(seen.rgb, 1.0);
}
"""
