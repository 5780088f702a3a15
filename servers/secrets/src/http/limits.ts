/** Limits of one connection, before anything about its requests is known, with their defaults. */
export const defaultListenerLimits = Object.freeze({
  /** Largest request line and headers together in bytes. Stops memory being filled before a request exists. */
  maxHeaderSize: 65_536,
  /** Largest request body in bytes. Stops uploads that fill the memory. */
  maxRequestSize: 33_554_432,
  /** Deepest nesting of a JSON body. Stops bodies that use up the stack of whatever walks them. */
  maxJsonDepth: 100,
  /** Most keys and list items of a JSON body together. Stops small bodies that become large objects. */
  maxJsonEntries: 10_000,
  /** Maximum number of query parameters. Prevents hash tables from being filled with unused names. */
  maxParameters: 50,
  /** Milliseconds to send the headers in. Stops connections that drip one byte at a time. */
  readHeaderTimeout: 10_000,
  /** Milliseconds to send the whole request in. Stops bodies that drip. */
  readTimeout: 30_000,
  /** Milliseconds that a connection may stay open without a request. Stops idle ones from using up descriptors. */
  idleTimeout: 300_000,
  /** Timeout from the first byte to the response, in ms. Prevents requests that wait for a slow cloud from piling up. */
  maxRequestDuration: 90_000,
  /** Open connections per remote address, 0 for any number. Stops one client from taking all descriptors. */
  maxConnectionsPerClient: 1_000,
});

export type ListenerLimits = { readonly [N in keyof typeof defaultListenerLimits]: number };
