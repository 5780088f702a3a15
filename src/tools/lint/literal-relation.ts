import { clockDistance } from '../../language/schema/clock-literal.js';
import { coercibleKindOf, valueKindOf } from '../../language/schema/value-kind.js';
import type { Type } from '../../language/schema/type.js';
import type { Value } from '../../language/syntax/ast.js';
import { instanceKindOf, type InstanceKind } from '../../language/values/instance/index.js';
import {
  coerceBool,
  coerceNumber,
  type CoercibleKind,
  type NumberOperand,
} from '../../language/values/operand.js';
import { compareBytewise } from '../../language/values/utf8-order.js';

const coercibleKinds: readonly CoercibleKind[] = ['bool', 'int', 'uint', 'float32', 'float64'];

/** Caches values derived from a literal, per kind, because one literal is compared with up to fifty others. */
function once<Kind, Result>(
  read: (literal: Value, kind: Kind) => Result,
): (literal: Value, kind: Kind) => Result {
  const known = new WeakMap<Value, Map<Kind, { readonly result: Result }>>();
  return (literal, kind) => {
    let results = known.get(literal);
    if (results === undefined) known.set(literal, (results = new Map()));
    let made = results.get(kind);
    if (made === undefined) results.set(kind, (made = { result: read(literal, kind) }));
    return made.result;
  };
}

const numberFrom = once(coerceNumber);
const boolFrom = once<'bool', ReturnType<typeof coerceBool>>(coerceBool);
const instanceFrom = once((literal, kind: InstanceKind) => kind.parse(literal.text));

/** Whether one value could equal both literals: `1` and `"0x1"` are the same integer, `1` and `true` the same boolean. */
export function mayBothEqual(a: Value, b: Value, type: Type | null): boolean {
  if (a.text === b.text) return true;
  // Strings that differ in spelling may be equal ignoring case, and an address without a port equals many.
  if (a.ignoreCase || b.ignoreCase || type?.kind === 'ip') return true;
  const instances = type === null ? null : instanceKindOf(type);
  if (instances !== null) {
    const [first, second] = [instanceFrom(a, instances), instanceFrom(b, instances)];
    if (first !== null && second !== null) return instances.sort(first, second) === 0;
  }
  if (type === null || type.kind === 'any') return coercibleKinds.some((kind) => areEqual(a, b, kind));
  const kind = coercibleKindOf(valueKindOf(type));
  return kind !== null && areEqual(a, b, kind);
}

function areEqual(a: Value, b: Value, kind: CoercibleKind): boolean {
  if (kind === 'bool') {
    const first = boolFrom(a, kind);
    return typeof first === 'boolean' && first === boolFrom(b, kind);
  }
  const first = numberFrom(a, kind);
  if (typeof first === 'string') return false;
  const second = numberFrom(b, kind);
  if (typeof second === 'string') return false;
  return first.integer === null || second.integer === null
    ? first.double === second.double
    : first.integer === second.integer;
}

/**
 * Compares two bounds of a field: negative, zero or positive; null if the order is not known, as for the clock, or for a number
 * and a string.
 */
export function compareBounds(a: Value, b: Value, type: Type | null): number | null {
  if (!a.wellFormed || !b.wellFormed || a.ignoreCase || b.ignoreCase) return null;
  const instances = type === null ? null : instanceKindOf(type);
  if (instances !== null) {
    // An address without a port equals several values, so it has no position in the order.
    if (type?.kind === 'ip' || clockDistance(a) !== null || clockDistance(b) !== null) return null;
    const [first, second] = [instanceFrom(a, instances), instanceFrom(b, instances)];
    return first === null || second === null ? null : instances.sort(first, second);
  }
  const kind = type === null || type.kind === 'any' ? null : valueKindOf(type);
  if (kind === 'string' || (kind === null && isText(a) && isText(b))) return compareBytewise(a.text, b.text);
  if (kind === null && (a.form !== 'number' || b.form !== 'number')) return null;
  const coercible = kind === null ? 'float64' : coercibleKindOf(kind);
  return coercible === null || coercible === 'bool' ? null : compareNumbers(a, b, coercible);
}

function isText({ form }: Value): boolean {
  return form === 'quoted' || form === 'raw';
}

function compareNumbers(a: Value, b: Value, kind: Exclude<CoercibleKind, 'bool'>): number | null {
  const [first, second] = [numberFrom(a, kind), numberFrom(b, kind)];
  if (typeof first === 'string' || typeof second === 'string') return null;
  const [left, right] = [numberOf(first), numberOf(second)];
  if (Number.isNaN(left) || Number.isNaN(right)) return null;
  return left < right ? -1 : left > right ? 1 : 0;
}

function numberOf({ integer, double }: NumberOperand): number | bigint {
  return integer ?? double;
}
