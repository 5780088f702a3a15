import type { CompletionSource, CommandSpec, FlagTable, ListName } from './command.js';
import { flagsOf, wordsBelow } from './find-command.js';

/** The completions of a command line. */
export type Completion =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** File names, completed by the shell. */
  | { readonly kind: 'files' };

/** Looks up names on a server. Returns the results available within a short time, and never fails. */
export interface CandidateSource {
  names(
    kind: Exclude<CompletionSource, 'files' | 'filter' | 'sort' | readonly string[]>,
    prefix: string,
  ): Promise<readonly string[]>;
  /** Returns complete filters that start with the written part. */
  filters(list: ListName, written: string): Promise<readonly string[]>;
  sorts(list: ListName): Promise<readonly string[]>;
}

const nothing: Completion = { kind: 'words', words: [] };

/**
 * Completes a command line by the table of commands.
 *
 * @param words after the name of the program. The last one ends at the cursor and may be empty.
 */
export async function completeLine(
  table: readonly CommandSpec[],
  words: readonly string[],
  source: CandidateSource,
): Promise<Completion> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const command = commandOf(table, before);
  if (command === null) return beginningWith(wordsBelow(table, before.join(' ')), current);
  const flags = await flagsOf(command);
  const list = command.kind === 'local' ? null : (command.list ?? null);
  const given = before.slice(command.path.split(' ').length);
  const flag = valueFlag(flags, given.at(-1) ?? '');
  if (flag !== null) return candidatesFor(flags[flag]?.complete, current, list, source);
  const [, name, value] = /^--([^=]+)=(.*)$/s.exec(current) ?? [];
  if (name !== undefined && value !== undefined && Object.hasOwn(flags, name)) {
    const found = await candidatesFor(flags[name]?.complete, value, list, source);
    return found.kind === 'words'
      ? { ...found, words: found.words.map((word) => `--${name}=${word}`) }
      : found;
  }
  if (current.startsWith('-'))
    return beginningWith(
      Object.keys(flags).map((one) => `--${one}`),
      current,
    );
  const { positionals = [] } = command;
  const position = positionOf(flags, given);
  const last = positionals.at(-1);
  const positional = positionals[position] ?? (last?.repeats === true ? last : undefined);
  const found = await candidatesFor(positional?.complete, current, list, source);
  const below = wordsBelow(table, command.path);
  return found.kind === 'files' || below.length === 0
    ? found
    : { ...found, words: [...beginningWith(below, current).words, ...found.words] };
}

/** Returns the longest command whose words have been typed. */
function commandOf(table: readonly CommandSpec[], words: readonly string[]): CommandSpec | null {
  const found = table.filter(({ path }) => path.split(' ').every((word, at) => words[at] === word));
  return found.sort((a, b) => b.path.length - a.path.length)[0] ?? null;
}

/** Returns the flag whose value is being completed. */
function valueFlag(flags: FlagTable, word: string): string | null {
  const long = word.replace(/^--?/, '');
  const name =
    word.startsWith('-') && Object.hasOwn(flags, long)
      ? long
      : Object.keys(flags).find((one) => word === `-${flags[one]?.short}`);
  return name !== undefined && flags[name]?.value !== undefined ? name : null;
}

/** Returns the number of positional arguments. */
function positionOf(flags: FlagTable, given: readonly string[]): number {
  const isValue = (at: number): boolean => valueFlag(flags, given[at - 1] ?? '') !== null;
  return given.filter((word, at) => !word.startsWith('-') && !isValue(at)).length;
}

async function candidatesFor(
  candidates: CompletionSource | undefined,
  written: string,
  list: ListName | null,
  source: CandidateSource,
): Promise<Completion> {
  if (candidates === undefined) return nothing;
  if (candidates === 'files') return { kind: 'files' };
  if (typeof candidates !== 'string') return beginningWith(candidates, written);
  if (candidates === 'filter')
    return list === null ? nothing : { kind: 'words', words: await source.filters(list, unquoted(written)) };
  if (candidates !== 'sort') return beginningWith(await source.names(candidates, written), written);
  if (list === null) return nothing;
  const fields = await source.sorts(list);
  return beginningWith([...fields, ...fields.map((field) => `-${field}`)], written);
}

/** Removes an opening quote, which shells include. */
function unquoted(word: string): string {
  return word.replace(/^['"]/, '');
}

/** Omits names with characters that do not fit an output line: names of jobs may contain any. */
function beginningWith(words: readonly string[], current: string): Completion & { readonly kind: 'words' } {
  return { kind: 'words', words: words.filter((word) => word.startsWith(current) && !/\p{Cc}/u.test(word)) };
}
