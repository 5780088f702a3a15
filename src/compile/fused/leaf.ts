import type { Type } from '../../schema/type.js';
import { operatorRule } from '../../schema/operators.js';
import type { MatchExpression } from '../../syntax/ast.js';
import { internText } from '../../values/intern.js';
import { coerceBool, coerceNumber, type NumberOperand, type Operand } from '../../values/operand.js';
import type { Pattern } from '../../values/pattern/index.js';
import { createPaidMatcher, createPaidSearch } from '../fare.js';
import { longComparison } from '../meter.js';
import type { Place } from '../place.js';
import { createFastRead, type Trail } from './fast-read.js';
import {
  boolLeaves,
  boolLeavesByRead,
  emptyMapLeaves,
  emptyMapLeavesByRead,
  hasTextLeaves,
  hasTextLeavesByRead,
  numberLeaves,
  numberLeavesByRead,
  oneOfLeaves,
  oneOfLeavesByRead,
  prefixLeaves,
  prefixLeavesByRead,
  scalarLeaves,
  scalarLeavesByRead,
  textLeaves,
  textLeavesByRead,
  textTestLeaves,
  textTestLeavesByRead,
  type FastPredicate,
  type FastRead,
  type Slow,
} from './leaves.generated.js';
import type { Copies } from './pool.js';

/** What a leaf compares, once its reading is settled. */
export interface LeafParts {
  readonly node: MatchExpression;
  readonly operand: Operand;
  readonly pattern: Pattern | string | null;
  /** The type of the value; `any` where its own kind decides. */
  readonly type: Type;
  /** The property names of the path. */
  readonly names: readonly string[];
  readonly trail: Trail;
  readonly slow: Slow;
  /** Where the leaf's code comes from. */
  readonly copies: Copies;
  readonly place: Place;
  /** True where a row may ask more than a few hundred times: everything must be paid for then. */
  readonly isRepeated: boolean;
}

/** A leaf made for the commonest kind of value, null where there is none for this operator and type. */
export function createLeaf(parts: LeafParts): FastPredicate | null {
  const { node, operand, type } = parts;
  if (!operand.wellFormed || type.pointers > 1) return null;
  if (parts.isRepeated && operand.text.length > longComparison) return null;
  const { base, negated } = operatorRule(node.operator);
  switch (base) {
    case '==':
      return createEqualityLeaf(parts, !negated);
    case 'in':
      return createContainmentLeaf(parts, !negated);
    case 'matches':
      return createPatternLeaf(parts, !negated);
    case 'is empty':
      return createEmptyLeaf(parts, !negated);
    case 'is nil':
      return null;
  }
}

/** A leaf for a text that is one of several, or none of them. */
export function createOneOfLeaf(parts: LeafParts, texts: ReadonlySet<string>, yes: boolean): FastPredicate {
  return pick(parts, oneOfLeaves, oneOfLeavesByRead)(texts, yes, parts.slow);
}

/** Whether `==` on this type with this literal compares texts and nothing else. */
export function comparesText(type: Type, operand: Operand): boolean {
  if (!operand.wellFormed || type.pointers > 1) return false;
  if (type.kind === 'any')
    return !isNumber(coerceNumber(operand, 'float64')) && typeof coerceBool(operand) !== 'boolean';
  return type.kind === 'string' || type.kind === 'time';
}

function createEqualityLeaf(parts: LeafParts, yes: boolean): FastPredicate | null {
  const { type, operand } = parts;
  if (comparesText(type, operand)) return createTextLeaf(parts, operand.text, yes);
  switch (type.kind) {
    case 'any':
      return createOpenLeaf(parts, yes);
    case 'bool':
      return createBoolLeaf(parts, yes);
    case 'int':
    case 'uint':
    case 'float64': {
      const coerced = coerceNumber(operand, type.kind);
      // An operand that no number equals leaves nothing to be fast about.
      if (!isNumber(coerced) || Number.isNaN(coerced.near)) return null;
      return pick(parts, numberLeaves, numberLeavesByRead)(coerced.near, yes, parts.slow);
    }
    default:
      return null;
  }
}

/** Without a declared type: a literal that reads as a number meets numbers and texts, `true` and `false` booleans. */
function createOpenLeaf(parts: LeafParts, yes: boolean): FastPredicate | null {
  const { operand, slow } = parts;
  const number = coerceNumber(operand, 'float64');
  if (!isNumber(number)) return createBoolLeaf(parts, yes);
  return pick(parts, scalarLeaves, scalarLeavesByRead)(internText(operand.text), number.near, yes, slow);
}

function createTextLeaf(parts: LeafParts, text: string, yes: boolean): FastPredicate {
  return pick(parts, textLeaves, textLeavesByRead)(internText(text), yes, parts.slow);
}

function createBoolLeaf(parts: LeafParts, yes: boolean): FastPredicate | null {
  const wanted = coerceBool(parts.operand);
  return typeof wanted === 'boolean'
    ? pick(parts, boolLeaves, boolLeavesByRead)(wanted, yes, parts.slow)
    : null;
}

function createContainmentLeaf(parts: LeafParts, yes: boolean): FastPredicate | null {
  const { type, operand, slow, node, place } = parts;
  const { text } = operand;
  if (type.kind === 'string') return createTextTestLeaf(parts, createPaidSearch(text, node, place), yes);
  if (parts.isRepeated) return null;
  const of = type.kind === 'list' ? type.of : type;
  if (of.pointers > 0 || (of.kind !== 'string' && of.kind !== 'any')) return null;
  return pick(parts, hasTextLeaves, hasTextLeavesByRead)(internText(text), yes, slow);
}

/** A pattern that asks how a text begins, in characters that mean themselves: the commonest of all. */
const plainPrefix = /^\^([A-Za-z0-9_/:@ -]+)$/;

function createPatternLeaf(parts: LeafParts, yes: boolean): FastPredicate | null {
  const { pattern, type } = parts;
  if (pattern === null || typeof pattern === 'string') return null;
  if (type.kind !== 'string' && type.kind !== 'any') return null;
  const prefix = plainPrefix.exec(pattern.source)?.[1];
  if (prefix !== undefined) {
    return pick(parts, prefixLeaves, prefixLeavesByRead)(prefix, prefix.charCodeAt(0), yes, parts.slow);
  }
  return createTextTestLeaf(parts, createPaidMatcher(pattern, parts.node, parts.place), yes);
}

function createTextTestLeaf(parts: LeafParts, test: (text: string) => boolean, yes: boolean): FastPredicate {
  return pick(parts, textTestLeaves, textTestLeavesByRead)(test, yes, parts.slow);
}

function createEmptyLeaf(parts: LeafParts, yes: boolean): FastPredicate | null {
  const { type, slow } = parts;
  if (type.kind === 'string') return createTextLeaf(parts, '', yes);
  // Listing the keys of a large map takes long, even to find that there is one: where several clauses do, they pay.
  if ((type.kind !== 'map' && type.kind !== 'any') || parts.isRepeated || !parts.place.meter.isLone)
    return null;
  return pick(parts, emptyMapLeaves, emptyMapLeavesByRead)(yes, slow);
}

/** The leaf that was written for the field, where the path is one known name; else one that is told how to read. */
function pick<T>(
  { names, copies, trail }: LeafParts,
  leaves: ReadonlyMap<string, readonly T[]>,
  byRead: readonly ((read: FastRead) => T)[],
): T {
  const [name] = names;
  const known = names.length === 1 && name !== undefined ? leaves.get(name) : undefined;
  return known === undefined ? copies.take(byRead)(createFastRead(names, copies, trail)) : copies.take(known);
}

function isNumber(coerced: NumberOperand | string): coerced is NumberOperand {
  return typeof coerced === 'object';
}
