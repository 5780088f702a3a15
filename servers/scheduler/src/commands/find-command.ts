import { suggestName } from '@tamis/config';
import { clientFlags, listFlags } from './client-flags.js';
import type { ClientCommand, CommandSpec, FlagTable } from './command.js';
import { createGiven, type Given } from './given.js';
import { readFlags, refuseMore, type FlagOptions } from './read-flags.js';
import { UsageError } from './usage-error.js';

/** What a command line asks for. */
export type Asked =
  | { readonly kind: 'run'; readonly command: CommandSpec; readonly args: readonly string[] }
  /** The help on a command, on a group such as `job`, or on the whole where the path is empty. */
  | { readonly kind: 'help'; readonly path: string };

/** Finds the command of a command line, without the program's own name. @throws UsageError where there is none. */
export function findCommand(table: readonly CommandSpec[], args: readonly string[]): Asked {
  const [first] = args;
  if (first === undefined || first === '--help' || first === '-h') return { kind: 'help', path: '' };
  const command = longestMatch(table, args);
  if (command !== null) {
    const rest = args.slice(command.path.split(' ').length);
    const end = rest.indexOf('--');
    const flags = end === -1 ? rest : rest.slice(0, end);
    if (flags.includes('--help') || flags.includes('-h')) return { kind: 'help', path: command.path };
    return { kind: 'run', command, args: rest };
  }
  const group = longestGroup(table, args);
  const words = group === '' ? [] : group.split(' ');
  const next = args[words.length];
  if (group !== '' && (next === undefined || next === '--help' || next === '-h'))
    return { kind: 'help', path: group };
  throw unknownCommand(table, group, next ?? '');
}

function longestMatch(table: readonly CommandSpec[], args: readonly string[]): CommandSpec | null {
  const found = table.filter(({ path }) => path.split(' ').every((word, at) => args[at] === word));
  return found.sort((a, b) => b.path.length - a.path.length)[0] ?? null;
}

/** The words at the beginning of a command line with which commands begin. */
function longestGroup(table: readonly CommandSpec[], args: readonly string[]): string {
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
    const where = group === '' ? '' : ` behind ${group}`;
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

/** The words that may follow the words of a group; all first words where it is empty. */
export function wordsBelow(table: readonly CommandSpec[], group: string): readonly string[] {
  const depth = group === '' ? 0 : group.split(' ').length;
  const below = table.filter(({ path }) => group === '' || path.startsWith(`${group} `));
  return [...new Set(below.map(({ path }) => path.split(' ')[depth] ?? ''))];
}

/** All flags of a command that asks an agent. */
export function flagsOf({ flags }: ClientCommand): FlagTable {
  return { ...flags, ...clientFlags };
}

/** Reads the arguments of a command by its entry in the table. @throws UsageError */
export function readGiven(command: ClientCommand, args: readonly string[]): Given {
  try {
    const { values, positionals } = readFlags(
      joinValues(args, flagsOf(command)),
      optionsOf(flagsOf(command)),
    );
    refuseFlagsOfLists(command, positionals, values);
    return createGiven(namePositionals(command, positionals), values);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, command.path) : error;
  }
}

/** Who names one object and asks for a choice of them would take what is shown for the choice. */
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

/** A flag with a value takes the next word, whatever that begins with: `--sort -SubmitTime`. */
function joinValues(args: readonly string[], flags: FlagTable): readonly string[] {
  const joined: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const next = args[at + 1];
    if (word === '--') return [...joined, ...args.slice(at)];
    const takesValue = word.startsWith('--') && flags[word.slice(2)]?.value !== undefined;
    if (takesValue && next !== undefined) at += 1;
    joined.push(takesValue && next !== undefined ? `${word}=${next}` : word);
  }
  return joined;
}

function optionsOf(flags: FlagTable): FlagOptions {
  const options = Object.entries(flags).map(([name, { short, value }]) => {
    const kind = value === undefined ? { type: 'boolean' } : { type: 'string', multiple: true };
    return [name, { ...kind, ...(short === undefined ? {} : { short }) }] as const;
  });
  return Object.fromEntries(options) as FlagOptions;
}

function namePositionals(
  { path, positionals }: ClientCommand,
  given: readonly string[],
): ReadonlyMap<string, string> {
  const missing = positionals.find(({ isOptional }, at) => isOptional !== true && given[at] === undefined);
  if (missing !== undefined) {
    throw new UsageError(
      `${missing.name} is missing, ${missing.help}: scheduler ${usageOf(path, positionals)}`,
    );
  }
  refuseMore([path, ...given.slice(0, positionals.length)].join(' '), given.slice(positionals.length));
  return new Map(
    positionals.flatMap(({ name }, at) => {
      const value = given[at];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** The words of a command with its arguments: `job history JOB`. */
export function usageOf(path: string, positionals: CommandSpec['positionals']): string {
  const shown = positionals.map(({ name, isOptional }) => (isOptional === true ? `[${name}]` : name));
  return [path, ...shown].join(' ');
}
