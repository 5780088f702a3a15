import { parseSchema, type Schema } from 'tamis';
import { ClientError, listClient, type ListClient } from 'tamis/client';
import { complete, createFieldCatalog, format, hover, type Completions } from 'tamis/editor';
import type { FilterLanguage, Mark } from './filter-box/filter-language.js';
import { findProblems, isRejected } from './find-problems.js';

export { findProblems, isRejected, lintFilter } from './find-problems.js';

/** The knowledge of a filter box about the rows: a schema, a list over HTTP, or both. */
export interface FilterSource {
  /** A `Schema`, the result of its `toJSON()`, or that as JSON text. */
  readonly schema?: unknown;
  /** URL of a list. Its rows provide fields if there is no schema, its facets provide values, and it validates filters. */
  readonly endpoint?: string | null | undefined;
}

/** The language service of a filter box in the same page. */
export interface LocalLanguage extends FilterLanguage {
  /** Returns the first error that is known without the endpoint; null if there is no error or no filter. */
  errorOf(text: string): Mark | null;
}

/** Number of rows that are requested to find out the fields of a list. */
const sampleSize = 50;
/** Maximum number of fields whose values are cached. */
const maxFields = 200;
/** Maximum number of fields whose values are requested for one completion. */
const maxFieldsAtOnce = 3;

/**
 * Creates the language service for a schema or a list.
 *
 * @throws TypeError if the schema is invalid
 */
export function createFilterLanguage({ schema, endpoint }: FilterSource): LocalLanguage {
  const known = readSchema(schema);
  const url = endpoint ?? '';
  const list = url === '' ? null : createListKnowledge(url, known);
  const errorOf = (text: string): Mark | null =>
    findProblems(text, known).find(({ severity }) => severity === 'error') ?? null;
  return {
    complete: async (text, offset) =>
      list === null
        ? complete(text, offset, known === null ? {} : { schema: known })
        : list.complete(text, offset),
    hover: async (text, offset) => hover(text, offset, { schema: known ?? undefined }),
    async problems(text) {
      const marks = findProblems(text, known);
      if (list === null || text.trim() === '' || isRejected(marks)) return marks;
      const rejection = await list.rejectionOf(text);
      return rejection === null ? marks : [rejection];
    },
    format: async (text) => format(text).text,
    errorOf,
  };
}

function readSchema(schema: unknown): Schema | null {
  if (schema === undefined || schema === null || schema === '') return null;
  try {
    return parseSchema(JSON.parse(typeof schema === 'string' ? schema : JSON.stringify(schema)));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new TypeError(`createFilterLanguage: schema must be JSON, got invalid JSON: ${error.message}`);
  }
}

interface ListKnowledge {
  complete(text: string, offset: number): Promise<Completions>;
  /** Returns why the list rejects a filter; null if it accepts it or is temporarily unavailable. */
  rejectionOf(text: string): Promise<Mark | null>;
}

function createListKnowledge(endpoint: string, schema: Schema | null): ListKnowledge {
  const client: ListClient<Record<string, unknown>> = listClient(endpoint);
  let catalog = createFieldCatalog([], schema);
  let sampling: Promise<void> | null = null;
  /** Values by field, most frequent first; empty if the list does not count the field. */
  const values = new Map<string, readonly string[]>();

  const sample = async (): Promise<void> => {
    const { items } = await client.page({ perPage: sampleSize });
    catalog = createFieldCatalog(items, schema);
  };
  const count = async (field: string): Promise<void> => {
    const found = await client.facets({}, [field]).catch(ignoreFailure);
    if (values.size >= maxFields) values.clear();
    values.set(field, found?.facets[field]?.values.map(({ value }) => String(value)) ?? []);
  };
  return {
    async complete(text, offset) {
      sampling ??= sample().catch((error: unknown) => {
        sampling = null;
        ignoreFailure(error);
      });
      await sampling;
      const missing = new Set<string>();
      const run = (): Completions =>
        complete(text, offset, {
          schema: schema ?? undefined,
          keys: (path) => catalog.keys(path),
          values(path) {
            const field = path.join('.');
            if (path.every((key) => key !== null && /^\w+$/.test(key)) && !values.has(field))
              missing.add(field);
            return [...new Set([...(values.get(field) ?? []), ...catalog.values(path)])];
          },
        });
      const first = run();
      if (missing.size === 0) return first;
      await Promise.all([...missing].slice(0, maxFieldsAtOnce).map(count));
      return run();
    },
    async rejectionOf(text) {
      try {
        await client.page({ filter: text, perPage: 1 });
        return null;
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        if (error.isPassing) return null;
        const { message, span, hint, suggestions } = error;
        return {
          severity: 'error',
          span: span ?? { start: 0, end: text.length },
          message,
          hint,
          suggestions,
        };
      }
    },
  };
}

/** Without a response from the list, completion continues with what is known. */
function ignoreFailure(error: unknown): null {
  if (error instanceof ClientError) return null;
  throw error;
}
