/** Bytes of a path: several times what the longest name needs. Stops callers from making work, or logs, of paths. */
export const maxPathLength = 1_024;

/** The fields of a body: own properties of a null-prototype object. */
export type Fields = Readonly<Record<string, unknown>>;

/** A request below `/v1/`, as the API sees it: no sockets, no headers. */
export interface ApiRequest {
  /** Names the request in logs, audit entries and responses. */
  readonly id: string;
  /** `write` means POST and PUT alike. */
  readonly operation: 'read' | 'list' | 'write' | 'delete';
  /** Below `/v1/`, decoded; that of a list ends in a slash. */
  readonly path: string;
  /** As it was sent; null without one. */
  readonly token: string | null;
  /** The address of the caller, an IPv4-mapped one already unwrapped. */
  readonly peer: string;
  /** The parameters of the query, for the few endpoints that have any. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** Aborted when the caller has left or the request has taken too long. */
  readonly signal: AbortSignal;
  /**
   * Reads the body once, at most `maxLength` bytes of it, or fewer where the listener says so.
   *
   * @throws SecretsError `body-too-large`, or `bad-request` for what is no JSON object
   */
  readBody(maxLength: number): Promise<Fields>;
}
