import type { Limits } from '../../language/diagnostics/limits.js';
import type { OptionNames } from '../../language/diagnostics/options.js';
import type { Schema } from '../../language/schema/schema.js';
import type { Dialect, Level } from '../../language/syntax/dialect.js';

/** How a filter is read, checked and applied. */
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
   * What happens where a row does not have what the filter asks about: a null on the way, a missing key on a longer
   * path, an index out of range, a value of another kind. `error` (default): `test` throws. `absent`: the match
   * answers as it does for an absent key (false for `==`, true for `!=`, `is empty` and `is nil`), so that one odd
   * row cannot fail a list; a value that is there is then neither nil nor empty.
   */
  readonly unresolved?: 'error' | 'absent';
  /** The value of names that are not found; then they are neither errors nor absent. */
  readonly unknownValue?: unknown;
  /** The clock behind `now`: that of the machine unless another one is given. */
  readonly now?: () => Date;
  /** Bounds on the filter. Those left out have safe defaults. */
  readonly limits?: Partial<Limits>;
  /**
   * Whether code may be made for the filter where `node:vm` is there: true (default) makes busy filters as fast as loops
   * written by hand. The code is put together from constant parts of the engine and names in the schema; no text of
   * the filter is in it. False leaves the filter to closures, as everywhere else.
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
 * How a filter is applied when it is explained: the options that it was compiled with, so that the results are the same. Pass the
 * same schema: fields that it hides stay hidden. `dialect` and `level` apply to a filter that is passed as a string. `check` has no
 * effect. `now` is called once.
 */
export type ExplainOptions = Omit<FilterOptions, 'specialise'>;

/** The names of the options. */
export const explainOptionNames = filterOptionNames.filter((name) => name !== 'specialise');
