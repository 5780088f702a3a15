import { formOf } from '../../operators/operators.js';
import type { Type } from '../../schema/type.js';
import type { MatchExpression } from '../../syntax/ast.js';
import { internText } from '../../values/intern.js';
import {
  coerceBool,
  coerceNumber,
  noOperand,
  type NumberOperand,
  type Operand,
} from '../../values/operand.js';
import { freeElements, freeText } from '../fare.js';
import { longComparison } from '../meter.js';
import type { Place } from '../place.js';
import {
  boolEquality,
  emptyList,
  emptyMap,
  emptyText,
  numberEquality,
  prefixTest,
  scalarEquality,
  substringTest,
  textEquality,
  textInList,
  textTest,
  type QuickCheck,
} from './check.js';

/** The check of a match for the commonest kind of its values, null where there is none for this operator and type. */
export function chooseCheck(node: MatchExpression, type: Type, place: Place): QuickCheck | null {
  const operand = node.value ?? noOperand;
  if (!operand.wellFormed || type.pointers > 1) return null;
  // The body of a walk is run a few hundred times for nothing: what a check does there has to cost next to nothing.
  const isRepeated = place.cells.length > 0;
  if (isRepeated && operand.text.length > longComparison) return null;
  switch (formOf(node.operator).operator.name) {
    case '==':
      return chooseEquality(type, operand);
    case 'in':
      return isRepeated ? null : chooseContainment(type, operand);
    case 'matches':
      return choosePattern(node, type, place, isRepeated);
    case 'is empty':
      return chooseEmptiness(type, place, isRepeated);
    case 'is nil':
      return null;
  }
}

/** Whether `==` on this type with this literal compares texts and nothing else. */
export function comparesText(type: Type, operand: Operand): boolean {
  if (!operand.wellFormed || type.pointers > 1) return false;
  if (type.kind === 'any')
    return !isNumber(coerceNumber(operand, 'float64')) && typeof coerceBool(operand) !== 'boolean';
  return type.kind === 'string' || type.kind === 'time';
}

function chooseEquality(type: Type, operand: Operand): QuickCheck | null {
  const text = internText(operand.text);
  if (comparesText(type, operand)) return { template: textEquality, operands: [text] };
  switch (type.kind) {
    case 'any': {
      const number = coerceNumber(operand, 'float64');
      return isNumber(number)
        ? { template: scalarEquality, operands: [text, number.near] }
        : chooseBool(operand);
    }
    case 'bool':
      return chooseBool(operand);
    case 'int':
    case 'uint':
    case 'float64': {
      const number = coerceNumber(operand, type.kind);
      // An operand that no number equals leaves nothing to be quick about.
      if (!isNumber(number) || Number.isNaN(number.near)) return null;
      return { template: numberEquality, operands: [number.near] };
    }
    default:
      return null;
  }
}

function chooseBool(operand: Operand): QuickCheck | null {
  const wanted = coerceBool(operand);
  return typeof wanted === 'boolean' ? { template: boolEquality, operands: [wanted] } : null;
}

function chooseContainment(type: Type, { text }: Operand): QuickCheck | null {
  if (type.kind === 'string') return { template: substringTest, operands: [text, freeText] };
  const of = type.kind === 'list' ? type.of : type;
  if (of.pointers > 0 || (of.kind !== 'string' && of.kind !== 'any')) return null;
  return { template: textInList, operands: [internText(text), freeElements] };
}

/** A pattern that asks how a text begins, in characters that mean themselves: the commonest of all. */
const plainPrefix = /^\^([A-Za-z0-9_/:@ -]+)$/;

function choosePattern(
  node: MatchExpression,
  type: Type,
  { patterns }: Place,
  isRepeated: boolean,
): QuickCheck | null {
  if (type.kind !== 'string' && type.kind !== 'any') return null;
  const pattern = patterns.compile(node);
  if (typeof pattern === 'string') return null;
  const prefix = plainPrefix.exec(pattern.source)?.[1];
  if (prefix !== undefined) return { template: prefixTest, operands: [prefix, prefix.charCodeAt(0)] };
  return isRepeated ? null : { template: textTest, operands: [pattern.test, pattern.freeLength] };
}

function chooseEmptiness(type: Type, { meter }: Place, isRepeated: boolean): QuickCheck | null {
  if (type.kind === 'string') return { template: emptyText, operands: [] };
  if (type.kind === 'list') return { template: emptyList, operands: [] };
  // Listing the keys of a large map takes long, even to find that there is one: where several clauses do, they pay.
  if ((type.kind !== 'map' && type.kind !== 'any') || isRepeated || !meter.isLone) return null;
  return { template: emptyMap, operands: [] };
}

function isNumber(coerced: NumberOperand | string): coerced is NumberOperand {
  return typeof coerced === 'object';
}
