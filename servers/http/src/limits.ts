/** What one request or one client may cost the server before anything about it is known. */
export interface HttpLimits {
  /** Longest request line's target in bytes. Stops megabytes of text from reaching the router. */
  readonly maxUrlLength: number;
  /** Largest request line and headers together in bytes. Stops memory being filled before a request exists. */
  readonly maxHeaderSize: number;
  /** Maximum number of query parameters. Prevents filling hash tables with unused names. */
  readonly maxParameters: number;
  /** Longest decoded value of one parameter, in UTF-16 units. Stops one parameter from using the whole URL. */
  readonly maxParameterLength: number;
  /** Largest request body in bytes. Stops uploads that fill the memory. */
  readonly maxBodyLength: number;
  /** Most values in a request body, counting every entry of lists and maps. Stops bodies that take long to work on. */
  readonly maxBodyValues: number;
  /** Open connections per remote address, 0 for any number. Stops one client from taking all file descriptors. */
  readonly maxConnectionsPerClient: number;
  /** Milliseconds to send the headers in. Stops connections that drip one byte at a time. */
  readonly headersTimeout: number;
  /** Milliseconds within which a client must read some of its response. Prevents unread responses from staying in memory. */
  readonly readTimeout: number;
  /** Timeout for receiving the whole request, in ms; responses have no limit. Prevents slow-body attacks. */
  readonly requestTimeout: number;
}

export const defaultHttpLimits: HttpLimits = Object.freeze({
  maxUrlLength: 81_920,
  maxHeaderSize: 98_304,
  maxParameters: 100,
  maxParameterLength: 65_536,
  maxBodyLength: 4_194_304,
  maxBodyValues: 100_000,
  maxConnectionsPerClient: 100,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  readTimeout: 30_000,
});

/**
 * Idle ms after which a listener closes a connection, and after which an agent closes one that it keeps for later requests. That of
 * listeners is longer, also than the 90 s of common HTTP clients: else a write may be lost on a connection that is being closed.
 */
export const listenerIdleMs = 120_000;
export const poolIdleMs = 15_000;

/** The header of a 429: seconds after which the client may try again. */
export const retryAfter = Object.freeze({ name: 'retry-after', value: '1' });

/** Milliseconds between two looks at who is too slow. The runtime's own half a minute would let everybody stay longer. */
export const timeoutCheck = 1_000;

/**
 * Maximum connections waiting to be accepted, per listener; the system may lower it. The system drops further ones, and dropped
 * clients retry only after seconds, so a burst would delay other clients.
 */
export const acceptQueue = 4_096;
