import {
  allOperatorRules,
  baseRules,
  emptyCollectionAnswer,
  type BaseOperator,
  type Treatment,
} from '../../src/schema/operators.js';
import type { ValueKind } from '../../src/values/kind.js';

const columns: readonly (readonly [ValueKind, string])[] = [
  ['string', 'string, time'],
  ['bool', 'bool, int, uint, float32, float64'],
  ['list', 'list'],
  ['array', 'array'],
  ['map', 'map'],
  ['struct', 'struct'],
  ['nil', 'nil'],
];

const words: Readonly<Record<BaseOperator, Partial<Record<Treatment, string>>>> = {
  '==': { text: 'same text', coerce: 'literal coerced to the kind, then equal' },
  in: {
    text: 'contains the literal',
    elements: 'an element equals the literal',
    keys: 'has the literal as a key',
    'coerce-then-refuse': 'error `no-contains`, or that of the coercion',
  },
  matches: { text: 'the pattern is found in it' },
  'is empty': { size: 'size 0 (nil too)' },
  'is nil': { nil: 'nil' },
};

/** The page `grammar/operators.md`, made from the one operator table of the engine. */
export function operatorTables(): string {
  return `${[
    '# Operators',
    'Made from `src/schema/operators.ts`; a test fails when the two differ.',
    '## Operators and what they negate',
    table(
      ['operator', 'operands', 'test', 'where the last key of the path is missing from an existing map'],
      allOperatorRules().map(({ operator, base, negated, arity, whenAbsent }) => [
        code(operator),
        arity === 1 ? 'selector and value' : 'selector',
        negated ? `not ${code(base)}` : 'itself',
        String(whenAbsent),
      ]),
    ),
    '`contains` is `in` and `not contains` is `not in` with the sides exchanged. A negated operator turns the result ' +
      'round and passes an error on: no kind makes `!=` true merely because it is another kind. ' +
      `Over an absent, empty or nil collection \`any\` is ${String(emptyCollectionAnswer.any)} and \`all\` is ${String(emptyCollectionAnswer.all)}.`,
    '## Tests by kind of value',
    table(
      ['test', ...columns.map(([, title]) => title)],
      (Object.keys(baseRules) as BaseOperator[]).map((base) => [
        code(base),
        ...columns.map(([kind]) => cell(base, kind)),
      ]),
    ),
    'A nullable value that is not nil counts as the kind behind it, except that `is nil` answers true for a nil and ' +
      'keeps its refusal for everything else. `is nil` is false for every struct that is there.',
  ].join('\n\n')}\n`;
}

function cell(base: BaseOperator, kind: ValueKind): string {
  const { treatments, refusal } = baseRules[base];
  const treatment = treatments[kind];
  if (treatment === 'refuse') return `error ${code(refusal)}`;
  return words[base][treatment] ?? treatment;
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
