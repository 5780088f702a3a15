import type { CompileOptions } from '../compile/compile.js';
import { readInstant, usesClock } from '../compile/frame/clock.js';
import { createMeter } from '../compile/frame/meter.js';
import type { CompileContext } from '../compile/frame/compile-context.js';
import type { Limits } from '../../language/diagnostics/limits.js';
import { limitsOf, type OptionNames } from '../../language/diagnostics/options.js';
import { analyse } from '../../language/schema/analysis.js';
import { createPatternTable } from '../../language/schema/pattern-table.js';
import type { Schema } from '../../language/schema/schema.js';
import { anyType } from '../../language/schema/type.js';
import { findUnequalLiterals, type UnequalLiteral } from '../../language/schema/unequal-literal.js';
import type { Expression } from '../../language/syntax/ast.js';
import { levelOf, parsedOf, type ParseOptions } from '../../language/parse.js';
import type { Dialect, Level } from '../../language/syntax/dialect.js';
import { looksLikeTree } from '../../language/syntax/read-tree.js';

/** The expression to explain: its text, its tree, or anything that knows both, such as a parsed or a compiled filter. */
export type Explainable = string | Expression | { readonly source: string; readonly ast: Expression };

/** How the filter is applied: the same options as for `compileFilter`, so that the answers are the same. */
export interface ExplainOptions {
  /** The kind of row. Give the one that the filter was compiled with: what it hides must stay hidden here. */
  readonly schema?: Schema;
  /** For a text; `standard` unless told otherwise. */
  readonly dialect?: Dialect;
  /** For a text; 1 unless told otherwise. */
  readonly level?: Level;
  /** Makes no difference here: what is refused is what `parse` refuses. */
  readonly check?: boolean;
  readonly unresolved?: 'error' | 'absent';
  readonly unknownValue?: unknown;
  /** The clock behind `now`: that of the machine unless another one is given. It is asked once. */
  readonly now?: () => Date;
  readonly limits?: Partial<Limits>;
}

/** The names of the options. */
export const explainOptionNames = [
  'schema',
  'dialect',
  'level',
  'check',
  'unresolved',
  'unknownValue',
  'now',
  'limits',
] as const satisfies OptionNames<ExplainOptions>;

/** A filter that is ready to be watched. */
export interface ExplainContext {
  readonly source: string;
  readonly ast: Expression;
  /** The level that corrections are written at. */
  readonly level: Level;
  readonly compileContext: CompileContext & Pick<CompileOptions, 'allowance'>;
}

/**
 * Reads the filter and prepares the place that its clauses are compiled in.
 * @throws FilterSyntaxError and FilterLimitError for a text, as `parse` does; TypeError for a wrong argument.
 */
export function readExplainable(
  caller: string,
  filter: Explainable,
  options: ExplainOptions,
): ExplainContext {
  const { schema, dialect, level, unresolved = 'error', unknownValue, now = () => new Date() } = options;
  const limits = limitsOf(options.limits);
  const { source, ast } = readFilter(caller, filter, {
    limits,
    ...(dialect === undefined ? {} : { dialect }),
    ...(level === undefined ? {} : { level }),
  });
  const analysis = analyse(schema?.root ?? anyType);
  const context: ExplainContext['compileContext'] = {
    analysis,
    patterns: createPatternTable(source, limits),
    policy: { source, unresolved },
    unknown: unknownValue === undefined ? null : [unknownValue],
    allowance: limits,
    meter: createMeter(source, ast, analysis, limits),
    now: usesClock(ast, analysis) ? readInstant(now()) : null,
    loopVariables: [],
  };
  return {
    source,
    ast,
    level: levelOf({ dialect: dialect ?? 'standard', level: level ?? 1 }),
    compileContext: context,
  };
}

/** What is told of the literals of a filter, or of a clause of it. */
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
): Pick<ExplainContext, 'source' | 'ast'> {
  if (typeof filter === 'string' || looksLikeTree(filter)) return parsedOf(caller, filter, options);
  if (typeof filter !== 'object' || filter === null || !('ast' in filter) || !('source' in filter)) {
    throw new TypeError(`${caller}: expected the text of a filter, or a parsed or compiled one`);
  }
  return filter;
}
