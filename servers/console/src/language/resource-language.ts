import { FilterError, parse, print, type Expression, type Schema } from 'tamis';
import { field, filter } from 'tamis/builder';
import { complete, createFieldCatalog, format, hover } from 'tamis/editor';
import { findProblems } from '@tamis/filter-box/find-problems';
import type { Clause, ResourceLanguage } from './protocol.js';

/** Creates the filter language of one list. */
export function createResourceLanguage(schema: Schema): ResourceLanguage {
  let catalog = createFieldCatalog([], schema);
  let values: ReadonlyMap<string, readonly string[]> = new Map();
  const knownValues = (path: readonly (string | null)[]): readonly string[] => {
    const counted = path.length === 1 ? values.get(path[0] ?? '') : undefined;
    return [...new Set([...(counted ?? []), ...catalog.values(path)])];
  };
  return {
    complete: async (text, offset) =>
      complete(text, offset, { schema, keys: (path) => catalog.keys(path), values: knownValues }),
    hover: async (text, offset) => hover(text, offset, { schema }),
    problems: async (text) => findProblems(text, schema),
    format: async (text) => format(text).text,
    async setCompletionData(knowledge) {
      catalog = createFieldCatalog(knowledge.rows, schema);
      values = new Map(Object.entries(knowledge.values));
    },
    withClause: async (text, clause) => withClause(text, clause),
    replaceClause: async (text, clause, instead) => replaceClause(text, clause, instead),
  };
}

/**
 * Adds a clause to a filter. The user's source is kept as written, except for parentheses where `and` would change its meaning.
 */
function withClause(text: string, { path: [first = '', ...rest], value, isNegated }: Clause): string | null {
  const path = field(first, ...rest);
  const added = isNegated ? filter`${path} != ${value}` : filter`${path} == ${value}`;
  const clause = String(added);
  const written = text.trim();
  if (written === '') return clause;
  const ast = parsed(written);
  if (ast === null) return null;
  if (clausesOf(ast).some((each) => print(each) === print(added.ast))) return written;
  return `${ast.kind === 'or' ? `(${written})` : written} and ${clause}`;
}

function replaceClause(text: string, clause: string, instead: string | null): string | null {
  const ast = parsed(text);
  if (ast === null) return null;
  const clauses = clausesOf(ast);
  const found = clauses.find((each) => print(each) === clause);
  if (found === undefined) return null;
  const { start, end } = found.span;
  if (instead !== null) return `${text.slice(0, start)}${instead}${text.slice(end)}`;
  const others = clauses.filter((each) => each !== found);
  const [only] = others;
  if (only !== undefined && others.length === 1) return print(only);
  // The parentheses around an `or` clause do not belong to the clause.
  return others.map((each) => (each.kind === 'or' ? `(${print(each)})` : print(each))).join(' and ');
}

/** Returns the operands of the top-level `and`. */
function clausesOf(ast: Expression): readonly Expression[] {
  return ast.kind === 'and' ? ast.operands : [ast];
}

/** Returns the parsed filter; null if it is invalid. */
function parsed(text: string): Expression | null {
  try {
    return parse(text).ast;
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}
