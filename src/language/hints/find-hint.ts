import type { Level } from '../syntax/dialect.js';
import type { ExpectationName } from '../syntax/expectation.js';
import type { Failure } from '../syntax/failure.js';
import { index, starPart } from './element-access.js';
import { listedValues, loneOperator, loneValue } from './elliptic-comparison.js';
import type { FieldKnowledge } from '../syntax/field-knowledge.js';
import {
  connective,
  equality,
  exclamation,
  inequality,
  misspeltWord,
  nothing,
  ordering,
} from './foreign-operator.js';
import { foreignQueries } from './foreign-query.js';
import { foreignSyntax } from './foreign-syntax.js';
import {
  foreignQuotes,
  placeholder,
  slashedPattern,
  unquotedPattern,
  unquotedValue,
  wildcard,
} from './foreign-value.js';
import { calls, literalCall } from './function-call.js';
import { fieldNames, spacedGuess } from './field-name.js';
import { afterOperand, expects, maxLookahead, type Hint, type HintRule } from './hint.js';
import {
  collection,
  fieldAlone,
  missingConnective,
  namelessElement,
  parenthesis,
  valueAlone,
} from './incomplete-term.js';
import { escape, escapedQuote, lineBreak } from './literal-escape.js';
import { literalContainer, quotedField, valueFirst } from './misplaced-operand.js';
import { missingTokens } from './missing-token.js';
import { typography } from './typography.js';
import { clockFirst, listReference, referenceFirst } from './reversed-match.js';
import { levelOneForms } from './level-one-forms.js';
import { operatorBelongs } from './operator-spelling.js';

/** Returns the hint of the first rule that applies to a syntax error; null if none exists. */
export function findHint(
  source: string,
  failure: Failure,
  fields: FieldKnowledge | null,
  level: Level,
): Hint | null {
  const { start } = failure.span;
  const before = source.slice(Math.max(0, start - maxLookahead), start);
  const context = { source, failure, rest: source.slice(start), before, fields, level };
  for (const rule of rules) {
    const hint = rule(context);
    if (hint !== null) return rule === fallback ? { ...hint, isGeneral: true } : hint;
  }
  return null;
}

/** Fallback hints, by the kind of token that was expected. */
const general: readonly (readonly [
  hint: string | ((level: Level) => string),
  expected: readonly ExpectationName[],
  before?: RegExp,
])[] = [
  [operatorBelongs, ['operator', 'negatable']],
  ['Expected `and`, `or` or the end of the filter after a comparison.', afterOperand],
  ['Write a comparison here, such as Status == "running".', ['operand']],
  ['Write a value here: a quoted string, a number, true or false.', ['value']],
  ['Put the value before `in` and the field after it: "x" in Tags.', ['membership']],
  ['Write another field of the row after @: Updated > @Created.', ['selector'], /@\s*$/],
  ['Separate the values of a list with commas: ["a", "b"].', ['listEnd']],
  ['Write values in the list: ["a", "b"].', ['listStart']],
  ['Compare the length with a number: len(Tags) > 3.', ['comparator']],
  ['len takes one field: len(Tags) > 3.', ['sizeEnd']],
  ['len takes one field: len(Tags) > 3.', ['selector'], /\blen\s*\(\s*$/],
  ['Use an ordering: Created > now - 7d.', ['clock']],
  [
    'A reference such as @Created is valid only after ==, !=, an ordering, contains, starts with or ends with.',
    ['reference'],
  ],
  ['Write a name or a number after the dot: Meta.owner, Tags.0.', ['part']],
];

const fallback: HintRule = (context) => {
  if (/^xor\b/i.test(context.rest)) return { hint: 'There is no xor; write (a and not b) or (b and not a).' };
  const found = general.find(
    ([, expected, before]) => expects(context, ...expected) && (before?.test(context.before) ?? true),
  );
  if (found === undefined) return null;
  const [hint] = found;
  return { hint: typeof hint === 'string' ? hint : hint(context.level) };
};

/** The first rule that applies wins, so specific rules come first. */
const rules: readonly HintRule[] = [
  ...typography,
  ...levelOneForms,
  ...fieldNames,
  referenceFirst,
  listReference,
  clockFirst,
  ...foreignQueries,
  quotedField,
  placeholder,
  ...foreignSyntax.early,
  loneValue,
  loneOperator,
  literalCall,
  calls,
  equality,
  inequality,
  ordering,
  ...foreignSyntax.middle,
  nothing,
  listedValues,
  connective,
  exclamation,
  fieldAlone,
  misspeltWord,
  ...foreignSyntax.late,
  foreignQuotes,
  literalContainer,
  valueFirst,
  valueAlone,
  slashedPattern,
  wildcard,
  unquotedPattern,
  unquotedValue,
  ...missingTokens,
  missingConnective,
  parenthesis,
  namelessElement,
  collection,
  starPart,
  index,
  escape,
  escapedQuote,
  lineBreak,
  spacedGuess,
  fallback,
];
