import { suggestName } from '@tamis/config';
import { parseGoDuration } from '@tamis/http';
import { clip } from './quote.js';

/** The kind of value under a key of a driver's `Config`. */
type ConfigKind = 'text' | 'texts' | 'whole' | 'flag' | 'duration';

interface ConfigKey {
  readonly kind: ConfigKind;
  readonly isRequired?: true;
}

/** The drivers of this program and the keys of their `Config`. What other drivers take, only they know. */
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

/** The names of the drivers of this program. */
export const knownDrivers: readonly string[] = [...drivers.keys()];

/** The names of the keys that a driver of this program knows. */
export function configKeys(driver: string): readonly string[] {
  return Object.keys(drivers.get(driver) ?? {});
}

/** A `Config` as a file has it, with numbers and booleans as the texts that the driver takes there. */
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

/** Keys that are looked at one by one. Stops a `Config` of many, each of which would be compared with all names. */
const maxKeys = 100;

/** Mistakes that a driver would refuse when the task starts. Texts may hold `${…}`, which is filled in by then. */
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

/** Warnings of keys without which a task starts and fails: existing clients register such jobs. */
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

/** No program can be given a text with a null character. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0');
}

function isDuration(value: unknown): boolean {
  const nanoseconds = typeof value === 'string' ? parseGoDuration(value) : value;
  if (typeof nanoseconds !== 'bigint' && typeof nanoseconds !== 'number') return false;
  return nanoseconds >= 0;
}
