/** One level of the log: fields that never hold a secret, then what has happened. */
type Log = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** The operator's log, for details hidden from callers. A pino logger is one. */
export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}
