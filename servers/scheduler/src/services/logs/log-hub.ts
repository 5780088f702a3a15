import { pino, type Logger } from 'pino';
import { logLevelNumbers, type StreamLevel } from './log-level.js';
import { parseLogLine, type LogRecord } from './log-record.js';

/** The log of the agent and its listeners. */
export type LogHub = ReturnType<typeof createLogHub>;

export interface ListenOptions {
  readonly level: StreamLevel;
  /** Whether records include the file and line that wrote them, which costs a stack trace each. */
  readonly withLocation: boolean;
}

/** The level of a log; with `silent` only listeners receive records. */
export type HubLevel = Exclude<StreamLevel, 'off'> | 'silent';

export interface LogHubDependencies {
  readonly level: HubLevel;
  /** Writes lines of the log's own level and above, each with its line feed. */
  readonly write: (line: string) => void;
}

interface Listener extends ListenOptions {
  readonly receive: (record: LogRecord) => void;
}

/** Creates the log of an agent. */
export function createLogHub({ level, write }: LogHubDependencies) {
  const ownLevel = numberOf(level);
  const listeners = new Set<Listener>();
  const destination = {
    // Requests the level of each line from pino, so that lines are parsed only for listeners.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string): void {
      if (this.lastLevel >= ownLevel) write(line);
      if (listeners.size > 0) publish(this.lastLevel, line);
    },
  };
  const logger = pino(
    {
      level,
      base: null,
      mixin: () => ([...listeners].some(({ withLocation }) => withLocation) ? { caller: findCaller() } : {}),
    },
    destination,
  );
  const loggers = [logger];

  function publish(lineLevel: number, line: string): void {
    const requested = [...listeners].filter((listener) => logLevelNumbers[listener.level] <= lineLevel);
    if (requested.length === 0) return;
    const record = parseLogLine(line);
    if (record === null) return;
    for (const { receive, withLocation } of requested)
      receive(withLocation ? record : { ...record, caller: '' });
  }

  /** Sets the lowest level among the listeners. */
  function adjust(): void {
    const requested = [...listeners].map((listener) => logLevelNumbers[listener.level]);
    const lowest = Math.min(ownLevel, ...requested);
    const name = Object.entries(pino.levels.values).find(([, value]) => value === lowest)?.[0] ?? 'silent';
    for (const each of loggers) each.level = name;
  }

  return {
    /** The logger for messages of the agent itself. */
    logger,
    /** Returns a logger for one part of the agent, such as `http`. Its level follows that of the hub. */
    part(name: string): Logger {
      const child = logger.child({ module: name });
      loggers.push(child);
      return child;
    },
    /**
     * Calls `receive` for every later record of a level and above. Returns a function that unsubscribes. While a listener requests
     * a lower level than the log has, the loggers use that level.
     */
    listen(options: ListenOptions, receive: (record: LogRecord) => void): () => void {
      const listener = { ...options, receive };
      listeners.add(listener);
      adjust();
      return () => {
        listeners.delete(listener);
        adjust();
      };
    },
    /** The number of listeners. */
    get listeners(): number {
      return listeners.size;
    },
  };
}

function numberOf(level: HubLevel): number {
  return level === 'silent' ? Infinity : logLevelNumbers[level];
}

/** Returns the caller of the logger, as `file.ts:12`: the first stack frame outside the logger. */
function findCaller(): string {
  const frames = (new Error().stack ?? '').split('\n').slice(1);
  const ours = /[\\/]pino[\\/]|[\\/]log-hub\.[jt]s:|\b(?:findCaller|mixin)\b|\(?node:/;
  const frame = frames.find((line) => !ours.test(line));
  const [, file, line] = /([^\\/(]+):(\d+):\d+\)?$/.exec(frame ?? '') ?? [];
  return file === undefined || line === undefined ? '' : `${file}:${line}`;
}
