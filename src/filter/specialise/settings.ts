import type { CompileCode } from './compile-code.js';

/** The conditions and limits of code generation. */
export interface SpecialiseSettings {
  /** Null if the runtime cannot compile functions. */
  readonly compile: CompileCode | null;
  /** Returns a monotonic time, in ms. */
  readonly now: () => number;
  /** Maximum estimated size of cached code, in bytes. Prevents clients with ever new filter shapes from filling the memory. */
  readonly maxBytes: number;
  /** Maximum fraction of time spent on generating code. Prevents the same clients from slowing the process. */
  readonly maxShare: number;
  /** Number of rows that the closures must evaluate before a shape is worth code. */
  readonly rowsWorthCode: number;
}
