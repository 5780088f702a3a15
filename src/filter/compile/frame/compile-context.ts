import type { Analysis } from '../../../language/schema/analysis.js';
import type { PatternTable } from '../../../language/schema/pattern-table.js';
import type { Instant } from '../../../language/values/instance/time.js';
import type { LoopVariable } from './loop-variable.js';
import type { FailurePolicy } from './failure.js';
import type { Meter } from './meter.js';

/** The context in which a node is compiled: settings of the whole filter, and the collections around the node. */
export interface CompileContext {
  /** The resolved selectors of the node. */
  readonly analysis: Analysis;
  readonly patterns: PatternTable;
  readonly policy: FailurePolicy;
  /** Value for unknown names, in a one-element array; null if none exists. */
  readonly unknown: readonly [unknown] | null;
  /** The meter that charges the work of clauses. */
  readonly meter: Meter;
  /** The instant of `now`; null if the filter does not use it. */
  readonly now: Instant | null;
  /** The variables of the open collections, outermost first. */
  readonly loopVariables: readonly LoopVariable[];
}
