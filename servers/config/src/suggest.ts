/** The known name that was most likely meant, at most two slips away; null when none is near. */
export function suggestName(written: string, known: readonly string[]): string | null {
  // Longer names are not worth the time, which grows with the product of the lengths.
  if (written.length > 64) return null;
  const most = written.length < 4 ? 1 : 2;
  let best: string | null = null;
  let least = most + 1;
  for (const name of known) {
    const slips = distance(normalise(written), normalise(name));
    if (slips < least) {
      least = slips;
      best = name;
    }
  }
  return best;
}

/** Case, dashes and underscores are what is confused most. */
function normalise(name: string): string {
  return name.toLowerCase().replaceAll('-', '').replaceAll('_', '');
}

/** Insertions, deletions and replacements (Levenshtein) that lead from one text to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
