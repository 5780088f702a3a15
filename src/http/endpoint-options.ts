import type { Pool } from '../lists/query/source/pool.js';
import type { Viewer } from '../lists/table/row-answers.js';
import type { CorsOptions, RequestHead } from './answer.js';
import type { HeaderName, ParameterName } from './conventions.js';

/** How an endpoint answers. `C` is what it knows of a caller. */
export interface EndpointOptions<T, C> {
  /** Who asks; found anew when a request that has waited is answered. @throws HttpError to refuse */
  readonly caller?: ((head: RequestHead) => C | Promise<C>) | undefined;
  /**
   * Equal for those who get equal answers, which are made once for them; another text once somebody's rights are others. Where it
   * is left out, each answer is made anew.
   */
  readonly callerKey?: ((caller: C) => string) | undefined;
  /**
   * Which rows the caller may see: the others are not there, for counts and explanations neither. Null for all. A viewer where
   * what makes questions fast (columns) may be kept for those with its key, who see the same rows as long as they have it.
   */
  readonly visible?:
    ((caller: C, parameters: URLSearchParams) => ((row: T) => boolean) | Viewer<T> | null) | undefined;
  /** Calls when somebody's rights may be others. The function returned ends it. */
  readonly rightsChanged?: ((listener: () => void) => () => void) | undefined;
  /**
   * What is shown and, of that alone, filtered, sorted, counted and told of; all that the schema does not hide where it is left
   * out. The key is among them: page tokens name rows by it. Where a function makes the keys, or the table has an `order`,
   * tokens tell what these make of a row.
   */
  readonly fields?: readonly (keyof T & string)[] | undefined;
  /**
   * An entry as it is sent, in place of its `fields`. It gets the whole row: what it leaves out can be filtered by all the same,
   * unless `fields` leaves it out too.
   */
  readonly show?: ((row: T, parameters: URLSearchParams) => unknown) | undefined;
  /** Parameters that `show` and `visible` read, so that they are known. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Parameters that are values of fields: `{ status: 'Status' }`. */
  readonly equals?: Readonly<Record<string, keyof T & string>> | undefined;
  /** Other names of parameters and headers: `{ per_page: 'limit', 'X-Index': 'X-Jobs-Index' }`. */
  readonly names?: Partial<Readonly<Record<ParameterName | HeaderName, string>>> | undefined;
  /** Most rows of a page, and the page of those who ask for none; no bound where it is left out: then long pages are streams. */
  readonly maxPerPage?: number | undefined;
  /** Whether a parameter that nobody knows, or one that is given twice, is refused: true. */
  readonly strict?: boolean | undefined;
  /** Which pages of other origins may read the list; none where it is left out. */
  readonly cors?: CorsOptions | undefined;
  readonly pool?: Pool | undefined;
  /** Hears what `caller`, `visible` and `show` throw, which is answered 500 without its message. Printed where it is left out. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** @internal Reads a switch such as `count` where a host has other words for it. @throws HttpError */
  readonly readSwitch?: ((value: string, name: string) => boolean) | undefined;
  /** @internal The properties by which `changes` names rows that have left; the key where it is left out. */
  readonly identity?: readonly (keyof T & string)[] | undefined;
}

export const endpointOptionNames = [
  ...([
    'caller',
    'callerKey',
    'visible',
    'rightsChanged',
    'fields',
    'show',
    'parameters',
    'equals',
    'names',
  ] as const),
  ...(['maxPerPage', 'strict', 'cors', 'pool', 'onError', 'readSwitch', 'identity'] as const),
];
