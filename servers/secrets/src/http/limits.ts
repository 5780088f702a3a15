/** Default limits of a listener that apply before authentication. */
export const defaultListenerLimits = Object.freeze({
  /**
   * Maximum total size of request line and headers, in bytes. Prevents clients from filling the memory before a request exists.
   */
  maxHeaderSize: 65_536,
  /** Maximum size of a request body, in bytes. Prevents uploads from filling the memory. */
  maxRequestSize: 33_554_432,
  /** Maximum nesting of a JSON body. Prevents stack overflows in code that walks it. */
  maxJsonDepth: 100,
  /** Maximum total of keys and list items in a JSON body. Prevents small bodies that become large objects. */
  maxJsonEntries: 10_000,
  /** Maximum number of query parameters. Prevents clients from filling hash tables with unused names. */
  maxParameters: 50,
  /** Timeout for receiving the headers, in ms. Prevents clients that send one byte at a time from holding connections. */
  readHeaderTimeout: 10_000,
  /** Timeout for receiving the whole request, in ms. Prevents slow-body attacks. */
  readTimeout: 30_000,
  /** Timeout for idle connections, in ms. Prevents them from using up descriptors. */
  idleTimeout: 300_000,
  /** Timeout from the first byte to the response, in ms. Prevents requests that wait for a slow cloud from piling up. */
  maxRequestDuration: 90_000,
  /** Maximum open connections per remote address; 0 for no limit. Prevents one client from using all file descriptors. */
  maxConnectionsPerClient: 1_000,
});

export type ListenerLimits = { readonly [N in keyof typeof defaultListenerLimits]: number };
