import { suggestName } from '@tamis/config';
import { parseGoDuration } from '@tamis/http';
import { clip } from './quote.js';

/** Type of a value in a driver's `Config`. */
type ConfigKind = 'text' | 'texts' | 'whole' | 'flag' | 'duration';

interface ConfigKey {
  readonly kind: ConfigKind;
  readonly isRequired?: true;
}

/** The drivers of this program and the keys of their `Config`. Keys of other drivers are unknown here. */
const drivers: ReadonlyMap<string, Readonly<Record<string, ConfigKey>>> = new Map([
  ['raw_exec', { command: { kind: 'text', isRequired: true }, args: { kind: 'texts' } }],
  [
    'mock_driver',
    {
      run_for: { kind: 'duration' },
      exit_code: { kind: 'whole' },
      exit_signal: { kind: 'whole' },
      exit_err_msg: { kind: 'text' },
      start_block_for: { kind: 'duration' },
      start_error: { kind: 'text' },
      start_error_recoverable: { kind: 'flag' },
      kill_after: { kind: 'duration' },
      stdout_string: { kind: 'text' },
      stdout_repeat: { kind: 'whole' },
      stdout_repeat_duration: { kind: 'duration' },
      stderr_string: { kind: 'text' },
      stderr_repeat: { kind: 'whole' },
      stderr_repeat_duration: { kind: 'duration' },
    },
  ],
]);

/** Names of the drivers of this program. */
export const knownDrivers: readonly string[] = [...drivers.keys()];

/** Returns the keys of a driver of this program. */
export function configKeys(driver: string): readonly string[] {
  return Object.keys(drivers.get(driver) ?? {});
}

/** Returns a `Config` with numbers and booleans converted to strings where the driver expects strings. */
export function withTexts(
  driver: string,
  config: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const known = drivers.get(driver);
  if (known === undefined) return config;
  const entries = Object.entries(config).map(([name, value]) => {
    const kind = Object.hasOwn(known, name) ? known[name]?.kind : undefined;
    if (kind === 'text') return [name, textOf(value)] as const;
    return [name, kind === 'texts' && Array.isArray(value) ? value.map(textOf) : value] as const;
  });
  return Object.fromEntries(entries);
}

function textOf(value: unknown): unknown {
  return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : value;
}

/** Maximum number of keys to check. Prevents long comparisons of a large `Config` with all known names. */
const maxKeys = 100;

/** Returns mistakes that make the driver reject the task. Strings may contain `${…}`, which is replaced before the start. */
export function driverConfigErrors(
  driver: string,
  config: Readonly<Record<string, unknown>> | null,
): string[] {
  const known = drivers.get(driver);
  if (known === undefined) return [];
  const given = Object.entries(config ?? {});
  if (given.length > maxKeys)
    return [`Config has ${given.length} keys, the driver ${driver} knows ${Object.keys(known).length}`];
  return given.flatMap(([name, value]) => {
    const key = Object.hasOwn(known, name) ? known[name] : undefined;
    if (key === undefined) return [unknownKey(driver, name, Object.keys(known))];
    if (value === null || fits(value, key.kind)) return [];
    return [`Config.${name}: ${expectations[key.kind]}`];
  });
}

/**
 * Returns warnings about keys whose absence makes a started task fail. They are not errors, because existing clients register
 * such jobs.
 */
export function driverConfigWarnings(
  driver: string,
  config: Readonly<Record<string, unknown>> | null,
): string[] {
  return Object.entries(drivers.get(driver) ?? {})
    .filter(([name, { isRequired }]) => isRequired === true && !isThere(config, name))
    .map(([name]) => `Config.${name}: missing, the driver ${driver} cannot start a task without it`);
}

function isThere(config: Readonly<Record<string, unknown>> | null, name: string): boolean {
  const value = config !== null && Object.hasOwn(config, name) ? config[name] : null;
  return value !== null && value !== undefined && value !== '';
}

function unknownKey(driver: string, name: string, known: readonly string[]): string {
  const near = suggestName(name, known);
  const hint = near === null ? `it knows ${known.join(', ')}` : `did you mean ${near}?`;
  return `Config.${clip(name)}: the driver ${driver} has no such key: ${hint}`;
}

const expectations: Readonly<Record<ConfigKind, string>> = {
  text: 'expected a text without null characters',
  texts: 'expected a list of texts without null characters',
  whole: 'expected a whole number',
  flag: 'expected true or false',
  duration: 'expected a duration such as "10s"',
};

function fits(value: unknown, kind: ConfigKind): boolean {
  const isLater = typeof value === 'string' && value.includes('${');
  switch (kind) {
    case 'text':
      return isText(value);
    case 'texts':
      return Array.isArray(value) && value.every(isText);
    case 'whole':
      return (
        isLater || Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,9}$/.test(value))
      );
    case 'flag':
      return typeof value === 'boolean';
    case 'duration':
      return isLater || isDuration(value);
  }
}

/** A program argument cannot contain a null character. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0');
}

function isDuration(value: unknown): boolean {
  const nanoseconds = typeof value === 'string' ? parseGoDuration(value) : value;
  if (typeof nanoseconds !== 'bigint' && typeof nanoseconds !== 'number') return false;
  return nanoseconds >= 0;
}
