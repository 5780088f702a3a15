import type { SemanticFault, SemanticErrorCode, Suggestion } from '../diagnostics/errors.js';
import type { Span } from '../diagnostics/span.js';
import { formOf } from '../operators/operators.js';
import { literalOf, type MatchExpression, type Selector } from '../syntax/ast.js';
import type { CoercionFailure } from '../values/go-number.js';
import { withArticle } from '../syntax/wording.js';
import { quoteGo } from '../values/go-quote.js';
import { ownNames } from '../values/own-names.js';
import { goKindName, type ValueKind } from '../values/kind.js';
import { goParserName, type CoercibleKind } from '../values/operand.js';
import {
  absenceFix,
  elementFix,
  joinedKeyFix,
  nameFix,
  swappedFix,
  type NameSearch,
  type Fix,
} from './name-fixes.js';
import { createFault } from './form-diagnostics.js';
import { literalFixes, operatorFixes, patternFixes } from './quick-fixes.js';
import type { PathFault } from './resolve.js';
import type { Level } from '../syntax/dialect.js';
import { print } from '../syntax/print.js';
import { coercibleKindOf } from './value-kind.js';

/** A selector in go-bexpr's spelling: parts joined by dots, or the pointer. */
function selectorText(selector: Selector): string {
  return selector.form === 'pointer' ? pointerText(selector.path) : selector.path.join('.');
}

/** A path as a JSON pointer in which only `/` is escaped, as go-bexpr prints it. */
function pointerText(path: readonly string[]): string {
  return path.map((part) => `/${part.replaceAll('/', '~1')}`).join('');
}

/** Where a path fails: the whole path of the value (with bound names resolved) and the index of the failing part. */
export interface PathPlace {
  readonly selector: Selector;
  readonly path: readonly string[];
  /** Index of the failing part in `path`. */
  readonly part: number;
  /** Index of the failing part in the selector as written. */
  readonly written: number;
  /** The match that contains the selector; null if none exists. */
  readonly match: MatchExpression | null;
  /** The language level of suggestions. Default: 1. */
  readonly level?: Level;
  /** Set if the filter has more than one mistake to diagnose. */
  readonly search?: NameSearch;
  /** Paths from enclosing elements that have such a field. They are suggested if the row lacks it. */
  readonly fromElements?: readonly (readonly string[])[];
}

export function pathDiagnostic(position: PathPlace, fault: PathFault | KeyFault | KindFault): SemanticFault {
  const { selector, written } = position;
  const where = pointerText(position.path);
  const at = ` at part ${position.part}: `;
  const span = selector.partSpans[written] ?? selector.span;
  const say = (words: string, label: string, hintFor: () => Fix = () => noFix): SemanticFault => {
    const goMessage = `error finding value in datum: ${where}${words}`;
    return lazily({ code: fault.code, goMessage, span, label }, hintFor);
  };
  // For an existing name, suggests the names that are similar to it.
  const { level = 1 } = position;
  const remedyOf = (remedy: Fix, names: readonly string[]): Fix =>
    (remedy.suggestions.length > 0 && selector.path[0] !== 'not'
      ? null
      : swappedFix(position.match, names, level)) ?? remedy;
  switch (fault.code) {
    case 'find-no-key': {
      // The names are copied now, because rows change, and compared only on access. A name whose value is undefined does not
      // exist, even if the row lists it.
      const names =
        fault.container === null ? [] : ownNames(fault.container).filter((name) => name !== fault.key);
      const words = `${at}couldn't find key ${quoteGo(fault.key)}`;
      return say(words, 'this row has no such key', () =>
        remedyOf(nameFix(selector, written, names, 'names', undefined, [], level), names),
      );
    }
    case 'find-no-field': {
      const words = `${at}couldn't find key: struct field with name ${quoteGo(fault.field)}`;
      return say(words, 'there is no such field', () =>
        remedyOf(
          nameFix(
            selector,
            written,
            fault.candidates,
            'fields',
            position.search,
            position.fromElements,
            level,
          ),
          fault.candidates,
        ),
      );
    }
    case 'find-bad-index':
      return say(`${at}couldn't convert value ${quoteGo(fault.part)} to type int`, 'not an index', () =>
        elementFix(selector, written, position.match),
      );
    case 'find-out-of-range':
      return say(
        `${at}index ${fault.index} is out of range (length = ${fault.length ?? 0})`,
        fault.length === null ? 'a list has no such index' : `the list has ${fault.length} elements`,
      );
    case 'find-invalid-kind': {
      const kind = fault.kind === 'any' ? 'unsupported' : fault.kind;
      const { keyPart = null } = fault;
      const odd = oddHint(kind);
      return say(
        `: at part ${position.part}, invalid value kind: ${goKindName(kind)}`,
        odd === null ? `a ${kind} has no parts` : `this is ${describeKind(kind)}`,
        () =>
          odd !== null
            ? { hint: odd, suggestions: [] }
            : fault.kind === 'nil'
              ? absenceFix(selector, written)
              : keyPart === null
                ? noFix
                : joinedKeyFix(selector, keyPart),
      );
    }
  }
}

const noFix: Fix = { hint: null, suggestions: [] };

/** Creates a diagnostic whose suggestions are computed on access, because most errors of a list are counted and never read. */
function lazily(diagnostic: Omit<SemanticFault, 'hint' | 'suggestions'>, hintFor: () => Fix): SemanticFault {
  let remedy: Fix | null = null;
  return {
    ...diagnostic,
    get hint() {
      return (remedy ??= hintFor()).hint;
    },
    get suggestions() {
      return (remedy ??= hintFor()).suggestions;
    },
  };
}

/** A key that a map lacks. */
export interface KeyFault {
  readonly code: 'find-no-key';
  readonly key: string;
  /** The object without the key, whose own names are suggested; null if none exists. */
  readonly container: object | null;
}

/** A value without parts in the middle of a path. */
export interface KindFault {
  readonly code: 'find-invalid-kind';
  readonly kind: ValueKind;
  /** Index of the selector part that is a key of a map of such values, and may have been meant to include the next part. */
  readonly keyPart?: number | null;
}

/** Returns the diagnostic of an operator that does not support this kind of value. */
export function kindDiagnostic(
  match: MatchExpression,
  code: SemanticErrorCode,
  kind: ValueKind,
): SemanticFault {
  return {
    code,
    goMessage: kindMessage(match, code, kind),
    span: match.selector.span,
    label: `this is ${describeKind(kind)}`,
    hint: oddHint(kind) ?? kindHint(match, code),
    suggestions: operatorFixes(match, code, kind),
    ...orderWords(match, code, kind),
  };
}

/** `Priority > "high"` for a number and `Status > 5` for a string, which no schema declares. */
function orderWords(
  match: MatchExpression,
  code: SemanticErrorCode,
  kind: ValueKind,
): Partial<Pick<SemanticFault, 'label' | 'hint'>> {
  const literal = literalOf(match);
  const isText = kind === 'string';
  const isNumber = coercibleKindOf(kind) !== null && kind !== 'bool';
  if (code !== 'no-ordering' || literal === null || match.aspect !== 'value' || !(isText || isNumber))
    return {};
  const name = print(match.selector);
  return isText
    ? {
        label: `this is a string, and ${print(literal)} is a number`,
        hint: `compare with a string: ${name} ${match.operator} "${literal.text}"`,
      }
    : {
        label: `this is a number, and ${print(literal)} is a string`,
        hint: `compare with a number: ${name} ${match.operator} 50`,
      };
}

function kindMessage(
  { selector, operator }: MatchExpression,
  code: SemanticErrorCode,
  kind: ValueKind,
): string {
  const { refusal } = formOf(operator).operator;
  const name = goKindName(kind);
  const where = quoteGo(selectorText(selector));
  switch (code) {
    case refusal.code:
      return refusal.message(name, where);
    case 'map-key-kind':
      return `cannot look up text in a map whose keys are not plain strings, for selector: ${where}`;
    default:
      return `value of kind ${name} does not fit the declared kind, for selector: ${where}`;
  }
}

function kindHint({ operator }: MatchExpression, code: SemanticErrorCode): string | null {
  const { refusal } = formOf(operator).operator;
  if (code === refusal.code) return refusal.hint;
  return code === 'kind-mismatch' ? 'the row does not have the shape that the schema declares' : null;
}

/** The hint for values that are not data; null for all others. */
function oddHint(kind: ValueKind): string | null {
  if (kind === 'invalid date') return 'an invalid Date has no time value and cannot be compared';
  if (kind !== 'unsupported') return null;
  return 'rows may contain strings, numbers, booleans, null, lists, maps and valid dates; not functions, symbols or bytes';
}

/** Returns a kind in words: `an int`, `null`. */
export function describeKind(kind: ValueKind): string {
  if (kind === 'nil') return 'null';
  if (kind === 'unsupported') return 'not data';
  return withArticle(kind);
}

/**
 * A list (or the kind of its elements) that `in` cannot search.
 *
 * @param position set for an element of a list that may hold anything.
 */
export function elementDiagnostic(
  match: MatchExpression,
  kind: ValueKind,
  position: '' | ' in interface slice' = '',
): SemanticFault {
  return createFault(
    'no-comparison',
    `unable to find suitable primitive comparison function for "in" comparison${position}: ${goKindName(kind)}`,
    match.selector.span,
    `an element is ${describeKind(kind)}`,
    oddHint(kind) ?? 'test the elements: any L as x { x.Field == "..." }',
  );
}

const literalHints: Readonly<Record<CoercibleKind, string>> = {
  bool: 'write true or false',
  int: 'write a whole number, such as 50',
  uint: 'write a whole number that is not negative, such as 50',
  float32: 'write a number, such as 0.5',
  float64: 'write a number, such as 0.5',
};

/** Returns the suggested spelling of a literal that is not of the kind. */
export function literalHint(text: string, kind: CoercibleKind): string {
  if (/^(?:nil|null|none|undefined)$/i.test(text)) return 'for a nullable field, use is nil';
  return literalHints[kind];
}

/** The literal cannot become the kind of the field. */
export function coercionDiagnostic(
  match: MatchExpression,
  kind: CoercibleKind,
  failure: CoercionFailure,
  code: SemanticErrorCode = failure === 'range' ? 'coerce-range' : 'coerce-syntax',
): SemanticFault {
  const value = literalOf(match);
  const text = value?.text ?? '';
  const where =
    code === 'coerce-range-any-list'
      ? 'error getting interface slice match value in expression'
      : 'error getting match value in expression';
  const reason = failure === 'range' ? 'value out of range' : 'invalid syntax';
  return createFault(
    code,
    `${where}: strconv.${goParserName(kind)}: parsing ${quoteGo(text)}: ${reason}`,
    match.value?.span ?? match.span,
    failure === 'range' ? `too large for ${describeKind(kind)}` : `not ${describeKind(kind)}`,
    failure === 'range' ? null : literalHint(text, kind),
    value === null ? [] : literalFixes(value, kind),
  );
}

/** The pattern is not a valid RE2 regular expression. `refusal` contains Go's message. */
export function patternDiagnostic(match: MatchExpression, refusal: string): SemanticFault {
  // Go quotes the faulty part of the pattern verbatim; here the message stays on one line.
  const remedies = patternFixes(match);
  const reason = refusal.replace(/\p{Cc}/gu, (control) => quoteGo(control).slice(1, -1));
  return createFault(
    'bad-regexp',
    `failed to compile regular expression ${quoteGo(literalOf(match)?.text ?? '')}: ${reason}`,
    match.value?.span ?? match.span,
    reason.replace(/^error parsing regexp: /, ''),
    patternHint(reason, remedies),
    remedies,
  );
}

function patternHint(reason: string, remedies: readonly Suggestion[]): string {
  const [first] = remedies;
  if (/invalid or unsupported Perl syntax/.test(reason)) {
    return 'patterns are RE2, without look-around, back-references and possessive repetition; join several tests with and, or and not';
  }
  if (first?.replacement.includes('contains ') === true) {
    return `to find this string literally, write ${first.replacement}; in a pattern, a backslash escapes a character`;
  }
  return first === undefined
    ? 'patterns are regular expressions in RE2 syntax; a backslash escapes a character'
    : 'patterns are regular expressions, where * repeats the item before it';
}

/** `any` or `all` on a value without elements. */
export function collectionDiagnostic(selector: Selector, kind: ValueKind): SemanticFault {
  return createFault(
    'not-a-collection',
    `${selectorText(selector)} is not a list or a map`,
    selector.span,
    `this is ${describeKind(kind)}`,
    oddHint(kind),
  );
}

/** `any` or `all` over a map whose keys are not plain strings. */
export function mapKeyDiagnostic(kind: 'any' | 'all', selector: Selector): SemanticFault {
  return createFault(
    'map-key-kind',
    `${kind.toUpperCase()} can only iterate over maps indexed with strings`,
    selector.span,
    'the keys of this map are not plain strings',
  );
}

export function clashDiagnostic(name: string, span: Span): SemanticFault {
  return createFault(
    'binding-clash',
    `${quoteGo(name)} cannot be used as a placeholder for both the index and the value`,
    span,
    'one name for two things',
    'give the index and the value different names, or write _ for the one you do not need',
  );
}

/** A key or index has no parts. */
export function indivisibleDiagnostic(selector: Selector, kind: 'string' | 'int'): SemanticFault {
  const name = pointerText(selector.path.slice(0, 1));
  return createFault(
    'binding-path',
    `${name} references a ${kind} so ${pointerText(selector.path)} is invalid`,
    selector.partSpans[1] ?? selector.span,
    kind === 'int' ? 'an index has no parts' : 'a key has no parts',
    'bind the value too: any M as key, value { value.Field == "..." }',
  );
}
