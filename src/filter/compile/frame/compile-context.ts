import type { Analysis } from '../../../language/schema/analysis.js';
import type { PatternTable } from '../../../language/schema/pattern-table.js';
import type { Instant } from '../../../language/values/instance/time.js';
import type { LoopVariable } from './loop-variable.js';
import type { FailurePolicy } from './failure.js';
import type { Meter } from './meter.js';

/** Where in a filter a node is compiled: what holds for the whole filter, and the collections around the node. */
export interface CompileContext {
  /** What the selectors of the node lead to. */
  readonly analysis: Analysis;
  readonly patterns: PatternTable;
  readonly policy: FailurePolicy;
  /** The value of names that are not found, in an array of one; null where they have none. */
  readonly unknown: readonly [unknown] | null;
  /** What clauses pay for their work with. */
  readonly meter: Meter;
  /** What `now` is; null where nothing asks for it. */
  readonly now: Instant | null;
  /** The variables of the open collections, outermost first. */
  readonly loopVariables: readonly LoopVariable[];
}
