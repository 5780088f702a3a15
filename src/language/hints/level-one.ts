import type { RelaxationKind } from '../syntax/dialect.js';

/** What level 1 of the language has and go-bexpr has not. */
export type LevelOneKind = Exclude<
  RelaxationKind,
  | 'missing-whitespace'
  | 'extra-whitespace'
  | 'bare-collection'
  | 'escaped-quote'
  | 'abandoned-reading'
  | 'quoted-pointer-value'
>;

/** What is missing in go-bexpr. */
const levelOneNames: Readonly<Record<LevelOneKind, string>> = {
  ordering: 'orderings',
  'value-list': 'lists of values',
  affix: 'starts with and ends with',
  glob: 'like',
  length: 'len',
  'ignore-case': 'flag for upper and lower case',
  'typed-literal': 'literals such as 7d without quotes',
  'field-reference': 'references to other fields',
  clock: 'clock',
};

export function isLevelOne(kind: RelaxationKind): kind is LevelOneKind {
  return Object.hasOwn(levelOneNames, kind);
}

/** What go-bexpr says of a use, in a few words. */
export function levelOneLabel(kind: LevelOneKind): string {
  return `go-bexpr has no ${levelOneNames[kind]}`;
}

/** The form of level 0 that says the same, as a sentence; null where there is none. */
const levelZeroForms: Readonly<Record<LevelOneKind, string | null>> = {
  ordering: null,
  'value-list': 'Write one comparison for each value and join them by "or".',
  affix: 'A pattern says the same: matches "^web", matches "web$".',
  glob: 'A pattern says the same: matches "^web-.*$".',
  length: 'Whether there is anything asks is empty.',
  'ignore-case': 'A pattern that begins with (?i) leaves case aside: matches "(?i)^web$".',
  'typed-literal': 'Write it in quotes.',
  'field-reference': null,
  clock: null,
};

/** What is said to a use of level 1 where level 0 is read; `hint` is what was found without knowing of it. */
export function levelZeroHint(kind: LevelOneKind, hint: string | null): string {
  const form = hint ?? levelZeroForms[kind];
  const other = `Level 1 of the standard dialect reads this; ${levelOneLabel(kind)}.`;
  return form === null ? other : `${form} ${other}`;
}
