/** Logs a message with fields, which never contain a secret. */
type Log = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** The operator's log, for details hidden from callers. A pino logger is one. */
export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}
