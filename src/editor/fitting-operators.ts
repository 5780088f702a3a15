import { baseRules, operatorRule, type Treatment } from '../schema/operators.js';
import type { Type } from '../schema/type.js';
import { coercibleKindOf, valueKindOf } from '../schema/value-kind.js';
import type { MatchOperator } from '../syntax/ast.js';

/** An operator as it is written behind a selector. */
export interface WrittenOperator {
  readonly text: string;
  readonly operator: MatchOperator;
}

/** In the order in which they are offered. */
export const writtenOperators: readonly WrittenOperator[] = [
  { text: '==', operator: '==' },
  { text: '!=', operator: '!=' },
  { text: 'contains', operator: 'in' },
  { text: 'not contains', operator: 'not in' },
  { text: 'matches', operator: 'matches' },
  { text: 'not matches', operator: 'not matches' },
  { text: 'is empty', operator: 'is empty' },
  { text: 'is not empty', operator: 'is not empty' },
  { text: 'is nil', operator: 'is nil' },
  { text: 'is not nil', operator: 'is not nil' },
];

/** What an operator does with a value of the type; null where only the row can tell, `refuse` where it always fails. */
export function treatmentOf(operator: MatchOperator, type: Type): Treatment | null {
  if (type.kind === 'any') return null;
  const { base } = operatorRule(operator);
  // A nullable value may be nil, which these tests answer for every kind.
  if (base === 'is nil' && type.pointers > 0) return 'nil';
  const treatment = baseRules[base].treatments[valueKindOf(type)];
  if (treatment === 'coerce-then-refuse') return 'refuse';
  if (treatment === 'elements') return hasComparableElements(type) ? treatment : 'refuse';
  if (treatment === 'keys' && type.kind === 'map' && !type.textKeys) return 'refuse';
  return treatment;
}

function hasComparableElements(type: Type): boolean {
  if (type.kind !== 'list' && type.kind !== 'array') return false;
  const kind = valueKindOf(type.of);
  return type.of.kind === 'any' || kind === 'string' || kind === 'time' || coercibleKindOf(kind) !== null;
}

/** Whether any row can satisfy the operator on a value of the type. */
export function fits(operator: MatchOperator, type: Type): boolean {
  return treatmentOf(operator, type) !== 'refuse';
}

/** What an operator does, in a few words that follow the field's name. */
export function describeOperator(operator: MatchOperator, type: Type | null): string {
  const { base, negated } = operatorRule(operator);
  const treatment = type === null ? null : treatmentOf(operator, type);
  const [yes, no] = treatment === 'refuse' ? refused : phrases(base, treatment);
  return negated ? no : yes;
}

const refused = ['never applies to this kind', 'never applies to this kind'] as const;

function phrases(
  base: ReturnType<typeof operatorRule>['base'],
  treatment: Treatment | null,
): readonly [string, string] {
  switch (base) {
    case '==':
      return ['is equal to the value', 'is not equal to the value'];
    case 'matches':
      return ['has text that the pattern matches', 'has no text that the pattern matches'];
    case 'is empty':
      return ['has no elements, keys or characters', 'has elements, keys or characters'];
    case 'is nil':
      return ['is null', 'is not null'];
    case 'in':
      if (treatment === 'elements') return ['has an element equal to the value', 'has no such element'];
      if (treatment === 'keys') return ['has the value as a key', 'lacks the key'];
      if (treatment === 'text') return ['contains the text', 'does not contain the text'];
      return ['has the element, key or text', 'lacks the element, key or text'];
  }
}
