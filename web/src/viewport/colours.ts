/** Colours of meaning, the same as in elements/theme.css. */
export const ARC = 0xa684f5;
export const KEY = 0xf2a33c;
export const PIN = 0xf0605d;
export const CONTACT = 0x4cc38a;
export const TARGET = 0xf4d35e;
export const GHOST = 0xc9cede;
export const SELECTED = 0xf2e3b8;
export const CHOSEN_BONE = 0x35d0e6;
export const BONE = 0xbfc6d6;
export const AXES = [0xf0605d, 0x6bc46d, 0x5a9cf0] as const;

/** What only the viewport shows; the same as in pictures and movies, so that a still looks like the Studio. */
export const BACK_TOP = 0x171a21;
export const BACK_BOTTOM = 0x2b303b;
export const FLOOR = 0x3a404d;
export const LINE = 0x535b6b;
export const SHADOW = 0x12141a;
export const JOINT = 0x7fa3d9;
export const OBSTACLE = 0xb98d5e;
export const ALARM = 0xe5383b;
export const HOVERED = 0xd8ccff;
/** The version that is compared with. */
export const COMPARED = 0x5fd0c0;
/** Onion skins before and after the shown frame. */
export const BEFORE = 0x7fb2f0;
export const AFTER = 0xf0a97f;
