import { formOf } from '../../language/operators/operators.js';
import type { Analysis } from '../../language/schema/analysis.js';
import { type Expression, literalsOf, type MatchExpression } from '../../language/syntax/ast.js';
import type { FieldIndex, KeyOfLiteral } from './frame/field-index.js';
import { intersectKeys, uniteKeys, type KeyRange, type KeySet } from './frame/key-range.js';
import { mayFail } from './can-fail.js';
import { behaviours } from './operators/behaviours.js';
import type { BoundOfLiteral, OrderedIndex } from './frame/ordered-index.js';

/** An index with what turns literals into its keys. */
export interface PlannedIndex {
  readonly index: FieldIndex;
  readonly keyOfLiteral: KeyOfLiteral;
}

/** An ordered index with what finds the place of a literal among its keys. */
export interface PlannedOrder {
  readonly index: OrderedIndex;
  readonly isText: boolean;
  readonly boundOf: BoundOfLiteral;
}

/** One way to find the rows of an expression. */
export interface FoundLookup {
  /** Which operand of the `and` it answers. */
  readonly clause: number;
  readonly index: FieldIndex;
  readonly keys: readonly string[];
}

/** One way to find the rows of an expression in an order. */
export interface FoundRange {
  /** Which operands of the `and` it answers, in their order. */
  readonly clauses: readonly number[];
  readonly index: OrderedIndex;
  readonly ranges: KeySet;
}

/** The operands of the `and` at the top, those of an `and` within it too: they are asked in this order. */
export function clausesOf(ast: Expression): readonly Expression[] {
  return ast.kind === 'and' ? ast.operands.flatMap(clausesOf) : [ast];
}

/**
 * The clauses that an index can answer. A row that the index passes over is one that the clauses before it would have
 * been asked about; so they must not fail, or an error that a scan reports would be missed. Limit errors are missed: nearly
 * every clause exceeds the limits for a row that is large enough, and an index is there to save such work.
 */
export function findLookups(
  clauses: readonly Expression[],
  analysis: Analysis,
  indexes: readonly PlannedIndex[],
): readonly FoundLookup[] {
  const lookups: FoundLookup[] = [];
  if (indexes.length === 0) return lookups;
  const byField = groupBy(indexes, ({ index }) => index.field);
  for (const [clause, node] of clauses.entries()) {
    const found = lookupOf(node, byField);
    if (found !== null) lookups.push({ clause, ...found });
    if (mayFail(node, analysis)) break;
  }
  return lookups;
}

type KeyProbe = Pick<FoundLookup, 'index' | 'keys'>;

/** Indexes by the names of their fields: there can be hundreds of them, and thousands of clauses. */
type IndexesByField = ReadonlyMap<string, readonly PlannedIndex[]>;

function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** A match that an index has the rows of, or an `or` of such matches on one field. */
function lookupOf(node: Expression, indexes: IndexesByField): KeyProbe | null {
  if (node.kind === 'match') return matchProbe(node, indexes);
  if (node.kind !== 'or') return null;
  const keys = new Set<string>();
  let index: FieldIndex | null = null;
  for (const operand of node.operands) {
    const found = lookupOf(operand, indexes);
    if (found === null || (index ??= found.index) !== found.index) return null;
    for (const key of found.keys) keys.add(key);
  }
  return index === null ? null : { index, keys: [...keys] };
}

function matchProbe(match: MatchExpression, indexes: IndexesByField): KeyProbe | null {
  const field = fieldOf(match);
  const ofField = field === null ? undefined : indexes.get(field);
  if (ofField === undefined) return null;
  const literals = literalsOf(match);
  if (literals.some(({ ignoreCase }) => ignoreCase)) return null;
  const { indexKeys } = behaviours[formOf(match.operator).operator.name];
  for (const { index, keyOfLiteral } of ofField) {
    const keys = indexKeys({ literals, isMultiple: index.isMultiple, keyOf: keyOfLiteral });
    if (keys !== null) return { index, keys: [...new Set(keys)] };
  }
  return null;
}

/** The field of the row whose own value a match holds against literals; null where it asks something else. */
function fieldOf({ operator, selector, aspect, value }: MatchExpression): string | null {
  if (formOf(operator).negated || aspect !== 'value' || value === null || value.kind === 'reference')
    return null;
  return selector.path.length === 1 ? (selector.path[0] ?? null) : null;
}

/**
 * The clauses that each ordered index can answer, all of them at once. As long as an index can be used, every row fits
 * the schema at its field; so of the clauses before another one only those must not fail which the index does not answer.
 * Bounds that ask for the clock are left to the scan where there is no instant.
 */
export function findRanges(
  clauses: readonly Expression[],
  analysis: Analysis,
  orders: readonly PlannedOrder[],
  now: number | null,
): readonly FoundRange[] {
  if (orders.length === 0) return [];
  const fieldNames = clauses.map(onlyFieldOf);
  const byField = groupBy([...clauses.keys()], (clause) => fieldNames[clause] ?? '');
  const failing = clauses.flatMap((node, clause) => (mayFail(node, analysis) ? [clause] : []));
  const fails = new Set(failing);
  return orders.flatMap((order): FoundRange[] => {
    const { field, compare } = order.index;
    const end = failing.find((clause) => fieldNames[clause] !== field) ?? clauses.length;
    const indexed: number[] = [];
    let ranges: KeySet | null = null;
    for (const clause of byField.get(field) ?? []) {
      const node = clauses[clause];
      if (node === undefined || clause > end) break;
      const found = keysOfNode(node, order, now);
      if (found !== null) {
        const keys = uniteKeys(found, compare);
        ranges = ranges === null ? keys : intersectKeys(ranges, keys, compare);
        indexed.push(clause);
      } else if (fails.has(clause)) break;
    }
    return ranges === null ? [] : [{ clauses: indexed, index: order.index, ranges }];
  });
}

/** The one field of the row that an expression holds against literals; null where there are others, or none. */
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

/** Where the rows of an expression are, in any order: a match, or an `or` or `and` of such matches on one field. */
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
  { index, isText, boundOf }: PlannedOrder,
  now: number | null,
): readonly KeyRange[] | null {
  if (fieldOf(match) !== index.field) return null;
  const { name, operand } = formOf(match.operator).operator;
  const { indexRanges } = behaviours[name];
  if (indexRanges === undefined) return null;
  return indexRanges({
    literals: literalsOf(match),
    isText,
    boundOf: (literal) => boundOf(literal, operand, now),
  });
}

/** The operands that are left to ask when some have been answered, in their order; null where there are none. */
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
