import fc from 'fast-check';
import { operatorForms, takesValue } from '../../src/language/operators/operators.js';
import type {
  BinaryOperator,
  CollectionBinding,
  CollectionExpression,
  Expression,
  MatchExpression,
  MatchOperator,
  Name,
  Selector,
  Value,
} from '../../src/language/syntax/ast.js';
import type { OracleSchema, OracleType } from './oracle-value.js';
import {
  anything,
  mostly,
  noSpan,
  pathsOf,
  pathWithin,
  selectorOf,
  type Surroundings,
} from './path-arbitraries.js';

/**
 * Arbitrary filters over rows of a shape, as trees in the form that the parser gives them (and/or flattened to the
 * right, no `not` over a `not`). Biased so that most selectors resolve and most operands fit. Spans are empty: make
 * text of a tree with `print`.
 */
export function expressionArbitrary(shape: OracleSchema, depth = 3): fc.Arbitrary<Expression> {
  const root: OracleType = { kind: 'struct', name: shape.root };
  return expressionWithin({ shape, names: [], paths: pathsOf(root, shape, []) }, depth);
}

/** One test of one field of a shape. */
export function matchArbitrary(shape: OracleSchema): fc.Arbitrary<MatchExpression> {
  const root: OracleType = { kind: 'struct', name: shape.root };
  return matchWithin({ shape, names: [], paths: pathsOf(root, shape, []) });
}

function expressionWithin(around: Surroundings, depth: number): fc.Arbitrary<Expression> {
  const match = matchWithin(around);
  if (depth === 0) return match;
  const smaller = expressionWithin(around, depth - 1);
  const operands = fc.array(smaller, { minLength: 2, maxLength: 3 });
  return fc.oneof(
    { weight: 3, arbitrary: match },
    { weight: 2, arbitrary: operands.map((list) => chainOf('and', list)) },
    { weight: 2, arbitrary: operands.map((list) => chainOf('or', list)) },
    { weight: 1, arbitrary: smaller.map(negationOf) },
    { weight: 3, arbitrary: collectionWithin(around, depth) },
    { weight: 1, arbitrary: alternativesWithin(around) },
  );
}

/** `F == a or F == b or ...` and `F != a and F != b and ...`: what people write for "one of these". */
function alternativesWithin(around: Surroundings): fc.Arbitrary<Expression> {
  const forms = fc.constantFrom(['or', '=='] as const, ['and', '!='] as const);
  return fc.tuple(pathWithin(around), forms).chain(([{ path, type }, [kind, operator]]) => {
    const match = fc.record({
      kind: fc.constant('match' as const),
      operator: fc.constant(operator),
      operatorSpan: fc.constant(noSpan),
      aspect: fc.constant('value' as const),
      selector: selectorOf(path),
      value: operandFor(operator, type),
      span: fc.constant(noSpan),
    });
    return fc.array(match, { minLength: 2, maxLength: 4 }).map((operands) => chainOf(kind, operands));
  });
}

/** A chain as the parser gives it: a last operand of the same kind is part of the chain. */
function chainOf(kind: 'and' | 'or', operands: readonly Expression[]): Expression {
  const last = operands.at(-1);
  const flat = last?.kind === kind ? [...operands.slice(0, -1), ...last.operands] : operands;
  return { kind, operands: flat, span: noSpan };
}

function negationOf(operand: Expression): Expression {
  return operand.kind === 'not' ? operand.operand : { kind: 'not', operand, span: noSpan };
}

// ---- collections

type BindingTexts = Readonly<Partial<Record<'default' | 'index' | 'value', string>>>;

/** Some hide fields, some are keywords, one clashes with itself. */
const bindingTexts: readonly BindingTexts[] = [
  { default: 'x' },
  { default: 's' },
  { default: 'in' },
  { index: 'i', value: 'v' },
  { index: 'k', value: 'x' },
  { index: 'i' },
  { value: 'not' },
  { index: 'x', value: 'x' },
];

function collectionWithin(around: Surroundings, depth: number): fc.Arbitrary<CollectionExpression> {
  const collections = around.paths.filter(({ type }) => ['list', 'array', 'map'].includes(type.kind));
  const path = collections.length === 0 ? pathWithin(around) : mostly(collections, pathWithin(around));
  return fc
    .tuple(path, fc.constantFrom('any' as const, 'all' as const), fc.constantFrom(...bindingTexts))
    .chain(([{ path: parts, type }, kind, texts]) =>
      fc.record({
        kind: fc.constant(kind),
        selector: selectorOf(parts).map(collectable),
        binding: fc.constant(bindingOf(texts)),
        body: expressionWithin(within(around, texts, type), depth - 1),
        span: fc.constant(noSpan),
      }),
    );
}

/** `any in as x` reads as the match `any in as`: such a name can be iterated only as a pointer. */
function collectable(selector: Selector): Selector {
  const isOperator =
    selector.path.length === 1 && ['in', 'contains', 'matches'].includes(selector.path[0] ?? '');
  return isOperator ? { ...selector, form: 'pointer' } : selector;
}

function bindingOf(texts: BindingTexts): CollectionBinding {
  const name = (text: string | undefined): Name | null =>
    text === undefined ? null : { text, span: noSpan };
  return { default: name(texts.default), index: name(texts.index), value: name(texts.value), span: noSpan };
}

/** The scope of a body: paths through the bound names in addition to those still visible. */
function within({ shape, names, paths }: Surroundings, texts: BindingTexts, type: OracleType): Surroundings {
  const key: OracleType = { kind: type.kind === 'map' ? 'string' : 'int' };
  const element = type.of ?? anything;
  const roles = { default: type.kind === 'map' ? key : element, index: key, value: element };
  const bound = Object.entries(texts);
  const hidden = new Set(bound.map(([, text]) => text));
  const outer = paths.filter(({ path: [first = ''] }) => !hidden.has(first));
  const inner = bound.flatMap(([role, text]) => pathsOf(roles[role as keyof BindingTexts], shape, [text]));
  // Bodies are about their elements more than about the row.
  const repeated = Array.from({ length: Math.ceil(outer.length / inner.length) }, () => inner).flat();
  return { shape, names: [...names, ...hidden], paths: [...outer, ...repeated] };
}

// ---- matches

function matchWithin(around: Surroundings): fc.Arbitrary<MatchExpression> {
  return pathWithin(around).chain(({ path, type }) =>
    operationOn(type.kind).chain((operator) =>
      fc.record({
        kind: fc.constant('match' as const),
        operator: fc.constant(operator),
        operatorSpan: fc.constant(noSpan),
        aspect: fc.constant('value' as const),
        selector: selectorOf(path),
        value: takesValue(operator) ? operandFor(operator, type) : fc.constant(null),
        span: fc.constant(noSpan),
      }),
    ),
  );
}

const operators = operatorForms().flatMap(({ name, operator }) => ('dialect' in operator ? [] : [name]));
const binaryOperators = operators.filter(takesValue);

const fittingOperators: Readonly<Record<string, readonly MatchOperator[]>> = {
  string: [...binaryOperators, 'is empty', 'is not empty'],
  list: ['in', 'not in', 'is empty', 'is not nil'],
  array: ['in', 'not in', 'is empty'],
  map: ['in', 'not in', 'is not empty', 'is nil'],
  struct: ['is nil', 'is not nil'],
  any: operators,
};

function operationOn(kind: string): fc.Arbitrary<MatchOperator> {
  return mostly(fittingOperators[kind] ?? ['==', '!='], fc.constantFrom(...operators));
}

/** Texts that rows hold too, so that tests are true now and then. */
export const sampleTexts = [
  '',
  'a',
  'ab',
  'web',
  'k',
  'x',
  'é',
  'x y',
  '/srv/x',
  'true',
  '5',
  'constructor',
  '😀',
  'A',
];

const sampleNumbers = [
  ...[
    '0',
    '-0',
    '5',
    '-5',
    '+5',
    '5.0',
    '16',
    '0x10',
    '0X1p4',
    '020',
    '0b1_0000',
    '1.5',
    '.5',
    '5.',
    '1e3',
    '0.1',
  ],
  ...['1_000', '1__0', '9007199254740993', '9007199254740992', '9223372036854775807', '9223372036854775808'],
  ...[
    '-9223372036854775808',
    '18446744073709551615',
    '18446744073709551616',
    '16777217',
    '1e400',
    '1e39',
    '5e-324',
  ],
  ...[
    'nan',
    'NaN',
    'inf',
    '-Infinity',
    '08',
    '0x',
    '99999999999999999999x',
    '1 ',
    '0.100000001490116119384765625',
  ],
];

const sampleBools = ['true', 'false', 'T', 'f', '1', '0', 'TRUE', 'tRUE', 'yes'];

const samplePatterns = [
  ...[
    '',
    'a',
    '^a',
    'b$',
    '^web$',
    '^(a+)+$',
    '(?i)^A',
    '.',
    '^.$',
    '[0-9]+',
    '\\d',
    '\\bx\\b',
    '[^a]',
    'a|x',
    '^$',
  ],
  ...[
    '(?m)^b$',
    'x.y',
    '(?s).',
    '\\pL',
    '(',
    '[',
    'a**',
    '\\z',
    '(?<n>a)',
    '(?=a)',
    'a{1001}',
    '\\u0061',
    '^é$',
    'a?b*',
  ],
];

function operandFor(operator: BinaryOperator, type: OracleType): fc.Arbitrary<Value> {
  const fitting = operator.endsWith('matches')
    ? samplePatterns
    : textsFor(type.kind === 'list' || type.kind === 'array' ? (type.of ?? anything) : type);
  const everything = [...sampleTexts, ...sampleNumbers, ...sampleBools, ...samplePatterns];
  return mostly(
    fitting,
    fc.oneof(fc.constantFrom(...everything), fc.string({ unit: 'binary', maxLength: 8 })),
  ).map(valueOf);
}

function textsFor({ kind }: OracleType): readonly string[] {
  if (['string', 'time', 'map', 'struct', 'list'].includes(kind)) return sampleTexts;
  if (kind === 'bool') return sampleBools;
  return kind === 'any' ? [...sampleTexts, ...sampleNumbers, ...sampleBools] : sampleNumbers;
}

/** A value as the parser gives it for a text that is written in the plainest way. */
export function valueOf(text: string): Value {
  const isNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text);
  const isBare = /^[a-zA-Z][a-zA-Z0-9_/]*(?:\.(?:[a-zA-Z][a-zA-Z0-9_/]*|[0-9]+))*$/.test(text);
  return {
    kind: 'value',
    text,
    wellFormed: true,
    ignoreCase: false,
    form: isNumber ? 'number' : isBare ? 'bare' : 'quoted',
    span: noSpan,
  };
}
