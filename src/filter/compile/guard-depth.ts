import { FilterLimitError } from '../../language/diagnostics/errors.js';
import type { Expression } from '../../language/syntax/ast.js';

/** Converts a stack overflow into a filter error. Without a depth limit, a tree can be deeper than the stack. */
export function guardDepth<T>(
  { source, ast }: { readonly source: string; readonly ast: Expression },
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const goMessage = 'the expression is nested too deeply for this machine';
    const diagnostic = { goMessage, span: ast.span, label: 'too deep', hint: null, suggestions: [] };
    throw new FilterLimitError(source, { code: 'too-deep', ...diagnostic }, Infinity);
  }
}
