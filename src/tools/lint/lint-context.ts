import type { Span } from '../../language/diagnostics/span.js';
import type { Analysis } from '../../language/schema/analysis.js';
import type { Dialect, Level } from '../../language/syntax/dialect.js';
import type { LintFinding } from './finding.js';
import type { NodeKeys } from './node-keys.js';

/** A finding, without a hint and without suggestions if these are omitted. */
export type LintReport = Omit<LintFinding, 'hint' | 'suggestions'> &
  Partial<Pick<LintFinding, 'hint' | 'suggestions'>>;

/** The context of a rule in addition to the node that it checks. */
export interface LintContext {
  readonly source: string;
  readonly dialect: Dialect;
  /** The language level of corrections. */
  readonly level: Level;
  /** What the selectors of the node resolve to; without a schema the row is of unknown type. */
  readonly analysis: Analysis;
  /** Rows whose fields are known in addition to those of the schema. */
  readonly rows: readonly object[];
  /** The numbers of equal operands. */
  readonly keys: NodeKeys;
  report(finding: LintReport): void;
  /** Whether the maximum number of findings is reached. */
  isFull(): boolean;
}

/** Returns the source of a span. */
export function textAt({ source }: Pick<LintContext, 'source'>, { start, end }: Span): string {
  return source.slice(start, end);
}
