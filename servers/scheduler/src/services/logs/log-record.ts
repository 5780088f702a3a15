import { levelName, type StreamLevel } from './log-level.js';

/** A parsed line of the log. */
export interface LogRecord {
  readonly level: Exclude<StreamLevel, 'off'>;
  readonly levelNumber: number;
  /** Time in ms since 1970. */
  readonly time: number;
  /** Part of the agent; empty for the agent itself. */
  readonly module: string;
  readonly message: string;
  /** File and line, such as `server.ts:12`; empty unless requested. */
  readonly caller: string;
  /** The logged fields, in order. */
  readonly fields: readonly (readonly [name: string, value: unknown])[];
}

/** Keys with a special meaning; the ID of the request comes last. */
const known: ReadonlySet<string> = new Set(['level', 'time', 'module', 'msg', 'caller', 'err', 'reqId']);

/** Parses a line of pino; null if it is not a JSON object. */
export function parseLogLine(line: string): LogRecord | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { level, time, module, msg, caller, err, reqId } = parsed as Record<string, unknown>;
  const levelNumber = typeof level === 'number' ? level : 30;
  return {
    level: levelName(levelNumber),
    levelNumber,
    time: typeof time === 'number' ? time : 0,
    module: textOf(module),
    message: textOf(msg),
    caller: textOf(caller),
    fields: [
      ...Object.entries(parsed).filter(([name]) => !known.has(name)),
      ...(err === undefined ? [] : [['error', errorText(err)] as const]),
      ...(reqId === undefined ? [] : [['request', reqId] as const]),
    ],
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the message of a serialised error. Its stack is only for the agent's own log, not for listeners. */
function errorText(error: unknown): string {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : JSON.stringify(error);
}
