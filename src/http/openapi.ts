import { facetFields } from '../lists/query/request/facet-query.js';
import type { RowSource } from '../lists/query/source/row-source.js';
import { sortsOf } from '../lists/query/request/sort-query.js';
import {
  aboutWaiting,
  headerDescriptions,
  parameterDescriptions,
  type EndpointParameter,
  type HeaderName,
  type ParameterName,
} from './parameters.js';
import type { EndpointOptions } from './endpoint-options.js';
import type { EndpointRules } from './endpoint-rules.js';
import { problemType } from './failure.js';
import { rowSchemas, type JSONSchema } from './row-schema.js';

/** A part of an OpenAPI 3.1 document. */
export interface OpenApiFragment {
  readonly paths: Readonly<Record<string, JSONSchema>>;
  readonly components: { readonly schemas: Readonly<Record<string, JSONSchema>> };
}

const text: JSONSchema = { type: 'string' };
const schemas: Partial<Readonly<Record<ParameterName, JSONSchema>>> = {
  reverse: { type: 'boolean' },
  per_page: { type: 'integer', minimum: 0 },
  count: { type: 'boolean' },
  explain: { type: 'boolean' },
  index: { type: 'integer', format: 'int64', minimum: 0 },
  watch: { type: 'string', enum: ['result'] },
  changes: { type: 'boolean' },
  positions: { type: 'boolean' },
  total: { type: 'boolean' },
};

/** Returns the parameters of an endpoint by their public names. */
export function describeParameters(rules: EndpointRules): readonly EndpointParameter[] {
  const { nameOf, isProjectable, isWatchable, hasIndex, values, furtherTexts } = rules;
  const own = (Object.keys(parameterDescriptions) as ParameterName[]).filter(
    (name) =>
      (isWatchable || !aboutWaiting.includes(name)) &&
      (hasIndex || (name !== 'index' && name !== 'history')) &&
      (isProjectable || name !== 'fields'),
  );
  const additional = [
    ...[...values].map(([name, field]) => [name, `Only rows whose ${field.name} has this value.`] as const),
    ...furtherTexts,
  ];
  return Object.freeze([
    ...own.map((name) => ({
      name: nameOf(name),
      description: parameterDescriptions[name],
      schema: schemas[name] ?? text,
      standardName: name,
    })),
    ...additional.map(([name, description]) => ({ name, description, schema: text, standardName: null })),
  ]);
}

/** Returns the fragment of an OpenAPI document for an endpoint. */
export function describeEndpoint<T extends object, C>(
  source: RowSource<T>,
  rules: EndpointRules,
  { serialize, caller }: Pick<EndpointOptions<T, C>, 'serialize' | 'caller'>,
  path: string,
  name = 'Row',
): OpenApiFragment {
  if (typeof path !== 'string' || !path.startsWith('/')) {
    throw new TypeError(`openapi: path must begin with a slash, got ${JSON.stringify(path)}`);
  }
  const common = { Problem: problemSchema };
  const { ref, schemas: components } = rowSchemas(source.schema.root, name, rules.isWatchable, common);
  const isOwn = serialize !== undefined;
  const entry: JSONSchema = isOwn ? {} : { $ref: ref };
  const list: JSONSchema = { type: 'array', items: entry };
  const changes: JSONSchema = {
    type: 'object',
    properties: { entered: list, left: { type: 'array', items: { type: 'object' } }, changed: list },
    required: ['entered', 'left', 'changed'],
  };
  const aggregateSchema: JSONSchema = { type: 'object', description: 'Counts, or an explanation.' };
  const headers = (Object.keys(headerDescriptions) as HeaderName[]).filter(
    (each) => rules.hasIndex || (each !== 'X-Index' && each !== 'X-History'),
  );
  const failed = (description: string, headers?: JSONSchema): JSONSchema => ({
    description,
    ...(headers === undefined ? {} : { headers }),
    content: { 'text/plain': { schema: text }, [problemType]: { schema: { $ref: problemRef } } },
  });
  const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } };
  const listed = (names: readonly string[]): string =>
    names.length === 0 ? '' : ` One of ${names.join(', ')}.`;
  const extra: Partial<Record<ParameterName, string>> = {
    sort: listed(sortsOf(source.sorts.keys())),
    facets: listed([...facetFields<T>(source.schema).keys()]),
  };
  const describe = ({ name: written, description, schema, standardName }: EndpointParameter): JSONSchema => {
    const more = standardName === null ? '' : (extra[standardName] ?? '');
    return { name: written, in: 'query', required: false, description: `${description}${more}`, schema };
  };
  return {
    paths: {
      [path]: {
        get: {
          operationId: `list${operationName(path)}`,
          summary: 'Lists rows: filtered, sorted, in pages.',
          parameters: [...pathParameters(path), ...describeParameters(rules).map(describe)],
          responses: {
            '200': {
              description: 'The page, or the requested count, facets or explanation.',
              headers: Object.fromEntries(
                headers.map((each) => [
                  rules.headerOf(each),
                  { description: headerDescriptions[each], schema: text },
                ]),
              ),
              content: {
                'application/json': {
                  schema: { anyOf: [list, ...(rules.isWatchable ? [changes] : []), aggregateSchema] },
                },
              },
            },
            '304': { description: 'The list has not changed since the ETag was sent.' },
            '400': failed('What is wrong with the query.'),
            ...(caller === undefined
              ? {}
              : {
                  '401': failed('The request has no valid credentials.'),
                  '403': failed('The caller may not read the list.'),
                }),
            '429': failed('The server has no capacity for the query at the moment.', retryAfter),
            '500': failed('The list cannot be read.'),
            '503': failed('The list is closed, or its rows are not available now.', retryAfter),
          },
        },
      },
    },
    components: { schemas: isOwn ? common : components },
  };
}

const problemRef = '#/components/schemas/Problem';

/** The schema of problem documents (RFC 9457). */
const problemSchema: JSONSchema = {
  type: 'object',
  description: 'A problem document (RFC 9457), for requests that accept application/problem+json.',
  properties: {
    title: text,
    status: { type: 'integer' },
    detail: text,
    code: { type: 'string', description: 'Why the request is rejected.' },
    message: text,
    parameter: { type: 'string', description: 'The invalid parameter.' },
    span: { type: 'object', properties: { start: { type: 'integer' }, end: { type: 'integer' } } },
    hint: { type: ['string', 'null'], description: 'What to do instead.' },
    suggestions: { type: 'array', items: { type: 'object' }, description: 'Corrections of the filter.' },
  },
  required: ['title', 'status', 'detail', 'code', 'message'],
};

/** Returns the parameters of a path template: `team` of `/v1/teams/{team}/jobs`. */
function pathParameters(path: string): JSONSchema[] {
  const names = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name));
  return [...names].map((name) => ({ name, in: 'path', required: true, schema: text }));
}

/** Returns the letters and digits of a path as one name: `V1Jobs` for `/v1/jobs`. */
function operationName(path: string): string {
  return path.replace(/[^A-Za-z0-9]+([a-z0-9]?)/gi, (_, letter: string) => letter.toUpperCase());
}
