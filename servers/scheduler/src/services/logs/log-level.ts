/** Log levels with their pino numbers. */
export const logLevelNumbers = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, off: 100 } as const;

export type StreamLevel = keyof typeof logLevelNumbers;

/** Parses a level, ignoring case; null if it is unknown. */
export function parseStreamLevel(text: string): StreamLevel | null {
  const level = text.toLowerCase();
  return Object.hasOwn(logLevelNumbers, level) ? (level as StreamLevel) : null;
}

/** Returns the name of a pino level; levels above `error` are errors too. */
export function levelName(number: number): Exclude<StreamLevel, 'off'> {
  if (number >= logLevelNumbers.error) return 'error';
  if (number >= logLevelNumbers.warn) return 'warn';
  if (number >= logLevelNumbers.info) return 'info';
  return number >= logLevelNumbers.debug ? 'debug' : 'trace';
}
