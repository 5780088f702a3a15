import { compileExpression } from '../compile/compile.js';
import type { Predicate } from '../compile/frame/predicate.js';
import { FilterError } from '../../language/diagnostics/errors.js';
import type { Expression } from '../../language/syntax/ast.js';
import type { ClauseCounts } from './clause-tally.js';
import type { ExplainContext } from './explain-context.js';
import { describe } from './observe-match.js';

interface Counts {
  readonly test: Predicate;
  alone: number;
  surviving: number;
  failed: number;
  error: FilterError | null;
  readonly excludedOnlyHere: unknown[];
}

/** Evaluates every clause on every row. */
export class ClauseStatistics {
  private readonly counts: readonly Counts[];

  constructor(
    readonly clauses: readonly Expression[],
    private readonly context: ExplainContext['compileContext'],
  ) {
    this.counts = clauses.map((clause) => ({
      test: compileExpression(clause, context).test,
      alone: 0,
      surviving: 0,
      failed: 0,
      error: null,
      excludedOnlyHere: [],
    }));
  }

  take(row: unknown): void {
    let missed = 0;
    let lastFalse: Counts | null = null;
    for (const each of this.counts) {
      const matches = this.try(each, row);
      if (matches) each.alone += 1;
      else {
        missed += 1;
        lastFalse = each;
      }
      if (missed === 0) each.surviving += 1;
    }
    if (missed === 1) lastFalse?.excludedOnlyHere.push(row);
  }

  private try(counts: Counts, row: unknown): boolean {
    try {
      return counts.test(row);
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      counts.failed += 1;
      counts.error ??= error;
      return false;
    }
  }

  /** Returns the rows that satisfy every clause except this one. */
  excludedOnlyBy(clause: number): readonly unknown[] {
    return this.counts[clause]?.excludedOnlyHere ?? [];
  }

  tallies(): ClauseCounts[] {
    return this.counts.map(({ alone, surviving, failed, error, excludedOnlyHere }, index) => {
      // One count for each clause, made from it.
      const about = describe(this.clauses[index] as Expression, this.context);
      return { ...about, alone, surviving, withoutIt: excludedOnlyHere.length, failed, error };
    });
  }
}
