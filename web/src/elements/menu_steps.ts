/** The item that a key leads to in a menu of `count`; −1 is none yet. Null when the key is not for moving. */
export function stepTo(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return (Math.max(at, 0) + count - 1) % count;
    case "Home":
    case "PageUp":
      return 0;
    case "End":
    case "PageDown":
      return count - 1;
    default:
      return null;
  }
}

/** The next item after `at` that begins with a letter, going round; null when none does. */
export function startingWith(letter: string, labels: readonly string[], at: number): number | null {
  for (let i = 1; i <= labels.length; i++) {
    const index = (Math.max(at, -1) + i) % labels.length;
    if (labels[index].toLowerCase().startsWith(letter.toLowerCase())) return index;
  }
  return null;
}
