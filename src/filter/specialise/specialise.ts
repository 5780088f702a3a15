import type { CompiledExpression } from '../compile/quick/compiled-expression.js';
import type { Accelerate, Accelerator, RunnerHandle } from '../compile/execution.js';
import type { Runner } from '../compile/frame/runner.js';
import { findCompiler } from './compile-code.js';
import { PreparedFilters } from './prepared-filters.js';
import { createShapeCache, type Shape, type ShapeCache, type ShapeRequest } from './shape-cache.js';
import { computeShape } from './shape-key.js';
import type { SpecialiseSettings } from './settings.js';
import { writeCode } from './write.js';

const defaults = {
  now: () => performance.now(),
  maxBytes: 16 * 1024 * 1024,
  maxShare: 0.05,
  rowsWorthCode: 1_000,
} as const;
/** Maximum estimated size of the prepared filters of one schema, in bytes. */
const maxPreparedBytes = 1024 * 1024;

/**
 * Creates the accelerator that generates code by shape for the filters of this process; null if the runtime has no compiler for
 * it. README.md describes how.
 */
export function createSpecialise(settings: Partial<SpecialiseSettings> = {}): Accelerate | null {
  const compile = settings.compile === undefined ? findCompiler() : settings.compile;
  if (compile === null) return null;
  const cache = createShapeCache({ ...defaults, ...settings, compile });
  const { now } = { ...defaults, ...settings };
  const prepared = new PreparedFilters(maxPreparedBytes);
  const accelerate = (expression: CompiledExpression): Accelerator | null =>
    specialise(cache, now, expression, prepared);
  return Object.assign(accelerate, { recall: prepared.recall });
}

/** Number of rows that a filter evaluates with shared code before it gets code of its own. */
const rowsWorthOwnCode = 20_000;
/**
 * Minimum time from a filter's first row until it gets its own code, in ms. A single query that reads a long list in pieces has
 * finished by then, and new code would only have delayed it.
 */
const msWorthOwnCode = 50;
let lastOwner = 0;

/**
 * Creates the accelerator of a filter. Filters of one shape share code, and the first of them profits most: the JIT compiler
 * treats its values as constants until it sees others. So a frequently used filter gets its own code.
 */
function specialise(
  cache: ShapeCache,
  now: () => number,
  expression: CompiledExpression,
  prepared: PreparedFilters,
): Accelerator | null {
  const outline = computeShape(expression);
  if (outline === null) return null;
  const { signature, names, values } = outline;
  const shared: ShapeRequest = { signature, names, isOwn: false, write: () => writeCode(expression) };
  const loan: RunnerHandle = { runner: null };
  /** The shape whose code is currently used; null if none exists. */
  let lender: Shape | null = null;
  let isSharing = false;
  let isUsed = false;
  /** Number of rows that the filter has evaluated with shared code, and the number at which its own code is considered next. */
  let rows = 0;
  let enough = rowsWorthOwnCode;
  let since = 0;

  function borrow(shape: Shape): Runner {
    lender = shape;
    return shape.acquire(values, loan);
  }

  function ownCode(): Runner | null {
    lastOwner += 1;
    const shape = cache.find({ ...shared, signature: `${signature} of ${lastOwner}`, isOwn: true }, rows);
    rows = 0;
    enough = rowsWorthOwnCode;
    if (shape === null) return null;
    isSharing = false;
    return borrow(shape);
  }

  return {
    loan,
    runner(evaluated, coming) {
      if (isSharing) rows += coming;
      if (isSharing && rows >= enough) {
        enough = rows + rowsWorthOwnCode;
        if (now() - since >= msWorthOwnCode) return ownCode() ?? loan.runner;
      }
      if (loan.runner !== null) {
        lender?.touch();
        return loan.runner;
      }
      const shape = cache.find(shared, evaluated);
      if (shape === null) return null;
      isSharing = !shape.isFree();
      since = now();
      // Most filters are used once. For those, tracking the shared code would cost more than the runner.
      if (isUsed || !isSharing) return borrow(shape);
      isUsed = true;
      if (expression.origin !== null && shape.isDue()) prepared.store(expression, outline);
      return shape.fill(values);
    },
  };
}
