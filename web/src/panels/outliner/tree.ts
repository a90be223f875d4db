/** What the outliner can show on a line; `id` is unique and stays the same while the document lives. */
export interface Node<T> {
  id: string;
  name: string;
  /** What is written on the line, where the whole name is longer than it says. */
  shown?: string;
  item: T;
  children: Node<T>[];
  /** A heading is never what a search looks for. */
  heading?: boolean;
  /** Not to be opened before somebody does. */
  folded?: boolean;
}

/** One line of the outliner. */
export interface Row<T> {
  node: Node<T>;
  depth: number;
  /** null: nothing below it. */
  open: boolean | null;
  /** The line above it that holds it, by its place in the list; −1 at the top. */
  parent: number;
  /** Where the search was found in what is written, −1 where it was not (it holds one that matches). */
  found: number;
}

/** The lines to show of a forest: what is open; or, when searching, what matches together with all above it. */
export function flatten<T>(forest: readonly Node<T>[], isOpen: (id: string) => boolean, search = ""): Row<T>[] {
  const wanted = search.trim().toLowerCase();
  const rows: Row<T>[] = [];
  const kept = wanted ? matching(forest, wanted) : null;
  const visit = (nodes: readonly Node<T>[], depth: number, parent: number): void => {
    for (const node of nodes) {
      if (kept && !kept.has(node)) continue;
      const shownChildren = kept ? node.children.some((child) => kept.has(child)) : node.children.length > 0;
      const open = shownChildren ? kept !== null || isOpen(node.id) : null;
      const found = kept && !node.heading ? (node.shown ?? node.name).toLowerCase().indexOf(wanted) : -1;
      const at = rows.push({ node, depth, open, parent, found }) - 1;
      if (open) visit(node.children, depth + 1, at);
    }
  };
  visit(forest, 0, -1);
  return rows;
}

/** All nodes whose name holds the words, and all above them. */
function matching<T>(forest: readonly Node<T>[], wanted: string): Set<Node<T>> {
  const kept = new Set<Node<T>>();
  const visit = (node: Node<T>): boolean => {
    // Every child must be looked at: no short cut.
    const below = node.children.map(visit).includes(true);
    const keeps = below || (!node.heading && node.name.toLowerCase().includes(wanted));
    if (keeps) kept.add(node);
    return keeps;
  };
  forest.forEach(visit);
  return kept;
}

/** The ids to open at first: the two top levels, and whole levels below as long as the list keeps within some lines. */
export function openAtFirst<T>(forest: readonly Node<T>[], lines: number): Set<string> {
  const open = new Set<string>();
  let level = forest.filter((node) => node.children.length > 0 && !node.folded);
  let shown = forest.length;
  for (let depth = 0; level.length > 0; depth++) {
    const next = level.flatMap((node) => node.children);
    shown += next.length;
    if (shown > lines && depth > 1) break;
    for (const node of level) open.add(node.id);
    level = next.filter((node) => node.children.length > 0 && !node.folded);
  }
  return open;
}

/** The ids of all above a node, from the top; null when it is not there. */
export function pathTo<T>(forest: readonly Node<T>[], id: string): string[] | null {
  for (const node of forest) {
    if (node.id === id) return [];
    const below = pathTo(node.children, id);
    if (below) return [node.id, ...below];
  }
  return null;
}

/** Which lines of equal height are in view, with a few around. */
export function inView(top: number, height: number, line: number, count: number, around = 6): [number, number] {
  const first = Math.max(0, Math.floor(top / line) - around);
  return [Math.min(first, count), Math.min(count, Math.ceil((top + height) / line) + around)];
}
