import type { Limits } from '../../language/diagnostics/limits.js';
import { describe, limitsOf } from '../../language/diagnostics/options.js';
import { check } from '../../language/schema/check.js';
import { resolvePath } from '../../language/schema/resolve.js';
import type { Schema } from '../../language/schema/schema.js';
import { elementTypeOf, describeType, type Type } from '../../language/schema/type.js';
import { coercibleKindOf, valueKindOf } from '../../language/schema/value-kind.js';
import { fieldPathText } from '../../language/syntax/field-path.js';
import { instanceKindOf } from '../../language/values/instance/index.js';
import { allOf, anyOf, type Condition } from '../builder/condition.js';
import type { AnyField } from '../builder/field-type.js';
import type { Scalar } from '../builder/literal.js';
import { where } from '../builder/where.js';
import {
  Attempts,
  messageOf,
  refuse,
  refuseAll,
  type Conversion,
  type ConvertOptions,
} from './conversion.js';

/** A field that an imported condition names. */
export interface ImportedField {
  readonly name: string;
  readonly type: Type;
  /** The start of a condition on the field. */
  readonly where: AnyField;
  /** The parts of the path that can be null, outermost first. */
  readonly nullable: readonly AnyField[];
  /** Whether it is an element of `any` or `all`, or a part of one. */
  readonly isElement: boolean;
}

/** Builds the conditions of a filter from another form. */
export class Importer extends Attempts {
  readonly limits: Limits;
  readonly #schema: Schema;
  #terms = 0;
  #parts = 0;

  constructor({ schema, limits }: ConvertOptions) {
    super();
    this.limits = limitsOf(limits);
    this.#schema = schema;
  }

  /** Converts the whole, and refuses a filter that is longer than the limit. */
  import<T extends Condition | null>(whole: () => T): Conversion<T> {
    return this.finish(() => {
      const condition = whole();
      const length = condition === null || this.problems.length > 0 ? 0 : condition.source.length;
      const { maxLength } = this.limits;
      return length > maxLength
        ? refuse('', `the filter has ${length} characters, at most ${maxLength} are possible`)
        : condition;
    });
  }

  /** Counts a part of what is imported, and refuses what is nested more deeply than a filter can be. */
  enter(at: string, depth: number): void {
    const { maxDepth, maxTerms } = this.limits;
    this.#parts += 1;
    // Groups and invalid rules count here, valid rules also as conditions.
    if (this.#parts > 4 * maxTerms) refuseAll(at, `more than ${4 * maxTerms} groups and rules`);
    if (depth > maxDepth) refuseAll(at, `nested more than ${maxDepth} levels`);
  }

  /** Finds a field of the rows, or of the elements that `from` is. */
  field(at: string, path: readonly [string, ...string[]], from: ImportedField | null = null): ImportedField {
    const { steps, end } = resolvePath(from?.type ?? this.#schema.root, path);
    const name = (from === null ? '' : `${from.name}.`) + fieldPathText(path);
    const start = (parts: readonly string[]): AnyField =>
      from === null ? where(...(parts as [string])) : from.where.at(...(parts as [string]));
    if (end === null) {
      const [fault] = from === null ? check(start(path).is(''), { schema: this.#schema }) : [];
      refuse(at, fault === undefined ? `${name}: there is no such field` : messageOf(fault));
    }
    if (steps.some(({ kind }) => kind === 'index'))
      refuse(at, `${name}: an element of a list is not a field`);
    const nullable = steps.flatMap((step, index) =>
      step.kind !== 'field' || step.type.nullDepth > 0 ? [start(path.slice(0, index + 1))] : [],
    );
    return { name, type: end, where: start(path), nullable, isElement: from !== null };
  }

  /**
   * Returns a condition on a field, checked against the schema. `whenNull` is its result for rows in which the field is null or
   * missing. `isSafe` promises that the operator has this result, so that no test for null is needed.
   */
  leaf(
    at: string,
    { where: field, nullable, isElement }: ImportedField,
    make: (field: AnyField) => Condition,
    whenNull: boolean,
    isSafe = false,
  ): Condition {
    this.#terms += 1 + nullable.length;
    if (this.#terms > this.limits.maxTerms) refuseAll(at, `more than ${this.limits.maxTerms} conditions`);
    const condition = built(at, () => make(field));
    if (!isElement) this.check(at, condition);
    if (nullable.length === 0 || (isSafe && nullable.length === 1)) return condition;
    return whenNull
      ? anyOf([...nullable.map((part) => part.isNil()), condition])
      : allOf([...nullable.map((part) => part.isNotNil()), condition]);
  }

  /** Refuses a condition that the schema does not allow. Conditions on elements are checked with their `any` or `all`. */
  check(at: string, condition: Condition): Condition {
    const [fault] = check(condition, { schema: this.#schema, limits: this.limits });
    return fault === undefined ? condition : refuse(at, messageOf(fault));
  }

  /** Converts the values of a list. */
  values(at: string, field: ImportedField, values: readonly unknown[]): readonly Scalar[] {
    const { maxTerms } = this.limits;
    if (values.length > maxTerms) refuse(at, `a list of more than ${maxTerms} values`);
    return values.map((each) => this.value(at, field, each));
  }

  /** Converts a value to the type of a field, or of its elements. Strings in the form of a number or boolean are converted. */
  value(at: string, { name, type }: ImportedField, value: unknown): Scalar {
    const of = elementTypeOf(type) ?? type;
    const kind = instanceKindOf(of) === null ? coercibleKindOf(valueKindOf(of)) : null;
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    const { maxLength } = this.limits;
    if (typeof value === 'string' && value.length > maxLength)
      refuseAll(at, `a value of more than ${maxLength} characters`);
    if (kind === null && (typeof value === 'string' || isNumber))
      return of.kind === 'string' ? String(value) : value;
    if (kind === 'bool' && (value === true || value === 'true')) return true;
    if (kind === 'bool' && (value === false || value === 'false')) return false;
    if (kind !== null && kind !== 'bool') {
      if (isNumber) return value;
      if (typeof value === 'string' && /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value))
        return /^\s*[-+]?\d+\s*$/.test(value) ? BigInt(value) : Number(value);
    }
    return refuse(
      at,
      `a value of ${name}, which is ${withArticle(describeType(of))}, is expected, got ${describe(value)}`,
    );
  }
}

/** Refuses a value for `==` that no value of a time or version equals. */
export function checkInstance(at: string, { name, type }: ImportedField, value: unknown): void {
  const kind = type.kind === 'time' || type.kind === 'version' ? instanceKindOf(type) : null;
  if (kind !== null && typeof value === 'string' && kind.parse(value) === null)
    refuse(at, `${describe(value)} is not a ${type.kind}, as ${name} is`);
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Calls the builder, whose errors explain which values a filter cannot contain. */
function built(at: string, make: () => Condition): Condition {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return refuse(at, error.message.replace(/^[^:]*: /, ''));
  }
}

/** Joins imported conditions; null if there are none, which means that every row matches. */
export function join(kind: 'and' | 'or', conditions: readonly (Condition | null)[]): Condition | null {
  const given = conditions.filter((each) => each !== null);
  if (given.length === 0) return null;
  return kind === 'and' ? allOf(given) : anyOf(given);
}

/** Returns the members of an object; refuses other values. */
export function membersOf(at: string, value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  return refuse(at, `${what} is expected, got ${describe(value)}`);
}

/** Returns a string member; refuses other values. */
export function stringAt(at: string, value: unknown, what: string): string {
  return typeof value === 'string' ? value : refuse(at, `${what} is expected, got ${describe(value)}`);
}
