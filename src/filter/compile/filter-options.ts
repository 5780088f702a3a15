import type { Limits } from '../../language/diagnostics/limits.js';
import type { OptionNames } from '../../language/diagnostics/options.js';
import type { Schema } from '../../language/schema/schema.js';
import type { Dialect, Level } from '../../language/syntax/dialect.js';

/** How a filter is parsed, checked and evaluated. */
export interface FilterOptions {
  /** The kind of row. Without one, each value's own kind decides. */
  readonly schema?: Schema;
  /** `standard` (default) or `go-bexpr`, which refuses what the real library refuses. */
  readonly dialect?: Dialect;
  /** 1 (default), or 0 to refuse what go-bexpr does not have. The dialect `go-bexpr` is level 0 always. */
  readonly level?: Level;
  /**
   * True (default): what no row can satisfy is refused by `compileFilter`. False: nothing but syntax and limits is
   * refused there, and a row that reaches the mistake fails, as in the real library.
   */
  readonly check?: boolean;
  /**
   * What happens if a row does not have what the filter reads: a null on the path, a missing key on a longer path, an index out
   * of range, a value of another kind. `error` (default): `test` throws. `absent`: the match returns the result for an absent key
   * (false for `==`, true for `!=`, `is empty` and `is nil`), so that one malformed row cannot fail a list; a value that exists
   * is then neither nil nor empty.
   */
  readonly unresolved?: 'error' | 'absent';
  /** The value of names that are not found; then they are neither errors nor absent. */
  readonly unknownValue?: unknown;
  /** The clock that `now` reads. Default: the system clock. */
  readonly now?: () => Date;
  /** Bounds on the filter. Those left out have safe defaults. */
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
 * How a filter is evaluated when it is explained. Pass the options that it was compiled with, so that the results are the same,
 * including the schema: fields that it hides stay hidden. `dialect` and `level` apply to a filter that is passed as a string.
 * `check` has no effect. `now` is called once.
 */
export type ExplainOptions = Omit<FilterOptions, 'specialise'>;

/** The names of the options. */
export const explainOptionNames = filterOptionNames.filter((name) => name !== 'specialise');
