import { suggestName } from '@tamis/config';
import { firstParameter, type QueryParameters } from '@tamis/http';
import { fieldIndex, type FieldIndex, type Type } from 'tamis';
import { SchedulerError } from '../errors.js';
import { quote } from '../model/quote.js';
import type { Resource } from '../model/resource.js';

/** A field whose values can be counted. */
export interface FacetField<T> {
  readonly name: string;
  /** The values of a row, as texts. */
  readonly index: FieldIndex<T>;
  /** A value as answers show it. */
  readonly show: (value: string) => string | boolean | bigint;
}

export type FacetFields<T> = ReadonlyMap<string, FacetField<T>>;

/** Most fields of one request: each is one more look at every row. */
const maxFields = 10;

/**
 * The fields of a resource that can be counted: texts, booleans, integers and lists of them, those that filters see.
 *
 * @param told the fields whose values may be told; all of them where it is left out.
 */
export function facetFields<T extends object>(
  { schema, shape }: Resource<T>,
  told?: ReadonlySet<string>,
): FacetFields<T> {
  const fields = [...shape.properties.values()].flatMap(({ property: name, type, hidden }) => {
    const isSecret = hidden || told?.has(name) === false;
    const show = isSecret || type.nullDepth > 0 ? null : presentation(type.kind === 'list' ? type.of : type);
    return show === null ? [] : [{ name, index: fieldIndex<T>(schema, name), show }];
  });
  return new Map(fields.map((field) => [field.name, field]));
}

function presentation({ kind, nullDepth }: Type): FacetField<never>['show'] | null {
  if (nullDepth > 0) return null;
  if (kind === 'string') return (value) => value;
  if (kind === 'bool') return (value) => value === 'true';
  return kind === 'int' || kind === 'uint' ? BigInt : null;
}

/** Parameters that ask for something else than all that matches, once. */
const excluded = ['index', 'watch', 'changes', 'explain', 'sort', 'reverse', 'per_page', 'next_token'];

/**
 * Reads `facets`: names of fields between commas. Null where none are asked for.
 *
 * @throws SchedulerError `bad-facets`
 */
export function parseFacets<T>(
  parameters: QueryParameters,
  fields: FacetFields<T>,
): readonly FacetField<T>[] | null {
  const text = (parameters.get('facets') ?? []).filter((each) => each !== '').join();
  if (text === '') return null;
  const other = excluded.find((name) => firstParameter(parameters, name) !== '');
  if (other !== undefined) {
    throw badFacets(`\`facets\` counts all that matches, once: leave out \`${other}\``);
  }
  const names = [...new Set(text.split(','))];
  if (names.length > maxFields) throw badFacets(`\`facets\` takes at most ${maxFields} fields`);
  return names.map((name) => fields.get(name) ?? refuse(name, [...fields.keys()]));
}

function refuse(name: string, known: readonly string[]): never {
  const near = suggestName(name, known);
  const hint = near === null ? '' : `did you mean ${near}? `;
  throw badFacets(`Cannot count ${quote(name)}: ${hint}This list counts ${known.join(', ')}`);
}

function badFacets(message: string): SchedulerError {
  return new SchedulerError('bad-facets', message);
}
