import type {
  CollectionBinding,
  Expression,
  MatchExpression,
  MatchOperator,
  MatchValue,
  Name,
  Selector,
  Value,
  ValueForm,
} from '../../src/language/syntax/ast.js';
import type { Draw } from './draw.js';
import { drawName } from './drawn-shape.js';
import type { Values } from './drawn-values.js';
import { isInstanceKind } from './oracle-instance.js';
import { anyType, type OracleSchema, type OracleType } from './oracle-value.js';
import { noSpan, pathsOf, type TypedPath } from './path-arbitraries.js';

interface Around {
  readonly draw: Draw;
  readonly values: Values;
  readonly shape: OracleSchema;
  /** Without a schema nothing is declared, and literals have to be what rows are. */
  readonly isTyped: boolean;
  readonly paths: readonly TypedPath[];
}

/** The right operand: anything, or what go-bexpr has there. */
const levels = { zero: 0, one: 1 } as const;

/** A filter about the rows of a shape, as the parser makes it; half of its tests are of level 1. */
export function drawFilter(draw: Draw, values: Values, shape: OracleSchema, isTyped: boolean): Expression {
  const root: OracleType = { kind: 'struct', name: shape.root };
  const paths = pathsOf(root, shape, [], 3).filter(({ path }) => canBeWritten(path));
  return drawExpression({ draw, values, shape, isTyped, paths }, draw.below(3));
}

const name = /^[a-zA-Z][a-zA-Z0-9_/]*$/;
const segment = /^[\p{L}\p{N}\-_.~:|/]+$/u;

/** A pointer has no empty parts, and only a pointer begins with what is no name. */
function canBeWritten(path: readonly string[]): boolean {
  return name.test(path[0] ?? '') || path.every((part) => segment.test(part));
}

function drawExpression(around: Around, depth: number): Expression {
  const { draw } = around;
  if (depth === 0) return drawMatch(around);
  const smaller = (): Expression => drawExpression(around, depth - 1);
  return draw.either<Expression>(
    [3, () => drawMatch(around)],
    [2, () => chainOf('and', draw.list(2, 3, smaller))],
    [2, () => chainOf('or', draw.list(2, 3, smaller))],
    [1, () => negationOf(smaller())],
    [3, () => drawCollection(around, depth)],
  );
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

function drawCollection(around: Around, depth: number): Expression {
  const { draw, shape } = around;
  const collections = around.paths.filter(({ type }) => ['list', 'array', 'map'].includes(type.kind));
  if (collections.length === 0) return drawMatch(around);
  const { path, type } = draw.pick(collections);
  const key: OracleType = { kind: type.kind === 'map' ? 'string' : 'int' };
  const element = type.of ?? anyType;
  const [one, two] = [bindingName(draw), bindingName(draw)];
  const toName = (text: string): Name => ({ text, span: noSpan });
  const [binding, bound] = draw.either<[CollectionBinding, [string, OracleType][]]>(
    [
      3,
      () => [
        { default: toName(one), index: null, value: null, span: noSpan },
        [[one, type.kind === 'map' ? key : element]],
      ],
    ],
    [2, () => [{ default: null, index: null, value: toName(one), span: noSpan }, [[one, element]]]],
    [1, () => [{ default: null, index: toName(one), value: null, span: noSpan }, [[one, key]]]],
    [
      one === two ? 0 : 1,
      () => [
        { default: null, index: toName(one), value: toName(two), span: noSpan },
        [
          [one, key],
          [two, element],
        ],
      ],
    ],
  );
  const outer = around.paths.filter(({ path: [first = ''] }) => !bound.some(([hidden]) => hidden === first));
  const inner = bound.flatMap(([text, of]) => pathsOf(of, shape, [text], 2));
  // Bodies are about their elements more than about the row.
  const paths = [
    ...outer,
    ...Array.from({ length: Math.ceil((2 * outer.length) / inner.length) + 1 }, () => inner).flat(),
  ];
  return {
    kind: draw.pick(['any', 'all']),
    selector: selectorOf(draw, path),
    binding,
    body: drawExpression({ ...around, paths }, depth - 1),
    span: noSpan,
  };
}

function bindingName(draw: Draw): string {
  const drawn = drawName(draw);
  return name.test(drawn) ? drawn : 'x';
}

/** Words that begin another parse are written in a pointer. */
const leading = ['not', 'any', 'all'];

function selectorOf(draw: Draw, path: readonly string[]): Selector {
  const [head = ''] = path;
  const canPoint = path.every((part) => segment.test(part));
  const mustPoint = !name.test(head) || leading.includes(head) || (path.length === 1 && isOperatorWord(head));
  const form = canPoint && (mustPoint || draw.oneIn(6)) ? 'pointer' : 'bexpr';
  return { kind: 'selector', form, path, partSpans: path.map(() => noSpan), span: noSpan };
}

/** `any in as x` reads as the match `any in as`. */
function isOperatorWord(head: string): boolean {
  return ['in', 'contains', 'matches', 'is', 'starts', 'ends', 'like'].includes(head);
}

// ---- matches

const orderings: readonly MatchOperator[] = ['<', '<=', '>', '>='];
const membership: readonly MatchOperator[] = ['in [..]', 'not in [..]'];
const affixes: readonly MatchOperator[] = ['starts with', 'ends with', 'not starts with', 'not ends with'];
const globs: readonly MatchOperator[] = ['like', 'not like'];
const equality: readonly MatchOperator[] = ['==', '!='];
const containment: readonly MatchOperator[] = ['in', 'not in'];

function drawMatch(around: Around): MatchExpression {
  const { draw } = around;
  if (around.paths.length === 0) return matchOf(draw, ['x'], '==', valueOf(draw, '1'));
  const { path, type } = drawPath(around);
  if (mayHaveLength(type) ? draw.oneIn(4) : draw.oneIn(60)) return drawLength(around, path);
  const operator = draw.oneIn(20) ? draw.pick(allOperators) : draw.pick(operatorsFor(type));
  return matchOf(draw, path, operator, drawOperand(around, operator, type, levels.one));
}

function matchOf(
  draw: Draw,
  path: readonly string[],
  operator: MatchOperator,
  value: MatchValue | null,
  aspect: MatchExpression['aspect'] = 'value',
): MatchExpression {
  const selector = selectorOf(draw, path);
  return { kind: 'match', operator, operatorSpan: noSpan, aspect, selector, value, span: noSpan };
}

/** Short paths are few, but what filters are about; some lead nowhere. */
function drawPath({ draw, paths }: Around): TypedPath {
  const short = paths.filter(({ path }) => path.length === 1);
  const found = draw.pick(draw.oneIn(2) || short.length === 0 ? paths : short);
  if (!draw.oneIn(25)) return found;
  return { path: [...found.path, draw.pick(['k', 'nosuch', '0', '1'])], type: anyType };
}

const allOperators: readonly MatchOperator[] = [
  ...orderings,
  ...membership,
  ...affixes,
  ...globs,
  ...equality,
  ...containment,
  ...(['matches', 'not matches', 'is empty', 'is not empty', 'is nil', 'is not nil'] as const),
];

function operatorsFor(type: OracleType): readonly MatchOperator[] {
  const isText =
    type.kind === 'string' || type.kind === 'any' || (isInstanceKind(type) && type.unit === undefined);
  if (isText) {
    return [
      ...orderings,
      ...membership,
      ...affixes,
      ...globs,
      ...equality,
      ...containment,
      'matches',
      'not matches',
      'is empty',
    ];
  }
  switch (type.kind) {
    case 'bool':
      return equality;
    case 'list':
    case 'array':
    case 'map':
      return [...containment, 'is empty', 'is not nil'];
    case 'struct':
      return ['is nil', 'is not nil'];
    default:
      return [...orderings, ...membership, ...equality];
  }
}

function mayHaveLength({ kind }: OracleType): boolean {
  return ['list', 'array', 'map', 'string', 'any'].includes(kind);
}

function drawLength(around: Around, path: readonly string[]): MatchExpression {
  const { draw } = around;
  const operator = draw.pick([...orderings, ...equality, ...membership]);
  const small = (): Value => valueOf(draw, draw.oneIn(20) ? '1.5' : String(draw.pick([0, 1, 2, 3, 5])));
  const number = { kind: 'int' };
  const value = membership.includes(operator)
    ? { kind: 'list' as const, elements: draw.list(0, 3, small), span: noSpan }
    : draw.oneIn(6)
      ? referenceTo(around, number)
      : small();
  return matchOf(draw, path, operator, value, 'length');
}

function drawOperand(
  around: Around,
  operator: MatchOperator,
  type: OracleType,
  level: 0 | 1,
): MatchValue | null {
  const { draw, values } = around;
  if (operator.startsWith('is ')) return null;
  const isContainer = containment.includes(operator);
  const of = isContainer && ['list', 'array'].includes(type.kind) ? (type.of ?? anyType) : type;
  const requests = type.kind === 'map' ? { kind: 'string' } : of;
  if (membership.includes(operator)) {
    const element = (): Value =>
      type.kind === 'ip' && draw.oneIn(3) ? valueOf(draw, values.block()) : drawBound(around, type);
    return { kind: 'list', elements: draw.list(0, 4, element), span: noSpan };
  }
  if (operator.endsWith('matches')) return foldable(draw, valueOf(draw, draw.pick(patterns), 'quoted'), type);
  if (operator.endsWith('like')) return foldable(draw, valueOf(draw, values.glob(), 'quoted'), type);
  if (level === 1 && draw.oneIn(5)) return referenceTo(around, requests);
  if (orderings.includes(operator)) return drawBound(around, type);
  return foldable(draw, drawLiteral(around, requests, operator.endsWith('with')), requests);
}

/** A literal of a type, also `now` for times. */
function drawBound(around: Around, type: OracleType): Value {
  const { draw, values } = around;
  if (type.kind === 'time' ? draw.oneIn(4) : draw.oneIn(150)) {
    if (draw.oneIn(2)) return { ...valueOf(draw, 'now', 'bare'), form: 'bare' };
    return valueOf(draw, `now ${draw.pick(['-', '+'])} ${values.distance()}`, 'now');
  }
  const literal = drawLiteral(around, type, false);
  return draw.oneIn(60) ? { ...literal, ...ignoring(literal) } : literal;
}

/** A literal; after an affix often the beginning or the end of row values. */
function drawLiteral({ draw, values }: Around, type: OracleType, isPart: boolean): Value {
  const text = values.literal(type);
  if (!isPart || text === '' || draw.oneIn(3)) return valueOf(draw, text);
  const points = [...text];
  const at = draw.below(points.length + 1);
  return valueOf(draw, (draw.oneIn(2) ? points.slice(at) : points.slice(0, at)).join(''));
}

/** Texts are now and then compared without regard to case. */
function foldable(draw: Draw, value: Value, type: OracleType): Value {
  const isText = type.kind === 'string' || type.kind === 'any';
  return (isText ? draw.oneIn(4) : draw.oneIn(60)) ? { ...value, ...ignoring(value) } : value;
}

function ignoring({ form }: Value): Pick<Value, 'ignoreCase' | 'form'> {
  return { ignoreCase: true, form: form === 'raw' ? 'raw' : 'quoted' };
}

function referenceTo(around: Around, type: OracleType): MatchValue {
  const { draw, paths } = around;
  const isNumber = (kind: string): boolean => ['int', 'uint', 'float32', 'float64'].includes(kind);
  const alike = paths.filter(
    ({ type: { kind } }) => kind === type.kind || (isNumber(kind) && isNumber(type.kind)),
  );
  const { path } = alike.length > 0 && !draw.oneIn(15) ? draw.pick(alike) : draw.pick(paths);
  return { kind: 'reference', selector: selectorOf(draw, path), span: noSpan };
}

const isNumberText = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;
const isBareText = /^[a-zA-Z][a-zA-Z0-9_/]*(?:\.(?:[a-zA-Z][a-zA-Z0-9_/]*|[0-9]+))*$/;
const isTypedText = /^[0-9][0-9A-Za-z_.:/+-]*$/;

/** A literal in one of the ways to write it. */
function valueOf(draw: Draw, text: string, form?: ValueForm): Value {
  const forms: ValueForm[] = [];
  // IPv6 needs quotes.
  if (isNumberText.test(text)) forms.push('number', 'number');
  else if (isTypedText.test(text) && !text.includes('::')) forms.push('typed');
  if (isBareText.test(text) && text !== 'now') forms.push('bare');
  forms.push('quoted');
  if (!/[`\r]/.test(text)) forms.push('raw');
  const chosen = form ?? draw.pick(forms);
  return { kind: 'value', text, wellFormed: true, ignoreCase: false, form: chosen, span: noSpan };
}

const patterns = [
  'a',
  '^a',
  '^web$',
  '',
  's',
  'k',
  '^.$',
  'a|b',
  '[a-c]',
  'ß',
  '\\d',
  '(',
  '^10\\.',
  'K',
  'é',
];
