import { CaseFileError, sequence, type Mapping } from './case-file.js';
import { findPath, isMany, sourceOf, type Found } from './json-path.js';
import { isEqual, print } from './value.js';

/** What is checked of the places that a path leads to. */
interface Subject {
  readonly places: readonly Found[];
  /** The value at the path; the list of all values where the path has a `*`. */
  readonly value: unknown;
  /** The body as it was sent. */
  readonly source: string;
}

type Check = (subject: Subject, expected: unknown) => boolean;

const everyValue = ({ places }: Subject, test: (value: unknown) => boolean): boolean =>
  places.length > 0 && places.every(({ value }) => test(value));

const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'bigint'
        ? 'number'
        : typeof value === 'boolean'
          ? 'bool'
          : typeof value;

const typeNames: ReadonlyMap<string, string> = new Map([
  ['boolean', 'bool'],
  ['list', 'array'],
  ['map', 'object'],
  ['integer', 'number'],
  ['int', 'number'],
]);

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const owns = (value: unknown, name: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, String(name));
const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : Object.keys((value ?? {}) as object).length;

const checks: Readonly<Record<string, Check>> = {
  eq: ({ value }, expected) => isEqual(value, expected),
  match: (subject, expected) => everyValue(subject, (value) => new RegExp(String(expected)).test(String(value))),
  len: ({ value }, expected) => lengthOf(value) === Number(expected),
  type: (subject, expected) =>
    everyValue(subject, (value) => kindOf(value) === (typeNames.get(String(expected)) ?? expected)),
  has: (subject, expected) =>
    everyValue(subject, (value) => sequence(expected, 'has').every((name) => owns(value, name))),
  lacks: (subject, expected) =>
    everyValue(subject, (value) => !sequence(expected, 'lacks').some((name) => owns(value, name))),
  gt: (subject, expected) =>
    everyValue(subject, (value) => (value as number | bigint) > (expected as number | bigint)),
  ids: ({ value }, expected) =>
    isEqual(
      itemsOf(value).map((item) => (item as Mapping | null)?.['ID']),
      expected,
    ),
  set_eq: ({ value }, expected) => isEqual(sorted(itemsOf(value)), sorted(sequence(expected, 'set_eq'))),
  sorted: ({ value }, expected) => isSorted(itemsOf(value), expected === 'desc'),
  all_eq: ({ places }, expected) => places.every(({ value }) => isEqual(value, expected)),
  contains: ({ value }, expected) =>
    typeof value === 'string'
      ? value.includes(String(expected))
      : itemsOf(value).some((item) => isEqual(item, expected)),
  values: ({ value }, expected) => isEqual(value, expected),
  raw_match: ({ places, source }, expected) =>
    places.length > 0 && places.every((place) => new RegExp(String(expected)).test(sourceOf(source, place))),
  absent: ({ places }, expected) => (places.length === 0) === expected,
};

function sorted(items: readonly unknown[]): readonly string[] {
  return items.map(print).sort();
}

function isSorted(items: readonly unknown[], descending: boolean): boolean {
  return items.every((item, at) => {
    const before = (at === 0 ? item : items[at - 1]) as string | number | bigint;
    const now = item as string | number | bigint;
    return descending ? before >= now : before <= now;
  });
}

/** What an assertion finds wrong with a body; null when nothing. */
export function checkAssertion(assertion: Mapping, body: unknown, source: string): string | null {
  const path = String(assertion['at'] ?? '');
  const places = findPath(body, path);
  const value = isMany(path) ? places.map((place) => place.value) : places[0]?.value;
  const subject = { places, value, source };
  for (const [name, expected] of Object.entries(assertion)) {
    if (name === 'at') continue;
    const check = checks[name];
    if (check === undefined) throw new CaseFileError(`unknown assertion ${name}`);
    if (check(subject, expected)) continue;
    const found = places.length === 0 ? 'nothing' : print(value);
    return `at "${path}": expected ${name} ${print(expected)}, got ${found}`;
  }
  return null;
}
