import { findFieldIndex } from '../../../filter/compile/frame/field-index.js';
import { pathReader } from '../../../filter/compile/frame/indexed-field.js';
import { findFieldPath, type RowField } from '../../../language/schema/field-path.js';
import {
  canonicalFieldName,
  fieldPathText,
  splitFieldNames,
  suggestFieldName,
} from '../../../language/syntax/field-path.js';
import type { Schema } from '../../../language/schema/schema.js';
import type { Type } from '../../../language/schema/type.js';
import { asData } from '../../../language/values/data.js';
import { isScalarKind } from '../../../language/values/instance/index.js';
import { quoteText } from './clip-text.js';
import { QueryError } from './query-error.js';

/** A field whose values can be counted. */
export interface FacetField<T> {
  /** The name of the field in responses. */
  readonly name: string;
  /** The field as filters write it, by which indexes are named. */
  readonly text: string;
  /** Returns the values of a row, as strings; none for null. */
  readonly keysOf: (row: T) => readonly string[] | null;
  /** Whether the field has an index by value with the same keys, and null counts as the zero value. */
  readonly isPlain: boolean;
  /** A value as it appears in responses. */
  readonly format: (value: string) => string | number | boolean | bigint;
}

/** The fields that can be facets, by their names in filters. */
export type FacetFields<T> = ReadonlyMap<string, FacetField<T>>;

/** Maximum fields of one request. Each field costs another pass over every row. */
const maxFields = 10;

/**
 * Returns the fields of a schema that can be facets: visible scalars, and lists of strings, booleans or integers. `get` also finds
 * fields of structs by their paths.
 *
 * @param reportedFields the fields whose values may be reported; all of them if omitted.
 */
export function facetFields<T extends object>(
  schema: Schema,
  reportedFields?: ReadonlySet<string>,
): FacetFields<T> {
  const find = (name: string): FacetField<T> | undefined => {
    const field = findFieldPath(schema, name, 'fields');
    if (field === null || reportedFields?.has(field.path[0] ?? '') === false) return undefined;
    return facetField<T>(schema, field) ?? undefined;
  };
  const found = new FoundFacets<T>(find);
  for (const name of schema.root.fields.keys()) {
    const text = fieldPathText([name]);
    const field = find(text);
    if (field !== undefined) found.set(text, field);
  }
  return found;
}

const allFields = new WeakMap<Schema, FacetFields<never>>();

/** Returns all fields of a schema that can be facets, cached per schema. */
export function allFacetFields<T extends object>(schema: Schema): FacetFields<T> {
  const fields = allFields.get(schema) ?? facetFields<never>(schema);
  allFields.set(schema, fields);
  return fields as object as FacetFields<T>;
}

class FoundFacets<T> extends Map<string, FacetField<T>> {
  readonly #find: (name: string) => FacetField<T> | undefined;

  constructor(find: (name: string) => FacetField<T> | undefined) {
    super();
    this.#find = find;
  }

  override get(name: string): FacetField<T> | undefined {
    return super.get(name) ?? (typeof name === 'string' ? this.#find(name) : undefined);
  }
}

function facetField<T>(schema: Schema, field: RowField): FacetField<T> | null {
  const { type, isNullable, path } = field;
  const [first = ''] = path;
  const name = path.length === 1 ? first : field.name;
  const index = findFieldIndex<T>(schema, field);
  if (index !== null) {
    const isPlain = !isNullable && path.length === 1;
    return {
      name,
      text: field.name,
      keysOf: index.keysOf,
      isPlain,
      format: presentation(type.kind === 'list' ? type.of : type),
    };
  }
  if (!isScalarKind(type.kind) || type.nullDepth > 1) return null;
  const read = pathReader(field.properties);
  const keysOf = (row: T): readonly string[] => keysOfScalar(asData(read(row)));
  return { name, text: field.name, keysOf, isPlain: false, format: presentation(type) };
}

/**
 * Returns the key of a scalar as the only element: the digits of a number, or the string itself. Two spellings of one instant are
 * two values.
 */
function keysOfScalar(value: unknown): readonly string[] {
  // Adding zero turns -0 into 0.
  if (typeof value === 'number') return [String(value + 0)];
  return typeof value === 'string' || typeof value === 'bigint' ? [String(value)] : [];
}

function presentation(type: Type): FacetField<never>['format'] {
  if (type.kind === 'bool') return (value) => value === 'true';
  if (type.kind === 'float32' || type.kind === 'float64')
    return (value) => (Number.isFinite(Number(value)) ? Number(value) : value);
  const isInteger =
    type.kind === 'int' || type.kind === 'uint' || ('unit' in type && type.unit !== undefined);
  return isInteger ? (value) => (/^-?\d+$/.test(value) ? BigInt(value) : value) : (value) => value;
}

/** Returns the fields with these names, in an array or separated by commas, each once. @throws QueryError `invalid-facets` */
export function readFacets<T>(
  given: string | readonly string[],
  fields: FacetFields<T>,
): readonly FacetField<T>[] {
  const names = typeof given === 'string' ? splitFieldNames(given) : given;
  // Counted before they are parsed, because a request can contain thousands of names.
  const distinct = [...new Set(names)];
  if (distinct.length > maxFields) throw invalidFacets(`\`facets\` takes at most ${maxFields} fields`);
  const requested = new Map(distinct.map((name) => [canonicalFieldName(name), name]));
  const found = [...requested].map(([key, name]) => fields.get(key) ?? refuse(name, [...fields.keys()]));
  // `a.b` and `["a.b"]` are both called a.b in responses.
  const isShared = ({ name }: FacetField<T>): boolean =>
    found.filter((each) => each.name === name).length > 1;
  return found.map((field) => (isShared(field) ? { ...field, name: field.text } : field));
}

function refuse(name: string, known: readonly string[]): never {
  const near = suggestFieldName(name, known);
  const hint = near === undefined ? '' : `did you mean ${near}? `;
  const what =
    known.length === 0 ? 'This list has no facets' : `The facets of this list are ${known.join(', ')}`;
  throw invalidFacets(`Unknown facet ${quoteText(name)}: ${hint}${what}`);
}

export function invalidFacets(message: string): QueryError {
  return new QueryError('invalid-facets', 'facets', message);
}
