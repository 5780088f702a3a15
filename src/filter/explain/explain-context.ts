import type { CompileOptions } from '../compile/compile.js';
import { checkDeny, type ExplainOptions } from '../compile/filter-options.js';
import { readInstant, usesClock } from '../compile/frame/clock.js';
import { createMeter } from '../compile/frame/meter.js';
import { normalForm } from '../compile/normal-form.js';
import type { CompileContext } from '../compile/frame/compile-context.js';
import { limitsOf } from '../../language/diagnostics/options.js';
import { analyse } from '../../language/schema/analysis.js';
import { createPatternTable } from '../../language/schema/pattern-table.js';
import { anyType } from '../../language/schema/type.js';
import { findUnequalLiterals, type UnequalLiteral } from '../../language/schema/unequal-literal.js';
import type { Expression } from '../../language/syntax/ast.js';
import { levelOf, parsedOf, type ParseOptions } from '../../language/parse.js';
import type { Dialect, Level } from '../../language/syntax/dialect.js';
import { looksLikeTree } from '../../language/syntax/read-tree.js';

/** The expression to explain: its source, its tree, or an object with both, such as a parsed or compiled filter. */
export type Explainable = string | Expression | { readonly source: string; readonly ast: Expression };

/** A filter prepared for observation. */
export interface ExplainContext {
  readonly source: string;
  readonly ast: Expression;
  /** The language level of corrections. */
  readonly level: Level;
  readonly compileContext: CompileContext & Pick<CompileOptions, 'costLimits'>;
}

/**
 * Parses the filter and prepares the context in which its clauses are compiled.
 * @throws FilterSyntaxError and FilterLimitError for a source, as `parse` does; TypeError if an argument is invalid.
 */
export function readExplainable(
  caller: string,
  filter: Explainable,
  options: ExplainOptions,
): ExplainContext {
  const { schema, dialect, level, unresolved = 'error', unknownValue, now = () => new Date() } = options;
  const limits = limitsOf(options.limits);
  const {
    source,
    ast: given,
    dialect: written = 'standard',
  } = readFilter(caller, filter, {
    limits,
    ...(dialect === undefined ? {} : { dialect }),
    ...(level === undefined ? {} : { level }),
  });
  checkDeny(caller, options);
  // An explanation shows the matches as they are evaluated.
  const ast = unresolved === 'deny' ? normalForm(given) : given;
  const languageLevel = levelOf({ dialect: dialect ?? written, level: level ?? 1 });
  const analysis = analyse(schema?.root ?? anyType, languageLevel);
  const context: ExplainContext['compileContext'] = {
    analysis,
    patterns: createPatternTable(source, limits),
    policy: { source, unresolved },
    unknown: unknownValue === undefined ? null : [unknownValue],
    costLimits: limits,
    meter: createMeter(source, ast, analysis, limits),
    now: usesClock(ast, analysis) ? readInstant(now()) : null,
    loopVariables: [],
  };
  return {
    source,
    ast,
    level: languageLevel,
    compileContext: context,
  };
}

/** Returns the notes on the literals of a filter or of one of its clauses. */
export function notesOn(
  clause: Expression,
  { compileContext: { analysis }, level }: ExplainContext,
): readonly UnequalLiteral[] {
  return findUnequalLiterals(clause, analysis, level);
}

function readFilter(
  caller: string,
  filter: Explainable,
  options: ParseOptions,
): Pick<ExplainContext, 'source' | 'ast'> & { readonly dialect?: Dialect } {
  if (typeof filter === 'string' || looksLikeTree(filter)) return parsedOf(caller, filter, options);
  if (typeof filter !== 'object' || filter === null || !('ast' in filter) || !('source' in filter)) {
    throw new TypeError(`${caller}: filter must be a string, a parsed filter or a compiled filter`);
  }
  return filter;
}
