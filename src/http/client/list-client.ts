import { ClientError } from './client-error.js';
import type { ClientFacets, ClientOptions, ClientPage, ClientQuery, ListClient } from './client-types.js';
import { createFetchList, type Parameters, type ClientReply } from './connection.js';
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
      index: index === null ? null : Number(index),
      etag: header('ETag'),
    };
  }

  async function page(
    query: ClientQuery = {},
    signal?: AbortSignal,
    known?: ClientPage<T>,
  ): Promise<ClientPage<T>> {
    const reply = await fetchList(parametersOf(query), query, signal, known?.etag);
    return known !== undefined && reply.text === null ? known : pageOf(reply);
  }

  async function* pages(query: ClientQuery = {}, signal?: AbortSignal): AsyncGenerator<ClientPage<T>> {
    for (let nextToken = query.nextToken; ;) {
      const found = await page({ ...query, nextToken }, signal);
      yield found;
      if (found.nextToken === null) return;
      if (found.nextToken === nextToken) throw new ClientError(200, 'The next page is the same page');
      nextToken = found.nextToken;
    }
  }

  /** Fetches a count, facets or an explanation instead of a page. */
  async function fetchAggregate<R>(
    parameters: Parameters,
    query: ClientQuery,
    signal: AbortSignal | undefined,
    member: keyof R & string,
  ): Promise<R> {
    const { filter, prefix } = query;
    const isResponse = (value: unknown): boolean => (value as R | null | undefined)?.[member] !== undefined;
    return (await fetchList({ filter, prefix, ...parameters }, query, signal, null, undefined, isResponse))
      .value as R;
  }

  return {
    page,
    pages,
    count: async (query = {}, signal) =>
      (await fetchAggregate<ClientFacets>({ count: true }, query, signal, 'total')).total,
    facets: (query, fields, signal) => fetchAggregate({ facets: fields.join() }, query, signal, 'facets'),
    explain: (query = {}, signal) =>
      fetchAggregate({ ...parametersOf(query), explain: true }, query, signal, 'filter'),
    watch: (query = {}, signal) => watchList(fetchList, pageOf, parametersOf(query), query, signal, options),
  };
}

function parametersOf({ filter, sort, reverse, prefix, perPage, nextToken }: ClientQuery): Parameters {
  return { filter, sort, reverse, prefix, per_page: perPage, next_token: nextToken };
}

const optionNames = 'fetch headers names wait backoff onRetry'.split(' ');

function checkClient(url: unknown, options: ClientOptions): string {
  if (!(typeof url === 'string' || url instanceof URL))
    throw new TypeError('listClient: url must be a string or a URL');
  for (const name of Object.keys(options))
    if (!optionNames.includes(name))
      throw new TypeError(`listClient: unknown option "${name}". The options are ${optionNames.join(', ')}.`);
  const { wait = 55 } = options;
  // The maximum wait of an endpoint: ten minutes.
  if (!(wait >= 0 && wait <= 600))
    throw new TypeError('listClient: wait must be a number of seconds from 0 to 600');
  if (typeof url === 'string' && !/^(?:[a-z][a-z\d+.-]*:|\/|\.{1,2}\/)./i.test(`${url}.`))
    throw new TypeError(
      `listClient: url must be an absolute URL or a path that begins with /, got ${JSON.stringify(url.slice(0, 60))}`,
    );
  // The fragment after `#` is not sent to servers.
  return String(url).split('#')[0] as string;
}
