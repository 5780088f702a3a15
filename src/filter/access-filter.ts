import { describe } from '../language/diagnostics/options.js';
import type { Schema } from '../language/schema/schema.js';
import { version } from '../runtime/shared-identity.js';
import type { Filter } from './filter.js';

/**
 * The rows that a caller may see: a filter that is evaluated before the caller's own. A row passes only if the filter is
 * definitely true for it. Created by `policy.access`.
 */
export interface AccessFilter<T = unknown> {
  /** `all` if every row passes, `none` if no row does; `some` if the row decides. */
  readonly kind: 'all' | 'some' | 'none';
  /** The source of the filter. It is derived from the policy, so it must not be shown to callers. */
  readonly text: string;
  /** Identifies the rows that pass: access filters with equal keys select the same rows. */
  readonly key: string;
  /** Returns whether the caller may see a row. Never throws. */
  readonly test: (row: T) => boolean;
  /** Whether results depend on the clock and must not be cached. False for a filter returned by `at`. */
  readonly usesNow: boolean;
  /**
   * Returns the access filter with `now` fixed: at the given instant, or at the clock's current time.
   * @throws TypeError if the argument is not a valid Date.
   */
  at(instant?: Date): AccessFilter<T>;
}

/**
 * The property of an access filter that holds its compiled filter, with `unresolved: 'deny'` and the row schema; null unless its
 * kind is `some`. Every copy of the package in a process has the same symbol.
 */
export const compiledAccess: unique symbol = Symbol.for(`tamis ${version} compiled access`);

/** An access filter as `policy.access` creates it. */
export interface CompiledAccess<T = unknown> extends AccessFilter<T> {
  readonly [compiledAccess]: Filter<T> | null;
  /** The schema of the rows for which the policy is defined. */
  readonly schema: Schema;
}

/** The property of a policy that holds examples of its access filters, one per rule, with which databases check themselves. */
export const ruleSamples: unique symbol = Symbol.for(`tamis ${version} rule samples`);

/** An example of the access filter of one rule; null if it has no condition on the row. */
export interface RuleSample {
  /** Index of the rule. */
  readonly rule: number;
  readonly filter: Filter | null;
}

/** A policy as `definePolicy` creates it. */
export interface SampledPolicy {
  readonly [ruleSamples]: { readonly schema: Schema; readonly samples: readonly RuleSample[] };
}

/**
 * Returns an access filter with its compiled filter.
 * @throws TypeError if the value does not come from `policy.access`. `owner` is the function that received it.
 */
export function readAccess<T>(owner: string, access: AccessFilter<T>): CompiledAccess<T> {
  if (typeof access === 'object' && (access as unknown) !== null && compiledAccess in access)
    return access as CompiledAccess<T>;
  throw new TypeError(`${owner}: access must come from policy.access, got ${describe(access)}`);
}
