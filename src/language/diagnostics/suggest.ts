/** Budget for suggesting names, in compared characters. Shared by all mistakes of one filter. */
export interface SearchEffort {
  left: number;
}

/** Creates the budget of one filter: enough for a thousand mistakes with three hundred fields, about 15 ms. */
export function createSearchEffort(): SearchEffort {
  return { left: 4_000_000 };
}

/**
 * Returns the candidates that `written` probably means, nearest first: equal except for case, a small edit away (at most a third
 * of the longer of the two in insertions, deletions, substitutions and transpositions), or starting with it if it has at least
 * three letters. Empty once the budget is used up.
 */
export function suggestNames(
  written: string,
  candidates: Iterable<string>,
  max = 3,
  effort: SearchEffort = { left: Infinity },
): string[] {
  if (effort.left <= 0) return [];
  const folded = written.toLowerCase();
  const distance = measureFrom(folded);
  const scored: { name: string; score: number }[] = [];
  for (const name of candidates) {
    effort.left -= name.length;
    const score = nearness(folded, name.toLowerCase(), distance, effort);
    if (score !== null) scored.push({ name, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, max).map(({ name }) => name);
}

/** Maximum length of a name that is compared. */
const maxNameLength = 64;
/** Maximum length of a string whose row in the distance table fits in one integer. */
const maxRowLength = 31;

type Distance = (other: string) => number;

/** Creates a distance function; null if the name is too long. */
function measureFrom(written: string): Distance | null {
  if (written.length > maxNameLength) return null;
  return written.length <= maxRowLength ? distanceFrom(written) : (other) => distanceBetween(written, other);
}

function nearness(
  written: string,
  candidate: string,
  distance: Distance | null,
  effort: SearchEffort,
): number | null {
  if (written === candidate) return 0;
  if (distance === null || candidate.length > maxNameLength) return null;
  const allowance = Math.floor(Math.max(written.length, candidate.length) / 3);
  if (Math.abs(written.length - candidate.length) <= allowance) {
    effort.left -= candidate.length;
    const found = distance(candidate);
    if (found <= allowance) return found;
  }
  const isPrefix = written.length >= 3 && candidate.startsWith(written);
  return isPrefix ? allowance + candidate.length - written.length : null;
}

/** Returns the distance of long strings, computed without their common ends. Infinite if the rest is too long. */
function distanceBetween(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const left = a.slice(start, a.length - end);
  return left.length > maxRowLength ? Infinity : distanceFrom(left)(b.slice(start, b.length - end));
}

/**
 * Insertions, deletions, substitutions and transpositions, each at cost 1. After H. Hyyrö, "A Bit-Vector Algorithm for Computing
 * Levenshtein and Damerau Edit Distances" (2003): neighbours in a row of the distance table differ by at most one, so two bits
 * encode each entry, and a row takes a dozen operations.
 */
function distanceFrom(written: string): Distance {
  if (written === '') return (other) => other.length;
  const positions = new Map<number, number>();
  for (let at = 0; at < written.length; at += 1) {
    const unit = written.charCodeAt(at);
    positions.set(unit, (positions.get(unit) ?? 0) | (1 << at));
  }
  const last = 1 << (written.length - 1);
  return (other) => {
    let distance = written.length;
    let more = -1;
    let less = 0;
    let diagonal = 0;
    let before = 0;
    for (let at = 0; at < other.length; at += 1) {
      const here = positions.get(other.charCodeAt(at)) ?? 0;
      const exchanged = ((~diagonal & here) << 1) & before;
      diagonal = (((here & more) + more) ^ more) | here | less | exchanged;
      const grows = less | ~(diagonal | more);
      const shrinks = diagonal & more;
      if ((grows & last) !== 0) distance += 1;
      else if ((shrinks & last) !== 0) distance -= 1;
      const row = (grows << 1) | 1;
      more = (shrinks << 1) | ~(diagonal | row);
      less = row & diagonal;
      before = here;
    }
    return distance;
  };
}
