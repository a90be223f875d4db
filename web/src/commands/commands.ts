import { computed, type Signal, signal } from "@preact/signals-core";
import type { Model } from "../model/model";
import { type Keymap, keysUnder, OURS } from "./keymap";

/** One thing the animator can do: menus, tooltips, the keyboard and the shortcut sheet all read it from here. */
export interface Command {
  id: string;
  /** In the imperative, as a menu says it: "Pin point". */
  label: string;
  /** Heading in its menu and on the shortcut sheet. */
  group:
    | "File"
    | "Edit"
    | "Clips"
    | "Pose"
    | "Library"
    | "Keys"
    | "Constraints"
    | "Character"
    | "Guidance"
    | "Looseness"
    | "Skin"
    | "Show"
    | "Look"
    | "Camera"
    | "Panels"
    | "Time"
    | "Tools"
    | "Help";
  /** Such as "Ctrl+Z", "P", "Shift+ArrowRight"; what people choose instead is told by `keysOf`. */
  keys?: string[];
  run: (model: Model) => void;
  /** Whether what it switches or chooses is on now; menus tick it. */
  checked?: (model: Model) => boolean;
  /** Whether it makes sense now; always, where it does not say. */
  enabled?: (model: Model) => boolean;
  /** What stands in the way, while it is not enabled: "Nothing has been undone". */
  why?: (model: Model) => string;
}

/** A command that switches something on and off; it may say itself whether that shows now. */
export function switching(which: (model: Model) => Signal<boolean>, command: Omit<Command, "run">): Command {
  return { checked: (model) => which(model).value, ...command, run: (model) => (which(model).value = !which(model).value) };
}

/** All commands, in the order in which they were added. */
export class Commands {
  private readonly byId = new Map<string, Command>();
  private quiet = 0;
  private readonly count = signal(0);
  /** Which keys mean what; whatever shows a key asks `keysOf`. */
  readonly keymap = signal<Keymap>(OURS);
  private readonly found = computed(() => keysUnder(this.count.value > 0 ? this.all() : [], this.keymap.value));

  constructor(private readonly model: Model) {}

  add(...commands: Command[]): void {
    for (const command of commands) this.byId.set(command.id, command);
    this.count.value = this.byId.size;
  }

  all(): Command[] {
    return [...this.byId.values()];
  }

  get(id: string): Command {
    const command = this.byId.get(id);
    if (!command) throw new Error(`no command is called ${id}`);
    return command;
  }

  /** The keys of a command now; the first is shown. */
  keysOf(id: string): readonly string[] {
    return this.found.value.get(id) ?? [];
  }

  can(id: string): boolean {
    const command = this.get(id);
    return command.enabled?.(this.model) ?? true;
  }

  run(id: string): void {
    if (this.can(id)) this.get(id).run(this.model);
  }

  /** Whether what it switches or chooses is on now; null where it is not that kind. */
  checked(id: string): boolean | null {
    return this.get(id).checked?.(this.model) ?? null;
  }

  /** Why it cannot be done now; empty when it can. */
  reason(id: string): string {
    if (this.can(id)) return "";
    return this.get(id).why?.(this.model) ?? "This does not apply right now";
  }

  /** "Undo (Ctrl+Z)", and when it cannot be done now, why. */
  tooltip(id: string): string {
    const { label } = this.get(id);
    const keys = this.keysOf(id);
    const name = keys.length ? `${label} (${readableKey(keys[0])})` : label;
    const reason = this.reason(id);
    return reason ? `${name}: ${lowerFirst(reason)}` : name;
  }

  /** As a line of a menu. */
  item(id: string): { label: string; reason: string; run: () => void } {
    return { label: this.get(id).label, reason: this.reason(id), run: () => this.run(id) };
  }

  get isHushed(): boolean {
    return this.quiet > 0;
  }

  /** Take no keys, for a dialog or while nobody answers, until the returned function is called. */
  hush(): () => void {
    this.quiet++;
    let over = false;
    return () => {
      if (!over) this.quiet--;
      over = true;
    };
  }

  /**
   * Run what a key stands for; panels with keys of their own stop the event before it comes here. `byKeys` says that
   * what has the focus was gone to with the keyboard, and not clicked.
   */
  onKey(event: KeyboardEvent, byKeys: boolean): void {
    if (event.defaultPrevented || this.isHushed) return;
    const pressed = keyName(event);
    const target = event.composedPath()[0];
    if (isElement(target) && keepsKey(target, pressed, byKeys)) return;
    // A key may mean several things, of which one makes sense now: Delete is for what is chosen.
    const meant = this.all().filter(({ id }) => this.keysOf(id).includes(pressed));
    const command = meant.find(({ id }) => this.can(id)) ?? meant[0];
    if (!command) return;
    event.preventDefault();
    this.run(command.id);
  }
}

/** "Ctrl+Shift+Z": modifiers in this order, letters in capitals; ⌘ counts as Ctrl. */
export function keyName(event: KeyboardEvent): string {
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  // A character such as "?" already says that Shift is down.
  const shift = event.shiftKey && (event.key.length > 1 || /[a-z ]/i.test(event.key));
  const parts = [event.ctrlKey || event.metaKey ? "Ctrl" : "", event.altKey ? "Alt" : "", shift ? "Shift" : ""];
  return [...parts.filter(Boolean), key].join("+");
}

export function readableKey(key: string): string {
  return key.replace("ArrowLeft", "←").replace("ArrowRight", "→").replace("ArrowUp", "↑").replace("ArrowDown", "↓").replace("Escape", "Esc");
}

/** What `keepsKey` needs to know of an element. */
export interface KeyTaker {
  tagName: string;
  isContentEditable: boolean;
  getAttribute(name: string): string | null;
}

const TEXTLESS = new Set(["button", "checkbox", "color", "file", "radio", "range", "reset", "submit"]);
const STEPS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);
const PRESSED = new Set(["BUTTON", "A", "SUMMARY", "INPUT", "SELECT"]);

/**
 * Whether the focused element has a use of its own for a key, so that no command may take it. What was clicked leaves
 * Space to playback; only what was gone to with the keyboard is pressed by it. (`:focus-visible` cannot tell the two
 * apart: it comes on with the first key after a click.)
 */
export function keepsKey(element: KeyTaker, key: string, byKeys: boolean): boolean {
  if (element.isContentEditable || element.tagName === "TEXTAREA") return true;
  const type = element.getAttribute("type")?.toLowerCase() ?? "text";
  if (element.tagName === "INPUT" && !TEXTLESS.has(type)) return true;
  if (key === "Space" || key === "Enter") return byKeys && PRESSED.has(element.tagName);
  return (element.tagName === "INPUT" || element.tagName === "SELECT") && STEPS.has(key);
}

function isElement(target: EventTarget | undefined): target is EventTarget & KeyTaker {
  return target !== undefined && "tagName" in target;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
