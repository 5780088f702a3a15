import { sharedWeakMap } from '../../runtime/shared-identity.js';
import type { OperandShape } from '../../language/operators/operand-shape.js';
import type { ValueForm } from '../../language/syntax/ast.js';
import { isClock } from '../../language/syntax/literal.js';
import { parseDuration } from '../../language/values/instance/duration.js';
import { refusalOf, requireText, scalarText } from './literal.js';
import { referenceOf, type Reference } from './reference.js';

/** The clock or an offset from it: created by `now`, `ago` and `fromNow`. */
export interface Clock {
  readonly kind: 'clock';
  /** As written in filters: `now - 7d`. */
  readonly text: string;
}

/** A string compared ignoring case: created by `ignoringCase`. */
export interface CaselessText {
  readonly kind: 'caseless';
  readonly text: string;
}

/** The right side of a match. */
export type OperandNode =
  | LiteralNode
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'list'; readonly elements: readonly LiteralNode[] };

export interface LiteralNode {
  readonly kind: 'literal';
  readonly text: string;
  readonly form: ValueForm;
  readonly ignoreCase: boolean;
}

/** The instant at which a filter is evaluated: `where('CreateTime').before(now)`. For orderings and lists, on time fields. */
export const now: Clock = Object.freeze({ kind: 'clock', text: 'now' });

/**
 * Returns a clock value that long before {@link now}: `ago('7d')`. @throws TypeError if the argument is not a duration such as
 * 90s, 1h30m, 7d or 2w.
 */
export function ago(duration: string): Clock {
  return clockAt('ago', '-', duration);
}

/** Returns a clock value that long after {@link now}: `fromNow('1h')`. @throws TypeError as {@link ago}. */
export function fromNow(duration: string): Clock {
  return clockAt('fromNow', '+', duration);
}

/** The registered operands. Prevents data that only looks like one, such as parsed JSON, from being used as one. */
const made = sharedWeakMap<object, LiteralNode>('operands');

function clockAt(position: string, sign: string, duration: string): Clock {
  const text = `now ${sign} ${duration}`;
  if (typeof duration !== 'string' || !isClock(text) || parseDuration(duration) === null)
    throw new TypeError(`${position}: expected a duration such as 90s, 1h30m or 7d`);
  const clock: Clock = Object.freeze({ kind: 'clock', text });
  made.set(clock, literal(text, 'now'));
  return clock;
}

/** Returns a string that is compared ignoring case: `where('Name').is(ignoringCase('web'))`. */
export function ignoringCase(text: string): CaselessText {
  if (typeof text !== 'string') throw new TypeError('ignoringCase: expected a text');
  const caseless: CaselessText = Object.freeze({ kind: 'caseless', text: requireText(text, 'ignoringCase') });
  made.set(caseless, literal(text, 'quoted', true));
  return caseless;
}

function literal(text: string, form: ValueForm, ignoreCase = false): LiteralNode {
  return { kind: 'literal', text, form, ignoreCase };
}

/** Returns the clock or case-insensitive string that a value represents; null for other values. */
export function specialOf(value: unknown): LiteralNode | null {
  if (value === now) return literal('now', 'bare');
  return typeof value === 'object' && value !== null ? (made.get(value) ?? null) : null;
}

/** Returns the operand of a test. `position` begins the message. @throws TypeError if the operator does not support the value. */
export function operandOf(operand: OperandShape, value: unknown, position: string): OperandNode {
  const literalOf = operand.dependsOnQuotes ? boundOf : plainOf;
  if (operand.list !== null) {
    const { count } = operand.list;
    if (!Array.isArray(value) || (count !== null && value.length !== count))
      throw new TypeError(`${position}: expected an array of ${count === null ? '' : `${count} `}values`);
    return {
      kind: 'list',
      elements: Array.from(value, (each: unknown, at) => literalOf(each, `${position}[${at}]`)),
    };
  }
  const reference = referenceOf(value);
  if (reference !== null) {
    if (operand.acceptsReference) return { kind: 'reference', reference };
    throw new TypeError(`${position}: expected a string; a field is not valid here`);
  }
  const node = literalOf(value, position);
  if (node.ignoreCase && !operand.acceptsIgnoreCase)
    throw new TypeError(`${position}: strings cannot be ordered without case`);
  return node;
}

/** Returns a literal that may denote an instant. */
function boundOf(value: unknown, position: string): LiteralNode {
  return (
    specialOf(value) ??
    (value instanceof Date ? literal(dateText(value, position), 'quoted') : scalarOf(value, position))
  );
}

function plainOf(value: unknown, position: string): LiteralNode {
  const special = specialOf(value);
  if (special === null) return scalarOf(value, position);
  if (special.ignoreCase) return special;
  throw new TypeError(`${position}: now is valid only after an ordering or in a list`);
}

/** Returns a literal. Numbers stay numbers, because in an ordering or a list a string of digits has another meaning. */
function scalarOf(value: unknown, position: string): LiteralNode {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return literal(scalarText(value, position), isNumber ? 'number' : 'quoted');
}

/** Returns a Date in RFC 3339, in UTC. @throws TypeError for an invalid Date, and for years outside of RFC 3339. */
export function dateText(date: Date, position: string): string {
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  if (text.length === 24) return text;
  throw new TypeError(`${position}: ${text === '' ? 'the Date is invalid' : refusalOf(date)}`);
}
