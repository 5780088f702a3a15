import type { RunnerHandle } from '../compile/execution.js';
import type { Runner } from '../compile/frame/runner.js';
import type { CompileCode } from './compile-code.js';
import type { ShapeKey } from './shape-key.js';
import type { SpecialiseSettings } from './settings.js';

/** Code that all filters of one shape share. */
export interface Shape {
  /** Counts as used, and is not the next to be given up. */
  readonly touch: () => void;
  /** Whether no filter has had the code yet. */
  readonly isFree: () => boolean;
  /** The code, filled with the values of a filter: for one use. */
  readonly fill: (values: readonly unknown[]) => Runner;
  /** The same for many uses, until the shape is given up. */
  readonly acquire: (values: readonly unknown[], loan: RunnerHandle) => Runner;
}

/** A filter whose shape is looked for. */
export interface ShapeRequest extends ShapeKey {
  /** Whether the code is for one filter that has code already, shared with others: worth having where there is room. */
  readonly isOwn: boolean;
  /** Writes the code of the shape. */
  readonly write: () => string;
}

export interface ShapeCache {
  /**
   * The shape of a filter, made where so many rows were asked for it that it is worth it; null where they were not, where
   * too much time went into making code already, and where the runtime refuses. `rows`: those asked since the last call.
   */
  readonly find: (request: ShapeRequest, rows: number) => Shape | null;
}

export type ShapeCacheSettings = SpecialiseSettings & { readonly compile: CompileCode };

/** Bytes that a character of code comes to once the runtime has compiled and optimised it: measured. */
const bytesOfCharacter = 8;
/** Milliseconds of making code that every process may spend, however short it has run. */
const freeMs = 20;
/** Most shapes whose rows are counted before they are made. */
const maxCounted = 256;
/** The part of the bytes that code for single filters may have: they must not drive out what many share. */
const ownPart = 0.5;
/** Milliseconds after which code for a single filter counts as out of use, where another one asks for its room. */
const ownRestMs = 10_000;

/** The shapes that are in use, as many as the bytes allow: those that nobody uses are given up first. */
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
    shapes.set(signature, shape);
    bytes += shape.bytes;
    if (shape.isOwn) ownBytes += shape.bytes;
    // Those that come by again are behind all others, so that this ends: nobody is touched meanwhile.
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

  /** Whether a single filter may have code of its own; what was not used for a while makes room. */
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
    rowsOf.set(signature, sum);
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
      // What the runtime does not take is left to the closures.
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
  /** Whether it was used since it was asked this before. */
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
  const make = (compile(code, parameters) as (...names: readonly string[]) => MakeRunner)(...names);
  const loans = createHandles();
  let isFree = true;
  let isTouched = false;
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
 * The loans of a shape's code. A filter that nobody uses any more would otherwise keep the code of a shape that was given
 * up, and thousands of them would keep what no bound allows.
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
