import { parseArgs, type ParseArgsConfig } from 'node:util';
import { suggestName } from '@tamis/config';
import type { FlagValue } from './given.js';
import { UsageError } from './usage-error.js';
import { reasonOf } from '@tamis/scheduler-model/base/errors.js';

// Flags are parsed by `parseArgs` of Node.js. A framework such as commander has its own error messages and help, and the flags
// come from tables.

/** Flag options of `parseArgs`. */
export type FlagOptions = NonNullable<ParseArgsConfig['options']>;

/** The parsed arguments after the command. */
export interface ReadFlags {
  readonly values: Readonly<Record<string, FlagValue | undefined>>;
  readonly positionals: readonly string[];
}

/** Flags with special syntax. */
export interface FlagWays {
  /** Flags whose value may start with a dash; otherwise such a word is not a value. */
  readonly dashed?: ReadonlySet<string>;
  /** Count flags whose long name works without a value. */
  readonly alone?: ReadonlyMap<string, string>;
}

/**
 * Parses flags and positional arguments. A long flag may start with one dash, as in `-namespace=prod`.
 *
 * @throws UsageError with the flag that was most likely meant.
 */
export function readFlags(args: readonly string[], options: FlagOptions, ways: FlagWays = {}): ReadFlags {
  const { words, alone } = withLongNames(args, options, ways);
  try {
    const read = parseArgs({ args: [...words], options, allowPositionals: true, allowNegative: true });
    const { values, positionals } = read;
    // Explicit values win: `-tail -n 20` and `-n 20 -tail` both mean 20 lines.
    return { values: { ...alone, ...values }, positionals };
  } catch (error) {
    // The first sentence is the error; the others explain the parser.
    const [problem = ''] = reasonOf(error).split('. ', 1);
    const unknown = /^Unknown option '--?([^']+)'/.exec(problem)?.[1];
    const near = unknown === undefined ? null : suggestName(unknown, Object.keys(options));
    throw new UsageError(near === null ? problem : `${problem}: did you mean --${near}?`);
  }
}

/** Normalises flags to `--name` or `--name=value`, with the implied value of count flags. */
function withLongNames(
  args: readonly string[],
  options: FlagOptions,
  { dashed = new Set(), alone: counts = new Map() }: FlagWays,
): { readonly words: readonly string[]; readonly alone: Readonly<Record<string, readonly string[]>> } {
  const words: string[] = [];
  const alone: Record<string, readonly string[]> = {};
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '--') return { words: [...words, ...args.slice(at)], alone };
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    const equals = word.indexOf('=');
    const name = longName(equals === -1 ? word : word.slice(0, equals), options);
    const value = equals === -1 ? null : word.slice(equals + 1);
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option?.type !== 'string') words.push(switched(name, value, option !== undefined));
    else if (value !== null) words.push(`--${name}=${value}`);
    else if (counts.has(name) && word.endsWith(name) && !/^\d+$/.test(args[at + 1] ?? ''))
      alone[name] = [counts.get(name) ?? ''];
    else words.push(`--${name}=${nextValue(name, word, args[(at += 1)], dashed)}`);
  }
  return { words, alone };
}

/** Converts an explicit switch, such as `--purge=true`, to one without a value. */
function switched(name: string, value: string | null, isKnown: boolean): string {
  if (value === null || (isKnown && value === 'true')) return `--${name}`;
  return isKnown && value === 'false' ? `--no-${name}` : `--${name}=${value}`;
}

/** Returns the name of a flag without its dashes. @throws UsageError for unknown letters. */
function longName(written: string, options: FlagOptions): string {
  if (written.startsWith('--')) return written.slice(2);
  const name = written.slice(1);
  if (/^[\d.]+$/.test(name)) throw new UsageError(`${written} is negative: numbers here begin at 0`);
  const isLong = Object.hasOwn(options, name) || Object.hasOwn(options, name.replace(/^no-/, ''));
  if (isLong && name.length > 1) return name;
  const long = Object.keys(options).find((one) => options[one]?.short === name);
  if (long !== undefined) return long;
  const near = suggestName(name, Object.keys(options));
  const first = Object.keys(options).find((one) => options[one]?.short === name[0]);
  const instead =
    near !== null
      ? `did you mean --${near}?`
      : first === undefined
        ? name.length > 1
          ? `there is no flag --${name}`
          : 'flags have names, and begin with two dashes'
        : `-${name[0]} stands alone, ${options[first]?.type === 'string' ? `as in -${name[0]} ${name.slice(1)} or` : 'or is'} --${first}`;
  throw new UsageError(`Unknown option '${written}': ${instead}`);
}

/** @throws UsageError if the next word is a flag or missing. */
function nextValue(
  name: string,
  written: string,
  next: string | undefined,
  dashed: ReadonlySet<string>,
): string {
  if (next === undefined) throw new UsageError(`${written} has no value: write --${name}=VALUE`);
  if (!next.startsWith('-') || next === '-' || dashed.has(name)) return next;
  throw new UsageError(
    `${written} has no value, ${JSON.stringify(next)} looks like a flag: where it is the value write --${name}=${next}`,
  );
}

/** @throws UsageError for additional arguments. */
export function refuseMore(command: string, [extra]: readonly string[]): void {
  if (extra !== undefined) throw new UsageError(`Unexpected "${extra}" behind ${command}`);
}
