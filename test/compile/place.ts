import { createMeter } from '../../src/filter/compile/frame/meter.js';
import type { CompileContext } from '../../src/filter/compile/frame/compile-context.js';
import { defaultLimits } from '../../src/language/diagnostics/limits.js';
import type { Expression, Schema } from '../../src/index.js';
import { analyse } from '../../src/language/schema/analysis.js';
import { createPatternTable } from '../../src/language/schema/pattern-table.js';
import { anyType } from '../../src/language/schema/type.js';

/** The place of a whole filter, as `compileFilter` makes it. */
export function placeOf(
  source: string,
  ast: Expression,
  schema: Schema | null,
  more: Partial<CompileContext> = {},
): CompileContext {
  const analysis = analyse(schema?.root ?? anyType);
  return {
    analysis,
    patterns: createPatternTable(source, defaultLimits),
    policy: { source, unresolved: 'error' },
    unknown: null,
    meter: createMeter(source, ast, analysis, defaultLimits),
    now: null,
    loopVariables: [],
    ...more,
  };
}
