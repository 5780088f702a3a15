import { parseGoDuration } from '@tamis/http';
import { DriverError } from './driver.js';

type Config = Readonly<Record<string, unknown>>;

/** Rejects keys that a driver does not know. @throws DriverError */
export function requireKnownKeys(config: Config, known: readonly string[]): void {
  const unknown = Object.keys(config).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw wrong(`unknown key ${JSON.stringify(unknown)}, expected one of ${known.join(', ')}`);
}

/** Returns a string. @throws DriverError */
export function readText(config: Config, key: string, fallback: string): string {
  const value = valueOf(config, key);
  if (value === null) return fallback;
  if (typeof value === 'string') return value;
  throw wrong(`${key} is not text`);
}

/** Returns a list of strings. @throws DriverError */
export function readTexts(config: Config, key: string): readonly string[] {
  const value = valueOf(config, key);
  if (value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value as string[];
  throw wrong(`${key} is not a list of texts`);
}

/** Returns an integer. @throws DriverError */
export function readWhole(config: Config, key: string, fallback: number): number {
  const value = valueOf(config, key);
  if (value === null) return fallback;
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw wrong(`${key} is not a whole number`);
}

/** Returns a boolean. @throws DriverError */
export function readFlag(config: Config, key: string): boolean {
  const value = valueOf(config, key);
  if (value === null) return false;
  if (typeof value === 'boolean') return value;
  throw wrong(`${key} is neither true nor false`);
}

/** Parses a duration to ms: a string such as `10s`, or a whole number of nanoseconds. @throws DriverError */
export function readDuration(config: Config, key: string, fallback: number): number {
  const value = valueOf(config, key);
  if (value === null) return fallback;
  const nanoseconds = typeof value === 'string' ? parseGoDuration(value) : value;
  const milliseconds =
    typeof nanoseconds === 'bigint' || typeof nanoseconds === 'number' ? Number(nanoseconds) / 1e6 : NaN;
  if (milliseconds >= 0) return milliseconds;
  throw wrong(`${key} is no duration such as "10s"`);
}

function valueOf(config: Config, key: string): unknown {
  return Object.hasOwn(config, key) ? (config[key] ?? null) : null;
}

function wrong(problem: string): DriverError {
  return new DriverError(`Bad config: ${problem}`, false);
}
