/**
 * A pattern as a backtracker walks it: each place where it reads a character is a position, and each pair of positions has a
 * number of ways from one to the other. Unlike in an automaton for matching, the number of ways matters: `(a?|b?)c` reaches `c`
 * in two ways without reading anything, and a backtracker tries both.
 *
 * Position 0 is the beginning of an attempt. Assertions are assumed to hold, so that there are never fewer ways than the real
 * ones.
 */
import type { CodeSet } from './code-set.js';
import { childrenOf, mayBeEmpty, type Node, type Repeat } from './node.js';

/** Maximum number of positions and edges. They bound the cost of the proof; larger patterns go to the automaton. */
const maxPositions = 600;
const maxEdges = 6_000;

export interface Edge {
  readonly to: number;
  readonly ways: number;
}

export interface Positions {
  /** The characters that each position reads; empty for position 0. */
  readonly sets: readonly CodeSet[];
  /** The positions that each position leads to. */
  readonly edges: readonly (readonly Edge[])[];
  /** In how many ways the pattern can end after each position. */
  readonly ends: readonly number[];
}

/** A part of the pattern: its possible first and last positions, and the ways through it without reading. */
interface Fragment {
  readonly first: readonly Edge[];
  readonly last: readonly Edge[];
  readonly ways: number;
}

/** Returns the positions; null for a pattern that is too large, or has a loop that may repeat without reading. */
export function positionsOf(node: Node): Positions | null {
  if (countPositions(node) > maxPositions || hasEmptyLoop(node)) return null;
  const sets: CodeSet[] = [[]];
  const edges: Map<number, number>[] = [new Map()];
  let edgeCount = 0;

  /** Connects two lists of positions. Adds no more once there are too many edges. */
  function connect(from: readonly Edge[], to: readonly Edge[]): void {
    for (const before of from) {
      const known = edges[before.to];
      for (const after of to) {
        if (edgeCount > maxEdges || known === undefined) return;
        const ways = known.get(after.to) ?? 0;
        if (ways === 0) edgeCount += 1;
        known.set(after.to, ways + before.ways * after.ways);
      }
    }
  }

  function join(a: Fragment, b: Fragment): Fragment {
    connect(a.last, b.first);
    return {
      first: a.ways === 0 ? a.first : [...a.first, ...times(b.first, a.ways)],
      last: b.ways === 0 ? b.last : [...times(a.last, b.ways), ...b.last],
      ways: a.ways * b.ways,
    };
  }

  /** Expanded as a backtracker counts: x{2,} is xx+, x{2,4} is xx(x(x)?)?. */
  function readRepeat({ body, min, max }: Repeat): Fragment {
    let result: Fragment = passing;
    let copies = min;
    if (max === Infinity) {
      result = read(body);
      connect(result.last, result.first);
      if (min === 0) result = either(result, passing);
      else copies -= 1;
    } else {
      for (let i = min; i < max; i += 1) result = either(join(read(body), result), passing);
    }
    for (let i = 0; i < copies; i += 1) result = join(read(body), result);
    return result;
  }

  function read(part: Node): Fragment {
    switch (part.kind) {
      case 'fail':
        return { first: [], last: [], ways: 0 };
      case 'empty':
      case 'assert':
        return passing;
      case 'chars': {
        const self = [{ to: sets.push(part.set) - 1, ways: 1 }];
        edges.push(new Map());
        return { first: self, last: self, ways: 0 };
      }
      case 'sequence':
        return part.parts.map(read).reduce(join, passing);
      case 'choice':
        return part.options.map(read).reduce(either);
      case 'repeat':
        return readRepeat(part);
    }
  }

  const { first, last, ways } = read(node);
  connect([{ to: 0, ways: 1 }], first);
  if (edgeCount > maxEdges) return null;
  const ends = sets.map(() => 0);
  for (const end of last) ends[end.to] = end.ways;
  ends[0] = ways;
  return { sets, edges: edges.map((list) => [...list].map(([to, count]) => ({ to, ways: count }))), ends };
}

/** Number of positions with repetitions expanded. */
function countPositions(node: Node): number {
  switch (node.kind) {
    case 'chars':
      return 1;
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + countPositions(part), 0);
    case 'choice':
      return node.options.reduce((sum, option) => sum + countPositions(option), 0);
    case 'repeat':
      return countPositions(node.body) * (node.max === Infinity ? Math.max(node.min, 1) : node.max);
    default:
      return 0;
  }
}

/** Whether a loop may match the empty string. A backtracker has special rules for that. */
function hasEmptyLoop(node: Node): boolean {
  if (node.kind === 'repeat' && node.max > 1 && mayBeEmpty(node.body)) return true;
  return childrenOf(node).some(hasEmptyLoop);
}

const passing: Fragment = { first: [], last: [], ways: 1 };

function either(a: Fragment, b: Fragment): Fragment {
  return { first: [...a.first, ...b.first], last: [...a.last, ...b.last], ways: a.ways + b.ways };
}

function times(edges: readonly Edge[], factor: number): readonly Edge[] {
  return factor === 1 ? edges : edges.map(({ to, ways }) => ({ to, ways: ways * factor }));
}
