import { formOf, type OperatorName } from '../../language/operators/operators.js';
import { parsedOf, type FilterSource } from '../../language/parse.js';
import { analyse, type Analysis } from '../../language/schema/analysis.js';
import { check } from '../../language/schema/check.js';
import { isClock } from '../../language/schema/clock-literal.js';
import { stringType, type Type } from '../../language/schema/type.js';
import { coercibleKindOf, valueKindOf } from '../../language/schema/value-kind.js';
import { literalsOf, type Expression, type MatchExpression, type Value } from '../../language/syntax/ast.js';
import { fieldPathText, readFieldPath } from '../../language/syntax/field-path.js';
import { print } from '../../language/syntax/print.js';
import { parseGlob } from '../../language/values/glob.js';
import { instanceKindOf } from '../../language/values/instance/index.js';
import { coerceBool, coerceNumber } from '../../language/values/operand.js';
import { Attempts, messageOf, refuse, type Conversion, type ConvertOptions } from './conversion.js';

/** A match of a filter, read for another form. */
export interface ExportedMatch {
  /** The clause in the filter language. */
  readonly at: string;
  readonly path: readonly string[];
  readonly type: Type;
  /** Whether the field, the other field, or a part of their paths can be null or missing. */
  readonly canBeNull: boolean;
  /** The operator without its negation. A glob that only tests one end is `starts with`, `ends with` or `in`. */
  readonly operator: OperatorName;
  readonly negated: boolean;
  readonly isLength: boolean;
  readonly ignoresCase: boolean;
  /** The values: none, one, or those of a list. */
  readonly values: readonly (string | number | boolean)[];
  /** The path of the other field of a comparison with `@`; null if the operand is a value. */
  readonly other: readonly string[] | null;
}

/** Reads a filter, checked against the schema, for another form. */
export class Exporter extends Attempts {
  readonly #ast: Expression;
  readonly #analysis: Analysis;

  constructor(caller: string, filter: FilterSource, { schema, limits }: ConvertOptions) {
    super();
    const parsed = parsedOf(caller, filter, limits === undefined ? {} : { limits });
    this.#ast = parsed.ast;
    this.#analysis = analyse(schema.root);
    for (const fault of check(parsed, { schema }))
      this.problems.push({
        at: parsed.source.slice(fault.span.start, fault.span.end),
        message: messageOf(fault),
      });
  }

  export<T>(convert: (ast: Expression, analysis: Analysis) => T): Conversion<T> {
    return this.finish(() => convert(this.#ast, this.#analysis));
  }
}

/** Reads a match. Refuses values that other forms do not have. */
export function readMatch(match: MatchExpression, analysis: Analysis): ExportedMatch {
  const at = print(match);
  const { selector, value } = match;
  const { steps, type } = analysis.resolve(selector);
  if (type === null) return refuse(at, `${print(selector)}: there is no such field`);
  const { operator, negated } = formOf(match.operator);
  const literals = literalsOf(match);
  if (literals.some((each) => isClock(each, operator.operand, type)))
    refuse(at, 'the current time cannot be exported');
  const glob = operator.name === 'like' ? affixOf(literals[0]?.text ?? '') : null;
  const isLength = match.aspect === 'length';
  const other = value?.kind === 'reference' ? value.selector : null;
  const allSteps = other === null ? steps : [...steps, ...analysis.resolve(other).steps];
  return {
    at,
    path: selector.path,
    type,
    canBeNull: allSteps.some((step) => step.kind !== 'field' || step.type.nullDepth > 0),
    operator: glob?.operator ?? operator.name,
    negated,
    isLength,
    ignoresCase: literals.some(({ ignoreCase }) => ignoreCase),
    values:
      glob === null
        ? literals.map((each) => valueOf(at, each, isLength ? null : operandTypeOf(type)))
        : [glob.text],
    other: other?.path ?? null,
  };
}

/** Returns a name of a field for forms whose names are strings: without brackets if it is read as the same path. */
export function nameOf(path: readonly string[]): string {
  const name = path.join('.');
  const read = readFieldPath(name);
  return read.length === path.length && read.every((part, at) => part === path[at])
    ? name
    : fieldPathText(path);
}

/** The type of the literals of a match: that of elements for a list, a string for the keys of a map. */
function operandTypeOf(type: Type): Type {
  if (type.kind === 'list' || type.kind === 'array') return type.of;
  return type.kind === 'map' ? stringType : type;
}

/** Returns a literal as a JSON value. `type` is null for a length. */
function valueOf(at: string, literal: Value, type: Type | null): string | number | boolean {
  if (!literal.wellFormed) return refuse(at, 'the value is not valid Unicode');
  const isInstance = type !== null && instanceKindOf(type) !== null;
  if (isInstance && 'unit' in type && /^-?\d+$/.test(literal.text)) return safeNumber(at, literal, 'int');
  const kind = type === null ? 'int' : isInstance ? null : coercibleKindOf(valueKindOf(type));
  if (kind === null) return literal.text;
  if (kind === 'bool') return coerceBool(literal) === true;
  return safeNumber(at, literal, kind);
}

function safeNumber(at: string, literal: Value, kind: 'int' | 'uint' | 'float32' | 'float64'): number {
  const number = coerceNumber(literal, kind);
  if (typeof number === 'string' || (number.integer === null && !Number.isFinite(number.double)))
    return refuse(at, `${literal.text} is not a number of JSON`);
  if (number.integer !== null && !Number.isSafeInteger(number.double))
    return refuse(at, `${literal.text} is beyond the integers that JSON readers represent exactly`);
  return number.double;
}

/** Returns the test of one end that a glob is, and its string; null for other globs. */
function affixOf(glob: string): { readonly operator: OperatorName; readonly text: string } | null {
  const parts = parseGlob(glob)?.parts.map((part) => (part.length === 1 ? part[0] : null)) ?? [null];
  if (parts.includes(null)) return null;
  const [first, middle = '', last] = parts as string[];
  if (parts.length === 1) return { operator: '==', text: first ?? '' };
  if (parts.length === 2 && middle === '' && first !== '')
    return { operator: 'starts with', text: first ?? '' };
  if (parts.length === 2 && first === '' && middle !== '') return { operator: 'ends with', text: middle };
  if (parts.length === 3 && first === '' && last === '') return { operator: 'in', text: middle };
  return null;
}
