import { describeKind, type ConfigEntry, type ConfigObject, type ConfigValue } from './config-tree.js';
import type { Position } from './position.js';
import {
  onlyOccurrence,
  type Given,
  type Occurrence,
  type Reader,
  type Report,
  type RequiredReader,
} from './reader.js';
import { suggestName } from './suggest.js';

/** The settings of a block, by their keys. */
export type Fields = Readonly<Record<string, Reader<unknown>>>;

/** The values of a block. Absent settings are `undefined`, unless they are required. */
export type Block<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends RequiredReader<infer T>
    ? T
    : F[K] extends Reader<infer T>
      ? T | undefined
      : never;
};

/**
 * Returns a reader of a block that may occur once: `server { ... }`, `server = { ... }`, or an object of JSON, also in a list.
 * With `repeat` it may occur several times, each time with other settings. Labels are keys: `plugin "a" {}` and `plugin "b" {}`
 * are two settings.
 */
export function block<F extends Fields>(
  fields: F,
  { repeat = false }: LabelledOptions = {},
): Reader<Block<F>> {
  return {
    read(given, report) {
      const objects = objectsOf(given, report);
      const [first] = objects ?? [];
      const only =
        objects === undefined
          ? undefined
          : repeat && first !== undefined
            ? { ...first, entries: objects.flatMap(({ entries }) => entries) }
            : onlyObject(given, objects, report);
      return only === undefined ? undefined : readFields(fields, only, given.path, report);
    },
  };
}

/** Returns a reader of a map with any keys: `meta { rack = "r1" }`. */
export function map<T>(reader: Reader<T>): Reader<ReadonlyMap<string, T>> {
  return {
    ...(reader.form === 'text' ? { form: 'map' } : reader.form === 'list' ? { form: 'lists' } : {}),
    read(given, report) {
      const objects = objectsOf(given, report);
      const only = objects === undefined ? undefined : onlyObject(given, objects, report);
      if (only === undefined) return undefined;
      const values = new Map<string, T>();
      for (const [key, occurrences] of groupEntries(only)) {
        const value = reader.read({ path: joinPath(given.path, key), occurrences }, report);
        if (value !== undefined) values.set(key, value);
      }
      return values;
    },
  };
}

/** Returns a reader of a block that may occur any number of times, each read separately. */
export function repeated<T>(reader: Reader<T>): Reader<readonly T[]> {
  return {
    read(given, report) {
      const objects = objectsOf(given, report);
      if (objects === undefined) return undefined;
      const values: T[] = [];
      for (const [index, object] of objects.entries()) {
        const path = objects.length === 1 ? given.path : `${given.path}[${index}]`;
        const value = reader.read({ path, occurrences: [{ at: object.at, value: object }] }, report);
        if (value !== undefined) values.push(value);
      }
      return values;
    },
  };
}

/** A block with its label. */
export interface Labelled<T> {
  readonly label: string;
  /** The position of the label. */
  readonly at: Position;
  readonly value: T;
}

export interface LabelledOptions {
  /** Whether a block or label may be repeated, as in two `listener "tcp"` blocks. Default: false. */
  readonly repeat?: boolean;
}

/**
 * Returns a reader of blocks with a label: `plugin "raw_exec" { ... }`, in JSON `{"plugin": {"raw_exec": {...}}}`. A function
 * selects the reader by the label.
 */
export function labelled<T>(
  reader: Reader<T> | ((label: string) => Reader<T>),
  { repeat = false }: LabelledOptions = {},
): Reader<readonly Labelled<T>[]> {
  return {
    read(given, report) {
      const objects = objectsOf(given, report, 'a block with a label');
      if (objects === undefined) return undefined;
      const values: Labelled<T>[] = [];
      const entries = objects.flatMap((object) => object.entries);
      for (const [label, occurrences] of groupEntries({ entries })) {
        const chosen = typeof reader === 'function' ? reader(label) : reader;
        const path = `${given.path} ${JSON.stringify(label)}`;
        const blocks = objectsOf({ path, occurrences }, report, 'a block (is the label missing?)');
        if (blocks === undefined) continue;
        const remaining = repeat ? blocks : [onlyObject({ path, occurrences }, blocks, report)];
        for (const object of remaining) {
          if (object === undefined) continue;
          const value = chosen.read({ path, occurrences: [{ at: object.at, value: object }] }, report);
          if (value !== undefined) values.push({ label, at: object.at, value });
        }
      }
      return values;
    },
  };
}

export interface ListOptions {
  /** Whether one value without brackets is read as a list with that value. */
  readonly single?: boolean;
}

/** Returns a reader of a list whose items are all read by the same reader. */
export function list<T>(reader: Reader<T>, { single = false }: ListOptions = {}): Reader<readonly T[]> {
  return {
    ...(reader.form === 'text' ? { form: 'list' } : {}),
    read(given, report) {
      const only = onlyOccurrence(given, report);
      if (only === undefined) return undefined;
      if (only.value.kind !== 'list' && !single) {
        report.mistake(only.value.at, given.path, `expected a list, found ${describeKind(only.value)}`);
        return undefined;
      }
      const items: readonly ConfigValue[] = only.value.kind === 'list' ? only.value.items : [only.value];
      const values: T[] = [];
      for (const [index, item] of items.entries()) {
        const path = `${given.path}[${index}]`;
        if (item.kind === 'null') report.mistake(item.at, path, 'null cannot be in a list');
        else {
          const value = reader.read({ path, occurrences: [{ at: item.at, value: item }] }, report);
          if (value !== undefined) values.push(value);
        }
      }
      return values;
    },
  };
}

/** Reads the settings of one object and reports unknown keys. */
export function readFields<F extends Fields>(
  fields: F,
  object: ConfigObject,
  path: string,
  report: Report,
): Block<F> {
  const groups = new Map(groupEntries(object));
  for (const [key, [{ at }]] of groups) {
    if (!Object.hasOwn(fields, key))
      report.unknown(at, joinPath(path, key), () => describeUnknown(key, fields));
  }
  const values: Record<string, unknown> = {};
  for (const [key, reader] of Object.entries(fields)) {
    const occurrences = groups.get(key);
    if (occurrences !== undefined)
      values[key] = reader.read({ path: joinPath(path, key), occurrences }, report);
    else if (reader.required === true) report.mistake(object.at, joinPath(path, key), 'is missing');
  }
  // Type-safe: each value was read by the reader of its field. A missing required field is reported as a mistake.
  return values as Block<F>;
}

function describeUnknown(key: string, fields: Fields): string {
  const near = suggestName(key, Object.keys(fields));
  return near === null ? 'there is no such setting' : `there is no such setting: did you mean ${near}?`;
}

type Occurrences = readonly [Occurrence, ...Occurrence[]];

/** Returns the values of each key, without nulls, in the order of the first occurrences. */
function groupEntries({
  entries,
}: {
  readonly entries: readonly ConfigEntry[];
}): Iterable<[string, Occurrences]> {
  const groups = new Map<string, [Occurrence, ...Occurrence[]]>();
  for (const { key, at, value } of entries) {
    if (value.kind === 'null') continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ at, value }]);
    else group.push({ at, value });
  }
  return groups;
}

/** Returns all objects of a block, including those in lists; `undefined` after a mistake. */
function objectsOf(given: Given, report: Report, expected = 'a block'): readonly ConfigObject[] | undefined {
  const objects: ConfigObject[] = [];
  let failed = false;
  const add = (value: ConfigValue): void => {
    if (value.kind === 'object') objects.push(value);
    else {
      failed = true;
      report.mistake(value.at, given.path, `expected ${expected}, found ${describeKind(value)}`);
    }
  };
  for (const { value } of given.occurrences) {
    if (value.kind === 'list') value.items.forEach(add);
    else add(value);
  }
  return failed ? undefined : objects;
}

function onlyObject(
  given: Given,
  objects: readonly ConfigObject[],
  report: Report,
): ConfigObject | undefined {
  const [first, ...others] = objects;
  if (first === undefined) {
    report.mistake(given.occurrences[0].value.at, given.path, 'expected a block, found an empty list');
    return undefined;
  }
  for (const { at } of others) {
    report.mistake(at, given.path, `is already there on line ${first.at.line}`);
  }
  return others.length === 0 ? first : undefined;
}

/** Returns the path of a key. Keys that are not identifiers are quoted, as in the file. */
function joinPath(path: string, key: string): string {
  const name = /^[\p{L}\p{Nd}_-]+$/u.test(key) ? key : JSON.stringify(key.slice(0, 60));
  return path === '' ? name : `${path}.${name}`;
}
