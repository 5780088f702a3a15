import { clockDistance, isClock } from '../../src/language/schema/clock-literal.js';
import type { Schema } from '../../src/language/schema/schema.js';
import type { Type } from '../../src/language/schema/type.js';
import type {
  CollectionExpression,
  Expression,
  MatchExpression,
  Selector,
  Value,
} from '../../src/language/syntax/ast.js';
import { foldText } from '../../src/language/values/case-fold.js';
import { parseGoInt } from '../../src/language/values/go-number.js';
import { compileGlob, parseGlob } from '../../src/language/values/glob.js';
import { instanceKindOf, scalarKinds } from '../../src/language/values/instance/index.js';
import { shiftInstant, type Instant } from '../../src/language/values/instance/time.js';
import { coerceBool, coerceNumber } from '../../src/language/values/operand.js';
import { compilePattern, createShared } from '../../src/language/values/pattern/index.js';
import { compareBytewise } from '../../src/language/values/utf8-order.js';
import { limitsOf } from '../../src/language/diagnostics/options.js';

/** True, false, or unknown. */
export type Truth = boolean | undefined;

/**
 * Returns the value of a filter for a row in Kleene's three-valued logic: an independent reference for `unresolved: 'deny'`. It
 * walks the tree and reads nothing of the compiler. It uses the parsers and orders of single values only. The clock is at `now`.
 */
export function evaluate(
  expression: Expression,
  schema: Schema,
  row: unknown,
  now: Instant = Date.UTC(2026, 10, 1),
): Truth {
  return truthOf(expression, { root: { type: schema.root, value: row }, bound: new Map(), now });
}

/** A value with its declared type. The value is {@link missing} if there is none. */
interface Found {
  readonly type: Type;
  readonly value: unknown;
  /** Whether it is the index of a list without a declared type. */
  readonly isIndex?: boolean;
}

interface Scope {
  readonly root: Found;
  readonly bound: ReadonlyMap<string, Found>;
  readonly now: Instant;
}

const missing = Symbol('missing');
const any: Type = { kind: 'any', nullDepth: 0 };
const text: Type = { kind: 'string', nullDepth: 0 };
const whole: Type = { kind: 'int', nullDepth: 0 };

export function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

export function or(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.includes(undefined) ? undefined : false;
}

export function and(truths: readonly Truth[]): Truth {
  return not(or(truths.map(not)));
}

function truthOf(node: Expression, scope: Scope): Truth {
  switch (node.kind) {
    case 'and':
      return and(node.operands.map((operand) => truthOf(operand, scope)));
    case 'or':
      return or(node.operands.map((operand) => truthOf(operand, scope)));
    case 'not':
      return not(truthOf(node.operand, scope));
    case 'match':
      return matchOf(node, scope);
    default:
      return collectionOf(node, scope);
  }
}

// ---- values

/** A value as data: a Set is a list, a Date is its string. */
function toData(value: unknown): unknown {
  if (value instanceof Set) return [...value];
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? missing : value.toISOString();
  return value;
}

function isMapLike(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof Set || value instanceof Date || ArrayBuffer.isView(value));
}

function entry(map: object, key: string): unknown {
  if (map instanceof Map) return map.has(key) ? map.get(key) : missing;
  const value: unknown = Object.hasOwn(map, key) ? (map as Record<string, unknown>)[key] : undefined;
  return value === undefined ? missing : value;
}

/** The kind in which rows store values of a type. */
function storedKind(type: Type): 'string' | 'number' | 'bool' | 'list' | 'map' | 'any' {
  switch (type.kind) {
    case 'any':
      return 'any';
    case 'list':
    case 'array':
      return 'list';
    case 'map':
    case 'struct':
      return 'map';
    default: {
      if ('unit' in type && type.unit !== undefined) return 'number';
      const { storedAs } = scalarKinds[type.kind];
      if (storedAs === 'bool') return 'bool';
      return storedAs === 'string' || storedAs === 'time' ? 'string' : 'number';
    }
  }
}

function kindOfValue(value: unknown): 'string' | 'number' | 'bool' | 'list' | 'map' | 'other' {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'list';
  return isMapLike(value) ? 'map' : 'other';
}

/** Whether a value is present, not null, of its kind, and not NaN. */
function isKnown({ type, value }: Found): boolean {
  if (value === null || value === undefined || value === missing) return false;
  if (typeof value === 'number' && Number.isNaN(value)) return false;
  const kind = kindOfValue(value);
  const expected = storedKind(type);
  return expected === 'any' ? kind !== 'other' : kind === expected;
}

// ---- paths

function find({ path: [first = '', ...rest], path }: Pick<Selector, 'path'>, scope: Scope): Found {
  const bound = scope.bound.get(first);
  return bound === undefined ? follow(scope.root, path) : follow(bound, rest);
}

function follow(from: Found, path: readonly string[]): Found {
  let found: Found = { ...from, value: toData(from.value) };
  for (const part of path) {
    const next = step(found, part);
    found = { type: next.type, value: toData(next.value) };
  }
  return found;
}

function step({ type, value }: Found, part: string): Found {
  const nothing = (of: Type): Found => ({ type: of, value: missing });
  switch (type.kind) {
    case 'struct': {
      const field = type.fields.get(part);
      const of = field?.type ?? any;
      return isMapLike(value) ? { type: of, value: entry(value, field?.property ?? part) } : nothing(of);
    }
    case 'map': {
      const key = type.integerKeys ? String(part === '' ? 0n : parseGoInt(part)) : part;
      return isMapLike(value) ? { type: type.of, value: entry(value, key) } : nothing(type.of);
    }
    case 'list':
    case 'array':
      return { type: type.of, value: element(value, part) };
    case 'any':
      return { type: any, value: isMapLike(value) ? entry(value, part) : element(value, part) };
    default:
      return nothing(any);
  }
}

function element(list: unknown, part: string): unknown {
  if (!Array.isArray(list)) return missing;
  const index = part === '' ? 0n : parseGoInt(part);
  const value: unknown = typeof index === 'string' ? undefined : list[Number(index)];
  return value === undefined ? missing : value;
}

// ---- any and all

function collectionOf(node: CollectionExpression, scope: Scope): Truth {
  const { type, value } = find(node.selector, scope);
  const body = (key: Found, of: Found, isMap: boolean): Truth => {
    const { binding } = node;
    const bound = new Map(scope.bound);
    if (binding.index !== null) bound.set(binding.index.text, key);
    if (binding.value !== null) bound.set(binding.value.text, of);
    if (binding.default !== null) bound.set(binding.default.text, isMap ? key : of);
    return truthOf(node.body, { ...scope, bound });
  };
  const truths = elementTruths(type, value, body);
  if (truths === null) return undefined;
  return node.kind === 'any' ? or(truths) : and(truths);
}

function elementTruths(
  type: Type,
  value: unknown,
  body: (key: Found, of: Found, isMap: boolean) => Truth,
): Truth[] | null {
  const mayBeList = type.kind === 'list' || type.kind === 'array' || type.kind === 'any';
  const mayBeMap = type.kind === 'map' || type.kind === 'any';
  const of = 'of' in type ? type.of : any;
  if (mayBeList && Array.isArray(value)) {
    const length = type.kind === 'array' ? Math.max(type.length, value.length) : value.length;
    const isIndex = type.kind === 'any';
    return Array.from({ length }, (_, at) =>
      body(
        { type: isIndex ? any : whole, value: at, isIndex },
        { type: of, value: value[at] ?? null },
        false,
      ),
    );
  }
  if (!mayBeMap || !isMapLike(value)) return null;
  const keys: unknown[] = value instanceof Map ? [...value.keys()] : Object.keys(value);
  if (!keys.every((key) => ['string', 'number', 'bigint'].includes(typeof key))) return null;
  return keys.flatMap((key) => {
    const each: unknown =
      value instanceof Map ? value.get(key) : (value as Record<string, unknown>)[String(key)];
    return each === undefined
      ? []
      : [
          body(
            { type: type.kind === 'any' ? any : text, value: String(key) },
            { type: of, value: each },
            true,
          ),
        ];
  });
}

// ---- matches

const negations: Readonly<Record<string, string>> = {
  '!=': '==',
  'not in': 'in',
  'not in [..]': 'in [..]',
  'not matches': 'matches',
  'not starts with': 'starts with',
  'not ends with': 'ends with',
  'not like': 'like',
  'is not empty': 'is empty',
  'is not nil': 'is nil',
};

function matchOf(node: MatchExpression, scope: Scope): Truth {
  const positive = negations[node.operator];
  if (positive !== undefined) return not(matchOf({ ...node, operator: positive as '==' }, scope));
  const found = find(node.selector, scope);
  if (node.operator === 'is nil') {
    if (found.value === null) return true;
    return isKnown({ ...found, value: Number.isNaN(found.value) ? 0 : found.value }) ? false : undefined;
  }
  if (!isKnown(found)) return undefined;
  if (node.operator === 'is empty') return lengthOf(found) === null ? undefined : lengthOf(found) === 0;
  const own = node.aspect === 'value' ? found : { type: whole, value: lengthOf(found) };
  if (own.value === null) return undefined;
  const { value } = node;
  if (value?.kind === 'reference') {
    const other = find(value.selector, scope);
    return isKnown(other) ? comparePair(node.operator, own, other) : undefined;
  }
  if (value?.kind === 'list') return inList(own, value.elements, scope.now);
  return value === null ? undefined : compareLiteral(node, own, value, scope.now);
}

function lengthOf({ type, value }: Found): number | null {
  if (type.kind === 'array') return type.length;
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map) return [...value.values()].filter((each) => each !== undefined).length;
  return isMapLike(value) ? Object.values(value).filter((each) => each !== undefined).length : null;
}

/** The type of a value of undeclared kind. */
function openType({ type, value, isIndex }: Found): Type | null {
  if (type.kind !== 'any') return type;
  switch (kindOfValue(value)) {
    case 'string':
      return text;
    case 'number':
      return isIndex === true || (typeof value === 'bigint' && BigInt.asIntN(64, value) === value)
        ? whole
        : { kind: 'float64', nullDepth: 0 };
    case 'bool':
      return { kind: 'bool', nullDepth: 0 };
    case 'list':
      return { kind: 'list', of: any, nullDepth: 0 };
    case 'map':
      return { kind: 'map', of: any, textKeys: true, integerKeys: false, nullDepth: 0 };
    default:
      return null;
  }
}

function compareLiteral(node: MatchExpression, own: Found, literal: Value, now: Instant): Truth {
  const { operator } = node;
  const type = openType(own);
  if (type === null) return undefined;
  const isOpen = own.type.kind === 'any';
  switch (operator) {
    case '==':
      return equalsLiteral(own.value, type, literal, isOpen);
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const order = orderOf(own.value, type, literal, isOpen, now);
      if (order === undefined) return undefined;
      return { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[operator];
    }
    case 'in':
      return containsLiteral(own, type, literal, isOpen);
    default:
      return typeof own.value === 'string' && !(isOpen && isInstanceForm(literal))
        ? textTest(operator, own.value, literal)
        : undefined;
  }
}

function isInstanceForm({ form }: Value): boolean {
  return form === 'typed' || form === 'now';
}

function textTest(operator: string, value: string, literal: Value): Truth {
  const { text: word, ignoreCase, wellFormed } = literal;
  const [left, right] = ignoreCase ? [foldText(value), foldText(word)] : [value, word];
  switch (operator) {
    case 'starts with':
      return wellFormed && left.startsWith(right);
    case 'ends with':
      return wellFormed && left.endsWith(right);
    case 'like': {
      const glob = parseGlob(word);
      return glob === null ? undefined : wellFormed && compileGlob(glob, ignoreCase).test(value);
    }
    case 'matches': {
      const { maxCompileSteps, maxPatternLength, maxPatternSize } = limitsOf({});
      const source = ignoreCase ? `(?i)${word}` : word;
      return compilePattern(source, { maxPatternLength, maxPatternSize }, createShared(maxCompileSteps)).test(
        value,
      );
    }
    default:
      throw new TypeError(`${operator} is unknown here`);
  }
}

/** `==`: by value if the literal denotes an instance of the kind, else as a string, a number or a boolean. */
function equalsLiteral(value: unknown, type: Type, literal: Value, isOpen: boolean): Truth {
  const kind = instanceKindOf(type);
  if (isOpen && isInstanceForm(literal)) return undefined;
  if (kind !== null && !literal.ignoreCase) {
    const isPlain = !kind.isText && typeof coerceNumber(literal, 'int') !== 'string';
    const instance = isPlain ? null : kind.parse(literal.text);
    if (instance !== null) {
      const own = readInstance(value, type);
      return own === undefined ? undefined : kind.compare(own, instance) === 0;
    }
  }
  switch (storedKind(type)) {
    case 'string':
      if (typeof value !== 'string') return undefined;
      return (
        literal.wellFormed &&
        (literal.ignoreCase ? foldText(value) === foldText(literal.text) : value === literal.text)
      );
    case 'bool': {
      const bool = coerceBool(literal);
      return literal.ignoreCase || typeof bool === 'string' || typeof value !== 'boolean'
        ? undefined
        : value === bool;
    }
    case 'number': {
      const numeric = numericKind(type);
      const number = coerceNumber(literal, numeric);
      if (literal.ignoreCase || typeof number === 'string') return undefined;
      if (isNotANumber(literal, type, isOpen)) return undefined;
      return equalNumbers(value, numeric, number);
    }
    default:
      return undefined;
  }
}

/** Whether a literal is NaN, which is unknown for a field of floats. Elsewhere it equals nothing. */
function isNotANumber(literal: Value, type: Type, isOpen: boolean): boolean {
  if (isOpen || (type.kind !== 'float64' && type.kind !== 'float32')) return false;
  const number = coerceNumber(literal, type.kind);
  return typeof number === 'object' && Number.isNaN(number.double);
}

type Numeric = 'int' | 'uint' | 'float64' | 'float32';

function numericKind(type: Type): Numeric {
  const { kind } = type;
  return kind === 'uint' || kind === 'float64' || kind === 'float32' ? kind : 'int';
}

function equalNumbers(
  value: unknown,
  kind: Numeric,
  { double, integer }: { readonly double: number; readonly integer: bigint | null },
): Truth {
  const isFloat = kind === 'float64' || kind === 'float32';
  const round = kind === 'float32' ? Math.fround : Number;
  if (typeof value === 'bigint') return isFloat ? round(Number(value)) === double : value === integer;
  return typeof value !== 'number' || Number.isNaN(value) ? undefined : round(value) === double;
}

function readInstance(value: unknown, type: Type): unknown {
  if (typeof value === 'string' && value.length > 256) return undefined;
  return instanceKindOf(type)?.read(value) ?? undefined;
}

/** Returns how a value compares with a literal: negative, zero, positive, or undefined. */
function orderOf(
  value: unknown,
  type: Type,
  literal: Value,
  isOpen: boolean,
  now: Instant,
): number | undefined {
  const kind = instanceKindOf(type);
  if (literal.ignoreCase) return undefined;
  if (kind !== null) {
    const own = readInstance(value, type);
    const instance = clockOr(literal, type, now) ?? kind.parse(literal.text);
    return own === undefined || instance === null ? undefined : kind.compare(own, instance);
  }
  if (isInstanceForm(literal)) return undefined;
  if (storedKind(type) === 'string') {
    if (isOpen && literal.form === 'number') return undefined;
    return typeof value === 'string' && literal.wellFormed ? compareBytewise(value, literal.text) : undefined;
  }
  if (storedKind(type) !== 'number' || (isOpen && literal.form !== 'number')) return undefined;
  const exact =
    isOpen && !literal.text.includes('.') ? BigInt(literal.text) : exactNumber(literal, type, isOpen);
  if (exact === undefined) return undefined;
  const own = type.kind === 'float32' ? Math.fround(Number(value)) : (value as number | bigint);
  return own < exact ? -1 : own > exact ? 1 : 0;
}

function exactNumber(literal: Value, type: Type, isOpen: boolean): number | bigint | undefined {
  const declared = coerceNumber(literal, numericKind(type));
  const number = isOpen && typeof declared === 'string' ? coerceNumber(literal, 'float64') : declared;
  if (typeof number === 'string') return undefined;
  return Number.isNaN(number.double) ? (number.integer ?? undefined) : number.double;
}

function clockOr(literal: Value, type: Type, now: Instant): Instant | null {
  if (!isClock(literal, { dependsOnQuotes: true } as never, type)) return null;
  const distance = clockDistance(literal);
  return distance === null ? null : shiftInstant(now, distance);
}

function inList(own: Found, literals: readonly Value[], now: Instant): Truth {
  const type = openType(own);
  if (type === null || ['bool', 'list', 'map'].includes(storedKind(type))) return undefined;
  const isOpen = own.type.kind === 'any';
  const kind = instanceKindOf(type);
  if (kind?.isText === true && readInstance(own.value, type) === undefined) return undefined;
  const truths = literals.map((literal): Truth => {
    const block = kind?.blocks?.parse(literal.text) ?? null;
    if (block !== null) return kind?.blocks?.storedAs(block, readInstance(own.value, type));
    if (literal.ignoreCase)
      return storedKind(type) === 'string' && kind === null
        ? foldText(own.value as string) === foldText(literal.text)
        : undefined;
    if (kind === null && storedKind(type) === 'string' && !literal.wellFormed && !isOpen) return false;
    if (kind === null && storedKind(type) === 'number' && type.kind !== 'float64' && type.kind !== 'float32')
      return truthOfOrder(orderOf(own.value, type, literal, isOpen, now));
    if (kind === null && storedKind(type) === 'number') {
      if (isOpen && literal.form !== 'number') return undefined;
      if (isNotANumber(literal, type, isOpen)) return undefined;
      const exact = exactNumber(literal, type, isOpen);
      const round = type.kind === 'float32' ? Math.fround : Number;
      return exact === undefined ? false : round(Number(own.value)) === Number(exact);
    }
    return truthOfOrder(orderOf(own.value, type, literal, isOpen, now));
  });
  if (kind !== null && !kind.isText && readInstance(own.value, type) === undefined) return undefined;
  // Without a declared type, all literals must be of the value's kind.
  return isOpen && truths.includes(undefined) ? undefined : or(truths);
}

function truthOfOrder(order: number | undefined): Truth {
  return order === undefined ? undefined : order === 0;
}

function containsLiteral(own: Found, type: Type, literal: Value, isOpen: boolean): Truth {
  const { value } = own;
  if (isOpen && isInstanceForm(literal)) return undefined;
  if (typeof value === 'string' && storedKind(type) === 'string') {
    const { text: word, ignoreCase, wellFormed } = literal;
    return wellFormed && (ignoreCase ? foldText(value).includes(foldText(word)) : value.includes(word));
  }
  if (Array.isArray(value) && 'of' in type)
    return or(elements(type, value).map((each) => elementEquals(each, type.of, literal)));
  if (!isMapLike(value) || type.kind !== 'map' || literal.ignoreCase) return undefined;
  return (
    literal.wellFormed &&
    entry(value, literal.text) !== missing &&
    typeof entry(value, literal.text) !== 'function'
  );
}

function elements(type: Type, list: readonly unknown[]): readonly unknown[] {
  const length = type.kind === 'array' ? Math.max(type.length, list.length) : list.length;
  return Array.from({ length }, (_, at) => toData(list[at]));
}

function elementEquals(value: unknown, of: Type, literal: Value): Truth {
  if (!isKnown({ type: of, value })) return undefined;
  // A literal NaN equals no element.
  if (isNotANumber(literal, of, false)) return false;
  if (of.kind !== 'any') return equalsLiteral(value, of, literal, false);
  const type = openType({ type: of, value });
  if (type === null || Array.isArray(value) || isMapLike(value)) return undefined;
  // An element of another kind than the literal is just another element.
  return equalsLiteral(value, type, literal, false) ?? false;
}

// ---- two values

function comparePair(operator: string, left: Found, right: Found): Truth {
  switch (operator) {
    case 'in':
      return containsValue(left, right);
    case 'starts with':
    case 'ends with':
      if (typeof left.value !== 'string' || typeof right.value !== 'string') return undefined;
      return operator === 'starts with'
        ? left.value.startsWith(right.value)
        : left.value.endsWith(right.value);
    default: {
      const order = orderOfPair(left, right, operator === '==');
      if (order === undefined) return undefined;
      return { '==': order === 0, '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[
        operator
      ];
    }
  }
}

function orderOfPair(left: Found, right: Found, mayBeBool: boolean): number | undefined {
  const [own, of] = [openType(left), openType(right)];
  if (own === null || of === null) return undefined;
  const [kind, other] = [instanceKindOf(own), instanceKindOf(of)];
  if (kind?.name !== other?.name) return undefined;
  if (kind !== null) {
    const [a, b] = [readInstance(left.value, own), readInstance(right.value, of)];
    return a === undefined || b === undefined ? undefined : kind.sort(a, b);
  }
  const stored = storedKind(own);
  if (stored !== storedKind(of)) return undefined;
  if (stored === 'string') return compareBytewise(left.value as string, right.value as string);
  if (stored === 'bool') return mayBeBool ? Number(left.value) - Number(right.value) : undefined;
  if (stored !== 'number') return undefined;
  const exact = (type: Type, value: unknown): number | bigint =>
    type.kind === 'float32' ? Math.fround(Number(value)) : (value as number | bigint);
  const [a, b] = [exact(own, left.value), exact(of, right.value)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function containsValue(left: Found, right: Found): Truth {
  const { type, value } = left;
  if (typeof value === 'string')
    return typeof right.value === 'string' ? value.includes(right.value) : undefined;
  if (Array.isArray(value)) {
    const of = 'of' in type ? type.of : any;
    return or(
      elements(type, value).map((each): Truth => {
        if (!isKnown({ type: of, value: each }) || Array.isArray(each) || isMapLike(each)) return undefined;
        const isOpen = of.kind === 'any' && kindOfValue(each) !== kindOfValue(right.value);
        return isOpen ? false : truthOfOrder(orderOfPair({ type: of, value: each }, right, true));
      }),
    );
  }
  if (!isMapLike(value)) return undefined;
  if (typeof right.value !== 'string') return undefined;
  const found = entry(value, right.value);
  return found !== missing && typeof found !== 'function';
}
