/** Limits per request and per client that apply before authentication. */
export type HttpLimits = Readonly<Record<keyof typeof defaultHttpLimits, number>>;

export const defaultHttpLimits = Object.freeze({
  /** Maximum length of the request target, in bytes. Prevents megabytes from reaching the router. */
  maxUrlLength: 81_920,
  /** Maximum size of request line and headers together, in bytes. Prevents filling memory before a request exists. */
  maxHeaderSize: 98_304,
  /** Maximum number of query parameters. Prevents filling hash tables with unused names. */
  maxParameters: 100,
  /** Maximum length of a decoded parameter, in UTF-16 units. Prevents one parameter from using the whole URL. */
  maxParameterLength: 65_536,
  /** Maximum size of a request body, in bytes. Prevents uploads from filling the memory. */
  maxBodyLength: 4_194_304,
  /** Maximum values in a request body, counting all entries of lists and maps. Prevents bodies that are slow to process. */
  maxBodyValues: 100_000,
  /** Maximum open connections per remote address; 0 for no limit. Prevents one client from using all file descriptors. */
  maxConnectionsPerClient: 100,
  /** Timeout for receiving the headers, in ms. Prevents clients that send one byte at a time from holding connections. */
  headersTimeout: 20_000,
  /** Timeout for receiving the whole request, in ms; responses have no limit. Prevents slow-body attacks. */
  requestTimeout: 60_000,
  /** Timeout for a client to read some of its response, in ms. Prevents unread responses from staying in memory. */
  readTimeout: 30_000,
});

/**
 * Idle timeouts of listeners and agents, in ms. Listeners wait longer than agents, and than the 90 s of common HTTP clients:
 * otherwise a write may be lost on a connection that is being closed.
 */
export const listenerIdleMs = 120_000;
export const poolIdleMs = 15_000;

/** Header of a 429: seconds after which the client may retry. */
export const retryAfter = Object.freeze({ name: 'retry-after', value: '1' });

/** Interval between checks for slow clients, in ms. The runtime's default of 30 s would extend every timeout. */
export const timeoutCheck = 1_000;

/**
 * Maximum connections waiting to be accepted, per listener; the system may lower it. The system drops further ones, and dropped
 * clients retry only after seconds, so a burst would delay other clients.
 */
export const acceptQueue = 4_096;
