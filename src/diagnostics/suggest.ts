/**
 * The candidates that `written` was probably meant to be, nearest first: the same but for case, a small edit away (at
 * most a third of the longer of the two in insertions, deletions, substitutions and exchanges of neighbours), or begun by
 * it, if it has three letters and more.
 */
export function suggestNames(written: string, candidates: Iterable<string>, most = 3): string[] {
  const folded = written.toLowerCase();
  const scored: { name: string; score: number }[] = [];
  for (const name of candidates) {
    const score = nearness(folded, name.toLowerCase());
    if (score !== null) scored.push({ name, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, most).map(({ name }) => name);
}

/** Longest name worth measuring: the distance costs the product of both lengths. */
const longestName = 64;

function nearness(written: string, candidate: string): number | null {
  if (written === candidate) return 0;
  if (written.length > longestName || candidate.length > longestName) return null;
  const allowance = Math.floor(Math.max(written.length, candidate.length) / 3);
  if (Math.abs(written.length - candidate.length) <= allowance) {
    const distance = editDistance(written, candidate);
    if (distance <= allowance) return distance;
  }
  const isPrefix = written.length >= 3 && candidate.startsWith(written);
  return isPrefix ? allowance + candidate.length - written.length : null;
}

/** Insertions, deletions, substitutions and exchanges of neighbours, each at cost 1. */
function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (older[j - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    older = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
