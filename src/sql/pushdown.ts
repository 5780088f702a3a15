import { literalsOf } from '../language/syntax/ast.js';
import { compileExpression } from '../filter/compile/compile.js';
import { defaultLimits } from '../language/diagnostics/limits.js';
import { formOf } from '../language/operators/operators.js';
import { analyse } from '../language/schema/analysis.js';
import { createPatternTable } from '../language/schema/pattern-table.js';
import type { Type } from '../language/schema/type.js';
import type { MatchExpression } from '../language/syntax/ast.js';

const known = new WeakMap<Type, Map<string, boolean>>();
/** Maximum number of results cached per type. Prevents filters from filling the memory with literals that are used once. */
const maxCached = 1_000;

/**
 * Returns the result of the positive form of a match for a value of a type, such as null. Evaluates the filter itself, so that
 * the rules for null are implemented only once. `value` is the same for equal names.
 */
export function resultOf(
  node: MatchExpression,
  type: Type,
  name: string,
  value: unknown,
  now: number | null,
): boolean {
  const { operator, aspect } = node;
  const literals = literalsOf(node).map(({ text, form, ignoreCase, wellFormed }) => [
    text,
    form,
    ignoreCase,
    wellFormed,
  ]);
  const key = JSON.stringify([name, operator, aspect, literals]);
  let results = known.get(type);
  if (results === undefined) known.set(type, (results = new Map()));
  const cached = results.get(key);
  if (cached !== undefined) return cached;
  if (results.size >= maxCached) results.clear();
  const result = testValues(node, type, [value], now)[0] !== formOf(operator).negated;
  results.set(key, result);
  return result;
}

/** Returns the results of a match, negated or not, for values of a type. */
export function testValues(
  node: MatchExpression,
  type: Type,
  values: readonly unknown[],
  now: number | null,
): readonly boolean[] {
  const field = { name: 'v', property: 'v', type, hidden: false };
  const fields = new Map([['v', field]]);
  const root = { kind: 'struct', name: null, fields, properties: fields, nullDepth: 0 } as const;
  const selector = { ...node.selector, path: ['v'], partSpans: [node.selector.span] };
  const { test } = compileExpression(
    { ...node, selector },
    {
      analysis: analyse(root),
      patterns: createPatternTable('', defaultLimits),
      policy: { source: '', unresolved: 'absent' },
      unknown: null,
      costLimits: defaultLimits,
      now,
    },
  );
  return values.map((value) => test({ v: value }));
}
