import { sortsOf } from 'tamis/query';
import type { ResponseBody, RouteFacts } from '../kernel/route.js';
import { headerPrefixes } from '../kernel/response.js';
import { listOf, orNull, record, ref, text, type JsonSchema } from '../kernel/json-schema.js';
import { queryParameters, type ParameterName } from '../kernel/parameters.js';
import { schemas } from './schemas.js';

/** An OpenAPI document: plain data. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

const description = `Lists and reads take filters, pages and blocking queries. Errors are plain text: one status, and
what was wrong. PUT and POST mean the same. Integers may need all of 64 bits.`;

/** Returns the OpenAPI 3.1 document of these routes. */
export function createDocument(routes: readonly RouteFacts[]): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'Scheduler', version: '1', description: description.replaceAll('\n', ' ') },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { compatible: [] }, { bearer: [] }, {}],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: createPaths(routes),
    components: {
      schemas,
      parameters: Object.fromEntries(
        Object.entries(queryParameters)
          .filter(([key]) => key !== 'sort')
          .map(([key, { name = key, description: about, schema }]) => [
            key,
            { name, in: 'query', description: about, schema },
          ]),
      ),
      headers: Object.fromEntries(
        Object.entries(responseHeaders).flatMap(([name, header]) =>
          headerPrefixes.map((prefix) => [`${prefix}${name}`, header]),
        ),
      ),
      responses: Object.fromEntries(
        Object.entries(failures).map(([status, about]) => [
          `Failure${status}`,
          { description: about, content: { 'text/plain': { schema: text } } },
        ]),
      ),
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Scheduler-Token' },
        compatible: { type: 'apiKey', in: 'header', name: 'X-Nomad-Token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

const integerHeader = (about: string): object => ({
  description: about,
  required: true,
  schema: { type: 'integer', minimum: 0 },
});

const responseHeaders = {
  Index: integerHeader('Index of the response, for a blocking query that waits for the next one.'),
  LastContact: integerHeader('Milliseconds since the server heard from the leader.'),
  KnownLeader: {
    description: 'Whether there is a leader.',
    required: true,
    schema: { type: 'boolean' },
  },
  Nexttoken: {
    description: 'Where the next page begins; there when there is one.',
    schema: { type: 'string' },
  },
};

const failures = {
  400: 'The request is wrong in itself.',
  403: 'Permission denied.',
  404: 'There is no such thing; the body may be empty.',
  429: 'Too many requests at a time.',
  500: 'No cluster leader, no path to the region, no agent to forward to.',
  501: 'Not for an agent of this mode.',
  503: 'The agent is stopping.',
} as const;

/** Methods in the document. A route that accepts any method is listed under its intended one. */
const methods = { get: ['get'], put: ['put', 'post'], delete: ['delete'], any: ['get'] } as const;

function createPaths(routes: readonly RouteFacts[]): Readonly<Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    for (const method of methods[route.method]) path[method] = describe(route, method);
  }
  return paths;
}

function describe(route: RouteFacts, method: string): object {
  const { path, summary, tag, right, parameters, body } = route;
  const inPath = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: text,
  }));
  return {
    operationId: `${method} ${path}`.replace(/[^A-Za-z]+/g, '_').replace(/_+$/, ''),
    summary,
    tags: [tag],
    description: `With access control, needs ${right.name}.`,
    ...(right.name === 'nothing' ? { security: [] } : {}),
    parameters: [...inPath, ...parameters.map((name) => parameterOf(name, route))],
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: { 'application/json': { schema: ref(body.schema) } },
          },
        }),
    responses: {
      200: { description: 'Done.', ...headersOf(route), ...contentOf(route.response) },
      ...Object.fromEntries(
        [400, 403, ...route.failures, 500].map((status) => [
          status,
          { $ref: `#/components/responses/Failure${status}` },
        ]),
      ),
    },
  };
}

/** Returns the declaration of a parameter. The sort fields differ by list; all other parameters are the same everywhere. */
function parameterOf(name: ParameterName, { sorts = [] }: RouteFacts): object {
  if (name !== 'sort') return { $ref: `#/components/parameters/${name}` };
  const { description: about, schema } = queryParameters.sort;
  return { name, in: 'query', description: about, schema: { ...schema, enum: sortsOf(sorts) } };
}

function headersOf({ headers }: RouteFacts): object {
  const names = Object.keys(responseHeaders);
  const count = { none: 0, write: 1, read: 3, page: 4 }[headers];
  const sent = names
    .slice(0, count)
    .flatMap((name) =>
      headerPrefixes.map((prefix) => [`${prefix}${name}`, { $ref: `#/components/headers/${prefix}${name}` }]),
    );
  return sent.length === 0 ? {} : { headers: Object.fromEntries(sent) as object };
}

/** Returns the schema of a successful body with rows. A list may return changes, an explanation or counts instead. */
export function responseSchema(response: Extract<ResponseBody, { readonly schema: string }>): JsonSchema {
  const row = ref(response.schema);
  switch (response.kind) {
    case 'json':
      return row;
    case 'maybe':
      return orNull(row);
    case 'list': {
      const list = listOf(row);
      const changes = record({ Entered: list, Left: listOf({ type: 'object' }), Changed: list });
      return response.filtered
        ? { anyOf: [list, changes, ref('ScanExplanation'), ref('FacetCounts')] }
        : list;
    }
  }
}

function contentOf(response: ResponseBody): object {
  const json = (schema: JsonSchema): object => ({ content: { 'application/json': { schema } } });
  switch (response.kind) {
    case 'empty':
      return {};
    case 'json':
    case 'maybe':
    case 'list':
      return json(responseSchema(response));
    case 'texts':
      return json(listOf(text));
    case 'text':
      return json(text);
    case 'document':
      return json({ type: 'object' });
    case 'page':
      return { content: { 'text/html': { schema: text } } };
    case 'metrics':
      return {
        content: { 'application/json': { schema: ref('Metrics') }, 'text/plain': { schema: text } },
      };
    case 'lines':
      return { content: { 'application/x-ndjson': { schema: text } } };
    case 'frames':
      return {
        content: { 'application/json': { schema: ref('LogFrame') }, 'text/plain': { schema: text } },
      };
    case 'events':
      return {
        content: { 'application/json': { schema: ref('EventFrame') }, 'text/event-stream': { schema: text } },
      };
    case 'bytes':
      return {
        content: {
          'application/octet-stream': { schema: { type: 'string', contentEncoding: 'binary' } },
          'text/plain': { schema: text },
        },
      };
  }
}
