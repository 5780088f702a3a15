/**
 * Returns the known name that was most likely meant: it differs by one typing error, or by two if it is long. Null if none is
 * similar.
 */
export function suggestName(written: string, known: readonly string[]): string | null {
  // Longer names would take too long: the time grows with the product of the lengths.
  if (written.length > 64) return null;
  const max = written.length <= 5 ? 1 : 2;
  let best: string | null = null;
  let min = max + 1;
  for (const name of known) {
    const slips = distance(normalise(written), normalise(name));
    if (slips < min) {
      min = slips;
      best = name;
    }
  }
  return best;
}

/** Returns a name in lower case without dashes and underscores, which are confused most often. */
function normalise(name: string): string {
  return name.toLowerCase().replaceAll('-', '').replaceAll('_', '');
}

/** Returns the edit distance: insertions, deletions, replacements and swaps of adjacent characters. */
function distance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
