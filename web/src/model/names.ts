const LEAST = 4;
const MOST = 0.7;
/** What may stand between what names have in common and what they say. */
const BREAKS = /[:|_\-. ]/;

/**
 * What nearly all names begin with and says nothing: "mixamorig:", "CC_Base_", "Rig_Medium|"; "" where they differ. It
 * ends at a sign that parts words, and leaves something of every name.
 */
export function commonBeginning(names: readonly string[]): string {
  if (names.length < LEAST) return "";
  const counts = new Map<string, number>();
  for (const name of names) {
    for (let end = 1; end < name.length; end++) {
      if (BREAKS.test(name[end - 1])) counts.set(name.slice(0, end), (counts.get(name.slice(0, end)) ?? 0) + 1);
    }
  }
  let longest = "";
  for (const [beginning, count] of counts) {
    if (count >= MOST * names.length && beginning.length > longest.length) longest = beginning;
  }
  return longest;
}

/** A name without what it has in common with others. */
export function shortened(name: string, beginning: string): string {
  return beginning && name.length > beginning.length && name.startsWith(beginning) ? name.slice(beginning.length) : name;
}
