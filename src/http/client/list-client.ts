import { ClientError } from './client-error.js';
import type { ClientFacets, ClientOptions, ClientPage, ClientQuery, ListClient } from './client-types.js';
import { createFetchList, mustBe, type Parameters, type ClientReply } from './connection.js';
import { watchList } from './watch.js';

/**
 * Returns a client for a list that is served by `listEndpoint` of `tamis/http`, for browsers, Node and other platforms with `fetch`.
 *
 * ```ts
 * const jobs = listClient<Job>('/v1/jobs');
 * for await (const { items } of jobs.pages({ filter: 'Status == "running"', perPage: 100 })) show(items);
 * for await (const change of jobs.watch({ sort: '-Priority', perPage: 10 }, stop.signal)) draw(change);
 * ```
 *
 * @param url The address of the list; in a browser also relative to the page.
 * @throws TypeError if the URL is invalid, and for unknown options.
 */
export function listClient<T extends object>(url: string | URL, options: ClientOptions = {}): ListClient<T> {
  const address = checkClient(url, options);
  const fetchList = createFetchList(address, options);

  function pageOf({ value, header }: ClientReply): ClientPage<T> {
    const index = header('X-Index');
    return {
      items: value as T[],
      nextToken: header('X-Next-Token'),
      prevToken: header('X-Previous-Token'),
      total: totalOf(header('X-Total-Count')),
      index: index === null ? null : Number(index),
      etag: header('ETag'),
    };
  }

  async function page(
    query: ClientQuery = {},
    signal?: AbortSignal,
    known?: ClientPage<T>,
  ): Promise<ClientPage<T>> {
    checkQuery('page', query, signal);
    const reply = await fetchList(parametersOf(query), query, signal, known?.etag);
    return known !== undefined && reply.text === null ? known : pageOf(reply);
  }

  async function* pages(query: ClientQuery = {}, signal?: AbortSignal): AsyncGenerator<ClientPage<T>> {
    checkQuery('pages', query, signal);
    for (let { nextToken, prevToken } = query; ; prevToken = null) {
      const found = await page({ ...query, nextToken, prevToken }, signal);
      yield found;
      if (found.nextToken === null) return;
      if (found.nextToken === nextToken) throw new ClientError(200, 'The next page is the same page');
      nextToken = found.nextToken;
    }
  }

  /** Fetches a count, facets or an explanation instead of a page. */
  async function fetchAggregate<R>(
    method: string,
    parameters: Parameters,
    query: ClientQuery,
    signal: AbortSignal | undefined,
    member: keyof R & string,
  ): Promise<R> {
    checkQuery(method, query, signal);
    const { filter, prefix } = query;
    const isResponse = (value: unknown): boolean => (value as R | null | undefined)?.[member] !== undefined;
    return (await fetchList({ filter, prefix, ...parameters }, query, signal, null, undefined, isResponse))
      .value as R;
  }

  return {
    page,
    pages,
    count: async (query = {}, signal) =>
      (await fetchAggregate<ClientFacets>('count', { count: true }, query, signal, 'total')).total,
    facets: async (query, fields, signal) => {
      if (!Array.isArray(fields)) throw mustBe('client.facets', 'fields', 'an array of names', fields);
      return fetchAggregate('facets', { facets: fields.join() }, query, signal, 'facets');
    },
    explain: async (query = {}, signal) => {
      checkQuery('explain', query, signal);
      const { fields: _fields, total: _total, prev_token: _token, ...rest } = parametersOf(query);
      const parameters = { ...rest, explain: true };
      return fetchAggregate('explain', parameters, query, signal, 'filter');
    },
    watch(query = {}, signal) {
      checkQuery('watch', query, signal);
      return watchList(fetchList, pageOf, parametersOf(query), query, signal, options);
    },
  };
}

function parametersOf(query: ClientQuery): Parameters {
  const { filter, sort, reverse, prefix, fields, total, perPage, nextToken, prevToken } = query;
  const page = { per_page: perPage, next_token: nextToken, prev_token: prevToken };
  return { filter, sort, reverse, prefix, fields: fields?.map(nameText), total, ...page };
}

/** Returns a property name as filters write it. */
function nameText(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : `[${JSON.stringify(name).replaceAll('\\"', '\\x22')}]`;
}

/** Returns the number in `X-Total-Count`, which ends with `+` if it is a lower bound. */
function totalOf(count: string | null): ClientPage<never>['total'] {
  if (count === null) return null;
  return count.endsWith('+') ? { atLeast: parseInt(count, 10) } : Number(count);
}

const optionNames = 'fetch headers names wait backoff onRetry';
const wireNames =
  'filter sort reverse prefix fields total per_page next_token prev_token count facets explain index history watch changes positions wait X-Index X-History X-Next-Token X-Previous-Token X-Total-Count';
const queryTypes = {
  filter: 'string',
  sort: 'string',
  reverse: 'boolean',
  prefix: 'string',
  perPage: 'number',
  nextToken: 'string',
  prevToken: 'string',
  fields: 'object',
  total: 'boolean',
  parameters: 'object',
};

/** Returns the address. @throws TypeError for invalid arguments. */
function checkClient(url: unknown, options: ClientOptions): string {
  const caller = 'listClient';
  const address = String(url);
  if (!(typeof url === 'string' || url instanceof URL) || !/^(?:https?:|\/|\.{1,2}\/)./i.test(`${address}.`))
    throw mustBe(caller, 'url', 'an absolute URL (http or https) or a path that begins with /', url);
  checkNames(caller, 'option', options, optionNames);
  const { wait = 55, names = {}, headers } = options;
  // The maximum wait of an endpoint: ten minutes.
  if (!(wait >= 0 && wait <= 600)) throw mustBe(caller, 'wait', 'a number of seconds from 0 to 600', wait);
  for (const name of ['fetch', 'backoff', 'onRetry'] as const)
    if (!['undefined', 'function'].includes(typeof options[name]))
      throw mustBe(caller, name, 'a function', options[name]);
  checkNames(caller, 'name', names, wireNames);
  for (const [name, value] of Object.entries(names) as [string, unknown][])
    if (typeof value !== 'string') throw mustBe(caller, `names.${name}`, 'a string', value);
  if (typeof headers !== 'function') {
    if (headers !== undefined && (typeof headers !== 'object' || (headers as unknown) === null))
      throw mustBe(caller, 'headers', 'an object, Headers or a function', headers);
    // Throws for invalid names and values.
    new Headers(headers);
  }
  // The fragment after `#` is not sent to servers.
  return address.split('#')[0] as string;
}

/** @throws TypeError for unknown options, and for options and signals of the wrong type. */
function checkQuery(method: string, query: ClientQuery, signal: AbortSignal | undefined): void {
  const caller = `client.${method}`;
  checkNames(caller, 'option', query, Object.keys(queryTypes).join(' '));
  for (const [name, value] of Object.entries(query) as [keyof ClientQuery, unknown][]) {
    const type = queryTypes[name];
    if (value !== undefined && typeof value !== type && !(name.endsWith('Token') && value === null))
      throw mustBe(caller, name, `a${type === 'object' ? 'n' : ''} ${type}`, value);
  }
  if (signal !== undefined && !('aborted' in Object(signal)))
    throw mustBe(caller, 'signal', 'an AbortSignal', signal);
}

function checkNames(caller: string, what: string, given: object, names: string): void {
  const known = names.split(' ');
  if (typeof given !== 'object' || (given as unknown) === null || Array.isArray(given))
    throw mustBe(caller, `${what}s`, `an object such as { ${known[0]} }`, given);
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const start = name.slice(0, 3).toLowerCase();
    const near = known.find((each) => each.toLowerCase().startsWith(start));
    throw new TypeError(
      `${caller}: unknown ${what} "${name}". ${near ? `Did you mean ${near}?` : `The ${what}s are ${known.join(', ')}.`}`,
    );
  }
}
