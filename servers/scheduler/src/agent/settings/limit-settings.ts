import { int, setting, type IntOptions, type Setting } from '@tamis/config';
import { defaultHttpLimits as http } from '@tamis/http';
import { milliseconds } from './readers.js';

/** Bounds of a number. Its flag if that differs from the last part of its path; null without a flag. */
interface Range extends IntOptions {
  readonly flag?: string | null;
}

function limit<const P extends string>(
  path: P,
  fallback: number,
  about: string,
  { min = 1, max = 2 ** 30, flag = flagOf(path) }: Range = {},
): Setting<number, P> {
  return setting(path, int({ min, max }), fallback, `${flag} N`, about);
}

/** Returns `--max-nodes` for `limits.max_nodes`. */
function flagOf(path: string): string {
  return `--${(path.split('.').at(-1) ?? path).replaceAll('_', '-')}`;
}

/** Maximum at any time; 0 for no limit. */
const count = { min: 0, max: 1_000_000 };

export const day = 86_400_000;

/** Creates a setting in ms. 0 or more than a day disables the limit. */
export function time<const P extends string>(
  path: P,
  fallback: number,
  about: string,
  { min = 0, max = day, flag = flagOf(path) }: Range = {},
): Setting<number, P> {
  const flagged = flag === null ? null : `${flag} TIME`;
  return setting(path, milliseconds(min, max), fallback, flagged, about, {
    displayDefault: inWords(fallback),
  });
}

/** Formats a time in the largest unit that divides it. */
function inWords(milliseconds: number): string {
  const [unit, size] =
    milliseconds % 3_600_000 === 0
      ? ['h', 3_600_000]
      : milliseconds % 60_000 === 0
        ? ['m', 60_000]
        : ['s', 1_000];
  return `${milliseconds / size}${unit}`;
}

/** A hundred years: dates after it can still be represented. */
export const lifetime = { min: 0, max: 36_500 * day, flag: null };

/** Limits on concurrent use of the agent, as placed in the configuration. */
export const limitSettings = {
  /** Prevents clients from filling the memory with waiting requests. */
  maxWaiters: limit('limits.max_waiters', 20_000, 'blocking queries that wait', count),
  /** Prevents queries that share the processor from slowing each other down without bound. */
  maxQueries: limit(
    'limits.max_queries',
    64,
    'queries with filters, facets or explanations at a time',
    count,
  ),
  /** Prevents clients from filling the memory with streams. */
  maxEventStreams: limit('limits.max_event_streams', 2_000, 'event streams', count),
  /** Prevents clients from filling the memory with streams. */
  maxFileStreams: limit('limits.max_file_streams', 2_000, 'file and log streams at a time', count),
  /** Prevents clients with access to the agent port from filling the state. */
  maxNodes: limit('limits.max_nodes', 10_000, 'maximum number of nodes that can register', count),
  http: {
    maxConnectionsPerClient: limit(
      'limits.http_max_conns_per_client',
      http.maxConnectionsPerClient,
      'connections from one address; 0 for any number',
      { ...count, flag: '--max-connections-per-client' },
    ),
    maxBodyLength: limit('limits.max_body_size', http.maxBodyLength, 'bytes of a body'),
    maxBodyValues: limit(
      'limits.max_body_values',
      http.maxBodyValues,
      'values in a body, counting every entry of lists and maps',
    ),
    maxHeaderSize: limit(
      'limits.max_header_size',
      http.maxHeaderSize,
      'bytes of the request line and headers',
      {
        min: 1_024,
        max: 16_777_216,
      },
    ),
    maxUrlLength: limit('limits.max_url_length', http.maxUrlLength, 'bytes of a URL', {
      min: 256,
    }),
    maxParameters: limit('limits.max_parameters', http.maxParameters, 'query parameters'),
    maxParameterLength: limit(
      'limits.max_parameter_length',
      http.maxParameterLength,
      'characters of a query parameter',
    ),
    headersTimeout: time('limits.headers_timeout', http.headersTimeout, 'time to send headers'),
    readTimeout: time(
      'limits.read_timeout',
      http.readTimeout,
      'time within which a client must read a part of a response; 0 for any time',
    ),
    requestTimeout: time('limits.request_timeout', http.requestTimeout, 'time to send a whole request'),
  },
};
