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
export const levelOneNames: Readonly<Record<LevelOneKind, string>> = {
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
