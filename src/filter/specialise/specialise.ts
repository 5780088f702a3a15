import type { CompiledExpression } from '../compile/quick/compiled-expression.js';
import type { Accelerate, Accelerator, RunnerHandle } from '../compile/execution.js';
import type { Runner } from '../compile/frame/runner.js';
import { findCompiler } from './compile-code.js';
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

/** Code by shape for the filters of this process; null where the runtime has no compiler for it. README.md says how. */
export function createSpecialise(settings: Partial<SpecialiseSettings> = {}): Accelerate | null {
  const compile = settings.compile === undefined ? findCompiler() : settings.compile;
  if (compile === null) return null;
  const cache = createShapeCache({ ...defaults, ...settings, compile });
  const { now } = { ...defaults, ...settings };
  return (expression) => specialise(cache, now, expression);
}

/** Rows that a filter is asked about with code that it shares before it gets code of its own. */
const rowsWorthOwnCode = 20_000;
/**
 * Milliseconds from its first row until then: a single question that reads a long list in pieces is over, and new code would have
 * been in its way.
 */
const msWorthOwnCode = 50;
let lastOwner = 0;

/**
 * All filters of a shape share code, the first of them with the most profit: the compiler of the runtime takes the values
 * that it meets for constants until it meets others. So one that is asked again and again gets code of its own.
 */
function specialise(
  cache: ShapeCache,
  now: () => number,
  expression: CompiledExpression,
): Accelerator | null {
  const outline = computeShape(expression);
  if (outline === null) return null;
  const { values } = outline;
  const shared: ShapeRequest = { ...outline, isOwn: false, write: () => writeCode(expression) };
  const loan: RunnerHandle = { runner: null };
  /** The shape that has lent its code, while it has. */
  let lender: Shape | null = null;
  let isSharing = false;
  let isUsed = false;
  /** Rows that the filter was asked about with code that it shares, and after how many it is looked whether it gets its own. */
  let rows = 0;
  let enough = rowsWorthOwnCode;
  let since = 0;

  function borrow(shape: Shape): Runner {
    lender = shape;
    return shape.acquire(values, loan);
  }

  function ownCode(): Runner | null {
    lastOwner += 1;
    const signature = `${shared.signature} of ${lastOwner}`;
    const shape = cache.find({ ...shared, signature, isOwn: true }, rows);
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
      // Most filters are used once: for those a loan would cost more than the runner.
      if (isUsed || !isSharing) return borrow(shape);
      isUsed = true;
      return shape.fill(values);
    },
  };
}
