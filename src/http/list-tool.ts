import { checkMinimum, checkOptions, describe } from '../language/diagnostics/options.js';
import type { Endpoint } from './endpoint.js';
import { aboutWaiting, type ParameterName } from './parameters.js';
import { problemType, type ProblemDetails } from './failure.js';
import type { ListResponse } from './response.js';
import type { JSONSchema } from './row-schema.js';
import type { Schema } from '../language/schema/schema.js';
import { describeType, type Type } from '../language/schema/type.js';

export interface ListToolOptions {
  /** The name of the tool. Default: `list_rows`. */
  readonly name?: string;
  /** What the rows are, in one sentence: the first part of the description. */
  readonly about?: string;
  /** Rows of a page if the agent does not choose a number. Default: 20. */
  readonly perPage?: number;
  /** Maximum length of a result, in characters; a longer page is reported as an error. Default: 100,000. */
  readonly maxCharacters?: number;
}

/** Headers of the request that a call represents, such as `{ authorization: 'Bearer ..' }`, and its signal. */
export interface ToolCallContext {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The result of a call, in the form of the Model Context Protocol. */
export interface ListToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly isError?: true;
}

/** A tool with which an agent lists rows. */
export interface ListTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of the arguments. */
  readonly inputSchema: JSONSchema;
  /** Lists rows. Invalid arguments are results with `isError`, with the correction. */
  call(args: unknown, context?: ToolCallContext): Promise<ListToolResult>;
}

const grammar = [
  'A filter compares fields: Name == "x", Count >= 3, Status in ["a", "b"], Tags contains "x", Name starts with "web-",',
  'Name like "*-prod", Name matches "^a[0-9]+$" (RE2), Owner is nil, len(Tags) > 1, Created > now - 7d.',
  'Combine with and, or, not and parentheses. Ignore letter case with "x"i. Test elements of a list of objects with',
  'any Groups as g { g.Name == "x" } or all. Nested fields: Net.Zone, Meta["cost.center"]. Values are literals; @Other is another field.',
].join('\n');

/** Parameters that agents do not need: they wait, or only change the form of the response. */
const omitted: ReadonlySet<ParameterName> = new Set([...aboutWaiting, 'reverse', 'prev_token']);

/**
 * Returns a tool with which an agent can list the rows of an endpoint: a name, a description with the fields and a summary of the
 * filter language, a JSON Schema of the arguments, and a function that runs a call. It depends on no SDK.
 *
 * ```ts
 * const tool = listTool(listEndpoint(jobs), { name: 'list_jobs', about: 'The jobs of the cluster.' });
 * const result = await tool.call({ filter: 'Status == "running"', sort: '-Priority' });
 * ```
 *
 * @throws TypeError if the endpoint or an option is invalid.
 */
export function listTool(endpoint: Endpoint, options: ListToolOptions = {}): ListTool {
  checkOptions<ListToolOptions>('listTool', options, ['name', 'about', 'perPage', 'maxCharacters']);
  if (typeof (endpoint as Partial<Endpoint> | null)?.openapi !== 'function')
    throw new TypeError(`listTool: endpoint must be created with listEndpoint(), got ${describe(endpoint)}`);
  const { name = 'list_rows', about = 'Lists rows.', perPage = 20, maxCharacters = 100_000 } = options;
  const parameters = endpoint.parameters.filter(
    ({ standardName }) => standardName === null || !omitted.has(standardName),
  );
  const publicName = (name: ParameterName): string =>
    endpoint.parameters.find(({ standardName }) => standardName === name)?.name ?? name;
  checkListTool(name, about, perPage, maxCharacters);
  const withoutRows = (['count', 'facets', 'explain'] as const).map(publicName);
  const properties = Object.fromEntries(
    parameters.map(({ name: each, description, schema }) => [each, { ...schema, description }]),
  );
  const known = new Set(Object.keys(properties));
  const description = `${about} Fields of a row:\n${describeFields(endpoint.schema)}\n${grammar}`;

  return {
    name,
    description,
    inputSchema: { type: 'object', properties, additionalProperties: false },
    async call(args, { headers = {}, signal = new AbortController().signal } = {}) {
      if (typeof args !== 'object' || args === null || Array.isArray(args))
        return failed(`The arguments must be an object, got ${describe(args)}`);
      const hasRows = !withoutRows.some((each) => Object.hasOwn(args, each));
      const query = new URLSearchParams(hasRows ? { [publicName('per_page')]: String(perPage) } : {});
      for (const [key, value] of Object.entries(args)) {
        if (!known.has(key))
          return failed(`There is no argument ${key}. Arguments: ${[...known].join(', ')}`);
        if (value !== null && value !== undefined) query.set(key, textOf(value));
      }
      const given = new Map(Object.entries(headers).map(([each, value]) => [each.toLowerCase(), value]));
      const response = await endpoint.respond(
        {
          method: 'GET',
          url: `/?${query}`,
          header: (each) =>
            each === 'accept' ? problemType : each === 'if-none-match' ? null : (given.get(each) ?? null),
        },
        signal,
      );
      const isPage = response.status === 200;
      const body = await bodyOf(response, isPage ? maxCharacters : Infinity);
      if (body === null)
        return failed(
          `The page has more than ${maxCharacters} characters: request fewer rows (${publicName('per_page')}) or fields`,
        );
      return isPage ? pageOf(body, response) : failed(explainProblem(body, args).slice(0, maxErrorLength));
    },
  };
}

/** Maximum length of an error, which quotes a filter. */
const maxErrorLength = 10_000;

/** @throws TypeError for an invalid option. */
function checkListTool(name: unknown, about: unknown, perPage: unknown, maxCharacters: unknown): void {
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name))
    throw new TypeError(`listTool: name must be 1 to 64 letters, digits, "_" and "-", got ${describe(name)}`);
  if (typeof about !== 'string')
    throw new TypeError(`listTool: about must be a string, got ${describe(about)}`);
  checkMinimum('listTool', 'perPage', perPage, 1, true);
  checkMinimum('listTool', 'maxCharacters', maxCharacters, 1, true);
}

/** Maximum number of fields in the description. */
const maxFields = 200;

/** Returns a line for each field with its type, those of structs and of elements of lists included: `Groups: list of struct`. */
function describeFields(schema: Schema): string {
  const lines: string[] = [];
  const add = (type: Type, path: string, depth: number): void => {
    if (type.kind === 'list' || type.kind === 'array') add(type.of, `${path}[]`, depth);
    if (type.kind !== 'struct' || depth > 3) return;
    for (const [name, field] of type.fields) {
      if (lines.length >= maxFields) return;
      const full = path === '' ? name : `${path}.${name}`;
      lines.push(`- ${full}: ${describeType(field.type)}${valuesOf(field.type)}`);
      add(field.type, full, depth + 1);
    }
  };
  add(schema.root, '', 0);
  return lines.join('\n');
}

function valuesOf(type: Type): string {
  return type.kind === 'string' && type.values !== undefined ? ` (${type.values.join(', ')})` : '';
}

function failed(text: string): ListToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** A page, with the token of the next one and the total if they were sent. */
function pageOf(body: string, { headers }: ListResponse): ListToolResult {
  const named = Object.entries(headers).filter(([name]) => /^x-(?!index|history|content)/i.test(name));
  const notes = named.map(([name, value]) => `${name}: ${value}`);
  return { content: [{ type: 'text', text: [body, ...notes].join('\n') }] };
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns the whole body; null if it is longer than a number of characters. */
async function bodyOf({ body }: ListResponse, maxCharacters: number): Promise<string | null> {
  if (typeof body === 'string') return body.length > maxCharacters ? null : body;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxCharacters) return null;
  }
  return text + decoder.decode();
}

/** Returns what is wrong with the arguments, what to do, and the corrected filters. */
function explainProblem(body: string, args: object): string {
  const problem = JSON.parse(body) as Partial<ProblemDetails> & { readonly detail: string };
  const { detail, hint, suggestions = [], parameter } = problem;
  const filter = (args as Readonly<Record<string, unknown>>)[parameter ?? ''];
  const corrected =
    typeof filter === 'string'
      ? suggestions.map(
          ({ span, replacement }) => filter.slice(0, span.start) + replacement + filter.slice(span.end),
        )
      : [];
  const lines = corrected.map((each) => `Corrected: ${each}`);
  return [
    detail,
    ...(hint === null || hint === undefined || detail.toLowerCase().includes(hint.toLowerCase())
      ? []
      : [hint]),
    ...lines,
  ].join('\n');
}
