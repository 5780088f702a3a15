import type { FilterLanguage } from '@tamis/filter-box/box';

/** The lists that can be filtered. */
export const resourceNames = ['jobs', 'nodes', 'allocations', 'deployments', 'evaluations'] as const;
export type ResourceName = (typeof resourceNames)[number];

/** Completion data about the rows of a list, in addition to their schema. */
export interface Knowledge {
  /** Rows or parts of them, from which keys and values are offered. */
  readonly rows: readonly object[];
  /** Values of fields, most frequent first. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** A value of a row to filter by. */
export interface Clause {
  /** Path of the field: `['Meta', 'owner']`. */
  readonly path: readonly string[];
  readonly value: string | number | boolean;
  /** Whether to exclude the rows with this value. */
  readonly isNegated: boolean;
}

/** The methods of the worker for one list: those for a filter box, and those that compose filters. */
export interface ResourceLanguage extends FilterLanguage {
  setCompletionData(knowledge: Knowledge): Promise<void>;
  /**
   * Returns the filter with an additional clause; the same filter if it already has it, null if the source is not a valid filter.
   */
  withClause(text: string, clause: Clause): Promise<string | null>;
  /**
   * Returns the filter with a clause replaced or removed; null if the filter does not contain it.
   *
   * @param clause in canonical form, as reported by the agent.
   */
  replaceClause(text: string, clause: string, instead: string | null): Promise<string | null>;
}

/** A method call to the worker. */
export interface LanguageCall {
  readonly id: number;
  readonly resource: ResourceName;
  readonly method: keyof ResourceLanguage;
  readonly args: readonly unknown[];
}

/** The worker's response to a call. */
export type LanguageResponse =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };
