import { mayExceed, mayFail } from '../compile/can-fail.js';
import type { CostLimits } from '../compile/frame/meter.js';
import { clausesOf, findLookups, findRanges, groupByField } from '../compile/plan.js';
import type { Analysis } from '../../language/schema/analysis.js';
import type { Expression, MatchExpression } from '../../language/syntax/ast.js';
import { selectorsOf } from '../../language/syntax/visit.js';
import type { FieldGuard } from './field-guard.js';
import type { SetField } from './field-postings.js';
import { KeyProbe, RangeProbe, type Probe } from './postings.js';

/** A way to find a filter. If none of its probes leads from a row to the filter, the filter neither matches nor throws. */
export interface Access<Item> {
  readonly probes: readonly Probe<Item>[];
  /**
   * Conditions on a row for the access path to be valid: the fields that the clauses before the served ones read must match the
   * schema.
   */
  readonly guards: readonly FieldGuard[];
  /**
   * Indexes of the clauses that are known to be true if a probe leads to the filter. Empty if the probes imply no whole clause.
   */
  readonly indexed: readonly number[];
}

/** The access paths of a filter; empty if it must be evaluated for every row. */
export interface Accesses<Item> {
  readonly ways: readonly Access<Item>[];
  /** The clause that prevents all access paths, because it may throw or exceed the limits; null if none exists. */
  readonly obstacle: Expression | null;
}

/** The settings for planning filters. */
export interface AccessContext<Item extends object> {
  readonly fields: ReadonlyMap<string, SetField<Item>>;
  readonly analysis: Analysis;
  /** The analysis for rows in which no field is null. Guards check this. */
  readonly present: Analysis;
  readonly costLimits: CostLimits;
  /** Whether the filters deny what they cannot decide: they then never throw, and a missing value has no zero value. */
  readonly denies?: boolean;
}

/**
 * Finds the access paths of an expression. As in `planFilter`, a clause can be used only if no earlier one may throw. A set must
 * report limit errors, so a clause that may exceed the limits blocks the path too. Guards check rows at run time, because a set
 * may receive rows that do not match the schema.
 */
export function findAccesses<Item extends object>(
  ast: Expression,
  context: AccessContext<Item>,
): Accesses<Item> {
  const { fields, present, costLimits, denies = false } = context;
  const clauses = clausesOf(ast);
  const end = denies
    ? -1
    : clauses.findIndex((clause) => mayFail(clause, present) || exceeds(clause, present, costLimits));
  const reached = end === -1 ? clauses : clauses.slice(0, end + 1);
  const readFields = readFieldsOf(ast, fields);
  const known = [...readFields].map((name) => fields.get(name)).filter((field) => field !== undefined);
  const keyed = known.map((field) => field.keyed).filter((each) => each !== null);
  const ordered = known.map((field) => field.ordered).filter((each) => each !== null);
  const keyPostings = new Map(keyed.map(({ index, postings }) => [index, postings]));
  const rangePostings = new Map(ordered.map(({ index, postings }) => [index, postings]));
  const before = guardsBefore(reached, context);
  const indexed = new Set<number>();
  const ways: Access<Item>[] = [];
  for (const { clause, index, keys } of findLookups(reached, present, groupByField(keyed))) {
    const postings = keyPostings.get(index);
    if (postings === undefined) continue;
    ways.push({ probes: [new KeyProbe(postings, keys)], guards: before([clause]), indexed: [clause] });
    indexed.add(clause);
  }
  for (const { clauses: inRange, index, ranges } of findRanges(reached, present, ordered, null)) {
    const postings = rangePostings.get(index);
    if (postings === undefined || inRange.every((at) => indexed.has(at))) continue;
    ways.push({ probes: [new RangeProbe(postings, ranges)], guards: before(inRange), indexed: inRange });
    for (const at of inRange) indexed.add(at);
  }
  for (const [at, clause] of reached.entries()) {
    if (clause.kind !== 'or' || indexed.has(at)) continue;
    const union = findUnion(clause.operands, context);
    if (union === null) continue;
    const guards = unique([...union.guards, ...before([at])]);
    ways.push({ probes: union.probes, guards, indexed: [] });
  }
  // The keys of a row contain the zero values of its missing fields, so they imply no clause that denies these.
  // Copied without the room for more elements that a growing array has.
  const implied = denies ? ways.map((way) => ({ ...way, indexed: [] })) : ways.slice();
  return { ways: implied, obstacle: clauses[end] ?? null };
}

/**
 * Returns, for each given clause, the guards of the fields that the clauses before it read, except for the served clauses. Paths
 * with the same guards share a list, because a filter can have as many paths as terms.
 */
function guardsBefore<Item extends object>(
  clauses: readonly Expression[],
  { fields, analysis }: AccessContext<Item>,
): (indexed: readonly number[]) => readonly FieldGuard[] {
  const readers = new Map<FieldGuard, number[]>();
  // The guards of all clauses before each index. The fields of a clause are computed once. A clause that reads no further field
  // shares the list of the previous one.
  const before = [noGuards];
  for (const [at, clause] of clauses.entries()) {
    const known = readers.size;
    const guardOf = mayFail(clause, analysis) ? 'presence' : 'guard';
    for (const name of readFieldsOf(clause, fields)) {
      const guard = fields.get(name)?.[guardOf];
      if (guard === undefined) continue;
      const clausesOfGuard = readers.get(guard);
      if (clausesOfGuard === undefined) readers.set(guard, [at]);
      else clausesOfGuard.push(at);
    }
    before.push(readers.size === known ? (before[at] ?? noGuards) : [...readers.keys()]);
  }
  return (indexed) => {
    const last = indexed.at(-1) ?? 0;
    const guards = before[last] ?? noGuards;
    if (indexed.length === 1) return guards;
    const own = new Set(indexed);
    const others = guards.filter((guard) => readers.get(guard)?.some((at) => at < last && !own.has(at)));
    return others.length === 0 ? noGuards : others;
  };
}

/** Returns the list without duplicates. Most access paths have no guards, so these share one empty list. */
function unique(guards: readonly FieldGuard[]): readonly FieldGuard[] {
  return guards.length === 0 ? noGuards : [...new Set(guards)];
}

const noGuards: readonly FieldGuard[] = [];

/** Returns the clauses that one of the access paths serves. */
export function indexedClauses(ways: readonly Pick<Access<never>, 'indexed'>[]): ReadonlySet<number> {
  return new Set(ways.flatMap(({ indexed }) => indexed));
}

/** Returns an access path that combines the best paths of all operands of an `or`; null if one operand has none. */
function findUnion<Item extends object>(
  operands: readonly Expression[],
  context: AccessContext<Item>,
): Pick<Access<Item>, 'probes' | 'guards'> | null {
  const found: Access<Item>[] = [];
  for (const operand of operands) {
    const best = bestOf(findAccesses(operand, context).ways);
    if (best === null) return null;
    found.push(best);
  }
  return { probes: found.flatMap(({ probes }) => probes), guards: found.flatMap(({ guards }) => guards) };
}

/** Returns the access path that the fewest rows match; null if none exists. */
export function bestOf<Item>(ways: readonly Access<Item>[]): Access<Item> | null {
  let best: Access<Item> | null = null;
  let min = Infinity;
  for (const way of ways) {
    const estimate = ways.length === 1 ? 0 : estimateOf(way);
    if (estimate >= min) continue;
    best = way;
    min = estimate;
  }
  return best;
}

/** Returns the estimated fraction of rows that an access path leads to its filter. */
export function estimateOf<Item>({ probes }: Access<Item>): number {
  return probes.reduce((sum, probe) => sum + probe.estimate(), 0);
}

/** Returns the fields that an expression may read. A field counts too if only a loop variable of that name is read. */
function readFieldsOf(ast: Expression, fields: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const names = selectorsOf(ast).map(({ path: [first = ''] }) => first);
  return new Set(names.filter((name) => fields.has(name)));
}

/** Whether a clause may exceed the limits for a row that its guards accept, which has no long lists. */
function exceeds(node: Expression, analysis: Analysis, limits: CostLimits): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.some((operand) => exceeds(operand, analysis, limits));
    case 'not':
      return exceeds(node.operand, analysis, limits);
    case 'match':
      return !looksIntoList(node, analysis) && mayExceed(node, analysis, limits);
    default:
      return mayExceed(node, analysis, limits);
  }
}

/** Whether a match searches a list field of the row. This is not charged if the list is short. */
function looksIntoList({ selector, aspect, value }: MatchExpression, analysis: Analysis): boolean {
  if (aspect !== 'value' || value?.kind === 'reference' || selector.path.length > 1) return false;
  return analysis.resolve(selector).type?.kind === 'list';
}
