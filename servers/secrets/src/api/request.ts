/**
 * Maximum length of a path, in bytes; several times that of the longest name. Prevents long paths from causing work or filling
 * logs.
 */
export const maxPathLength = 1_024;

/** The fields of a body: own properties of a null-prototype object. */
export type Fields = Readonly<Record<string, unknown>>;

/** A request below `/v1/`, independent of HTTP. */
export interface ApiRequest {
  /** Identifies the request in logs, audit entries and responses. */
  readonly id: string;
  /** `write` represents both POST and PUT. */
  readonly operation: 'read' | 'list' | 'write' | 'delete';
  /** Decoded path below `/v1/`. Ends in a slash for lists. */
  readonly path: string;
  /** The token as sent; null if none exists. */
  readonly token: string | null;
  /** Address of the caller; IPv4-mapped addresses are already unwrapped. */
  readonly peer: string;
  /** Query parameters, for the few endpoints that use any. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** Aborted when the caller disconnects or the request times out. */
  readonly signal: AbortSignal;
  /**
   * Reads the body once, up to `maxLength` bytes, or fewer if the listener has a lower limit.
   *
   * @throws SecretsError `body-too-large`, or `bad-request` if it is not a JSON object
   */
  readBody(maxLength: number): Promise<Fields>;
}
