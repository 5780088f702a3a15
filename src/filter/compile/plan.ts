import { formOf } from '../../language/operators/operators.js';
import type { Analysis } from '../../language/schema/analysis.js';
import { type Expression, literalsOf, type MatchExpression } from '../../language/syntax/ast.js';
import type { FieldIndex, IndexTraits } from './frame/field-index.js';
import { intersectKeys, uniteKeys, type KeyRange, type KeySet } from './frame/key-range.js';
import { mayFail } from './can-fail.js';
import { behaviours } from './operators/behaviours.js';
import type { OrderedIndex, OrderTraits } from './frame/ordered-index.js';

/** An index and the function that converts literals to its keys. */
export interface PlannedIndex extends Omit<IndexTraits, 'schema'> {
  readonly index: FieldIndex;
}

/** An ordered index and the function that finds the position of a literal among its keys. */
export interface PlannedOrder extends Omit<OrderTraits, 'schema'> {
  readonly index: OrderedIndex;
}

/** A way to look up the rows of an expression. */
export interface FoundLookup {
  /** Index of the `and` operand that it serves. */
  readonly clause: number;
  readonly index: FieldIndex;
  readonly keys: readonly string[];
}

/** A way to find the rows of an expression by ranges. */
export interface FoundRange {
  /** Indexes of the `and` operands that it serves, ascending. */
  readonly clauses: readonly number[];
  readonly index: OrderedIndex;
  readonly ranges: KeySet;
}

/** Returns the operands of the top-level `and`, including those of a nested `and`, in evaluation order. */
export function clausesOf(ast: Expression): readonly Expression[] {
  return ast.kind === 'and' ? ast.operands.flatMap(clausesOf) : [ast];
}

/**
 * Returns the clauses that an index can serve. The index skips rows on which a scan would evaluate the earlier clauses. So these
 * must not be able to throw, or an error of the scan would be missed. Limit errors may be missed: nearly every clause exceeds the
 * limits for a large enough row, and an index exists to save such work.
 */
export function findLookups(
  clauses: readonly Expression[],
  analysis: Analysis,
  indexes: IndexesByField,
): readonly FoundLookup[] {
  const lookups: FoundLookup[] = [];
  for (const [clause, node] of indexes.size === 0 ? [] : clauses.entries()) {
    const fails = mayFail(node, analysis);
    // An index of a nullable field skips rows with null, for which the clause may throw.
    const found = lookupOf(node, indexes, fails);
    if (found !== null) lookups.push({ clause, ...found });
    if (fails) break;
  }
  return lookups;
}

type KeyProbe = Pick<FoundLookup, 'index' | 'keys'>;

/** Indexes by field name. There can be hundreds of indexes and thousands of clauses. */
export type IndexesByField = ReadonlyMap<string, readonly PlannedIndex[]>;

export function groupByField(indexes: readonly PlannedIndex[]): IndexesByField {
  return groupBy(indexes, ({ path }) => nameOfPath(path));
}

function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Returns the lookup for a match that an index serves, or for an `or` of such matches on one field. */
function lookupOf(node: Expression, indexes: IndexesByField, skipsNullable: boolean): KeyProbe | null {
  if (node.kind === 'match') return matchProbe(node, indexes, skipsNullable);
  if (node.kind !== 'or') return null;
  const keys = new Set<string>();
  let index: FieldIndex | null = null;
  for (const operand of node.operands) {
    const found = lookupOf(operand, indexes, skipsNullable);
    if (found === null || (index ??= found.index) !== found.index) return null;
    for (const key of found.keys) keys.add(key);
  }
  return index === null ? null : { index, keys: [...keys] };
}

function matchProbe(
  match: MatchExpression,
  indexes: IndexesByField,
  skipsNullable: boolean,
): KeyProbe | null {
  const field = fieldOf(match);
  const ofField = field === null ? undefined : indexes.get(field);
  if (ofField === undefined) return null;
  const literals = literalsOf(match);
  if (literals.some(({ ignoreCase }) => ignoreCase)) return null;
  const { indexKeys } = behaviours[formOf(match.operator).operator.name];
  for (const { index, keyOfLiteral, isNullable } of ofField) {
    if (skipsNullable && isNullable) continue;
    const keys = indexKeys({ literals, isMultiple: index.isMultiple, keyOf: keyOfLiteral });
    if (keys !== null) return { index, keys: [...new Set(keys)] };
  }
  return null;
}

/** Returns the field whose own value a match compares with literals; null for any other match. */
function fieldOf({ operator, selector, aspect, value }: MatchExpression): string | null {
  if (formOf(operator).negated || aspect !== 'value' || value === null || value.kind === 'reference')
    return null;
  return nameOfPath(selector.path);
}

/** Returns a name that is unique for the path. */
function nameOfPath(path: readonly string[]): string {
  return path.join('\0');
}

/**
 * Returns all clauses that each ordered index can serve. If an index can be used, every row matches the schema at its field. So
 * only earlier clauses that it does not serve must be unable to throw. If `now` is null, bounds that depend on the clock are left
 * to the scan.
 */
export function findRanges(
  clauses: readonly Expression[],
  analysis: Analysis,
  orders: readonly PlannedOrder[],
  now: number | null,
): readonly FoundRange[] {
  if (orders.length === 0) return [];
  const fieldNames = clauses.map(onlyFieldOf);
  const fields = new Set(fieldNames);
  const used = orders.filter(({ path }) => fields.has(nameOfPath(path)));
  if (used.length === 0) return [];
  const byField = groupBy([...clauses.keys()], (clause) => fieldNames[clause] ?? '');
  const failing = clauses.flatMap((node, clause) => (mayFail(node, analysis) ? [clause] : []));
  const fails = new Set(failing);
  return used.flatMap((order): FoundRange[] => {
    const { compare } = order.index;
    const field = nameOfPath(order.path);
    const end = failing.find((clause) => fieldNames[clause] !== field) ?? clauses.length;
    const indexed: number[] = [];
    let ranges: KeySet | null = null;
    for (const clause of byField.get(field) ?? []) {
      const node = clauses[clause];
      // The index skips rows with null, for which a clause may throw.
      if (node === undefined || clause > end || (order.isNullable && fails.has(clause))) break;
      const found = keysOfNode(node, order, now);
      if (found !== null) {
        const keys = uniteKeys(found, compare);
        ranges = ranges === null ? keys : intersectKeys(ranges, keys, compare);
        indexed.push(clause);
      } else if (fails.has(clause)) break;
    }
    return ranges === null ? [] : [{ clauses: indexed.slice(), index: order.index, ranges }];
  });
}

/** Returns the only field that an expression compares with literals; null if there are several or none. */
function onlyFieldOf(node: Expression): string | null {
  if (node.kind === 'match') return fieldOf(node);
  if (node.kind !== 'or' && node.kind !== 'and') return null;
  let field: string | null = null;
  for (const operand of node.operands) {
    const own = onlyFieldOf(operand);
    if (own === null || (field ??= own) !== own) return null;
  }
  return field;
}

/**
 * Returns the key ranges of the rows of an expression, in any order: a match, or an `or` or `and` of such matches on one field.
 */
function keysOfNode(node: Expression, order: PlannedOrder, now: number | null): readonly KeyRange[] | null {
  if (node.kind === 'match') return keysOfMatch(node, order, now);
  if (node.kind !== 'or' && node.kind !== 'and') return null;
  const found: (readonly KeyRange[])[] = [];
  for (const operand of node.operands) {
    const ranges = keysOfNode(operand, order, now);
    if (ranges === null) return null;
    found.push(ranges);
  }
  if (node.kind === 'or') return found.flat();
  const { compare } = order.index;
  return found
    .map((ranges) => uniteKeys(ranges, compare))
    .reduce((both, ranges) => intersectKeys(both, ranges, compare));
}

function keysOfMatch(
  match: MatchExpression,
  { path, isText, boundOf }: PlannedOrder,
  now: number | null,
): readonly KeyRange[] | null {
  if (fieldOf(match) !== nameOfPath(path)) return null;
  const { name, operand } = formOf(match.operator).operator;
  const { indexRanges } = behaviours[name];
  if (indexRanges === undefined) return null;
  return indexRanges({
    literals: literalsOf(match),
    isText,
    boundOf: (literal) => boundOf(literal, operand, now),
  });
}

/** Returns the operands that remain after some have been served, in order; null if none exist. */
export function clausesWithout(
  clauses: readonly Expression[],
  indexed: readonly number[],
): Expression | null {
  const without = new Set(indexed);
  const operands = clauses.filter((_, at) => !without.has(at));
  const [first, second] = operands;
  if (first === undefined) return null;
  return second === undefined ? first : { kind: 'and', operands, span: first.span };
}
