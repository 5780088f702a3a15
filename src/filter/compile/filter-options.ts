import { defaultLimits, type Limits } from '../../language/diagnostics/limits.js';
import { namesOf, readNamed, type OptionNames } from '../../language/diagnostics/options.js';
import type { Schema } from '../../language/schema/schema.js';
import type { Dialect, Level } from '../../language/syntax/dialect.js';

/** Options for parsing, checking and evaluating a filter. */
export interface FilterOptions {
  /** The schema of rows. If omitted, the kind of each value at run time decides. */
  readonly schema?: Schema;
  /** `standard` (default) or `go-bexpr`, which rejects everything that go-bexpr rejects. */
  readonly dialect?: Dialect;
  /** 1 (default), or 0 to reject features that go-bexpr lacks. The dialect `go-bexpr` is always level 0. */
  readonly level?: Level;
  /**
   * True (default): `compileFilter` rejects filters that no row can satisfy. False: it rejects only syntax and limit errors, and
   * a row that reaches a mistake fails, as in go-bexpr.
   */
  readonly check?: boolean;
  /**
   * The result if a row lacks something that the filter reads: a null on the path, a missing key on a longer path, an index out
   * of range, or a value of another kind. `error` (default): `test` throws. `absent`: the match returns the result for an absent
   * key (false for `==`, true for `!=`, `is empty` and `is nil`), so that one malformed row cannot fail a list. An existing value
   * is then neither nil nor empty. `deny`: only rows match for which the filter is certainly true, for filters that grant access.
   * A match of a missing value, of null, of a value of another kind or of NaN is unknown, and so is its negation; only `is nil`
   * accepts null. A missing field has no zero value. `test` never throws: rows that exceed the limits do not match. Requires a
   * schema; cannot be combined with `check: false` and `unknownValue`.
   */
  readonly unresolved?: 'error' | 'absent' | 'deny';
  /** Value used for names that are not found. If set, such names are neither errors nor absent. */
  readonly unknownValue?: unknown;
  /** The clock that `now` reads. Default: the system clock. */
  readonly now?: () => Date;
  /** Limits of the filter. Omitted ones have safe defaults. */
  readonly limits?: Partial<Limits>;
  /**
   * Whether code can be generated for the filter if `node:vm` is available: true (default) makes frequently used filters as fast
   * as handwritten loops. The code consists of constant parts of the engine and names in the schema; it contains nothing of the
   * filter's source. If false, the filter is evaluated by closures, as in every other runtime.
   */
  readonly specialise?: boolean;
}

/** The names of the options. */
export const filterOptionNames = [
  'schema',
  'dialect',
  'level',
  'check',
  'unresolved',
  'unknownValue',
  'now',
  'limits',
  'specialise',
] as const satisfies OptionNames<FilterOptions>;

/**
 * Options for explaining a filter. Pass the options with which it was compiled, including the schema. Otherwise results may
 * differ and hidden fields may be shown. `dialect` and `level` only apply to a filter passed as a string; `check` has no effect.
 * `now` is called once.
 */
export type ExplainOptions = Omit<FilterOptions, 'specialise'>;

/** The names of the options. */
export const explainOptionNames = filterOptionNames.filter((name) => name !== 'specialise');

/** Returns a copy of the options, which later changes by the caller do not affect. */
export function copyOptions(options: FilterOptions): FilterOptions {
  const copy = readNamed(options, filterOptionNames);
  const { limits } = copy;
  return limits === undefined ? copy : { ...copy, limits: readNamed(limits, namesOf(defaultLimits)) };
}

/** @throws TypeError if `unresolved: 'deny'` is combined with options under which a test could be neither true nor denied. */
export function checkDeny(caller: string, { unresolved, schema, check, unknownValue }: FilterOptions): void {
  if (unresolved !== 'deny') return;
  if (schema === undefined) throw new TypeError(`${caller}: unresolved: 'deny' requires a schema`);
  const other = check === false ? 'check: false' : unknownValue === undefined ? null : 'unknownValue';
  if (other !== null) throw new TypeError(`${caller}: unresolved: 'deny' cannot be combined with ${other}`);
}
