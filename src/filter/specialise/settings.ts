import type { CompileCode } from './compile-code.js';

/** What code may be made of and how much of it. */
export interface SpecialiseSettings {
  /** Null where the runtime makes no functions of code. */
  readonly compile: CompileCode | null;
  /** Milliseconds from any beginning. */
  readonly now: () => number;
  /** Most bytes of code that are kept, as they are estimated. Stops users who send ever new shapes. */
  readonly maxBytes: number;
  /** Most of the time that may go into making code. The same users. */
  readonly maxShare: number;
  /** Rows that the closures have to be asked about before a shape is worth code. */
  readonly rowsWorthCode: number;
}
