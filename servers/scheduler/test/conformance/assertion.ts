import { CaseFileError, sequence, type Mapping } from './case-file.js';
import { findPath, isMany, sourceOf, type Found } from './json-path.js';
import { isEqual, show } from './value.js';

/** What is checked of the places that a path leads to. */
interface Subject {
  readonly places: readonly Found[];
  /** The value at the path; the list of all values where the path has a `*`. */
  readonly value: unknown;
  /** The body as it was sent. */
  readonly source: string;
}

type Check = (subject: Subject, wanted: unknown) => boolean;

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
  eq: ({ value }, wanted) => isEqual(value, wanted),
  match: (subject, wanted) => everyValue(subject, (value) => new RegExp(String(wanted)).test(String(value))),
  len: ({ value }, wanted) => lengthOf(value) === Number(wanted),
  type: (subject, wanted) =>
    everyValue(subject, (value) => kindOf(value) === (typeNames.get(String(wanted)) ?? wanted)),
  has: (subject, wanted) =>
    everyValue(subject, (value) => sequence(wanted, 'has').every((name) => owns(value, name))),
  lacks: (subject, wanted) =>
    everyValue(subject, (value) => !sequence(wanted, 'lacks').some((name) => owns(value, name))),
  gt: (subject, wanted) =>
    everyValue(subject, (value) => (value as number | bigint) > (wanted as number | bigint)),
  ids: ({ value }, wanted) =>
    isEqual(
      itemsOf(value).map((item) => (item as Mapping | null)?.['ID']),
      wanted,
    ),
  set_eq: ({ value }, wanted) => isEqual(sorted(itemsOf(value)), sorted(sequence(wanted, 'set_eq'))),
  sorted: ({ value }, wanted) => isSorted(itemsOf(value), wanted === 'desc'),
  all_eq: ({ places }, wanted) => places.every(({ value }) => isEqual(value, wanted)),
  contains: ({ value }, wanted) =>
    typeof value === 'string'
      ? value.includes(String(wanted))
      : itemsOf(value).some((item) => isEqual(item, wanted)),
  values: ({ value }, wanted) => isEqual(value, wanted),
  raw_match: ({ places, source }, wanted) =>
    places.length > 0 && places.every((place) => new RegExp(String(wanted)).test(sourceOf(source, place))),
  absent: ({ places }, wanted) => (places.length === 0) === wanted,
};

function sorted(items: readonly unknown[]): readonly string[] {
  return items.map(show).sort();
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
  for (const [name, wanted] of Object.entries(assertion)) {
    if (name === 'at') continue;
    const check = checks[name];
    if (check === undefined) throw new CaseFileError(`unknown assertion ${name}`);
    if (check(subject, wanted)) continue;
    const found = places.length === 0 ? 'nothing' : show(value);
    return `at "${path}": expected ${name} ${show(wanted)}, got ${found}`;
  }
  return null;
}
