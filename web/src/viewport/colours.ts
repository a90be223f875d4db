/** Colours of meaning, the same as in app/theme.css. */
export const ARC = 0xa684f5;
export const KEY = 0xf2a33c;
export const PIN = 0xf0605d;
export const CONTACT = 0x4cc38a;
export const TARGET = 0xf4d35e;
export const GHOST = 0xc9cede;
export const SELECTED = 0xf2e3b8;
export const BONE = 0xbfc6d6;
export const GROUND = 0x16181d;
export const AXES = [0xf0605d, 0x6bc46d, 0x5a9cf0] as const;
