/** Limits of one connection, before anything about its requests is known. */
export interface ListenerLimits {
  /** Largest request line and headers together in bytes. Stops memory being filled before a request exists. */
  readonly maxHeaderSize: number;
  /** Largest request body in bytes. Stops uploads that fill the memory. */
  readonly maxRequestSize: number;
  /** Deepest nesting of a JSON body. Stops bodies that use up the stack of whatever walks them. */
  readonly maxJsonDepth: number;
  /** Most keys and list items of a JSON body together. Stops small bodies that become large objects. */
  readonly maxJsonEntries: number;
  /** Most query parameters. Stops hash tables being filled with names that nobody reads. */
  readonly maxParameters: number;
  /** Milliseconds to send the headers in. Stops connections that drip one byte at a time. */
  readonly readHeaderTimeout: number;
  /** Milliseconds to send the whole request in. Stops bodies that drip. */
  readonly readTimeout: number;
  /** Milliseconds that a connection may stay open without a request. Stops idle ones from using up descriptors. */
  readonly idleTimeout: number;
  /** Milliseconds from the first byte to the answer. Stops requests that wait for a slow cloud from piling up. */
  readonly maxRequestDuration: number;
  /** Open connections per remote address, 0 for any number. Stops one client from taking all descriptors. */
  readonly maxConnectionsPerClient: number;
}

export const defaultListenerLimits: ListenerLimits = Object.freeze({
  maxHeaderSize: 65_536,
  maxRequestSize: 33_554_432,
  maxJsonDepth: 100,
  maxJsonEntries: 10_000,
  maxParameters: 50,
  readHeaderTimeout: 10_000,
  readTimeout: 30_000,
  idleTimeout: 300_000,
  maxRequestDuration: 90_000,
  maxConnectionsPerClient: 1_000,
});
