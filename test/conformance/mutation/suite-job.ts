import type { Case, Suite } from '../../../conformance/src/data.mjs';

/** What a worker is given to put cases to its engine. */
export interface SuiteJob {
  /** A JSON file with the cases. */
  readonly queries: string;
  /** At 0 the index of the current case; from the number of cases on, the work is done. */
  readonly state: Int32Array<SharedArrayBuffer>;
  /** By the index of the case: 0 before it ran, then {@link passed} or {@link failed}. */
  readonly verdicts: Uint8Array<SharedArrayBuffer>;
}

export interface TestQueries {
  readonly schemas: Suite['schemas'];
  readonly cases: readonly Case[];
}

export const passed = 1;
export const failed = 2;
