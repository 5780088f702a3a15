/**
 * A pattern as a backtracker walks it: each place where it reads a character is a position, and from each position
 * there are so many ways to each position that may come next. Unlike in an automaton for matching, the number of ways
 * counts: `(a?|b?)c` reaches `c` in two ways without reading anything, and a backtracker tries both.
 *
 * Position 0 stands for the beginning of an attempt. Assertions are taken to hold always, so that the ways are never
 * fewer than the real ones.
 */
import type { CodeSet } from './code-set.js';
import { mayBeEmpty, type Node, type Repeat } from './node.js';

/** Most positions and edges. Bounds the cost of the proof; larger patterns go to the automaton. */
const maxPositions = 600;
const maxEdges = 6_000;

export interface Edge {
  readonly to: number;
  readonly ways: number;
}

export interface Positions {
  /** What each position reads; that of position 0 is empty. */
  readonly sets: readonly CodeSet[];
  /** Where each position leads. */
  readonly edges: readonly (readonly Edge[])[];
  /** In how many ways each position, the pattern being read, can end. */
  readonly ends: readonly number[];
}

/** A piece of the pattern: the positions it may begin and end with, and the ways through it without reading. */
interface Fragment {
  readonly first: readonly Edge[];
  readonly last: readonly Edge[];
  readonly ways: number;
}

/** Thrown and caught in this file: the pattern is beyond the bounds. */
const beyond = Symbol('beyond');

/** The positions; null for a pattern too large, or with a loop that may repeat without reading. */
export function positionsOf(node: Node): Positions | null {
  const draft = new Draft();
  try {
    const { first, last, ways } = draft.read(node);
    const start: readonly Edge[] = [{ to: 0, ways: 1 }];
    draft.connect(start, first);
    for (const { to, ways: more } of last) draft.ends[to] = more;
    draft.ends[0] = ways;
  } catch (error) {
    if (error === beyond) return null;
    throw error;
  }
  return {
    sets: draft.sets,
    edges: draft.edges.map((edges) => [...edges].map(([to, ways]) => ({ to, ways }))),
    ends: draft.ends,
  };
}

class Draft {
  readonly sets: CodeSet[] = [[]];
  readonly edges: Map<number, number>[] = [new Map()];
  readonly ends: number[] = [0];
  private edgeCount = 0;

  read(node: Node): Fragment {
    switch (node.kind) {
      case 'fail':
        return { first: [], last: [], ways: 0 };
      case 'empty':
      case 'assert':
        return passing;
      case 'chars':
        return this.position(node.set);
      case 'sequence':
        return node.parts.reduce((before, part) => this.join(before, this.read(part)), passing);
      case 'choice':
        return node.options.map((option) => this.read(option)).reduce(either);
      case 'repeat':
        return this.repeat(node);
    }
  }

  /** Adds to the ways from one list of positions to another. */
  connect(from: readonly Edge[], to: readonly Edge[]): void {
    for (const before of from) {
      const edges = this.edges[before.to];
      for (const after of to) {
        const known = edges?.get(after.to) ?? 0;
        if (known === 0 && (this.edgeCount += 1) > maxEdges) throw beyond;
        edges?.set(after.to, known + before.ways * after.ways);
      }
    }
  }

  private position(set: CodeSet): Fragment {
    if (this.sets.length > maxPositions) throw beyond;
    const to = this.sets.push(set) - 1;
    this.edges.push(new Map());
    this.ends.push(0);
    const self = [{ to, ways: 1 }];
    return { first: self, last: self, ways: 0 };
  }

  private join(a: Fragment, b: Fragment): Fragment {
    this.connect(a.last, b.first);
    return {
      first: a.ways === 0 ? a.first : [...a.first, ...times(b.first, a.ways)],
      last: b.ways === 0 ? b.last : [...times(a.last, b.ways), ...b.last],
      ways: a.ways * b.ways,
    };
  }

  /** Written out as a backtracker counts: x{2,} is xx+, x{2,4} is xx(x(x)?)?. */
  private repeat({ body, min, max }: Repeat): Fragment {
    const isOption = min === 0 && max === 1;
    if (!isOption && mayBeEmpty(body)) throw beyond;
    let result: Fragment = passing;
    let copies = min;
    if (max === Infinity) {
      result = this.read(body);
      this.connect(result.last, result.first);
      if (min === 0) result = either(result, passing);
      else copies -= 1;
    } else {
      for (let i = min; i < max; i += 1) result = either(this.join(this.read(body), result), passing);
    }
    for (let i = 0; i < copies; i += 1) result = this.join(this.read(body), result);
    return result;
  }
}

const passing: Fragment = { first: [], last: [], ways: 1 };

function either(a: Fragment, b: Fragment): Fragment {
  return { first: [...a.first, ...b.first], last: [...a.last, ...b.last], ways: a.ways + b.ways };
}

function times(edges: readonly Edge[], factor: number): readonly Edge[] {
  return factor === 1 ? edges : edges.map(({ to, ways }) => ({ to, ways: ways * factor }));
}
