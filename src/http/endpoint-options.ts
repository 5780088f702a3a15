import type { FieldName } from '../language/schema/field-path.js';
import type { AccessFilter } from '../filter/access-filter.js';
import type { Pool } from '../lists/query/source/pool.js';
import type { Viewer } from '../lists/table/row-matcher.js';
import type { CorsOptions, RequestHead } from './response.js';
import type { HeaderName, ParameterName } from './parameters.js';

/** Options of `listEndpoint`. `C` is the type of a caller. */
export interface EndpointOptions<T, C> {
  /** Returns the caller of a request. Called again when a waiting request is served. @throws HttpError to reject the request */
  readonly caller?: ((head: RequestHead) => C | Promise<C>) | undefined;
  /**
   * Returns a string that is equal for callers with equal responses, which are then cached and shared. It must change when the
   * permissions of a caller change. If omitted, responses are not cached.
   */
  readonly cacheKey?: ((caller: C) => string) | undefined;
  /**
   * Returns the rows that the caller may see: `(who) => policy.access(who, 'read')`. Other rows do not affect pages, counts,
   * explanations or ETags. Responses are cached and shared by callers with equal rights. If it throws, the client gets 500.
   */
  readonly access?: ((caller: C, parameters: URLSearchParams) => AccessFilter<T>) | undefined;
  /**
   * Whether to hide that rows were written which the caller may not see. Responses then have no `X-Index` and `X-History`, and
   * clients wait with `watch=result` and the ETag of the page that they have. Default: false.
   */
  readonly quiet?: boolean | undefined;
  /**
   * Returns a predicate for the rows that the caller may see; null for all rows. Other rows do not affect pages, counts or
   * explanations. If it returns a viewer, columns can cache results for all callers with its key, who must see the same rows.
   * @deprecated Use `access`, which indexes and databases can evaluate.
   */
  readonly visible?:
    ((caller: C, parameters: URLSearchParams) => ((row: T) => boolean) | Viewer<T> | null) | undefined;
  /** Registers a listener that you call if permissions may have changed. Returns a function that removes it. */
  readonly onPermissionsChange?: ((listener: () => void) => () => void) | undefined;
  /**
   * The fields that are sent. Clients can filter, sort and count only by these. Default: all fields that the schema does not
   * hide. The key must be included because page tokens contain it. If a function computes the keys, or the table has an `order`,
   * page tokens contain the values of these functions.
   */
  readonly fields?: readonly FieldName<T>[] | undefined;
  /**
   * Returns the response entry for a row, instead of its `fields`. It gets the whole row. Clients can still filter by a field
   * that the entry omits, unless `fields` omits it too.
   */
  readonly serialize?: ((row: T, parameters: URLSearchParams) => unknown) | undefined;
  /** Additional parameters that `serialize` and `visible` read. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Parameters that filter by a field's value: `{ status: 'Status' }`. */
  readonly fieldParameters?: Readonly<Record<string, FieldName<T>>> | undefined;
  /** Custom names of parameters and headers: `{ per_page: 'limit', 'X-Index': 'X-Jobs-Index' }`. */
  readonly rename?: Partial<Readonly<Record<ParameterName | HeaderName, string>>> | undefined;
  /** Maximum and default page size, in rows. If omitted, pages are unlimited and long pages are streamed. */
  readonly maxPerPage?: number | undefined;
  /** Whether unknown and repeated parameters are rejected. Default: true. */
  readonly strict?: boolean | undefined;
  /**
   * Unknown parameters to ignore, by name or by prefix (`'ref'`, `'x-*'`), in addition to `utm_*` and `_`, which links from
   * elsewhere and scripts add.
   */
  readonly ignoredParameters?: readonly string[] | undefined;
  /** Origins that may read the list (CORS). Default: none. */
  readonly cors?: CorsOptions | undefined;
  readonly pool?: Pool | undefined;
  /**
   * Called with errors that `caller`, `visible` and `serialize` throw. The client gets 500 without the message. Default: prints
   * the error.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** @internal Parses a switch such as `count` for hosts with other words for it. @throws HttpError */
  readonly readSwitch?: ((value: string, name: string) => boolean) | undefined;
  /** @internal The properties that identify removed rows in `changes`. Default: the key. */
  readonly identity?: readonly (keyof T & string)[] | undefined;
}

export const endpointOptionNames = [
  ...([
    'caller',
    'cacheKey',
    'access',
    'quiet',
    'visible',
    'onPermissionsChange',
    'fields',
    'serialize',
    'parameters',
    'fieldParameters',
    'rename',
  ] as const),
  ...(['maxPerPage', 'strict', 'ignoredParameters', 'cors', 'pool', 'onError'] as const),
];
