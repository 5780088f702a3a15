import type { SemanticFault, Suggestion } from '../diagnostics/errors.js';
import { requiresOrder, type Operator } from '../operators/operator.js';
import { formOf } from '../operators/operators.js';
import { literalOf, type MatchExpression, type Value } from '../syntax/ast.js';
import { isNumber, isTyped } from '../syntax/literal.js';
import { instanceKindOf, type InstanceKind } from '../values/instance/index.js';
import { coercionFailure } from '../values/operand.js';
import { parseGlob } from '../values/glob.js';
import { clockDistance, isClock } from './clock-literal.js';
import {
  badGlobDiagnostic,
  badLiteralDiagnostic,
  blockHint,
  clockDiagnostic,
  ignoreCaseDiagnostic,
  lengthDiagnostic,
  pairDiagnostic,
  typedDiagnostic,
} from './form-diagnostics.js';
import {
  blockFix,
  elementMatch,
  instanceFix,
  literalFix,
  measureFix,
  quoted,
  unmeasuredFix,
} from './form-fixes.js';
import { operandRuleFor } from './operand-rule.js';
import { coercionDiagnostic, describeKind, kindDiagnostic, literalHint } from './semantic-diagnostics.js';
import { elementTypeOf, describeType, intType, type Type } from './type.js';
import { coercibleKindOf, storedKindOf, valueKindOf } from './value-kind.js';

/** A match on a value of a type that the operator supports. */
export interface Form {
  readonly match: MatchExpression;
  readonly operator: Operator;
  /** The type that is tested: that of the selector, or an integer if its length is tested. */
  readonly type: Type;
  /** Type of the field used as the value; null if there is no such field or its type is unknown. */
  readonly other: Type | null;
}

/**
 * Returns the errors of an operand under rules that go-bexpr does not have: about instances, references and flags. If there are
 * none, the rules of go-bexpr apply too.
 */
export function formFaults(form: Form): readonly SemanticFault[] {
  const { match, operator, other } = form;
  const { value } = match;
  if (value === null) return [];
  const faults = ((): readonly (SemanticFault | null)[] => {
    switch (value.kind) {
      case 'reference':
        return [other === null ? null : pairFault(form, other)];
      case 'list':
        return value.elements.map((element) => boundFault(form, element));
      case 'value':
        return [
          operator.operand.dependsOnQuotes || match.aspect === 'length'
            ? boundFault(form, value)
            : plainFault(form, value),
        ];
    }
  })();
  return faults.filter((fault) => fault !== null);
}

/** Whether a literal is compared or rejected as an instance, in contrast to level 0. */
export function hasOwnEquality(operator: Operator, type: Type): boolean {
  return operator.equates === 'value' && instanceKindOf(type) !== null;
}

/** Returns the error of a literal after an ordering, in a list, or compared with a length. */
function boundFault(form: Form, literal: Value): SemanticFault | null {
  const { match, operator, type } = form;
  const kind = instanceKindOf(type);
  const isText = type.kind === 'string' || type.kind === 'any';
  if (literal.ignoreCase && !(operator.operand.acceptsIgnoreCase && isText)) return caseFault(form, literal);
  if (type.kind === 'any') {
    const isTime = literal.form === 'bare' && literal.text === 'now';
    return isTime ? clockDiagnostic(match, literal) : unusualFault(form, literal);
  }
  if (kind === null) return unusualFault(form, literal) ?? numberFault(form, literal);
  if (isClock(literal, operator.operand, type)) {
    const length = 'now, or now with a duration such as now - 7d';
    return clockDistance(literal) === null ? badLiteralDiagnostic(match, literal, length) : null;
  }
  if (literal.form === 'now') return clockDiagnostic(match, literal);
  if (kind.parse(literal.text) !== null) return null;
  if (operator.operand.acceptsAddressBlocks && (kind.blocks?.parse(literal.text) ?? null) !== null)
    return null;
  return instanceFault(form, kind, literal);
}

/** Returns the error of a literal of an operator of go-bexpr, of an affix, or of a glob. */
function plainFault(form: Form, literal: Value): SemanticFault | null {
  const { operator, type } = form;
  const isSearch = operandRuleFor(operator, type) === 'elements';
  const of = isSearch ? (elementTypeOf(type) ?? type) : type;
  const element: Form = { ...form, type: of };
  if (literal.ignoreCase && !isFoldable(of)) return caseFault(element, literal);
  const kind = type.kind === 'map' ? null : instanceKindOf(of);
  const isInstance = kind !== null && kind.parse(literal.text) !== null;
  if (literal.form === 'now' || (literal.form === 'typed' && kind === null))
    return unusualFault(element, literal);
  const needsInstance =
    literal.form === 'typed' || ((operator.equates === 'value' || isSearch) && kind?.isText === false);
  if (kind !== null && needsInstance && !isInstance) return instanceFault(form, kind, literal);
  if (operator.operand.language !== 'glob' || parseGlob(literal.text) !== null) return null;
  return badGlobDiagnostic(literal, literalFix(literal, { ...literal, text: `${literal.text}\\` }));
}

/** Whether values of the type can differ only in case. */
function isFoldable(type: Type): boolean {
  const kind = storedKindOf(type);
  return type.nullDepth <= 1 && (kind === 'string' || kind === 'time' || kind === 'any');
}

function caseFault({ match, type }: Form, literal: Value): SemanticFault {
  const plain: Value = { ...literal, ignoreCase: false };
  const coercible = coercibleKindOf(valueKindOf(type));
  const isText = type.kind === 'string' || type.kind === 'map';
  const isSound =
    instanceKindOf(type)?.parse(plain.text) ??
    (isText || (coercible && coercionFailure(plain, coercible) === null));
  return ignoreCaseDiagnostic(match, literal, isSound ? literalFix(literal, plain) : []);
}

/** Returns the error of `7d` or `now - 7d` on a type that supports neither of them. */
function unusualFault({ match, operator, type }: Form, literal: Value): SemanticFault | null {
  if (literal.form === 'now') return clockDiagnostic(match, literal);
  if (literal.form !== 'typed') return null;
  const kind = valueKindOf(type);
  const coercible = coercibleKindOf(kind);
  const isSound = coercible === null || coercionFailure(literal, coercible) === null;
  const isOpen = type.kind === 'any';
  const fixes = [
    ...(isOpen || coercible !== null ? numberFix(literal) : []),
    ...(isSound &&
    !/^-?0[0-9]/.test(literal.text) &&
    (!isOpen || !requiresOrder(operator) || isQuotable(literal.text))
      ? literalFix(literal, quoted(literal))
      : []),
  ];
  const hint = isOpen ? undeclaredHint : coercible === null ? null : literalHint(literal.text, coercible);
  return typedDiagnostic(match, literal, isOpen ? null : describeKind(kind), hint, fixes);
}

/**
 * Whether a quoted string is compared as the user probably intended. False for durations, and for dates with an ambiguous order
 * of day and month.
 */
function isQuotable(text: string): boolean {
  return spans?.parse(text) === null && !text.includes('/');
}

const undeclaredHint =
  'times, durations, sizes, addresses and versions need quotes if no schema declares the field';

/** Returns suggestions for numbers such as `5O`, `1_000` or `5.`. */
function numberFix(literal: Value): readonly Suggestion[] {
  const text = literal.text
    .replace(/^(-?)0+(?=[0-9])/, '$1')
    .replace(/[oO]/g, '0')
    .replace(/[lI]/g, '1')
    .replace(/_/g, '')
    .replace(/\.$/, '');
  if (text === literal.text || !isNumber(text)) return [];
  return literalFix(literal, { ...literal, form: 'number', text });
}

/** Returns the error of a literal that cannot be converted to the number kind. */
function numberFault({ match, type }: Form, literal: Value): SemanticFault | null {
  const coercible = coercibleKindOf(valueKindOf(type));
  if (coercible === null) return null;
  const failure = coercionFailure(literal, coercible);
  return failure === null ? null : coercionDiagnostic({ ...match, value: literal }, coercible, failure);
}

const spans = instanceKindOf({ kind: 'duration' });

/**
 * Returns the error of a duration compared with a time, such as `Created > 7d`. It probably means that long before now; a
 * negative duration means after now.
 */
function agoDiagnostic(match: MatchExpression, literal: Value, expected: string): SemanticFault {
  const isAhead = literal.text.startsWith('-');
  const length = literal.text.replace(/^[-+]/, '');
  const clock = `now ${isAhead ? '+' : '-'} ${length}`;
  const isWritable = isTyped(length);
  const fix = isWritable
    ? literalFix(literal, { ...literal, form: 'now', ignoreCase: false, text: clock })
    : [];
  const fault = badLiteralDiagnostic(match, literal, expected, fix);
  return isWritable ? { ...fault, hint: `so long ${isAhead ? 'ahead' : 'ago'} is ${clock}` } : fault;
}

function instanceFault({ match, operator, type }: Form, kind: InstanceKind, literal: Value): SemanticFault {
  const isBlock = (kind.blocks?.parse(literal.text) ?? null) !== null;
  const isOrdered = kind.name === 'time' && requiresOrder(operator);
  // The quotes around `now - 7d` may come from a shell.
  if (isOrdered && clockDistance(literal) !== null) {
    const clock: Value = { ...literal, form: 'now', ignoreCase: false };
    return badLiteralDiagnostic(match, literal, kind.expected, literalFix(literal, clock));
  }
  const fix = isBlock ? blockFix(match, literal, type) : instanceFix(literal, kind);
  const expected =
    operator.operand.acceptsAddressBlocks && kind.blocks !== null
      ? `${kind.expected}, or a block: 10.0.0.0/8`
      : kind.expected;
  if (isOrdered && spans?.parse(literal.text) !== null) return agoDiagnostic(match, literal, expected);
  const fault = badLiteralDiagnostic(match, literal, expected, fix);
  return isBlock ? { ...fault, hint: blockHint(fix) } : fault;
}

/** Returns the error of two fields whose values cannot be compared. */
function pairFault({ match, operator, type }: Form, other: Type): SemanticFault | null {
  const refusal = pairDiagnostic(match, describeType(type), describeType(other));
  if (type.kind === 'any' || other.kind === 'any') return null;
  switch (operandRuleFor(operator, type)) {
    case 'keys':
      return familyOf(other) === 'string' ? null : refusal;
    case 'elements': {
      const of = elementTypeOf(type) ?? type;
      return of.kind === 'any' || isPair(of, other) ? null : { ...refusal, ...elementWords(of, other) };
    }
    default:
      return isPair(type, other) && (operator.equates !== 'part' || isText(other)) ? null : refusal;
  }
}

function elementWords(of: Type, other: Type): Pick<SemanticFault, 'label'> {
  return { label: `elements of kind ${describeType(of)} and ${describeType(other)}` };
}

function isText(type: Type): boolean {
  const kind = storedKindOf(type);
  return kind === 'string' || kind === 'time';
}

function isPair(a: Type, b: Type): boolean {
  const family = familyOf(a);
  return family !== null && family === familyOf(b);
}

/**
 * Returns the family of a type; types are comparable if they have the same family. Null if values of the type are not comparable.
 */
function familyOf({ kind, nullDepth }: Type): string | null {
  if (nullDepth > 1) return null;
  switch (kind) {
    case 'int':
    case 'uint':
    case 'float32':
    case 'float64':
      return 'number';
    case 'list':
    case 'array':
    case 'map':
    case 'struct':
    case 'any':
      return null;
    default:
      return kind;
  }
}

const measured: ReadonlySet<Type['kind']> = new Set(['list', 'array', 'map', 'string', 'time', 'any']);

/** Returns the error of `len` on a type without a length. */
export function lengthFault(form: Form, type: Type): SemanticFault | null {
  const { match } = form;
  if (type.nullDepth <= 1 && measured.has(storedKindOf(type))) return null;
  const isNumber = familyOf(type) === 'number' && match.operator !== 'not in [..]';
  const isSound = isNumber && formFaults({ ...form, type }).length === 0;
  return lengthDiagnostic(match, describeType(type), isSound ? unmeasuredFix(match) : []);
}

/** Whether the suggested operator `==` accepts the literal, or leads to another suggestion. */
function helpsEquality(form: Form): boolean {
  const { operator } = formOf('==');
  const equality: Form = { ...form, operator, match: { ...form.match, operator: '==' } };
  const literal = literalOf(form.match);
  const own = formFaults(equality);
  const isPlain = own.length === 0 && literal !== null && !hasOwnEquality(operator, form.type);
  const faults = isPlain ? [numberFault(equality, literal)] : own;
  return faults.every((fault) => fault === null || fault.suggestions.length > 0);
}

/** Returns the error of an operator that does not support the type, with suggestions. */
export function refusalOf(form: Form): SemanticFault {
  const { match, operator, type } = form;
  const refused = kindDiagnostic(match, operator.refusal.code, valueKindOf(type));
  const isOffered = refused.code !== 'no-contains' || helpsEquality(form);
  const refusal = isOffered ? refused : { ...refused, suggestions: [] };
  if (operator.dialect === undefined || type.nullDepth > 1) return refusal;
  const isList = type.kind === 'list' || type.kind === 'array';
  if (requiresOrder(operator)) {
    const literal = literalOf(match);
    const isMeasured = (isList || type.kind === 'map') && literal?.form === 'number';
    const isSound = isMeasured && formFaults({ ...form, type: intType }).length === 0;
    return isSound ? { ...refusal, suggestions: measureFix(match) } : refusal;
  }
  if (!isList || type.nullDepth > 0) return refusal;
  const { inner, fix } = elementMatch(match);
  const element: Form = { ...form, match: inner, type: type.of };
  const isSound =
    type.of.kind === 'any' ||
    (operandRuleFor(operator, type.of) !== 'refuse' && formFaults(element).length === 0);
  return isSound ? { ...refusal, suggestions: fix } : refusal;
}
