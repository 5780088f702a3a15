import type { Diagnostic, Suggestion } from '../diagnostics/errors.js';
import { formOf } from '../operators/operators.js';
import type { Expression, MatchExpression, Value } from '../syntax/ast.js';
import type { Level } from '../syntax/dialect.js';
import { print } from '../syntax/print.js';
import { instanceKindOf, type InstanceKind } from '../values/instance/index.js';
import { coerceNumber } from '../values/operand.js';
import type { Analysis } from './analysis.js';
import { isClock } from './clock-literal.js';
import { blockHint } from './form-diagnostics.js';
import { blockFix, emptinessFix, literalFix, writtenInstanceFix } from './form-fixes.js';
import { elementTypeOf, type Type } from './type.js';
import { valueKindOf } from './value-kind.js';

/**
 * A literal that no value of its field's kind equals: `Version == 1.10`, `Address == "10.0.0.0/8"`. It is compared as a string,
 * so the result is the same for all such values, which is probably not intended.
 */
export interface UnequalLiteral extends Omit<Diagnostic, 'code' | 'goMessage'> {
  readonly code: 'never-equal';
}

/** Maximum number reported per expression. More usually have one common cause. */
const max = 100;

/** Returns the first unequal literals of an expression, in source order. Literals that the check rejects are excluded. */
export function findUnequalLiterals(
  node: Expression,
  analysis: Analysis,
  level: Level,
): readonly UnequalLiteral[] {
  const found: UnequalLiteral[] = [];
  const look = (each: Expression, within: Analysis): void => {
    if (found.length >= max) return;
    switch (each.kind) {
      case 'and':
      case 'or':
        for (const operand of each.operands) look(operand, within);
        return;
      case 'not':
        look(each.operand, within);
        return;
      case 'match':
        found.push(...unequalLiterals(each, within.resolve(each.selector).type, level));
        return;
      default:
        look(each.body, within.body(each));
    }
  };
  look(node, analysis);
  return found;
}

/** Returns the unequal literals of a match. `type` is what its selector resolves to; `level` is that of the corrections. */
export function unequalLiterals(
  match: MatchExpression,
  type: Type | null,
  level: Level,
): readonly UnequalLiteral[] {
  const { aspect, value } = match;
  if (type === null || aspect === 'length' || value === null || value.kind === 'reference') return [];
  const of = comparedType(match, type);
  if (of === null || of.nullDepth > 1) return [];
  const literals = value.kind === 'list' ? value.elements : [value];
  return literals.flatMap((literal) => judge({ match, type, of, literal, level }) ?? []);
}

/**
 * Returns the type with which `==` compares the literals of a match: the value's, or that of the list's elements; null if there
 * is no such comparison.
 */
function comparedType({ operator }: MatchExpression, type: Type): Type | null {
  const { equates, name } = formOf(operator).operator;
  if (equates === 'value') return type;
  return name === 'in' ? elementTypeOf(type) : null;
}

/** A literal compared with values of a type. */
interface Comparison {
  readonly match: MatchExpression;
  readonly type: Type;
  /** The same as `type`, or the type of the list's elements. */
  readonly of: Type;
  readonly literal: Value;
  readonly level: Level;
}

function judge(comparison: Comparison): UnequalLiteral | null {
  const { match, of, literal } = comparison;
  const kind = instanceKindOf(of);
  if (kind === null) return judgeNumber(comparison);
  if (literal.form === 'now' || isClock(literal, formOf(match.operator).operator.operand, of)) return null;
  const instance = kind.parse(literal.text);
  if (kind.isText) {
    const mayEqual = literal.ignoreCase ? isSpelledAlike(literal.text, kind) : instance !== null;
    // The check rejects such a literal in a list or without quotes.
    const isRefused = match.value?.kind === 'list' || literal.form === 'typed';
    return mayEqual || isRefused || findsMissing(comparison, kind) ? null : judgeText(comparison, kind);
  }
  if (instance === null || kind.inUnit(instance)?.isExact !== false) return null;
  const unit = 'unit' in of ? String(of.unit) : '';
  const noun = `whole number of ${unit}`;
  const advice = { hint: `rows hold whole numbers of ${unit}`, suggestions: [] };
  return finding(comparison, noun, 'between two integers of the unit', advice);
}

/** `Submitted == ""`: a missing field of the kind reads as the empty string in `==`. */
function findsMissing({ type, of, literal }: Comparison, kind: InstanceKind): boolean {
  return literal.text === '' && of === type && type.nullDepth === 0 && kind.zeroText !== null;
}

/** Whether a string of the kind equals the literal except for case: case-insensitive tests compare strings. */
function isSpelledAlike(text: string, kind: InstanceKind): boolean {
  return kind.read(text) !== null || kind.read(text.toLowerCase()) !== null;
}

function judgeNumber(comparison: Comparison): UnequalLiteral | null {
  const { of, literal } = comparison;
  const kind = valueKindOf(of);
  if (kind !== 'float64' && kind !== 'float32') return null;
  const number = coerceNumber(literal, kind);
  if (typeof number === 'string' || !Number.isNaN(number.double)) return null;
  const advice = { hint: null, suggestions: [] };
  return finding(comparison, 'number', 'equal to nothing, not even to itself', advice);
}

type ProvidedHint = Pick<UnequalLiteral, 'hint' | 'suggestions'>;

function judgeText(comparison: Comparison, kind: InstanceKind): UnequalLiteral {
  // `0` is a duration in rows but not in filters: it equals values spelled like this.
  const isRow = !comparison.literal.ignoreCase && kind.read(comparison.literal.text) !== null;
  const noun = `${isRow ? 'other ' : ''}${kind.noun}`;
  return finding(comparison, noun, `no ${kind.noun}: compared as text`, adviceOn(comparison, kind));
}

/** Returns the probable intention. */
function adviceOn({ match, type, of, literal, level }: Comparison, kind: InstanceKind): ProvidedHint {
  const isBlock = (kind.blocks?.parse(literal.text) ?? null) !== null;
  if (isBlock && level !== 0) {
    const suggestions = blockFix(match, literal, type);
    return { hint: blockHint(suggestions), suggestions };
  }
  if (literal.form === 'bare' && literal.text === 'now' && kind.name === 'time')
    return { hint: 'now is the current time only after <, <=, >, >= and in lists', suggestions: [] };
  if (literal.text === '' && of === type) return corrected(emptinessFix(match, type), kind);
  const suggestions =
    literal.ignoreCase && kind.parse(literal.text) !== null
      ? literalFix(literal, { ...literal, ignoreCase: false })
      : writtenInstanceFix(literal, kind, level);
  return corrected(suggestions, kind);
}

function corrected(suggestions: readonly Suggestion[], { expected }: InstanceKind): ProvidedHint {
  const [first] = suggestions;
  const hint = first === undefined ? `write ${expected}` : `did you mean ${first.replacement.trim()}?`;
  return { hint, suggestions };
}

/** `!=` and `not in` are true where `==` and `in` are false. */
function finding(
  { match, type, of, literal }: Comparison,
  noun: string,
  label: string,
  advice: ProvidedHint,
): UnequalLiteral {
  const result = formOf(match.operator).negated ? 'true' : 'false';
  const rest = `, so this is ${result} for every ${of === type ? 'one' : 'list'}`;
  const message = `no ${noun} equals ${print(literal)}${match.value?.kind === 'list' ? '' : rest}`;
  return { code: 'never-equal', message, span: literal.span, label, ...advice };
}
