import { compileExpression } from '../compile/compile.js';
import type { Predicate } from '../compile/predicate.js';
import { FilterError } from '../diagnostics/errors.js';
import type { Expression } from '../syntax/ast.js';
import type { ClauseTally } from './clause-tally.js';
import type { Subject } from './settings.js';

interface Counts {
  readonly test: Predicate;
  alone: number;
  surviving: number;
  failed: number;
  error: FilterError | null;
  readonly keptOut: unknown[];
}

/** Tries every clause on every row. */
export class Trial {
  private readonly counts: readonly Counts[];

  constructor(
    readonly clauses: readonly Expression[],
    place: Subject['place'],
  ) {
    this.counts = clauses.map((clause) => ({
      test: compileExpression(clause, place).test,
      alone: 0,
      surviving: 0,
      failed: 0,
      error: null,
      keptOut: [],
    }));
  }

  take(row: unknown): void {
    let missed = 0;
    let misser: Counts | null = null;
    for (const each of this.counts) {
      const holds = this.try(each, row);
      if (holds) each.alone += 1;
      else {
        missed += 1;
        misser = each;
      }
      if (missed === 0) each.surviving += 1;
    }
    if (missed === 1) misser?.keptOut.push(row);
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

  /** The rows that every clause but this one is true for. */
  keptOutBy(clause: number): readonly unknown[] {
    return this.counts[clause]?.keptOut ?? [];
  }

  tallies(source: string): ClauseTally[] {
    return this.counts.map(({ alone, surviving, failed, error, keptOut }, index) => {
      // One count for each clause, made from it.
      const { span } = this.clauses[index] as Expression;
      const text = source.slice(span.start, span.end);
      return { text, span, alone, surviving, withoutIt: keptOut.length, failed, error };
    });
  }
}
