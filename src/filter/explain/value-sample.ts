import { ABSENT, UNKNOWN } from '../compile/frame/sentinels.js';
import type { CompileContext } from '../compile/frame/compile-context.js';
import type { Predicate } from '../compile/frame/predicate.js';
import { compileSelector } from '../compile/reader.js';
import { requiresOrder } from '../../language/operators/operator.js';
import { formOf } from '../../language/operators/operators.js';
import { elementTypeOf, intType, type Type } from '../../language/schema/type.js';
import type { Expression, MatchExpression } from '../../language/syntax/ast.js';
import { withArticle } from '../../language/syntax/wording.js';
import { asData, entriesOf, isMap } from '../../language/values/data.js';
import { absentValue, describeObserved, scalarText } from './observed-value.js';
import { RangeSample, type ValueRange } from './range-sample.js';
import { lengthOf } from './relation.js';
import { ignoreFailure, visitMatches } from './visit-matches.js';

/** A value that a clause reads from rows, and the number of its occurrences. */
export interface ValueCount {
  /** The value as a literal, or a description of it. */
  readonly text: string;
  /** The value itself if it is a string, which a filter can compare with. */
  readonly plain: string | null;
  readonly count: number;
}

/** Counts values, up to a maximum number of distinct ones. Beyond it, only known values are counted further. */
export interface ValueSample {
  readonly clause: MatchExpression;
  take(row: unknown): void;
  /** Returns the counts, most frequent first; equally frequent values are in string order. */
  counts(): ValueCount[];
  /**
   * The range of all values, including those that were not counted; null if the clause is not an ordering, or there are no
   * values.
   */
  range(): ValueRange | null;
  /** True if there are more distinct values than were counted. */
  isCut(): boolean;
}

/** Maximum number of elements and keys read per row. Prevents a row with a million elements from stalling. */
const maxParts = 1_000;

/** Collects the values that a clause, or the only match inside it, reads from rows. Null if there is no such match. */
export function createValueSample(
  clause: Expression,
  context: CompileContext,
  maxValues: number,
): ValueSample | null {
  const match = soleMatch(clause);
  if (match === null) return null;
  const counted = new Map<string, { plain: string | null; count: number }>();
  let isCut = false;
  const add = (text: string, plain: string | null): void => {
    const known = counted.get(text);
    if (known !== undefined) known.count += 1;
    else if (counted.size < maxValues) counted.set(text, { plain, count: 1 });
    else isCut = true;
  };
  const budget = { left: maxParts };
  const range = requiresOrder(formOf(match.operator).operator) ? new RangeSample() : null;
  const sink: Sink = { add, budget, range };
  const visit = visitMatches(clause, context, {
    budget,
    match: (node, inside) => visitValue(node, inside, sink),
    collection: (_node, _context, compileWalk) => compileWalk(),
  });
  return {
    clause: match,
    take(row) {
      budget.left = maxParts;
      ignoreFailure(() => visit(row));
    },
    counts: () =>
      [...counted]
        .map(([text, { plain, count }]) => ({ text, plain, count }))
        .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1)),
    range: () => range?.range() ?? null,
    isCut: () => isCut,
  };
}

/** Returns the only match of a clause: the clause itself, the operand of `not`, or the whole body of a collection. */
function soleMatch(clause: Expression): MatchExpression | null {
  switch (clause.kind) {
    case 'match':
      return clause;
    case 'not':
      return soleMatch(clause.operand);
    case 'any':
    case 'all':
      return soleMatch(clause.body);
    default:
      return null;
  }
}

type Add = (text: string, plain: string | null) => void;

/** Receives the values and limits the number of elements read from the current row. */
interface Sink {
  readonly add: Add;
  readonly budget: { left: number };
  /** The range of the values; null if order does not matter. */
  readonly range: RangeSample | null;
}

/** Creates a predicate that passes every value that a match reads to the sink. Its result is meaningless. */
function visitValue(match: MatchExpression, context: CompileContext, sink: Sink): Predicate {
  const { read, type: own } = compileSelector(context, match.selector);
  const isLength = match.aspect === 'length';
  const type = isLength ? intType : own;
  const looksInside = formOf(match.operator).operator.equates === 'part';
  return (row) => {
    const found = read(row);
    const isThere = found !== ABSENT && found !== UNKNOWN;
    const value = isLength && isThere ? lengthOf(found ?? [], own) : found;
    if (isThere) sink.range?.take(value, type);
    if (value === ABSENT) sink.add(absentValue.text, null);
    else if (value !== UNKNOWN && looksInside && typeof value === 'object' && value !== null) {
      addParts(value, type, sink);
    } else if (value !== UNKNOWN) addValue(value, type, sink.add);
    return false;
  };
}

function addValue(value: unknown, type: Type | null, add: Add): void {
  const { text, kind } = describeObserved(value, type);
  // A whole list or map cannot be compared, and nearly every one would be a distinct value.
  const isSeveral = kind === 'list' || kind === 'array' || kind === 'map';
  add(isSeveral ? withArticle(kind) : text, typeof value === 'string' ? value : null);
}

/** Adds the elements of a list or the keys of a map, which `in` compares with. */
function addParts(value: object, type: Type | null, { add, budget }: Sink): void {
  if (Array.isArray(value)) {
    const of = elementTypeOf(type);
    for (const element of value.slice(0, Math.max(0, budget.left)) as unknown[])
      addValue(asData(element), of, add);
    budget.left -= value.length;
    return;
  }
  if (type !== null && type.kind !== 'map' && type.kind !== 'any') return;
  if (!isMap(value)) return;
  for (const [key] of entriesOf(value) ?? []) {
    budget.left -= 1;
    if (budget.left < 0) return;
    add(scalarText(key), key);
  }
}
