import type { Suggestion } from '../../language/diagnostics/errors.js';
import type { Span } from '../../language/diagnostics/span.js';
import type { Analysis } from '../../language/schema/analysis.js';
import type { Dialect, Level } from '../../language/syntax/dialect.js';
import type { LintFinding } from './finding.js';
import type { NodeKeys } from './node-keys.js';

/** What a rule sees in addition to the node that it checks. */
export interface LintContext {
  readonly source: string;
  readonly dialect: Dialect;
  /** The level that corrections are written at. */
  readonly level: Level;
  /** What the selectors of the node resolve to; without a schema the row is of unknown type. */
  readonly analysis: Analysis;
  /** Rows whose fields are known in addition to those of the schema. */
  readonly rows: readonly object[];
  /** Which operands are equal. */
  readonly keys: NodeKeys;
  report(finding: LintFinding): void;
  /** Whether no more findings are taken. */
  isFull(): boolean;
}

/** The source of a span. */
export function textAt({ source }: Pick<LintContext, 'source'>, { start, end }: Span): string {
  return source.slice(start, end);
}

/** A ready correction; its title quotes what is written instead. */
export function rewrite(span: Span, replacement: string, title = `write ${replacement}`): Suggestion {
  return { title, span, replacement };
}
