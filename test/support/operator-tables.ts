import { operandRuleOf, type Operator, type OperandRule } from '../../src/language/operators/operator.js';
import { operatorForms, operators, type OperatorName } from '../../src/language/operators/operators.js';
import { emptyCollectionResult } from '../../src/language/syntax/ast.js';
import type { ValueKind } from '../../src/language/values/kind.js';

const columns: readonly (readonly [ValueKind, string])[] = [
  ['string', 'string, time'],
  ['int', 'int, uint, float32, float64'],
  ['bool', 'bool'],
  ['list', 'list'],
  ['array', 'array'],
  ['map', 'map'],
  ['struct', 'struct'],
  ['nil', 'nil'],
];

const words: Readonly<Record<OperatorName, Partial<Record<OperandRule, string>>>> = {
  '==': { text: 'same text', coerce: 'literal coerced to the kind, then equal' },
  in: {
    text: 'contains the literal',
    elements: 'an element equals the literal',
    keys: 'has the literal as a key',
    'coerce-then-refuse': 'error `no-contains`, or that of the coercion',
  },
  matches: { text: 'the pattern is found in it' },
  '<': { order: 'below the literal in the order of the kind' },
  '<=': { order: 'below the literal or level with it' },
  '>': { order: 'above the literal' },
  '>=': { order: 'above the literal or level with it' },
  'in [..]': { text: 'a literal is the same text', coerce: 'a literal, coerced to the kind, equals it' },
  'starts with': { text: 'begins with the literal' },
  'ends with': { text: 'ends with the literal' },
  like: { text: 'has the form as a whole' },
  'is empty': { size: 'size 0 (nil too)' },
  'is nil': { nil: 'nil' },
};

/** The page `grammar/operators.md`, made from the one operator table of the engine. */
export function operatorTables(): string {
  return `${[
    '# Operators',
    'Made from `src/language/operators`; a test fails when the two differ.',
    '## Operators and what they negate',
    table(
      ['operator', 'operands', 'test', 'where the last key of the path is missing from an existing map'],
      operatorForms().map(({ name, operator, negated, whenAbsent }) => [
        code(name),
        operator.operand.operands === 'none' ? 'selector' : 'selector and value',
        negated ? `not ${code(operator.name)}` : 'itself',
        String(whenAbsent),
      ]),
    ),
    '`contains` is `in` and `not contains` is `not in` with the sides exchanged. A negated operator turns the result ' +
      'round and passes an error on: no kind makes `!=` true merely because it is another kind. ' +
      `Over an absent, empty or nil collection \`any\` is ${String(emptyCollectionResult.any)} and \`all\` is ${String(emptyCollectionResult.all)}.`,
    '## Tests by kind of value',
    table(
      ['test', ...columns.map(([, title]) => title)],
      operators.map((operator) => [code(operator.name), ...columns.map(([kind]) => cell(operator, kind))]),
    ),
    'The other kinds are, of the columns, what rows hold them as: `duration`, `ip` and `version` texts, and every kind with a unit ' +
      'an integer. What their literals mean there is told in `docs/language.md`.',
    'A nullable value that is not nil counts as the kind behind it. At level 0 `is nil` of a text, a number, a boolean or an array ' +
      'is the error `no-nil`, also if it is nullable; a nil is nil. `is nil` is false for every struct that is there.',
  ].join('\n\n')}\n`;
}

function cell(operator: Operator<OperatorName>, kind: ValueKind): string {
  const { name, refusal } = operator;
  const treatment = operandRuleOf(operator, kind);
  if (treatment === 'refuse') return `error ${code(refusal.code)}`;
  return words[name][treatment] ?? treatment;
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
