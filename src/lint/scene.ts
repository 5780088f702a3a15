import type { Suggestion } from '../diagnostics/errors.js';
import type { Span } from '../diagnostics/span.js';
import type { Scope } from '../schema/scope.js';
import type { Type } from '../schema/type.js';
import type { Selector } from '../syntax/ast.js';
import type { Dialect } from '../syntax/dialect.js';
import type { LintFinding } from './finding.js';

/** What a rule sees beside the node that it judges. */
export interface Scene {
  readonly source: string;
  readonly dialect: Dialect;
  /** The type of a row; of no kind without a schema. */
  readonly root: Type;
  /** The names that the collections around the node introduce. */
  readonly scope: Scope;
  /** The declared type that a selector ends at; null where it ends nowhere. */
  typeOf(selector: Selector): Type | null;
  report(finding: LintFinding): void;
}

/** The source text of a span. */
export function textAt({ source }: Pick<Scene, 'source'>, { start, end }: Span): string {
  return source.slice(start, end);
}

/** A ready correction; its title quotes what is written instead. */
export function rewrite(span: Span, replacement: string, title = `write ${replacement}`): Suggestion {
  return { title, span, replacement };
}
