import type { FilterLanguage } from '@tamis/ui';

/** The lists that filters are asked about. */
export const resourceNames = ['jobs', 'nodes', 'allocations', 'deployments', 'evaluations'] as const;
export type ResourceName = (typeof resourceNames)[number];

/** What is known of the rows of a list beside their schema: what completion offers. */
export interface Knowledge {
  /** Rows, or parts of them: names of keys and values are taken from these. */
  readonly rows: readonly object[];
  /** The values of fields, the most frequent first. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** A value that a row has, to ask for. */
export interface Clause {
  /** The parts of the path: `['Meta', 'owner']`. */
  readonly path: readonly string[];
  readonly value: string | number | boolean;
  /** Whether to leave out the rows that have it. */
  readonly isNegated: boolean;
}

/** What the worker answers, for one list: what a filter box asks, and how a filter is put together. */
export interface ResourceLanguage extends FilterLanguage {
  learn(knowledge: Knowledge): Promise<void>;
  /** The filter and one clause more; the same filter where it has that already, null where the text is no filter. */
  withClause(text: string, clause: Clause): Promise<string | null>;
  /**
   * The filter with another clause in the place of one, or without it; null where it does not have it.
   *
   * @param clause in canonical form, as the agent tells of it.
   */
  replaceClause(text: string, clause: string, instead: string | null): Promise<string | null>;
}

/** A call of a method, to the worker. */
export interface LanguageCall {
  readonly id: number;
  readonly resource: ResourceName;
  readonly method: keyof ResourceLanguage;
  readonly args: readonly unknown[];
}

/** What the worker says to a call. */
export type LanguageResponse =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };
