import { FilterCheckError, FilterError } from '../../language/diagnostics/errors.js';
import { checkOptions, limitsOf } from '../../language/diagnostics/options.js';
import { levelOf, parse, parsedOf, type FilterSource, type ParseOptions } from '../../language/parse.js';
import { analyse, type Analysis } from '../../language/schema/analysis.js';
import { checkExpression } from '../../language/schema/check.js';
import { createPatternTable } from '../../language/schema/pattern-table.js';
import type { Schema } from '../../language/schema/schema.js';
import { anyType } from '../../language/schema/type.js';
import type { Span } from '../../language/diagnostics/span.js';
import type { Expression, Selector } from '../../language/syntax/ast.js';
import { isPlainName, pointerTo } from '../../language/syntax/literal.js';
import { makeCollection, makeJunction, makeNot, makeSelector } from '../../language/syntax/factory.js';
import { print } from '../../language/syntax/print.js';
import { isExpression, portableMatch, refuse, type TermBudget } from './portable-match.js';
import type { UnportableClause } from './unportable-clause.js';

/** Options of `portable`: those for parsing a source, and the schema of the rows. */
export interface PortableOptions extends ParseOptions {
  /** Without a schema, clauses that depend on the kind of a field cannot be written at level 0. */
  readonly schema?: Schema | undefined;
}

/** The source of a filter at level 0, or the clauses that cannot be written. */
export type Portable =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      /** The source that the spans of the clauses refer to. */
      readonly source: string;
      readonly clauses: readonly UnportableClause[];
    };

/**
 * Returns a filter rewritten to level 0 of the language, for programs that use go-bexpr: `in [..]` becomes comparisons joined by `or`,
 * affixes, globs and `"x"i` become patterns, `7d` on an integer field becomes the integer. For every row that this filter can
 * evaluate, the result has the same value under the same schema, or fails: level 0 rejects null as the value of a string or a
 * number, unless `unresolved` is `absent`. Without a schema, rows must hold values of the literals' kinds. If some clauses cannot
 * be written at level 0, all of them are returned.
 *
 * How a string is interpreted remains up to the schema: on a `time`, `At == 2026-11-01` becomes `At == "2026-11-01"`, which a
 * program without that schema compares as a string.
 *
 * @throws FilterSyntaxError, FilterLimitError and FilterCheckError if `compileFilter` rejects the filter; TypeError if an
 * argument is invalid.
 */
export function portable(filter: FilterSource, options: PortableOptions = {}): Portable {
  checkOptions('portable', options, ['schema', 'dialect', 'level', 'limits']);
  const { schema, ...parseOptions } = options;
  const { source, ast, dialect } = parsedOf('portable', filter, parseOptions);
  const limits = limitsOf(options.limits);
  const root = schema?.root ?? anyType;
  const analysis = analyse(root, levelOf({ dialect, level: options.level ?? 1 }));
  const [fault, ...more] = checkExpression(ast, analysis, createPatternTable(source, limits), false);
  if (fault !== undefined) throw new FilterCheckError(source, [fault, ...more]);

  const clauses: UnportableClause[] = [];
  const rewritten = rewriteNode(ast, analysis, { characters: limits.maxLength }, clauses);
  if (clauses.length > 0) return { ok: false, source, clauses };
  try {
    const text = print(rewritten);
    const tree = parse(text, { limits, dialect: 'go-bexpr' }).ast;
    const [wrong] = checkExpression(tree, analyse(root, 0), createPatternTable(text, limits), false);
    if (wrong === undefined) return { ok: true, text };
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
  }
  return { ok: false, source, clauses: [refuse('too-large', ast.span)] };
}

/** Returns a selector that level 0 can write; null if none exists. */
function portableSelector(selector: Selector): Selector | null {
  const { form, path, partSpans, span } = selector;
  if (form === 'pointer' || isPlainName(path[0] ?? '')) return selector;
  return pointerTo(path) === null ? null : makeSelector('pointer', path, partSpans, span);
}

function rewriteNode(
  node: Expression,
  analysis: Analysis,
  budget: TermBudget,
  clauses: UnportableClause[],
): Expression {
  const below = (child: Expression, within = analysis): Expression =>
    rewriteNode(child, within, budget, clauses);
  const refused = (span: Span): Expression => (clauses.push(refuse('field-name', span)), node);
  switch (node.kind) {
    case 'and':
    case 'or':
      return makeJunction(
        node.kind,
        node.operands.map((operand) => below(operand)),
        node.span,
      );
    case 'not':
      return makeNot(below(node.operand), 1, node.span);
    case 'any':
    case 'all': {
      const selector = portableSelector(node.selector);
      const body = below(node.body, analysis.body(node));
      return selector === null
        ? refused(node.selector.span)
        : makeCollection(node.kind, selector, node.binding, body, node.span);
    }
    case 'match': {
      const selector = portableSelector(node.selector);
      if (selector === null) return refused(node.selector.span);
      const outcome = portableMatch({ ...node, selector }, analysis, budget);
      if (isExpression(outcome)) return outcome;
      clauses.push(outcome);
      return node;
    }
  }
}
