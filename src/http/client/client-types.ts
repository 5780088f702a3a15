import type { HeaderName, ParameterName } from '../conventions.js';
import type { ClientError } from './client-error.js';

/** A question to a list; `{}` asks for all that the server gives. */
export interface ClientQuery {
  readonly filter?: string | undefined;
  /** Fields between commas, descending with `-` before them. */
  readonly sort?: string | undefined;
  readonly reverse?: boolean | undefined;
  readonly prefix?: string | undefined;
  readonly perPage?: number | undefined;
  readonly nextToken?: string | null | undefined;
  /** Parameters that only this list has. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

/** A page, as the server sent it. Integers beyond 2^53 are rounded, as `JSON.parse` does. */
export interface ClientPage<T> {
  readonly items: readonly T[];
  /** Where the next page begins; null on the last. */
  readonly nextToken: string | null;
  /** Of the last write to the list; null where nobody counts them. */
  readonly index: number | null;
  readonly etag: string | null;
}

/** How often which values occur. */
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

/** The result at first and wherever the difference is not known, else the difference. */
export type ClientChange<T> =
  | { readonly kind: 'page'; readonly index: number; readonly page: ClientPage<T> }
  | {
      readonly kind: 'changes';
      readonly index: number;
      readonly entered: readonly T[];
      /** What names these rows: their key. */
      readonly left: readonly Partial<T>[];
      /** Rows that are in both, as they are now. */
      readonly changed: readonly T[];
      readonly nextToken: string | null;
    };

/** How a client asks. */
export interface ClientOptions {
  /** That of the platform where it is left out: for cookies, a proxy, or an endpoint in the same process. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Sent with each request. A function is asked each time, so that a token may be another one by then. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /** The same that the endpoint has. */
  readonly names?: Partial<Readonly<Record<ParameterName | HeaderName, string>>> | undefined;
  /** Seconds for which one request of a watch waits: 55, which proxies let pass. */
  readonly wait?: number | undefined;
  /** Milliseconds before a watch asks again, after so many failures: half a second, then twice as long each time up to 30 s, at random in the upper half. */
  readonly backoff?: ((failures: number) => number) | undefined;
  /** Hears why a watch asks again. */
  readonly onRetry?: ((error: ClientError) => void) | undefined;
}

/** A list over HTTP. All methods reject with ClientError, or with the reason of the signal. */
export interface ListClient<T> {
  /** One page. Where `known` is still the answer, it is what comes back, and no rows have travelled. */
  page(query?: ClientQuery, signal?: AbortSignal, known?: ClientPage<T>): Promise<ClientPage<T>>;
  /** This page and all after it, each asked for when it is wanted. */
  pages(query?: ClientQuery, signal?: AbortSignal): AsyncIterable<ClientPage<T>>;
  /** How many rows match, whatever the page. */
  count(query?: ClientQuery, signal?: AbortSignal): Promise<number>;
  /** How often which values occur in these fields of the rows that match, whatever the page. */
  facets(query: ClientQuery, fields: readonly string[], signal?: AbortSignal): Promise<ClientFacets>;
  /** How the rows are found; where none are, the clauses to blame and what is there instead. */
  explain(query?: ClientQuery, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  /**
   * The result, and again whenever it is another one. It goes on where it was after connections that broke, answers that a
   * server has not in a moment (429, 5xx), and a server that began anew. Ends with the signal; throws what is refused.
   */
  watch(query?: ClientQuery, signal?: AbortSignal): AsyncIterable<ClientChange<T>>;
}
