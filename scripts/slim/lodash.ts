// What Chevrotain uses of lodash-es, in the language's own means: an eighth of the weight. Each does what lodash-es does for
// the arguments that Chevrotain gives it (test/package/lodash.test.ts compares the two); no more is promised.

type Table = Readonly<Record<string, unknown>>;
/** Null is treated as an empty one. */
type All = readonly unknown[] | Table | null | undefined;
type Key = string | number;
type Iteratee<T = unknown> = (value: unknown, key: Key) => T;
type Test = (value: unknown) => boolean;

export function values(all: All): readonly unknown[] {
  return isArray(all) ? all : Object.values(all ?? {});
}

export function keys(all: All): string[] {
  return Object.keys(all ?? {});
}

/** What iteratees are given: indexes of arrays are numbers. */
function entries(all: All): [value: unknown, key: Key][] {
  const isList = isArray(all);
  return Object.entries(all ?? {}).map(([key, value]) => [value, isList ? Number(key) : key]);
}

// ---- What a value is ----

export const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);
export const isUndefined = (value: unknown): boolean => value === undefined;
export const isString = (value: unknown): boolean => typeof value === 'string';
export const isFunction = (value: unknown): boolean => typeof value === 'function';
export const isRegExp = (value: unknown): boolean => value instanceof RegExp;
export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || isFunction(value);
export const isEmpty = (all: string | All): boolean =>
  keys(typeof all === 'string' ? [...all] : all).length === 0;
export const has = (all: All, key: string): boolean =>
  all !== null && all !== undefined && Object.hasOwn(all, key);
export const includes = (all: All, value: unknown): boolean => values(all).includes(value);
export const indexOf = (all: readonly unknown[], value: unknown): number => all.indexOf(value);

// ---- One by one ----

export function noop(): void {
  // On purpose.
}

export const identity = (value: unknown): unknown => value;

/** Ends when the iteratee says `false`, as lodash-es does. */
export function forEach(all: All, run: Iteratee): All {
  for (const [value, key] of entries(all)) if (run(value, key) === false) break;
  return all;
}

export const map = (all: All, run: Iteratee): unknown[] =>
  entries(all).map(([value, key]) => run(value, key));
export const flatMap = (all: All, run: Iteratee): unknown[] => map(all, run).flat();
export const filter = (all: All, test: Test): unknown[] => values(all).filter((value) => test(value));
export const reject = (all: All, test: Test): unknown[] => values(all).filter((value) => !test(value));
export const find = (all: All, test: Test): unknown => values(all).find((value) => test(value));
export const some = (all: All, test: Test): boolean => values(all).some((value) => test(value));
export const every = (all: All, test: Test): boolean => values(all).every((value) => test(value));

export function reduce(
  all: All,
  run: (before: unknown, value: unknown, key: Key) => unknown,
  start: unknown,
): unknown {
  return entries(all).reduce<unknown>((before, [value, key]) => run(before, value, key), start);
}

export function groupBy(all: All, nameOf: (value: unknown) => string): Record<string, unknown[]> {
  const groups: Record<string, unknown[]> = {};
  for (const value of values(all)) (groups[nameOf(value)] ??= []).push(value);
  return groups;
}

// ---- Parts and copies ----

export const first = (all: readonly unknown[] | undefined): unknown => all?.[0];
export const last = (all: readonly unknown[] | undefined): unknown => all?.at(-1);
export const drop = (all: readonly unknown[], count = 1): unknown[] => all.slice(count);
export const dropRight = (all: readonly unknown[], count = 1): unknown[] =>
  all.slice(0, Math.max(all.length - count, 0));
export const flatten = (all: readonly unknown[]): unknown[] => all.flat();
export const compact = (all: readonly unknown[]): unknown[] => all.filter(Boolean);
export const uniq = (all: readonly unknown[]): unknown[] => [...new Set(all)];
export const difference = (all: readonly unknown[], without: readonly unknown[]): unknown[] =>
  all.filter((value) => !without.includes(value));

export function clone(all: unknown): unknown {
  if (isArray(all)) return [...all];
  return isObject(all) ? { ...all } : all;
}

export const assign = (all: object, ...sources: readonly object[]): object => Object.assign(all, ...sources);

export function defaults(all: Record<string, unknown>, ...sources: readonly Table[]): Table {
  for (const source of sources) {
    for (const [key, value] of Object.entries(source)) if (all[key] === undefined) all[key] = value;
  }
  return all;
}

export function pickBy(all: Table, test: Test): Table {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => test(value)));
}
