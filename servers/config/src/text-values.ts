import type { ConfigEntry, ConfigValue } from './config-tree.js';
import { parseConfig } from './parse-config.js';
import type { Position } from './position.js';
import type { GivenValue, TextForm } from './reader.js';

/** Converts the strings of a flag or a variable to a value that is read like one from a file. */
export function valueOfTexts(form: TextForm, texts: readonly string[], at: Position): GivenValue {
  const items = texts.map((value): ConfigValue => ({ kind: 'text', value, at }));
  switch (form) {
    case 'list':
      return { kind: 'list', items, at };
    case 'map':
      return { kind: 'object', entries: texts.map((text) => readPair(text, at)), at };
    case 'lists':
      return { kind: 'object', entries: readLists(texts, at), at };
    default:
      return { kind: 'text', value: texts.at(-1) ?? '', at };
  }
}

/** Reads `key=value`, or `Name: value` as in headers. */
function readPair(text: string, at: Position): ConfigEntry {
  const [, key = text, value = ''] = /^([^=:]+)[=:](.*)$/s.exec(text) ?? [];
  return { key: key.trim(), at, value: { kind: 'text', value: value.trim(), at } };
}

/** Reads a map of lists. A repeated key adds to its list. */
function readLists(texts: readonly string[], at: Position): readonly ConfigEntry[] {
  const lists = new Map<string, ConfigValue[]>();
  for (const { key, value } of texts.map((text) => readPair(text, at))) {
    lists.set(key, [...(lists.get(key) ?? []), value]);
  }
  return [...lists].map(([key, items]) => ({ key, at, value: { kind: 'list', items, at } }));
}

/** Converts the value of a variable. Lists and maps are comma-separated, or JSON. */
export function valueOfVariable(form: TextForm, text: string, at: Position): GivenValue {
  if (form !== 'list' && form !== 'map' && form !== 'lists') return valueOfTexts(form, [text], at);
  if (form !== 'list' && text.trimStart().startsWith('{')) {
    return parseConfig(text, { name: at.source, syntax: 'json' });
  }
  const items = text.split(',').map((item) => item.trim());
  return valueOfTexts(
    form,
    items.filter((item) => item !== ''),
    at,
  );
}
