/**
 * The proof that a backtracker takes time linear in the text.
 *
 * A backtracker's work is the number of attempts that it keeps alive, summed over the characters. So the proof follows
 * all attempts at once: a census says how many attempts stand at each position of the pattern after some text, those
 * begun at different places of the text together. The census after one more character depends only on the census and
 * on the character's letter; beginning with the empty text, all censuses that any text can lead to are enumerated. If
 * they are finitely many, none of them costs more than `maxCost` steps to carry on from, then no text costs more than
 * `maxCost` steps a character. That is the whole proof; it knows nothing of nested stars or overlapping classes, it
 * counts. Patterns whose attempts pile up (`(a|a)*$`, `a*a*b`, and unanchored `a+b`, for which each character begins
 * an attempt) run over the limit after some steps and are refused.
 *
 * What it covers: V8's backtracking engine as an engine that tries the ways from one character to the next at most
 * once each, with constant cost for an assertion; the scan over all beginnings; patterns written as `native.ts`
 * writes them, whose loops never repeat the empty text. Where V8 does less (it skips over impossible beginnings and
 * factors alternatives) the bound holds all the more. What bounds the proof itself are `maxSteps` and the bounds of
 * `positions.ts`; a pattern that needs more is not proven, and goes to the automaton.
 */
import { alphabetOf } from './alphabet.js';
import { contains } from './code-set.js';
import { isAnchored, type Node } from './node.js';
import { type Positions, positionsOf } from './positions.js';

/** Most steps that a character may cost. Real patterns stay below 20; the automaton takes about 2 ns a character. */
const maxCost = 64;
/** Most additions in one proof, about 2 ms. Stops patterns with exponentially many censuses. */
const maxSteps = 100_000;

export type Proof =
  /** At most `cost` steps a character, whatever the text. */
  | { readonly kind: 'linear'; readonly cost: number }
  /** At most `cost` steps for each pair of characters: quadratic, because each character may begin an attempt. */
  | { readonly kind: 'quadratic'; readonly cost: number }
  | { readonly kind: 'none' };

export function prove(node: Node): Proof {
  const positions = positionsOf(node);
  if (positions === null) return { kind: 'none' };
  const single = mostExpensive(positions, false);
  if (single === null) return { kind: 'none' };
  if (isAnchored(node)) return { kind: 'linear', cost: single };
  const all = mostExpensive(positions, true);
  if (all !== null) return { kind: 'linear', cost: all };
  const longest = longestMatch(node);
  if (single * (longest + 1) <= maxCost) return { kind: 'linear', cost: single * (longest + 1) };
  return { kind: 'quadratic', cost: single };
}

/** How many attempts stand at each position. */
type Census = ReadonlyMap<number, number>;

/**
 * The cost of the most expensive census that any text leads to; null where one costs too much or they are too many.
 * `restarting` lets an attempt begin before every character, otherwise one begins before the first alone.
 */
function mostExpensive(positions: Positions, restarting: boolean): number | null {
  const alphabet = alphabetOf(positions.sets);
  const readers = alphabet.samples.map((sample) => positions.sets.map((set) => contains(set, sample)));
  const beginning: Census = new Map([[0, 1]]);
  const found = new Set<string>();
  const open: Census[] = [beginning];
  let most = 0;
  let steps = 0;
  for (let census = open.pop(); census !== undefined; census = open.pop()) {
    const cost = costOf(positions, census);
    if (cost > maxCost) return null;
    most = Math.max(most, cost);
    for (const reads of readers) {
      const next = new Map<number, number>(restarting ? beginning : []);
      steps += advance(positions, census, reads, next);
      if (steps > maxSteps) return null;
      const key = keyOf(next);
      if (next.size === 0 || found.has(key)) continue;
      found.add(key);
      open.push(next);
    }
  }
  return most;
}

/** Adds to `next` where the attempts go with a letter; how many additions that took. */
function advance(
  { edges }: Positions,
  census: Census,
  reads: readonly boolean[],
  next: Map<number, number>,
): number {
  let steps = 1;
  for (const [position, attempts] of census) {
    for (const { to, ways } of edges[position] ?? []) {
      steps += 1;
      if (reads[to] === true) next.set(to, (next.get(to) ?? 0) + attempts * ways);
    }
  }
  return steps;
}

/** Steps to carry all attempts on by one character: each tries all its ways, whether or not they read it. */
function costOf({ edges, ends }: Positions, census: Census): number {
  let cost = 0;
  for (const [position, attempts] of census) {
    const ways = (edges[position] ?? []).reduce((sum, edge) => sum + edge.ways, ends[position] ?? 0);
    cost += attempts * (1 + ways);
  }
  return cost;
}

function keyOf(census: Census): string {
  return [...census]
    .sort(([a], [b]) => a - b)
    .map(([position, attempts]) => `${position}x${attempts}`)
    .join();
}

/** The most characters that an attempt reads. */
function longestMatch(node: Node): number {
  switch (node.kind) {
    case 'chars':
      return 1;
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + longestMatch(part), 0);
    case 'choice':
      return node.options.reduce((most, option) => Math.max(most, longestMatch(option)), 0);
    case 'repeat':
      return longestMatch(node.body) * node.max;
    default:
      return 0;
  }
}
