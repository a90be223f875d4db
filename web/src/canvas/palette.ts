import { theme } from "../model/look";

/** The palette of the theme as it is now: whoever draws with it draws anew when the theme changes. */
export function following<P>(make: () => P): () => P {
  let made: { theme: string; palette: P } | null = null;
  return () => {
    const now = theme.value;
    if (made?.theme !== now) made = { theme: now, palette: make() };
    return made.palette;
  };
}

/** The theme's colours, read once: a canvas knows no CSS variables. */
export class Palette {
  readonly panel = themed("panel");
  readonly ground = themed("ground");
  readonly raised = themed("raised");
  readonly line = themed("line");
  readonly text = themed("text");
  readonly quiet = themed("quiet");
  readonly faint = themed("faint");
  readonly accent = themed("accent");
  readonly key = themed("key");
  readonly pin = themed("pin");
  readonly contact = themed("contact");
  readonly target = themed("target");
  readonly bad = themed("bad");
  private readonly constraints = new Map<string, string>();
  readonly font = `11px ${getComputedStyle(document.body).fontFamily}`;

  /** The colour that a constraint says it is drawn in. */
  constraint(colour: string): string {
    const known = this.constraints.get(colour) ?? (themed(colour) || this.pin);
    this.constraints.set(colour, known);
    return known;
  }
}

export function themed(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
