import type { CompileCode } from './compile-code.js';

/** The conditions and limits of code generation. */
export interface SpecialiseSettings {
  /** Null if the runtime cannot compile functions. */
  readonly compile: CompileCode | null;
  /** Milliseconds from any beginning. */
  readonly now: () => number;
  /** Maximum estimated bytes of code that are kept. Prevents users who send ever new shapes from filling the memory. */
  readonly maxBytes: number;
  /** Maximum fraction of time spent on generating code. Prevents the same users from slowing the process. */
  readonly maxShare: number;
  /** Number of rows that the closures must evaluate before a shape is worth code. */
  readonly rowsWorthCode: number;
}
