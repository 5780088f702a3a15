import { findFieldIndex, type FieldIndex } from '../../../filter/compile/frame/field-index.js';
import { suggestNames } from '../../../language/diagnostics/suggest.js';
import type { Schema } from '../../../language/schema/schema.js';
import type { Type } from '../../../language/schema/type.js';
import { quoteText } from './clip-text.js';
import { QueryError } from './query-error.js';

/** A field whose values can be counted. */
export interface FacetField<T> {
  readonly name: string;
  /** The values of a row, as texts. */
  readonly index: FieldIndex<T>;
  /** A value as it appears in responses. */
  readonly show: (value: string) => string | boolean | bigint;
}

export type FacetFields<T> = ReadonlyMap<string, FacetField<T>>;

/** Most fields of one request: each is one more look at every row. */
const maxFields = 10;

/**
 * The fields of a schema that can be counted: texts, booleans, integers and lists of them, those that filters see.
 *
 * @param told the fields whose values may be reported; all of them if omitted.
 */
export function facetFields<T extends object>(schema: Schema, told?: ReadonlySet<string>): FacetFields<T> {
  const found = new Map<string, FacetField<T>>();
  for (const [name, field] of schema.root.fields) {
    if (told?.has(name) === false) continue;
    const { type } = field;
    const show = presentation(type.kind === 'list' ? type.of : type);
    const index = show === null ? null : findFieldIndex<T>(schema, field);
    if (show !== null && index !== null) found.set(name, { name, index, show });
  }
  return found;
}

function presentation({ kind, nullDepth }: Type): FacetField<never>['show'] | null {
  if (nullDepth > 0) return null;
  if (kind === 'string') return (value) => value;
  if (kind === 'bool') return (value) => value === 'true';
  return kind === 'int' || kind === 'uint' ? BigInt : null;
}

/** The fields with these names, each once. @throws QueryError `bad-facets` */
export function readFacets<T>(names: readonly string[], fields: FacetFields<T>): readonly FacetField<T>[] {
  const wanted = [...new Set(names)];
  if (wanted.length > maxFields) throw badFacets(`\`facets\` takes at most ${maxFields} fields`);
  return wanted.map((name) => fields.get(name) ?? refuse(name, [...fields.keys()]));
}

function refuse(name: string, known: readonly string[]): never {
  const [near] = suggestNames(name, known, 1);
  const hint = near === undefined ? '' : `did you mean ${near}? `;
  const what = known.length === 0 ? 'This list counts no fields' : `This list counts ${known.join(', ')}`;
  throw badFacets(`Cannot count ${quoteText(name)}: ${hint}${what}`);
}

export function badFacets(message: string): QueryError {
  return new QueryError('bad-facets', 'facets', message);
}
