import type { FieldReference, MatchExpression, Value } from '../../src/language/syntax/ast.js';
import { compareNumbers, type Exact } from './oracle-exact.js';
import {
  clockInstance,
  compareInstances,
  isCounted,
  isInBlock,
  isInstanceKind,
  literalBlock,
  literalInstance,
  rowInstance,
  zeroInstance,
  type Instance,
} from './oracle-instance.js';
import { resolve } from './oracle-path.js';
import { compileOraclePattern } from './oracle-pattern.js';
import { coercion, equalsScalar, forgiving, refuse, scalarKinds } from './oracle-scalar.js';
import { OracleRefusal, type Scope } from './oracle-scope.js';
import {
  compareTexts,
  endsWith,
  equalTexts,
  includesText,
  isGlob,
  isLike,
  startsWith,
} from './oracle-text.js';
import {
  elementsOf,
  fits,
  isMissing,
  isPointer,
  keysOf,
  look,
  type Look,
  type Typed,
} from './oracle-value.js';

const orderings = ['<', '<=', '>', '>='];
const containers = ['list', 'array', 'map', 'struct'];
const numberKinds = ['int', 'uint', 'float32', 'float64'];

/** The result of a form beyond go-bexpr; undefined for an invalid match. If a value is absent, false. */
export function testExtension(
  operator: string,
  resolved: Typed,
  { aspect, value }: MatchExpression,
  scope: Scope,
): boolean | undefined {
  if (aspect === 'length') return testLength(operator, resolved, value, scope);
  if (value === null) return undefined;
  if (value.kind === 'list') return testMembership(resolved, value.elements, scope);
  if (value.kind === 'reference') return testReference(operator, resolved, value, scope);
  if (orderings.includes(operator)) return testOrdering(operator, resolved, value, scope);
  if (operator === 'starts with' || operator === 'ends with' || operator === 'like') {
    return testText(operator, resolved, value);
  }
  if (value.ignoreCase) return look(resolved).kind !== 'nil' && testFolded(operator, resolved, value, scope);
  return testLiteral(operator, resolved, value);
}

/** A literal that no row can be compared with: the check refuses it. */
function refuseLiteral(seen: Look): never {
  return refuse('literal', seen);
}

/** A value that is not what it was declared as. */
function refuseMisfit(): never {
  throw new OracleRefusal('misfit', true);
}

function matchesRow(operator: string, order: number | null): boolean {
  if (order === null) return false;
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      return order === 0;
  }
}

/** What a value of a row represents; null if it is absent. */
function instanceOf({ type, value }: Typed): Instance | null {
  if (value === null || value === undefined) return isPointer(type) ? null : zeroInstance(type);
  return rowInstance(type, value) ?? refuseMisfit();
}

/** What a literal represents after an ordering or in a list. */
function boundOf(seen: Look, { text, form, ignoreCase }: Value, { options }: Scope): Instance {
  if (ignoreCase) return refuseLiteral(seen);
  const isClock = form === 'now' || (form === 'bare' && text === 'now');
  const clock = isClock && seen.type.kind === 'time' ? clockInstance(text, options.now ?? 0n) : null;
  return clock ?? (form === 'now' ? null : literalInstance(seen.type, text)) ?? refuseLiteral(seen);
}

/** A value as operators see it; undefined where it is absent. */
function present(resolved: Typed): Look | undefined {
  const seen = look(resolved);
  if (seen.kind === 'nil') return undefined;
  return fits(seen) ? seen : refuseMisfit();
}

// ---- orderings

function testOrdering(operator: string, resolved: Typed, bound: Value, scope: Scope): boolean {
  const seen = look(resolved);
  if (seen.kind === 'nil') return false;
  if (isInstanceKind(seen.type)) {
    const literal = boundOf(seen, bound, scope);
    const row = instanceOf(resolved);
    return row !== null && matchesRow(operator, compareInstances(row, literal, true));
  }
  if (!fits(seen)) return refuseMisfit();
  if (seen.kind === 'string')
    return matchesRow(operator, compareTexts(seen.value as string, textBound(seen, bound)));
  if (numberKinds.includes(seen.kind))
    return matchesRow(operator, compareNumbers(numberOf(seen), numberBound(seen, bound, true)));
  return refuse('no-ordering', seen);
}

/** Where nothing is declared, a number without quotes is a number, and `now` could be anything. */
function textBound(seen: Look, { text, form, ignoreCase, wellFormed }: Value): string {
  const isOpen = seen.type.kind === 'any';
  const isClock = form === 'now' || (isOpen && form === 'bare' && text === 'now');
  if (ignoreCase || !wellFormed || form === 'typed' || isClock) return refuseLiteral(seen);
  return isOpen && form === 'number' ? refuseLiteral(seen) : text;
}

function numberOf({ kind, value }: Look): number | bigint {
  return kind === 'float32' ? Math.fround(Number(value as number | bigint)) : (value as number | bigint);
}

/** Without a schema an ordering compares integers of any size exactly. */
function numberBound(
  seen: Look,
  { text, form, ignoreCase }: Value,
  isOrdering = false,
): number | bigint | Exact {
  if (ignoreCase || form === 'typed' || form === 'now') return refuseLiteral(seen);
  if (seen.type.kind === 'any' && form !== 'number') return refuseLiteral(seen);
  const isOpen = seen.type.kind === 'any';
  if (isOpen && isOrdering && !text.includes('.')) return BigInt(text);
  const isInteger = !isOpen || coercion('int', text).ok;
  const parsed = coercion(isInteger ? seen.kind : 'float64', text);
  return parsed.ok && typeof parsed.value !== 'boolean' ? parsed.value : refuseLiteral(seen);
}

// ---- in [..]

function testMembership(resolved: Typed, elements: readonly Value[], scope: Scope): boolean {
  const seen = look(resolved);
  if (seen.kind === 'nil') return false;
  if (isInstanceKind(seen.type)) {
    const literals = elements.map(
      (element) => literalBlock(seen.type, element.text) ?? boundOf(seen, element, scope),
    );
    const row = instanceOf(resolved);
    if (row === null) return false;
    return literals.some((literal) =>
      'kind' in literal ? compareInstances(row, literal, true) === 0 : isInBlock(row, literal),
    );
  }
  if (!fits(seen)) return refuseMisfit();
  if (seen.kind === 'string') {
    const text = seen.value as string;
    return elements
      .map((element) => [textBound(seen, { ...element, ignoreCase: false }), element.ignoreCase] as const)
      .some(([literal, ignoreCase]) => equalTexts(text, literal, ignoreCase));
  }
  if (!numberKinds.includes(seen.kind)) return refuse('no-membership', seen);
  if (seen.type.kind === 'any') {
    return elements
      .map((element) => numberBound(seen, element))
      .some((number) => compareNumbers(numberOf(seen), number) === 0);
  }
  return elements
    .map((element) => numberBound(seen, element) as number | bigint)
    .some((number) => equalsScalar(seen.kind, seen.value, number));
}

// ---- affixes and globs

function testText(operator: string, resolved: Typed, operand: Value): boolean {
  const seen = present(resolved);
  if (seen === undefined) return false;
  if (seen.kind !== 'string') return refuse('no-affix', seen);
  const text = seen.value as string;
  const part = operandText(seen, operand);
  if (operator === 'starts with') return startsWith(text, part, operand.ignoreCase);
  if (operator === 'ends with') return endsWith(text, part, operand.ignoreCase);
  return isGlob(part) ? isLike(text, part, operand.ignoreCase) : refuseLiteral(seen);
}

/** A literal that is compared with the text of a row. */
function operandText(seen: Look, { text, form, wellFormed }: Value): string {
  if (form === 'now' || !wellFormed) return refuseLiteral(seen);
  if (form === 'typed' && (!isInstanceKind(seen.type) || literalInstance(seen.type, text) === null)) {
    return refuseLiteral(seen);
  }
  return text;
}

// ---- what the forms of go-bexpr do with values that it does not have

function testFolded(operator: string, resolved: Typed, { text }: Value, scope: Scope): boolean {
  const seen = look(resolved);
  if (!fits(seen)) return refuseMisfit();
  if (operator === 'in' && (seen.kind === 'list' || seen.kind === 'array')) {
    return elementsOf(seen.kind, seen.type, seen.value).some((element) =>
      forgiving(
        scope,
        () => false,
        () => isFoldedElement(look(element), text),
      ),
    );
  }
  if (seen.kind !== 'string') return refuse('no-folding', seen);
  const value = seen.value as string;
  if (operator === '==') return equalTexts(value, text, true);
  if (operator === 'in') return includesText(value, text, true);
  const matches = compileOraclePattern(`(?i)${text}`);
  return matches === null ? refuseLiteral(seen) : matches(value);
}

/** Other scalars are no texts; what is no scalar is refused, as go-bexpr does. */
function isFoldedElement(element: Look, text: string): boolean {
  if (!fits(element)) return refuseMisfit();
  // Go's text of a nil pointer to a string.
  if (element.kind === 'nil' && element.type.kind !== 'any') return equalTexts('<invalid Value>', text, true);
  if (element.kind === 'string') return equalTexts(element.value as string, text, true);
  return scalarKinds.includes(element.kind) ? false : refuse('no-comparison', element);
}

/** A literal that represents an instance is compared as one; everything else is unchanged. */
function testLiteral(operator: string, resolved: Typed, { text, form }: Value): boolean | undefined {
  const seen = look(resolved);
  if (form === 'now') return refuseLiteral(seen);
  const instance = isInstanceKind(seen.type) ? literalInstance(seen.type, text) : null;
  if (form === 'typed' && instance === null) return refuseLiteral(seen);
  if (operator !== '==' || instance === null || seen.kind === 'nil' || seen.kind === 'pointer')
    return undefined;
  // An integer is what it always was.
  if (isCounted(seen.type) && coercion('int', text).ok) return undefined;
  const row = instanceOf(resolved);
  return row !== null && compareInstances(row, instance, true) === 0;
}

// ---- @

function testReference(
  operator: string,
  resolved: Typed,
  { selector }: FieldReference,
  scope: Scope,
): boolean {
  const { kind } = look(resolved);
  if (kind === 'nil') return false;
  const other = resolve(selector, scope);
  if (other === null || isMissing(other) || look(other).kind === 'nil') return false;
  if (operator === 'in' && !['string', 'list', 'array', 'map'].includes(kind)) {
    return refuse('no-pair', look(resolved));
  }
  if (operator === 'in') return containsOther(resolved, other, scope);
  if (operator === 'starts with' || operator === 'ends with') {
    const [part, text] = [textOf(other), textOf(resolved)];
    return operator === 'starts with' ? startsWith(text, part, false) : endsWith(text, part, false);
  }
  return matchesRow(operator, compareValues(operator, resolved, other));
}

function textOf(typed: Typed): string {
  const seen = look(typed);
  if (!fits(seen)) return refuseMisfit();
  return seen.kind === 'string' ? (seen.value as string) : refuse('no-affix', seen);
}

/** The order of two values of a row; null where they have none. */
function compareValues(operator: string, one: Typed, other: Typed): number | null {
  const [a, b] = [look(one), look(other)];
  if (isInstanceKind(a.type) && a.type.kind === b.type.kind) {
    const [left, right] = [instanceOf(one), instanceOf(other)];
    return left === null || right === null ? null : compareInstances(left, right, false);
  }
  if (!fits(a) || !fits(b)) return refuseMisfit();
  // What counts something is no number: a length of time is not three, and where nothing is declared three is a number.
  if (isInstanceKind(a.type) !== isInstanceKind(b.type))
    return refuse('no-pair', a.type.kind === 'any' ? a : b);
  if (numberKinds.includes(a.kind) && numberKinds.includes(b.kind))
    return compareNumbers(numberOf(a), numberOf(b));
  if (a.kind === 'string' && b.kind === 'string') return compareTexts(a.value as string, b.value as string);
  if (a.kind === 'bool' && b.kind === 'bool' && operator === '==') return Number(a.value) - Number(b.value);
  return refuse('no-pair', a.type.kind === 'any' ? a : b);
}

/** Of a list of no declared kind, what is of another kind is simply not what is looked for. */
function canPair(element: Typed, other: Typed): boolean {
  const [a, b] = [look(element), look(other)];
  if (a.kind === 'nil') return false;
  if (a.type.kind !== 'any') return true;
  if (numberKinds.includes(a.kind) && numberKinds.includes(b.kind)) return true;
  return a.kind === b.kind || (containers.includes(a.kind) && containers.includes(b.kind));
}

function containsOther(resolved: Typed, other: Typed, scope: Scope): boolean {
  const seen = look(resolved);
  if (!fits(seen)) return refuseMisfit();
  switch (seen.kind) {
    case 'string':
      return (seen.value as string).includes(textOf(other));
    case 'map':
      return seen.value !== null && keysOf(seen.value).includes(textOf(other));
    case 'list':
    case 'array':
      return elementsOf(seen.kind, seen.type, seen.value).some((element) =>
        forgiving(
          scope,
          () => false,
          () => canPair(element, other) && compareValues('==', element, other) === 0,
        ),
      );
    default:
      return refuse('no-pair', seen);
  }
}

// ---- len

function testLength(
  operator: string,
  resolved: Typed,
  value: MatchExpression['value'],
  scope: Scope,
): boolean {
  if (look(resolved).kind === 'nil') return false;
  if (value?.kind === 'reference') {
    const other = resolve(value.selector, scope);
    if (other === null || look(other).kind === 'nil') return false;
    const length = lengthOf(resolved);
    const bound = look(other);
    if (!fits(bound)) return refuseMisfit();
    if (!numberKinds.includes(bound.kind)) return refuse('no-pair', bound);
    return matchesRow(operator, compareNumbers(length, numberOf(bound)));
  }
  if (value === null) throw new Error('a length that is compared with nothing');
  const length = lengthOf(resolved);
  const number: Look = { kind: 'int', type: { kind: 'int' }, value: length };
  const literals = value.kind === 'list' ? value.elements : [value];
  return literals
    .map((literal) => numberBound(number, literal))
    .some((bound) => matchesRow(operator, compareNumbers(length, bound)));
}

function lengthOf(resolved: Typed): number {
  const seen = look(resolved);
  if (!fits(seen)) return refuseMisfit();
  switch (seen.kind) {
    case 'string':
      return [...(seen.value as string)].length;
    case 'list':
    case 'array':
      return elementsOf(seen.kind, seen.type, seen.value).length;
    case 'map':
      return keysOf(seen.value).length;
    default:
      return refuse('no-length', seen);
  }
}
