import type { HeaderName, ParameterName } from '../parameters.js';
import type { ClientError } from './client-error.js';

/** A query to a list; `{}` requests the first page of all rows. `F` are the fields of the rows. */
export interface ClientQuery<F extends string = string> {
  readonly filter?: string | undefined;
  /** Field names separated by commas; `-` before a field means descending. */
  readonly sort?: string | undefined;
  readonly reverse?: boolean | undefined;
  readonly prefix?: string | undefined;
  readonly perPage?: number | undefined;
  readonly nextToken?: string | null | undefined;
  /** The `prevToken` of the next page, instead of `nextToken`: requests the page before it. */
  readonly prevToken?: string | null | undefined;
  /** The fields of the rows. Default: all. */
  readonly fields?: readonly F[] | undefined;
  /** Whether the page has the number of all matching rows. */
  readonly total?: boolean | undefined;
  /** Additional parameters of this list. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

/** A page, as the server sent it. Integers beyond 2^53 are rounded, as `JSON.parse` does. */
export interface ClientPage<T> {
  readonly items: readonly T[];
  /** Token of the next page; null on the last page. */
  readonly nextToken: string | null;
  /** Token of the previous page; null on the first page. */
  readonly prevToken: string | null;
  /** The number of all matching rows, or a lower bound if the server does not count all; null if it is not requested. */
  readonly total: number | { readonly atLeast: number } | null;
  /** The index of the last write to the list; null if the list has no index. */
  readonly index: number | null;
  readonly etag: string | null;
}

/** The value counts of fields. */
export interface ClientFacets {
  readonly total: number;
  readonly facets: Readonly<
    Record<
      string,
      {
        readonly values: readonly { readonly value: string | number | boolean; readonly count: number }[];
        readonly others: number;
      }
    >
  >;
}

/** An event of a watch. `page`: the full result, sent first and whenever the difference is unknown; otherwise the difference. */
export type ClientChange<T> =
  | { readonly kind: 'page'; readonly index: number | null; readonly page: ClientPage<T> }
  | {
      readonly kind: 'changes';
      /** Null if the list has no index. */
      readonly index: number | null;
      /** The index of the page or changes before this event. */
      readonly since: number | null;
      readonly entered: readonly T[];
      /** Rows that are no longer in the result, with only their key property. */
      readonly left: readonly Partial<T>[];
      /** Rows that are in both results, in their new state. */
      readonly changed: readonly T[];
      readonly nextToken: string | null;
      /** The positions of the rows, for `applyChanges`. */
      readonly positions: ClientPositions;
    };

/** The positions of changed rows within their pages, from 0. */
export interface ClientPositions {
  /** The positions on the old page of the rows in `left`, followed by those in `changed`. */
  readonly removed: readonly number[];
  /** The positions on the new page of the rows in `entered`. */
  readonly entered: readonly number[];
  /** The positions on the new page of the rows in `changed`. */
  readonly changed: readonly number[];
}

/** Argument types of the constructor of `Headers`. */
export type ClientHeaders = NonNullable<RequestInit['headers']>;

/** Options of `listClient`. */
export interface ClientOptions {
  /** Replaces the platform's `fetch`: for cookies, a proxy, or an endpoint in the same process. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Headers of each request. A function is called for each request, for example to renew a token. */
  readonly headers?: ClientHeaders | (() => ClientHeaders | Promise<ClientHeaders>) | undefined;
  /** Custom names of parameters and headers; must match the `rename` of the endpoint. */
  readonly names?: Partial<Readonly<Record<ParameterName | HeaderName, string>>> | undefined;
  /** Maximum wait of one request of a watch, in seconds. Default: 55, below the timeouts of common proxies. */
  readonly wait?: number | undefined;
  /**
   * Returns the delay before a watch retries, in ms, given the number of failures. Default: 500 ms, doubled up to 30 s, with
   * jitter.
   */
  readonly backoff?: ((failures: number) => number) | undefined;
  /** Called with the error before a watch retries. */
  readonly onRetry?: ((error: ClientError) => void) | undefined;
}

/** A list over HTTP. All methods reject with ClientError, or with the reason of the signal. */
export interface ListClient<T> {
  /** Returns one page. If `known` is still current, returns `known` without transferring rows. */
  page<F extends keyof T & string = keyof T & string>(
    query?: ClientQuery<F>,
    signal?: AbortSignal,
    known?: ClientPage<Pick<T, F>>,
  ): Promise<ClientPage<Pick<T, F>>>;
  /** Iterates over this page and all later pages. Each is requested when needed. */
  pages<F extends keyof T & string = keyof T & string>(
    query?: ClientQuery<F>,
    signal?: AbortSignal,
  ): AsyncIterable<ClientPage<Pick<T, F>>>;
  /** Returns the number of matching rows, independent of pages. */
  count(query?: ClientQuery, signal?: AbortSignal): Promise<number>;
  /** Returns the value counts of these fields over all matching rows. */
  facets(query: ClientQuery, fields: readonly string[], signal?: AbortSignal): Promise<ClientFacets>;
  /** Returns how the rows are found and, if no row matches, the clauses that exclude them and the values that occur instead. */
  explain(query?: ClientQuery, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Iterates over the result and its changes. Resumes after broken connections, temporary errors (429, 5xx) and server restarts.
   * Ends with the signal; throws if the server rejects the query.
   */
  watch<F extends keyof T & string = keyof T & string>(
    query?: ClientQuery<F>,
    signal?: AbortSignal,
  ): AsyncIterable<ClientChange<Pick<T, F>>>;
}
