import type {
  CollectionExpression,
  Expression,
  MatchExpression,
  Selector,
  Value,
} from '../../src/syntax/ast.js';
import { goBool, goFloat32, goFloat64, goInt, goUint, type Parsed } from './go-number.js';
import { compileOraclePattern } from './oracle-pattern.js';

/**
 * A second, deliberately plain evaluator of filters: it walks the tree for each row, decides everything again each
 * time, and follows the rules of go-bexpr one by one. The engine is compared with it.
 */
export interface InterpreterOptions {
  /** The JSON form of a schema; without one every value is what it looks like. */
  readonly schema?: OracleSchema;
  readonly unresolved?: 'error' | 'absent';
  /** The value that stands for missing ones; no key, no replacement. */
  readonly unknownValue?: unknown;
}

export interface OracleType {
  readonly kind: string;
  readonly of?: OracleType;
  readonly key?: string;
  readonly keyNamed?: string;
  readonly len?: number;
  readonly name?: string;
  readonly nullable?: boolean;
  readonly pointers?: number;
  readonly selectorName?: string;
  readonly hidden?: boolean;
}

export interface OracleSchema {
  readonly root: string;
  readonly structs: Readonly<Record<string, { readonly fields: Readonly<Record<string, OracleType>> }>>;
}

/** Ends an evaluation. `code` is the class of the error; `panic` where the original crashes. */
class OracleRefusal extends Error {
  override readonly name = 'OracleRefusal';
  constructor(
    readonly code: string,
    /** Whether another row could be answered, so that `unresolved: 'absent'` forgives this one. */
    readonly forgivable = false,
    readonly isNil = false,
  ) {
    super(code);
  }
}

/** The answer, or the class of the error. */
export function interpret(
  expression: Expression,
  row: unknown,
  options: InterpreterOptions = {},
): boolean | string {
  try {
    return evaluate(expression, { row, options, bindings: [] });
  } catch (error) {
    if (error instanceof OracleRefusal) return error.code;
    throw error;
  }
}

interface Scope {
  readonly row: unknown;
  readonly options: InterpreterOptions;
  /** Innermost last. */
  readonly bindings: readonly Binding[];
}

/** A bound name stands for a path from the row, or for a key or index. */
interface Binding {
  readonly name: string;
  readonly path: readonly string[] | null;
  readonly constant: Typed | null;
  /** Whether the row alone decides that the name stands for a key: the declared type could be a list's. */
  readonly isKeyByChance: boolean;
}

/** A value together with its declared type. */
interface Typed {
  readonly type: OracleType;
  readonly value: unknown;
}

/** A resolved selector; null is "not present", the missing last key of a map. */
type Resolved = Typed | null;

const anyType: OracleType = { kind: 'any' };
const stringType: OracleType = { kind: 'string' };
const intType: OracleType = { kind: 'int' };

function evaluate(expression: Expression, scope: Scope): boolean {
  switch (expression.kind) {
    case 'and':
      for (const operand of expression.operands) if (!evaluate(operand, scope)) return false;
      return true;
    case 'or':
      for (const operand of expression.operands) if (evaluate(operand, scope)) return true;
      return false;
    case 'not':
      return !evaluate(expression.operand, scope);
    case 'match':
      return evaluateMatch(expression, scope);
    default:
      return evaluateCollection(expression, scope);
  }
}

// ---- selectors

function resolve(selector: Selector, scope: Scope): Resolved {
  const [first = '', ...rest] = selector.path;
  const binding = scope.bindings.findLast(({ name }) => name === first);
  if (binding === undefined) return resolvePath(selector.path, scope);
  if (binding.path !== null) return resolvePath([...binding.path, ...rest], scope);
  if (rest.length === 0) return binding.constant;
  if (binding.isKeyByChance && scope.options.unresolved === 'absent') return null;
  throw new OracleRefusal('binding-path');
}

function resolvePath(path: readonly string[], scope: Scope): Resolved {
  const { options } = scope;
  let at: Typed = { type: rootType(options), value: scope.row };
  for (const [index, part] of path.entries()) {
    const found = step(at, part, scope);
    if (found.kind === 'value') {
      at = found.typed;
      continue;
    }
    const isMissingKey = found.code === 'find-no-key' || found.code === 'find-no-field';
    if (isMissingKey && 'unknownValue' in options) return { type: anyType, value: options.unknownValue };
    const isLast = index === path.length - 1;
    if (found.code === 'find-no-key' && isLast && path.length > 1 && !isPointer(at.type)) return null;
    if (found.dependsOnData && options.unresolved === 'absent') return null;
    throw new OracleRefusal(found.code);
  }
  return at;
}

type Step =
  | { readonly kind: 'value'; readonly typed: Typed }
  | { readonly kind: 'failure'; readonly code: string; readonly dependsOnData: boolean };

function step(holder: Typed, part: string, scope: Scope): Step {
  const { kind, value, type } = look(holder, true);
  switch (kind) {
    case 'map':
      return stepIntoMap(type, value, part);
    case 'struct':
      return stepIntoStruct(type, value, part, scope);
    case 'list':
    case 'array': {
      const index = part === '' ? ({ ok: true, value: 0n } as const) : goInt(part);
      if (!index.ok)
        return { kind: 'failure', code: 'find-bad-index', dependsOnData: holder.type.kind === 'any' };
      const elements = elementsOf(kind, type, value);
      const element = index.value >= 0n ? elements[Number(index.value)] : undefined;
      if (element === undefined) {
        const isPossible = kind === 'list' && (holder.type.kind === 'any' || index.value >= 0n);
        return { kind: 'failure', code: 'find-out-of-range', dependsOnData: isPossible };
      }
      return { kind: 'value', typed: element };
    }
    default:
      return {
        kind: 'failure',
        code: 'find-invalid-kind',
        dependsOnData: kind === 'nil' || holder.type.kind === 'any',
      };
  }
}

function stepIntoMap(type: OracleType, value: unknown, part: string): Step {
  let key = part;
  if (type.key !== undefined && type.key !== 'string') {
    const parsed = part === '' ? ({ ok: true, value: 0n } as const) : goInt(part);
    if (!parsed.ok) return { kind: 'failure', code: 'find-bad-index', dependsOnData: false };
    key = String(parsed.value);
  }
  const found = ownValue(value, key);
  if (found === undefined) return { kind: 'failure', code: 'find-no-key', dependsOnData: true };
  return { kind: 'value', typed: { type: type.of ?? anyType, value: found } };
}

function stepIntoStruct(type: OracleType, value: unknown, part: string, { options }: Scope): Step {
  const fields = options.schema?.structs[type.name ?? '']?.fields ?? {};
  for (const [property, field] of Object.entries(fields)) {
    if (field.hidden !== true && (field.selectorName ?? property) === part) {
      return { kind: 'value', typed: { type: field, value: ownValue(value, property) } };
    }
  }
  return { kind: 'failure', code: 'find-no-field', dependsOnData: false };
}

/** An own property; `undefined` is absent, and nil has none. */
function ownValue(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

/** The keys of a map. One that holds `undefined` is absent. */
function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).filter((key) => ownValue(value, key) !== undefined);
}

function elementsOf(kind: string, type: OracleType, value: unknown): Typed[] {
  const of = type.of ?? anyType;
  const elements: unknown[] = Array.isArray(value) ? Array.from(value) : [];
  // An array has its declared length whatever the row holds.
  if (kind === 'array') elements.length = type.len ?? 0;
  return Array.from(elements, (element) => ({ type: of, value: element }));
}

// ---- kinds

function rootType({ schema }: InterpreterOptions): OracleType {
  return schema === undefined ? anyType : { kind: 'struct', name: schema.root };
}

function pointersOf(type: OracleType): number {
  return type.pointers ?? (type.nullable === true ? 1 : 0);
}

function isPointer(type: OracleType): boolean {
  return pointersOf(type) > 0;
}

interface Look extends Typed {
  readonly kind: string;
}

/**
 * What an operator sees: one pointer is looked through, a second one stays a `pointer`; a path looks through all.
 * Absent and null are the zero value of a declared kind, nil for pointers and for kind `any`.
 */
function look({ type, value }: Typed, throughAll = false): Look {
  const isAbsent = value === undefined || value === null;
  if (isPointer(type) && isAbsent) return { kind: 'nil', type, value: null };
  if (!throughAll && pointersOf(type) > 1) return { kind: 'pointer', type, value };
  switch (type.kind) {
    case 'any':
      return { kind: kindOfData(value), type: anyType, value: value ?? null };
    case 'string':
    case 'time':
      return { kind: 'string', type, value: isAbsent ? '' : value };
    case 'bool':
      return { kind: 'bool', type, value: isAbsent ? false : value };
    case 'int':
    case 'uint':
    case 'float32':
    case 'float64':
      return { kind: type.kind, type, value: isAbsent ? 0 : value };
    default:
      return { kind: type.kind, type, value: isAbsent ? null : value };
  }
}

function kindOfData(value: unknown): string {
  if (value === undefined || value === null) return 'nil';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'bigint') return value >= -(2n ** 63n) && value < 2n ** 63n ? 'int' : 'float64';
  if (typeof value === 'object') return Array.isArray(value) ? 'list' : 'map';
  return 'unsupported';
}

// ---- matches

/** The six tests; the others are their negations. */
const negations: Readonly<Record<string, string>> = {
  '!=': '==',
  'not in': 'in',
  'is not empty': 'is empty',
  'is not nil': 'is nil',
  'not matches': 'matches',
};

function evaluateMatch({ operator, selector, value }: MatchExpression, scope: Scope): boolean {
  const positive = negations[operator] ?? operator;
  const negate = positive !== operator;
  const resolved = resolve(selector, scope);
  const whenAbsent = positive === 'is empty' || positive === 'is nil';
  if (resolved === null) return whenAbsent !== negate;
  const forgiven = (isNil: boolean): boolean => isNil && whenAbsent;
  return forgiving(scope, forgiven, () => test(positive, look(resolved), value, scope)) !== negate;
}

/** Runs a test. Where rows are forgiven, one that cannot be answered is answered by `forgiven`. */
function forgiving(scope: Scope, forgiven: (isNil: boolean) => boolean, run: () => boolean): boolean {
  try {
    return run();
  } catch (error) {
    const isForgiven =
      error instanceof OracleRefusal && error.forgivable && scope.options.unresolved === 'absent';
    if (!isForgiven) throw error;
    return forgiven(error.isNil);
  }
}

/** Refuses a value; it depends on the row unless the schema says what the value is. */
function refuse(code: string, { kind, type }: Look): never {
  throw new OracleRefusal(code, kind === 'nil' || type.kind === 'any', kind === 'nil');
}

function test(operator: string, seen: Look, value: Value | null, scope: Scope): boolean {
  switch (operator) {
    case '==':
      return testEqual(seen, literal(value));
    case 'in':
      return testIn(seen, literal(value), scope);
    case 'matches':
      if (seen.kind === 'nil') return refuse('panic', seen);
      if (seen.kind !== 'string') return refuse('no-match-text', seen);
      return testMatches(seen.value as string, literal(value));
    case 'is empty':
      return testEmpty(seen);
    default:
      return testNil(seen);
  }
}

function literal(value: Value | null): Value {
  if (value === null) throw new Error('a binary operator without a value');
  return value;
}

const scalarKinds = ['bool', 'int', 'uint', 'float32', 'float64'];

function testEqual(seen: Look, operand: Value): boolean {
  const { kind, value } = seen;
  if (kind === 'string') return operand.wellFormed && value === operand.text;
  if (scalarKinds.includes(kind)) return equalsScalar(kind, value, coerce(seen, operand));
  return refuse('no-comparison', seen);
}

function coerce(seen: Look, operand: Value): bigint | number | boolean {
  const parsed = coercion(seen.kind, operand.text);
  return parsed.ok ? parsed.value : refuse(`coerce-${parsed.why}`, seen);
}

function coercion(kind: string, text: string): Parsed<bigint | number | boolean> {
  switch (kind) {
    case 'bool':
      return goBool(text);
    case 'int':
      return goInt(text);
    case 'uint':
      return goUint(text);
    case 'float32':
      return goFloat32(text);
    default:
      return goFloat64(text);
  }
}

function equalsScalar(kind: string, value: unknown, operand: bigint | number | boolean): boolean {
  if (kind === 'bool') return value === operand;
  if (kind === 'int' || kind === 'uint') return BigInt(value as number | bigint) === operand;
  const float = Number(value as number | bigint);
  return (kind === 'float32' ? Math.fround(float) : float) === operand;
}

function testIn(seen: Look, operand: Value, scope: Scope): boolean {
  const { kind, type, value } = seen;
  if (kind === 'string') return operand.wellFormed && (value as string).includes(operand.text);
  if (kind === 'list' || kind === 'array') {
    return testInList(elementsOf(kind, type, value), type.of ?? anyType, operand, scope);
  }
  if (kind === 'map') {
    if (hasOddKeys(type)) return refuse('panic', seen);
    return operand.wellFormed && keysOf(value).includes(operand.text);
  }
  if (scalarKinds.includes(kind)) coerce(seen, operand);
  return refuse('no-contains', seen);
}

function testInList(elements: readonly Typed[], of: OracleType, operand: Value, scope: Scope): boolean {
  if (pointersOf(of) > 1) throw new OracleRefusal('no-comparison');
  if (of.kind !== 'any' && of.kind !== 'string' && of.kind !== 'time') {
    if (!scalarKinds.includes(of.kind)) throw new OracleRefusal('no-comparison');
    // Coerced before the list is looked at.
    const parsed = coercion(of.kind, operand.text);
    if (!parsed.ok) throw new OracleRefusal(`coerce-${parsed.why}`);
  }
  return elements.some((element) =>
    forgiving(
      scope,
      () => false,
      () => equalsElement(look(element), of, operand),
    ),
  );
}

function equalsElement(seen: Look, of: OracleType, operand: Value): boolean {
  const { kind, value } = seen;
  const isText = of.kind === 'string' || of.kind === 'time';
  // Go's text of a nil pointer to a string.
  if (isText && kind === 'nil') return operand.text === '<invalid Value>';
  if (kind === 'nil') return refuse('panic', seen);
  if (kind === 'string') return operand.wellFormed && value === operand.text;
  if (!scalarKinds.includes(kind)) return refuse('no-comparison', seen);
  const parsed = coercion(kind, operand.text);
  if (parsed.ok) return equalsScalar(kind, value, parsed.value);
  return parsed.why === 'range' ? refuse('coerce-range-any-list', seen) : false;
}

function hasOddKeys(type: OracleType): boolean {
  return (type.key !== undefined && type.key !== 'string') || type.keyNamed !== undefined;
}

function testMatches(text: string, pattern: Value): boolean {
  const matches = pattern.wellFormed ? compileOraclePattern(pattern.text) : null;
  if (matches === null) throw new OracleRefusal('bad-regexp');
  return matches(text);
}

function testEmpty(seen: Look): boolean {
  const { kind, type, value } = seen;
  switch (kind) {
    case 'string':
      return value === '';
    case 'list':
    case 'array':
      return elementsOf(kind, type, value).length === 0;
    case 'map':
      return keysOf(value).length === 0;
    default:
      return refuse('no-empty', seen);
  }
}

function testNil(seen: Look): boolean {
  switch (seen.kind) {
    case 'nil':
      return true;
    case 'struct':
    case 'pointer':
      return false;
    case 'list':
    case 'map':
      return seen.value === null;
    default:
      // A nullable value that is there depends on the row: another one is nil.
      throw new OracleRefusal(
        seen.kind === 'array' ? 'panic' : 'no-nil',
        seen.type.kind === 'any' || isPointer(seen.type),
      );
  }
}

// ---- collections

function evaluateCollection(expression: CollectionExpression, scope: Scope): boolean {
  const isAny = expression.kind === 'any';
  const resolved = resolve(expression.selector, scope);
  if (resolved === null) return !isAny;
  // A pointer to a collection is none.
  const { kind, type, value } = look(resolved);
  if (isPointer(resolved.type) || !['list', 'array', 'map'].includes(kind)) {
    if (type.kind === 'any' && scope.options.unresolved === 'absent') return !isAny;
    throw new OracleRefusal('not-a-collection');
  }
  if (kind === 'map' && hasOddKeys(type)) throw new OracleRefusal('map-key-kind');
  const keys =
    kind === 'map' ? keysOf(value) : elementsOf(kind, type, value).map((_, index) => BigInt(index));
  const path = fullPath(expression.selector, scope);
  for (const key of keys) {
    const bindings = [...scope.bindings, ...bind(expression, type, key, [...path, String(key)])];
    if (evaluate(expression.body, { ...scope, bindings }) === isAny) return isAny;
  }
  return !isAny;
}

function bind(
  { binding }: CollectionExpression,
  collection: OracleType,
  key: string | bigint,
  path: readonly string[],
): Binding[] {
  const isOpen = collection.kind === 'any';
  const isMap = typeof key === 'string';
  const type = isOpen ? anyType : isMap ? stringType : intType;
  const toKey = (name: string, isKeyByChance: boolean): Binding => {
    return { name, path: null, constant: { type, value: key }, isKeyByChance };
  };
  const toElement = (name: string): Binding => ({ name, path, constant: null, isKeyByChance: false });
  const index = binding.index?.text;
  const element = binding.value?.text;
  if (index !== undefined && index === element) throw new OracleRefusal('binding-clash');
  const lone = binding.default?.text;
  return [
    ...(lone === undefined ? [] : [isMap ? toKey(lone, isOpen) : toElement(lone)]),
    ...(index === undefined ? [] : [toKey(index, false)]),
    ...(element === undefined ? [] : [toElement(element)]),
  ];
}

/** The path of a selector from the row, with a bound name replaced by what it stands for. */
function fullPath({ path }: Selector, { bindings }: Scope): readonly string[] {
  const [first = '', ...rest] = path;
  const binding = bindings.findLast(({ name }) => name === first);
  return binding === undefined ? path : [...(binding.path ?? [first]), ...rest];
}
