import {
  converted,
  parseConfig,
  type ConfigEntry,
  type ConfigValue,
  type GivenValue,
  type Position,
  type Reader,
} from '@tamis/config';

/** The form of a setting outside of files, where everything is text. */
export type TextForm =
  /** One text. */
  | 'text'
  /** A flag that stands alone, or behind `--no-`. */
  | 'switch'
  /** Items between commas, or a flag that comes again. */
  | 'list'
  /** `key=value` between commas, or a flag that comes again. */
  | 'map'
  /** The same, where a key may come again and gets a list. */
  | 'lists'
  /** Only files can say it. */
  | 'file';

/** One setting of the agent: where it may come from, and what it may be. */
export interface Setting<T> {
  readonly reader: Reader<T>;
  readonly form: TextForm;
  /** The flag without its dashes; null where there is none. */
  readonly flag: string | null;
  /** The argument of the flag, for the help. */
  readonly argument: string;
  /** Its meaning, for the help. */
  readonly about: string;
  /** Its value when nobody says, for the help. */
  readonly fallback: string;
}

/** The prefix of all variables. */
export const variablePrefix = 'SCHEDULER_';

/** The variable of the environment that gives the setting at a path. */
export function variableOf(path: string): string {
  return `${variablePrefix}${path.replaceAll('.', '_').toUpperCase()}`;
}

/** The value that the texts of a flag or a variable stand for, to be read as one from a file would be. */
export function liftTexts(form: TextForm, texts: readonly string[], at: Position): GivenValue {
  const items = texts.map((value): ConfigValue => ({ kind: 'text', value, at }));
  switch (form) {
    case 'list':
      return { kind: 'list', items, at };
    case 'map':
      return { kind: 'object', entries: texts.map((text) => liftPair(text, at)), at };
    case 'lists':
      return { kind: 'object', entries: liftLists(texts, at), at };
    default:
      return { kind: 'text', value: texts.at(-1) ?? '', at };
  }
}

/** `key=value`, or `Name: value` as headers are written. */
function liftPair(text: string, at: Position): ConfigEntry {
  const [, key = text, value = ''] = /^([^=:]+)[=:](.*)$/s.exec(text) ?? [];
  return { key: key.trim(), at, value: { kind: 'text', value: value.trim(), at } };
}

/** A key that comes again adds to its list. */
function liftLists(texts: readonly string[], at: Position): readonly ConfigEntry[] {
  const lists = new Map<string, ConfigValue[]>();
  for (const { key, value } of texts.map((text) => liftPair(text, at))) {
    lists.set(key, [...(lists.get(key) ?? []), value]);
  }
  return [...lists].map(([key, items]) => ({ key, at, value: { kind: 'list', items, at } }));
}

/** The value of a variable. Lists and maps stand between commas, or are written as JSON. */
export function liftVariable(form: TextForm, text: string, at: Position): GivenValue {
  if (form !== 'list' && form !== 'map' && form !== 'lists') return liftTexts(form, [text], at);
  if (form !== 'list' && text.trimStart().startsWith('{')) {
    return parseConfig(text, { name: at.source, syntax: 'json' });
  }
  const items = text.split(',').map((item) => item.trim());
  return liftTexts(
    form,
    items.filter((item) => item !== ''),
    at,
  );
}

/** A reader that takes only what a test says is right; `problem` says what is expected. */
export function checked<T>(reader: Reader<T>, isRight: (value: T) => boolean, problem: string): Reader<T> {
  return converted(reader, (value, refuse) => (isRight(value) ? value : refuse(problem)));
}
