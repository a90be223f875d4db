import type { Model } from "../model/model";

/** One thing the animator can do: menus, tooltips, the keyboard and the shortcut sheet all read it from here. */
export interface Command {
  id: string;
  /** In the imperative, as a menu says it: "Pin point". */
  label: string;
  /** Heading on the shortcut sheet. */
  group: "File" | "Edit" | "View" | "Tools" | "Time" | "Keys" | "Constraints" | "Help";
  /** Such as "Ctrl+Z", "P", "Shift+ArrowRight"; the first is shown. */
  keys?: string[];
  run: (model: Model) => void;
  /** Whether it makes sense now; always, where it does not say. */
  enabled?: (model: Model) => boolean;
}

/** All commands, in the order in which they were added. */
export class Commands {
  private readonly byId = new Map<string, Command>();

  constructor(private readonly model: Model) {}

  add(...commands: Command[]): void {
    for (const command of commands) this.byId.set(command.id, command);
  }

  all(): Command[] {
    return [...this.byId.values()];
  }

  get(id: string): Command {
    const command = this.byId.get(id);
    if (!command) throw new Error(`no command is called ${id}`);
    return command;
  }

  can(id: string): boolean {
    const command = this.get(id);
    return command.enabled?.(this.model) ?? true;
  }

  run(id: string): void {
    if (this.can(id)) this.get(id).run(this.model);
  }

  /** "Undo (Ctrl+Z)". */
  tooltip(id: string): string {
    const { label, keys } = this.get(id);
    return keys?.length ? `${label} (${readableKey(keys[0])})` : label;
  }

  /** Run what a key stands for; panels with keys of their own stop the event before it comes here. */
  onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || isTyping(event)) return;
    const pressed = keyName(event);
    const command = this.all().find((each) => each.keys?.includes(pressed));
    if (!command) return;
    event.preventDefault();
    this.run(command.id);
  }
}

/** "Ctrl+Shift+Z": modifiers in this order, letters in capitals; ⌘ counts as Ctrl. */
export function keyName(event: KeyboardEvent): string {
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  // A character such as "?" already says that Shift is down.
  const shift = event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key));
  const parts = [event.ctrlKey || event.metaKey ? "Ctrl" : "", event.altKey ? "Alt" : "", shift ? "Shift" : ""];
  return [...parts.filter(Boolean), key].join("+");
}

export function readableKey(key: string): string {
  return key.replace("ArrowLeft", "←").replace("ArrowRight", "→").replace("ArrowUp", "↑").replace("ArrowDown", "↓");
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
