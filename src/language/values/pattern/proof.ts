/**
 * The proof that a backtracker takes time linear in the string.
 *
 * A backtracker's work is the number of attempts that it keeps alive, summed over the characters. So the proof follows all
 * attempts at once: thread counts record how many attempts are at each position of the pattern after some prefix, those begun at
 * different indices together. The counts after one more character depend only on the counts and on the character's letter;
 * beginning with the empty prefix, all reachable counts are enumerated. If they are finitely many, and none of them costs more
 * than `maxCost` steps to continue from, then no string costs more than `maxCost` steps a character. That is the whole proof; it
 * has no special cases for nested stars or overlapping classes, it counts. Patterns whose attempts pile up (`(a|a)*$`, `a*a*b`,
 * and unanchored `a+b`, for which each character begins an attempt) exceed the limit after some steps and are rejected.
 *
 * What it covers: V8's backtracking engine, modelled as one that tries the ways from one character to the next at most once each,
 * with constant cost for an assertion; the scan over all start indices; patterns written as `native.ts` writes them, whose loops
 * never repeat the empty string. Where V8 does less (it skips impossible starts and factors alternatives) the bound still holds.
 * The proof itself is bounded by `maxSteps` and the limits of `glushkov.ts`; a pattern that needs more is not proven, and goes to
 * the automaton.
 */
import { samplesOf } from './alphabet.js';
import { contains } from './code-set.js';
import { isAnchored, type Node } from './node.js';
import { type Edge, type Positions, positionsOf } from './glushkov.js';

/** Maximum number of steps per character. Real patterns stay below 20; the automaton takes about 2 ns a character. */
const maxCost = 96;
/** Maximum number of steps of one count, about 1 ms. Prevents patterns with exponentially many thread counts. */
const maxSteps = 10_000;

/** Maximum number of entries in the table of edges by letter. */
const maxTable = 100_000;
/** Number of table entries that are charged as one step, because they take as long. */
const entriesOfStep = 4;
/** Maximum number of loops that are compared pairwise before counting. */
const maxLoops = 8;

export type Proof =
  /** At most `cost` steps per character, for any string. */
  | { readonly kind: 'linear'; readonly cost: number }
  /** At most `cost` steps per pair of characters: quadratic, because each character may begin an attempt. */
  | { readonly kind: 'quadratic'; readonly cost: number }
  | { readonly kind: 'none' };

/** The proof budget of patterns that are used together; the maximum of a single pattern is `maxSteps`. */
export interface Effort {
  steps: number;
}

export function prove(node: Node, effort: Effort = { steps: Infinity }): Proof {
  // Patterns without a proof run on the automaton.
  if (effort.steps <= 0) return { kind: 'none' };
  const positions = positionsOf(node);
  const plan = positions === null ? null : planOf(positions, effort);
  if (plan === null) return { kind: 'none' };
  const anchored = isAnchored(node);
  const all = anchored ? null : highestCost(plan, true, effort);
  if (all !== null) return { kind: 'linear', cost: all };
  const single = highestCost(plan, false, effort);
  if (single === null) return { kind: 'none' };
  if (anchored) return { kind: 'linear', cost: single };
  const maxLength = longestMatch(node);
  if (single * (maxLength + 1) <= maxCost) return { kind: 'linear', cost: single * (maxLength + 1) };
  return { kind: 'quadratic', cost: single };
}

/** The positions, with precomputed tables by letter. */
interface Plan extends Positions {
  /** By letter, then by position: whether the position reads the letter. */
  readonly reads: readonly (readonly boolean[])[];
  /** By letter, then by position: the edges that read the letter. */
  readonly steps: readonly (readonly (readonly Edge[])[])[];
  /** By position: number of ways in which an attempt can continue or end there. */
  readonly waysFrom: readonly number[];
}

function planOf(positions: Positions, effort: Effort): Plan | null {
  const { sets, edges, ends } = positions;
  const samples = samplesOf(sets);
  const total = edges.reduce((sum, list) => sum + list.length, 0);
  effort.steps -= Math.ceil(total / entriesOfStep);
  if (samples.length * total > maxTable) return null;
  effort.steps -= Math.ceil((samples.length * (sets.length + total)) / entriesOfStep);
  if (effort.steps <= 0) return null;
  const reads = samples.map((sample) => sets.map((set) => contains(set, sample)));
  const steps = reads.map((reading) => edges.map((list) => edgesThatRead(reading, list)));
  const waysFrom = edges.map((list, at) => list.reduce((sum, edge) => sum + edge.ways, ends[at] ?? 0));
  return { ...positions, reads, steps, waysFrom };
}

const noEdges: readonly Edge[] = [];

/** Returns the edges whose target reads the letter. Reuses arrays, because nearly always none or all of the edges do. */
function edgesThatRead(reading: readonly boolean[], edges: readonly Edge[]): readonly Edge[] {
  const count = edges.reduce((sum, { to }) => (reading[to] === true ? sum + 1 : sum), 0);
  if (count === 0) return noEdges;
  return count === edges.length ? edges : edges.filter(({ to }) => reading[to]);
}

/**
 * The number of attempts at each position, as pairs: position, attempts, position, attempts, ..., with ascending positions. All
 * numbers are small, because there are few positions and the proof ends if there are many attempts.
 */
type ThreadCounts = readonly number[];

/**
 * Returns the cost of the most expensive reachable thread counts; null if one costs too much or there are too many. If
 * `restarting`, an attempt can begin before every character, otherwise only before the first.
 */
function highestCost(plan: Plan, restarting: boolean, effort: Effort): number | null {
  if (pilesUp(plan, restarting)) return null;
  const beginning: ThreadCounts = [0, 1];
  const attempts = new Float64Array(plan.sets.length);
  const found = new Set<string>();
  const open: ThreadCounts[] = [beginning];
  let isBeginningFound = false;
  let max = 0;
  let steps = 0;
  for (let counts = open.pop(); counts !== undefined; counts = open.pop()) {
    const cost = costOf(plan, counts);
    if (cost > maxCost) return null;
    max = Math.max(max, cost);
    for (const edges of plan.steps) {
      const { taken, positions } = advance(edges, counts, attempts);
      steps += taken;
      effort.steps -= taken;
      if (steps > maxSteps) return null;
      // Most letters end all attempts. Then only the beginning is left, which is counted once.
      if (positions.length === 0 && (!restarting || isBeginningFound)) continue;
      isBeginningFound ||= positions.length === 0;
      const next = takeCounts(attempts, positions, restarting ? beginning : []);
      // Each attempt costs at least one step.
      if (next === null) return null;
      if (next.length === 0) continue;
      const key = String.fromCharCode(...next);
      if (found.has(key)) continue;
      found.add(key);
      open.push(next);
    }
  }
  return max;
}

/** Moves the counts out of `attempts`, which is reset to zero; null if a position has more attempts than a proof allows. */
function takeCounts(attempts: Float64Array, positions: number[], before: ThreadCounts): ThreadCounts | null {
  const counts = [...before];
  let isTooMany = false;
  for (const position of positions.sort((a, b) => a - b)) {
    const count = attempts[position] ?? 0;
    attempts[position] = 0;
    if (count > maxCost) isTooMany = true;
    counts.push(position, count);
  }
  return isTooMany ? null : counts;
}

/**
 * Whether attempts certainly pile up, determined without counting: a position that repeats leads to another that repeats, reading
 * only characters that both repeat on. (The beginning repeats on everything if attempts restart.) The proof would find the same
 * after counting up to its limit.
 */
function pilesUp({ edges, reads }: Plan, restarting: boolean): boolean {
  const loops = edges.flatMap((list, from) => (list.some(({ to }) => to === from) ? [from] : []));
  if (restarting) loops.unshift(0);
  if (loops.length > maxLoops) return false;
  return loops.some((from) =>
    loops.some((to) => {
      if (from === to) return false;
      const common = reads.filter((reading) => (from === 0 || reading[from]) && reading[to]);
      return leads(edges, common, from, to);
    }),
  );
}

/** Whether a path leads from one position to another on which each position reads one of the letters. */
function leads(
  edges: readonly (readonly Edge[])[],
  characters: readonly (readonly boolean[])[],
  from: number,
  target: number,
): boolean {
  const reached = new Set([from]);
  for (const position of reached) {
    for (const { to } of edges[position] ?? []) {
      if (characters.some((reading) => reading[to])) reached.add(to);
    }
  }
  return reached.has(target);
}

/** Advances all threads by one letter, adding to `attempts`. Returns the number of steps and the positions reached. */
function advance(
  edges: readonly (readonly Edge[])[],
  counts: ThreadCounts,
  attempts: Float64Array,
): { taken: number; positions: number[] } {
  const positions: number[] = [];
  let taken = 1;
  for (let at = 0; at < counts.length; at += 2) {
    taken += 1;
    for (const { to, ways } of edges[counts[at] ?? 0] ?? []) {
      taken += 1;
      const before = attempts[to] ?? 0;
      if (before === 0) positions.push(to);
      attempts[to] = before + (counts[at + 1] ?? 0) * ways;
    }
  }
  return { taken, positions };
}

/** Returns the steps to advance all attempts by one character: each tries all its edges, whether or not they read it. */
function costOf({ waysFrom }: Plan, counts: ThreadCounts): number {
  let cost = 0;
  for (let at = 0; at < counts.length; at += 2) {
    cost += (counts[at + 1] ?? 0) * (1 + (waysFrom[counts[at] ?? 0] ?? 0));
  }
  return cost;
}

/** Returns the maximum number of characters that an attempt reads. */
function longestMatch(node: Node): number {
  switch (node.kind) {
    case 'chars':
      return 1;
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + longestMatch(part), 0);
    case 'choice':
      return node.options.reduce((max, option) => Math.max(max, longestMatch(option)), 0);
    case 'repeat':
      return longestMatch(node.body) * node.max;
    default:
      return 0;
  }
}
