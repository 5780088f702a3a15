import type { RelaxationKind } from '../syntax/dialect.js';

/** Level 1 features, which go-bexpr does not have. */
export type LevelOneKind = Exclude<
  RelaxationKind,
  | 'missing-whitespace'
  | 'extra-whitespace'
  | 'bare-collection'
  | 'escaped-quote'
  | 'abandoned-reading'
  | 'quoted-pointer-value'
>;

/** Names of the features that go-bexpr lacks. */
const levelOneNames: Readonly<Record<LevelOneKind, string>> = {
  ordering: 'orderings',
  'value-list': 'lists of values',
  affix: 'starts with and ends with',
  glob: 'like',
  length: 'len',
  'ignore-case': 'flag to ignore case',
  'typed-literal': 'literals such as 7d without quotes',
  'field-reference': 'references to other fields',
  clock: 'clock',
  'field-name': 'selectors that begin with a bracket or an underscore',
};

export function isLevelOne(kind: RelaxationKind): kind is LevelOneKind {
  return Object.hasOwn(levelOneNames, kind);
}

/** A short label for a level 1 feature that go-bexpr lacks. */
export function levelOneLabel(kind: LevelOneKind): string {
  return `go-bexpr has no ${levelOneNames[kind]}`;
}

/** The equivalent form at level 0 for each feature, as a sentence; null if none exists. */
const levelZeroForms: Readonly<Record<LevelOneKind, string | null>> = {
  ordering: null,
  'value-list': 'Write one comparison for each value and join them with `or`.',
  affix: 'Use a pattern: matches "^web", matches "web$".',
  glob: 'Use a pattern: matches "^web-.*$".',
  length: 'Use is empty.',
  'ignore-case': 'To ignore case, begin the pattern with (?i): matches "(?i)^web$".',
  'typed-literal': 'Write it in quotes.',
  'field-reference': null,
  clock: null,
  'field-name': 'Write a pointer if the name has only letters, digits, -, _ and dots: "/_id".',
};

/** Returns the hint for a level 1 feature in a source of level 0. `hint` is the hint found by other rules. */
export function levelZeroHint(kind: LevelOneKind, hint: string | null): string {
  const form = hint ?? levelZeroForms[kind];
  const other = `Level 1 of the standard dialect reads this; ${levelOneLabel(kind)}.`;
  return form === null ? other : `${form} ${other}`;
}
