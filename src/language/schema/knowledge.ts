import { FilterLimitError, type SemanticFault, type SemanticErrorCode } from '../diagnostics/errors.js';
import { defaultLimits } from '../diagnostics/limits.js';
import type { Expression } from '../syntax/ast.js';
import type { FieldKnowledge } from '../syntax/field-knowledge.js';
import { analyse } from './analysis.js';
import { checkExpression } from './check.js';
import { createPatternTable, type PatternTable } from './pattern-table.js';
import type { Type } from './type.js';
import { valueKindOf } from './value-kind.js';

/** Codes of mistakes in names. A correction of the syntax does not affect these mistakes. */
const nameCodes: ReadonlySet<SemanticErrorCode> = new Set(['find-no-field', 'find-no-key', 'find-bad-index']);

/** Returns what the parser needs to know about the fields of a declared type; null if nothing is declared. */
export function knowledgeOf(root: Type): FieldKnowledge | null {
  if (root.kind === 'any') return null;
  // One table for all attempted corrections: they have the same patterns, whose total cost is limited as for one filter.
  let patterns: PatternTable | undefined;
  return {
    kindAt(path) {
      const { type } = analyse(root).resolve({ path });
      return type === null ? null : valueKindOf(type);
    },
    startsField(text) {
      if (root.kind !== 'struct') return false;
      return [...root.properties].some(([name, { hidden }]) => !hidden && name.startsWith(text));
    },
    classify(ast) {
      const found = diagnosticsOf(ast, root, (patterns ??= createPatternTable('', defaultLimits)));
      if (found.length === 0) return 'accepted';
      const isUncorrectable = found.some(
        // Suggestions are computed when they are read; those for names take longest, so they are not read.
        (each) => !nameCodes.has(each.code) && each.suggestions.length === 0,
      );
      return isUncorrectable ? 'uncorrectable' : 'rejected';
    },
  };
}

function diagnosticsOf(ast: Expression, root: Type, patterns: PatternTable): readonly SemanticFault[] {
  try {
    return checkExpression(ast, analyse(root), patterns, false);
  } catch (error) {
    // Patterns that exceed the limits are reported in another place.
    if (error instanceof FilterLimitError) return [];
    throw error;
  }
}
