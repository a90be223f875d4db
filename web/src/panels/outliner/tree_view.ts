import { flatten, type Node, openAtFirst, pathTo, type Row } from "./tree";

/** How a forest is looked at: what is open, what is searched, and the line that the keyboard is on. */
export class TreeView<T> {
  rows: Row<T>[] = [];
  cursor: string | null = null;
  private forest: readonly Node<T>[] = [];
  private open = new Set<string>();
  private text = "";

  /** Show other nodes. What is open stays so unless they are `fresh`: then so many levels are open as fit into some lines. */
  show(forest: readonly Node<T>[], fresh: boolean, lines = 40): void {
    this.forest = forest;
    if (fresh) {
      this.open = openAtFirst(forest, lines);
      this.text = "";
      this.cursor = null;
    }
    this.flatten();
  }

  get search(): string {
    return this.text;
  }

  set search(text: string) {
    this.text = text;
    this.flatten();
  }

  /** Where a line is in the list; −1 when it is not among the shown. */
  at(id: string | null): number {
    return this.rows.findIndex((row) => row.node.id === id);
  }

  toggle(id: string): void {
    if (!this.open.delete(id)) this.open.add(id);
    this.flatten();
  }

  /** Put the cursor on a node, opening all above it. */
  reveal(id: string): void {
    this.cursor = id;
    for (const each of pathTo(this.forest, id) ?? []) this.open.add(each);
    this.flatten();
  }

  /** What an arrow key does, as trees do everywhere: true when the cursor moved, false when not, null: not a key of ours. */
  onKey(key: string): boolean | null {
    const at = this.at(this.cursor);
    const row = this.rows[at];
    switch (key) {
      case "ArrowDown":
        return this.moveTo(at + 1);
      case "ArrowUp":
        return this.moveTo(at < 0 ? 0 : at - 1);
      case "Home":
        return this.moveTo(0);
      case "End":
        return this.moveTo(this.rows.length - 1);
      case "ArrowRight":
        if (row?.open) return this.moveTo(at + 1);
        if (row?.open === false) this.toggle(row.node.id);
        return false;
      case "ArrowLeft":
        // While searching everything that matches is open, so there is nothing to close.
        if (!row?.open || this.text !== "") return row ? this.moveTo(row.parent) : false;
        this.toggle(row.node.id);
        return false;
      default:
        return null;
    }
  }

  private moveTo(at: number): boolean {
    const row = this.rows[at];
    if (!row || row.node.id === this.cursor) return false;
    this.cursor = row.node.id;
    return true;
  }

  private flatten(): void {
    this.rows = flatten(this.forest, (id) => this.open.has(id), this.text);
  }
}
