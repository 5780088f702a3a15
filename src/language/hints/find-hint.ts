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
import { clockFirst, referenceFirst } from './reversed-match.js';
import { levelOneForms } from './level-one-forms.js';
import { operatorBelongs } from './operator-spelling.js';

/** Returns the hint of the first rule that applies to a syntax error; null if there is none. */
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

/** Fallback hints, by what was expected at the place. */
const general: readonly (readonly [
  hint: string | ((level: Level) => string),
  expected: readonly ExpectationName[],
  before?: RegExp,
])[] = [
  [operatorBelongs, ['operator', 'negatable']],
  ['Behind a comparison stands and, or, or nothing.', afterOperand],
  ['A comparison belongs here, such as Status == "running".', ['operand']],
  ['A value belongs here: text in quotes, a number, true or false.', ['value']],
  ['Behind a value stands in and the field to look in: "x" in Tags.', ['membership']],
  ['Behind @ stands another field of the row: Updated > @Created.', ['selector'], /@\s*$/],
  ['Separate the values of a list with commas, and close it with ]: ["a", "b"].', ['listEnd']],
  ['A list holds values: ["a", "b"].', ['listStart']],
  ['A length is compared with a number: len(Tags) > 3.', ['comparator']],
  ['What is measured is one field: len(Tags) > 3.', ['sizeEnd']],
  ['What is measured is one field: len(Tags) > 3.', ['selector'], /\blen\s*\(\s*$/],
  ['Write an ordering: Created > now - 7d.', ['clock']],
  ['@ stands behind ==, !=, an ordering, contains, starts with and ends with only.', ['reference']],
  ['Behind a dot stands a name or a number: Meta.owner, Tags.0.', ['part']],
];

const fallback: HintRule = (context) => {
  if (/^xor\b/i.test(context.rest)) return { hint: 'There is no xor: write (a and not b) or (b and not a).' };
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
  referenceFirst,
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
  fallback,
];
