import { describe } from '../../../language/diagnostics/options.js';
import { findFieldIndex, type FieldIndex } from '../../../filter/compile/frame/field-index.js';
import type { Schema } from '../../../language/schema/schema.js';
import type { Type } from '../../../language/schema/type.js';
import {
  canonicalFieldName,
  fieldPathText,
  splitFieldNames,
  suggestFieldName,
} from '../../../language/syntax/field-path.js';
import { quoteText } from './clip-text.js';
import { QueryError } from './query-error.js';

/** A field whose values can be counted. */
export interface FacetField<T> {
  /** The name of the field in responses. */
  readonly name: string;
  /** The values of a row, as strings. */
  readonly index: FieldIndex<T>;
  /** A value as it appears in responses. */
  readonly format: (value: string) => string | boolean | bigint;
}

/** The fields that can be facets, as filters name them. */
export type FacetFields<T> = ReadonlyMap<string, FacetField<T>>;

/** Maximum fields of one request. Each field costs another pass over every row. */
const maxFields = 10;

/**
 * Returns the fields of a schema that can be facets: visible strings, booleans, integers and lists of these.
 *
 * @param reportedFields the fields whose values may be reported; all of them if omitted.
 */
export function facetFields<T extends object>(
  schema: Schema,
  reportedFields?: ReadonlySet<string>,
): FacetFields<T> {
  const found = new Map<string, FacetField<T>>();
  for (const [name, field] of schema.root.fields) {
    if (reportedFields?.has(name) === false) continue;
    const { type } = field;
    const format = presentation(type.kind === 'list' ? type.of : type);
    const index = format === null ? null : findFieldIndex<T>(schema, field);
    if (format !== null && index !== null) found.set(fieldPathText([name]), { name, index, format });
  }
  return found;
}

function presentation({ kind, nullDepth }: Type): FacetField<never>['format'] | null {
  if (nullDepth > 0) return null;
  if (kind === 'string') return (value) => value;
  if (kind === 'bool') return (value) => value === 'true';
  return kind === 'int' || kind === 'uint' ? BigInt : null;
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
  const requested = new Map(distinct.map((name) => [canonicalName(name), name]));
  return [...requested].map(([key, name]) => fields.get(key) ?? refuse(name, [...fields.keys()]));
}

function canonicalName(name: string): string {
  if (typeof name !== 'string')
    throw new TypeError(`list.facets: fields must be an array of names, got ${describe(name)} in it`);
  return canonicalFieldName(name);
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
