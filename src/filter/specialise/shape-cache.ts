import { copyText } from '../../runtime/shared-identity.js';
import type { RunnerHandle } from '../compile/execution.js';
import type { Runner } from '../compile/frame/runner.js';
import type { CompileCode } from './compile-code.js';
import type { ShapeKey } from '../compile/quick/compiled-expression.js';
import type { SpecialiseSettings } from './settings.js';

/** Code that all filters of one shape share. */
export interface Shape {
  /** Marks the code as used, so that it is not evicted next. */
  readonly touch: () => void;
  /** Whether no filter has used the code yet. */
  readonly isFree: () => boolean;
  /** Whether to try to prepare the calling filter. False for most, because some filters can never be. */
  readonly isDue: () => boolean;
  /** Returns a runner with the values of a filter, for a single use. */
  readonly fill: (values: readonly unknown[]) => Runner;
  /** Like `fill`, for repeated use until the shape is evicted. */
  readonly acquire: (values: readonly unknown[], loan: RunnerHandle) => Runner;
}

/** A filter whose shape is requested. */
export interface ShapeRequest extends Omit<ShapeKey, 'values'> {
  /** Whether the code is for one filter that already shares code with others. It is created only if memory allows. */
  readonly isOwn: boolean;
  /** Writes the code of the shape. */
  readonly write: () => string;
}

export interface ShapeCache {
  /**
   * Returns the shape of a filter, and creates it after enough evaluated rows. Null if there were too few rows, if too much time
   * was spent on generating code, or if the runtime rejects it. `rows`: number evaluated since the last call.
   */
  readonly find: (request: ShapeRequest, rows: number) => Shape | null;
}

export type ShapeCacheSettings = SpecialiseSettings & { readonly compile: CompileCode };

/** Measured memory per character of code after the runtime has compiled and optimised it, in bytes. */
const bytesOfCharacter = 8;
/** Time that every process may spend on generating code, regardless of its uptime, in ms. */
const freeMs = 20;
/** Maximum number of shapes whose rows are counted before they are created. */
const maxCounted = 256;
/** Maximum fraction of the memory for code of single filters. Prevents them from evicting shared code. */
const ownPart = 0.5;
/** Time after which code for a single filter counts as unused if other code needs its memory, in ms. */
const ownRestMs = 10_000;

/** Creates the cache of shapes in use, as many as the bytes allow: unused ones are evicted first. */
export function createShapeCache(settings: ShapeCacheSettings): ShapeCache {
  const { compile, now, maxBytes, maxShare, rowsWorthCode } = settings;
  const shapes = new Map<string, CachedShape>();
  const rowsOf = new Map<string, number>();
  const start = now();
  let bytes = 0;
  let ownBytes = 0;
  let sweptAt = start;
  let spentMs = 0;

  function retain(signature: string, shape: CachedShape): void {
    shapes.set(copyText(signature), shape);
    bytes += shape.bytes;
    if (shape.isOwn) ownBytes += shape.bytes;
    // Retained shapes move to the end, so the loop terminates: no shape is used meanwhile.
    for (const [oldest, other] of shapes) {
      if (bytes <= maxBytes || shapes.size === 1) break;
      if (other === shape || other.wasTouched()) {
        shapes.delete(oldest);
        shapes.set(oldest, other);
      } else giveUp(oldest, other);
    }
  }

  function giveUp(signature: string, shape: CachedShape): void {
    shapes.delete(signature);
    bytes -= shape.bytes;
    if (shape.isOwn) ownBytes -= shape.bytes;
    shape.giveUp();
  }

  /** Whether a single filter can have its own code. Evicts such code if it has not been used for a while. */
  function hasCapacityForOwn(): boolean {
    const isFull = (): boolean => ownBytes >= maxBytes * ownPart;
    if (!isFull()) return true;
    if (now() - sweptAt < ownRestMs) return false;
    sweptAt = now();
    for (const [signature, shape] of shapes) {
      if (shape.isOwn && !shape.wasTouched()) giveUp(signature, shape);
    }
    return !isFull();
  }

  function isWorthCode(signature: string, rows: number): boolean {
    const sum = (rowsOf.get(signature) ?? 0) + rows;
    if (sum >= rowsWorthCode) return true;
    if (rows === 0) return false;
    rowsOf.delete(signature);
    rowsOf.set(copyText(signature), sum);
    if (rowsOf.size > maxCounted) for (const oldest of rowsOf.keys()) return !rowsOf.delete(oldest);
    return false;
  }

  function make({ signature, names, isOwn, write }: ShapeRequest): Shape | null {
    const began = now();
    if (isOwn && !hasCapacityForOwn()) return null;
    if (spentMs > freeMs + (began - start) * maxShare) return null;
    try {
      const shape = createShape(compile, write(), names, isOwn);
      if (shape.bytes > maxBytes) return null;
      retain(signature, shape);
      rowsOf.delete(signature);
      return shape;
    } catch {
      // If the runtime rejects the code, the closures are used.
      return null;
    } finally {
      spentMs += now() - began;
    }
  }

  return {
    find(request, rows) {
      const { signature } = request;
      const shape = shapes.get(signature);
      if (shape === undefined) return isWorthCode(signature, rows) ? make(request) : null;
      shape.touch();
      return shape;
    },
  };
}

interface CachedShape extends Shape {
  readonly bytes: number;
  readonly isOwn: boolean;
  /** Whether it was used since the last call. */
  readonly wasTouched: () => boolean;
  readonly giveUp: () => void;
}

type MakeRunner = (values: readonly unknown[]) => Runner;

function createShape(
  compile: CompileCode,
  code: string,
  names: readonly string[],
  isOwn: boolean,
): CachedShape {
  const parameters = names.map((_, at) => `k${at}`);
  const make = (compile(code, parameters) as (...names: readonly string[]) => MakeRunner)(
    ...names.map(copyText),
  );
  const loans = createHandles();
  let isFree = true;
  let isTouched = false;
  let calls = 0;
  return {
    bytes: code.length * bytesOfCharacter,
    isOwn,
    touch() {
      isTouched = true;
    },
    wasTouched() {
      const was = isTouched;
      isTouched = false;
      return was;
    },
    isFree: () => isFree,
    isDue: () => (calls += 1) % 8 === 1,
    fill: make,
    acquire(values, loan) {
      isFree = false;
      loans.add(loan);
      return (loan.runner = make(values));
    },
    giveUp: loans.revoke,
  };
}

/**
 * Creates the list of filters that reference a shape's code. Otherwise an unused filter would retain the code of an evicted
 * shape, and thousands of them would exceed any limit.
 */
function createHandles(): { readonly add: (loan: RunnerHandle) => void; readonly revoke: () => void } {
  let loans: WeakRef<RunnerHandle>[] = [];
  let sweepAt = 16;
  return {
    add(loan) {
      if (loans.length >= sweepAt) {
        loans = loans.filter((other) => other.deref() !== undefined);
        sweepAt = Math.max(16, loans.length * 2);
      }
      loans.push(new WeakRef(loan));
    },
    revoke() {
      for (const each of loans) {
        const loan = each.deref();
        if (loan !== undefined) loan.runner = null;
      }
      loans = [];
    },
  };
}
