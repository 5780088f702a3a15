import { suggestName } from '@tamis/config';
import { clientFlags, listFlags } from './client-flags.js';
import type { ClientCommand, CommandSpec, FlagTable } from './command.js';
import { createGiven, type Given } from './given.js';
import { readFlags, refuseMore, type FlagOptions } from './read-flags.js';
import { insteadOf } from './unsupported-commands.js';
import { UsageError } from './usage-error.js';

/** The parsed request of a command line. */
export type FoundCommand =
  | { readonly kind: 'run'; readonly command: CommandSpec; readonly args: readonly string[] }
  /** Help on a command, on a group such as `job`, or on everything if the path is empty. */
  | { readonly kind: 'help'; readonly path: string };

/** Finds the command of a command line without the program name. @throws UsageError if none exists. */
export function findCommand(table: readonly CommandSpec[], args: readonly string[]): FoundCommand {
  const [first] = args;
  if (first === undefined || isHelpWord(first)) return { kind: 'help', path: '' };
  const command = longestMatch(table, args);
  if (command !== null) {
    const rest = args.slice(command.path.split(' ').length);
    const end = rest.indexOf('--');
    const flags = end === -1 ? rest : rest.slice(0, end);
    if (flags.some(isHelpWord)) return { kind: 'help', path: command.path };
    return { kind: 'run', command, args: rest };
  }
  const group = findGroup(table, args);
  const words = group === '' ? [] : group.split(' ');
  const next = args[words.length];
  if (group !== '' && (next === undefined || isHelpWord(next))) return { kind: 'help', path: group };
  const instead = insteadOf(args);
  if (instead !== null) throw new UsageError(instead, group || null);
  throw unknownCommand(table, group, next ?? '');
}

function isHelpWord(word: string): boolean {
  return word === '--help' || word === '-help' || word === '-h';
}

function longestMatch(table: readonly CommandSpec[], args: readonly string[]): CommandSpec | null {
  const found = table.filter(({ path }) => path.split(' ').every((word, at) => args[at] === word));
  return found.sort((a, b) => b.path.length - a.path.length)[0] ?? null;
}

/** Returns the first words of a command line that match the start of a command. */
function findGroup(table: readonly CommandSpec[], args: readonly string[]): string {
  let group = '';
  for (const word of args) {
    const longer = group === '' ? word : `${group} ${word}`;
    if (!table.some(({ path }) => path.startsWith(`${longer} `))) break;
    group = longer;
  }
  return group;
}

function unknownCommand(table: readonly CommandSpec[], group: string, word: string): UsageError {
  const known = wordsBelow(table, group);
  if (word.startsWith('-')) {
    const where = group === '' ? '' : ` after ${group}`;
    return new UsageError(
      `A command comes first${where}, one of ${known.join(', ')}: found "${word}"`,
      group || null,
    );
  }
  const near = suggestName(word, known);
  const named = `"${group === '' ? '' : `${group} `}${word}"`;
  const instead =
    near === null
      ? `try one of ${known.join(', ')}`
      : `did you mean ${group === '' ? '' : `${group} `}${near}?`;
  return new UsageError(`There is no command ${named}: ${instead}`, group || null);
}

/** Returns the words that may follow those of a group; all first words for an empty group. */
export function wordsBelow(table: readonly CommandSpec[], group: string): readonly string[] {
  const depth = group === '' ? 0 : group.split(' ').length;
  const below = table.filter(({ path }) => group === '' || path.startsWith(`${group} `));
  return [...new Set(below.map(({ path }) => path.split(' ')[depth] ?? ''))];
}

/** Returns all flags of a command. Commands that call an agent share flags; their own letters take precedence. */
export async function flagsOf({ flags: declared = {}, kind }: CommandSpec): Promise<FlagTable> {
  const flags = typeof declared === 'function' ? await declared() : declared;
  if (kind === 'local') return flags;
  const letters = new Set(Object.values(flags).map(({ short }) => short));
  const common = Object.entries(clientFlags).map(([name, { short, ...flag }]) => {
    const own = short === undefined || letters.has(short) ? {} : { short };
    return [name, { ...flag, ...own }] as const;
  });
  return { ...flags, ...Object.fromEntries(common) };
}

/** Parses the arguments of a command by its declaration. @throws UsageError */
export async function readGiven(command: CommandSpec, args: readonly string[]): Promise<Given> {
  const flags = await flagsOf(command);
  try {
    const dashed = Object.keys(flags).filter((name) => flags[name]?.mayBeginWithDash === true);
    const alone = Object.entries(flags).flatMap(([name, flag]) =>
      flag.alone === undefined ? [] : [[name, String(flag.alone)] as const],
    );
    const ways = { dashed: new Set(dashed), alone: new Map(alone) };
    const { values, positionals } = readFlags(args, optionsOf(flags), ways);
    if (command.kind !== 'local') refuseFlagsOfLists(command, positionals, values);
    return createGiven(namePositionals(command, positionals), values);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, command.path) : error;
  }
}

/** List flags together with a single object are rejected, because the output would look like the filtered selection. */
function refuseFlagsOfLists(
  { list }: ClientCommand,
  [id]: readonly string[],
  values: Readonly<Record<string, unknown>>,
): void {
  if (list === undefined || id === undefined) return;
  const flag = Object.keys(listFlags).find((name) => values[name] !== undefined);
  if (flag !== undefined)
    throw new UsageError(`--${flag} is for lists: leave out ${JSON.stringify(id)}, or --${flag}`);
}

function optionsOf(flags: FlagTable): FlagOptions {
  const options = Object.entries(flags).map(([name, { short, value }]) => {
    const kind = value === undefined ? { type: 'boolean' } : { type: 'string', multiple: true };
    return [name, { ...kind, ...(short === undefined ? {} : { short }) }] as const;
  });
  return Object.fromEntries(options) as FlagOptions;
}

function namePositionals(
  command: CommandSpec,
  given: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const { path, positionals = [] } = command;
  const missing = positionals.find(({ isOptional }, at) => isOptional !== true && given[at] === undefined);
  if (missing !== undefined) {
    throw new UsageError(`${missing.name} is missing, ${missing.help}: scheduler ${usageOf(command)}`);
  }
  if (positionals.at(-1)?.repeats !== true)
    refuseMore([path, ...given.slice(0, positionals.length)].join(' '), given.slice(positionals.length));
  return new Map(
    positionals.map(({ name, repeats }, at) => [
      name,
      given.slice(at, repeats === true ? undefined : at + 1),
    ]),
  );
}

/** Returns the usage of a command: `job history JOB`. */
export function usageOf({ path, positionals = [] }: CommandSpec): string {
  const printed = positionals.map(({ name, isOptional, repeats }) => {
    const written = `${name}${repeats === true ? '...' : ''}`;
    return isOptional === true ? `[${written}]` : written;
  });
  return [path, ...printed].join(' ');
}
