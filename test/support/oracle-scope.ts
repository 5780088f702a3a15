import type { OracleSchema, Typed } from './oracle-value.js';

/** How the plain interpreter is to treat rows. */
export interface InterpreterOptions {
  /** The JSON form of a schema; without one every value is what it looks like. */
  readonly schema?: OracleSchema;
  readonly unresolved?: 'error' | 'absent';
  /** The level of the language. Default: 1. */
  readonly level?: 0 | 1;
  /** The value that replaces missing ones; no key, no replacement. */
  readonly unknownValue?: unknown;
  /** What `now` is, in nanoseconds since 1970. */
  readonly now?: bigint;
}

/** Ends an evaluation. `code` is the class of the error; `panic` where the original crashes. */
export class OracleRefusal extends Error {
  override readonly name = 'OracleRefusal';
  constructor(
    readonly code: string,
    /** Whether another row could have a result, so that `unresolved: 'absent'` forgives this one. */
    readonly forgivable = false,
    readonly isNil = false,
  ) {
    super(code);
  }
}

/** What a part of an expression is evaluated in. */
export interface Scope {
  readonly row: unknown;
  readonly options: InterpreterOptions;
  /** Innermost last. */
  readonly bindings: readonly Binding[];
}

/** A bound name represents a path from the row, or a key or index. */
export interface Binding {
  readonly name: string;
  readonly path: readonly string[] | null;
  readonly constant: Typed | null;
  /** Whether the row alone decides that the name represents a key: the declared type could be a list's. */
  readonly isKeyByChance: boolean;
}
