import type { CompiledExpression, ShapeKey } from '../compile/quick/compiled-expression.js';
import type { Accelerate, Accelerator, RunnerHandle } from '../compile/execution.js';
import type { Runner } from '../compile/frame/runner.js';
import { findCompiler } from './compile-code.js';
import { createPreparedFilters, type PreparedFilters } from './prepared-filters.js';
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
  const prepared = createPreparedFilters(maxPreparedBytes);
  const shared: Shared = { cache, prepared, now };
  const accelerate = (expression: CompiledExpression): Accelerator | null => {
    const shape = computeShape(expression);
    return shape === null ? null : new ShapeAccelerator(shared, expression, shape);
  };
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

/** What the accelerators of a process share. */
interface Shared {
  readonly cache: ShapeCache;
  readonly prepared: PreparedFilters;
  readonly now: () => number;
}

/**
 * The accelerator of a filter. Filters of one shape share code, and the first of them profits most: the JIT compiler treats its
 * values as constants until it sees others. So a frequently used filter gets its own code.
 *
 * A class, because a server creates one for each request, and closures would take several times as much memory.
 */
class ShapeAccelerator implements Accelerator {
  readonly loan: RunnerHandle = { runner: null };
  /** The shape whose code is currently used; null if none exists. */
  private lender: Shape | null = null;
  private isSharing = false;
  private isUsed = false;
  /** Number of rows that the filter has evaluated with shared code, and the number at which its own code is considered next. */
  private rows = 0;
  private enough = rowsWorthOwnCode;
  private since = 0;

  constructor(
    private readonly shared: Shared,
    private readonly expression: CompiledExpression,
    private readonly shape: ShapeKey,
  ) {}

  runner(evaluated: number, coming: number): Runner | null {
    const { loan, shared } = this;
    if (this.isSharing) this.rows += coming;
    if (this.isSharing && this.rows >= this.enough) {
      this.enough = this.rows + rowsWorthOwnCode;
      if (shared.now() - this.since >= msWorthOwnCode) return this.ownCode() ?? loan.runner;
    }
    if (loan.runner !== null) {
      this.lender?.touch();
      return loan.runner;
    }
    const shape = shared.cache.find(this.request(this.shape.signature, false), evaluated);
    if (shape === null) return null;
    this.isSharing = !shape.isFree();
    this.since = shared.now();
    // Most filters are used once. For those, tracking the shared code would cost more than the runner.
    if (this.isUsed || !this.isSharing) return this.borrow(shape);
    this.isUsed = true;
    shared.prepared.store(this.expression, this.shape);
    return shape.fill(this.shape.values);
  }

  private request(signature: string, isOwn: boolean): ShapeRequest {
    const { names } = this.shape;
    return { signature, names, isOwn, write: () => writeCode(this.expression) };
  }

  private borrow(shape: Shape): Runner {
    this.lender = shape;
    return shape.acquire(this.shape.values, this.loan);
  }

  private ownCode(): Runner | null {
    lastOwner += 1;
    const request = this.request(`${this.shape.signature} of ${lastOwner}`, true);
    const shape = this.shared.cache.find(request, this.rows);
    this.rows = 0;
    this.enough = rowsWorthOwnCode;
    if (shape === null) return null;
    this.isSharing = false;
    return this.borrow(shape);
  }
}
