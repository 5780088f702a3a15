import type { Gap } from './entrants.js';
import type { Measurement } from './filtering.js';
import type { Report } from './report.js';

/** Work for a process of its own. */
export type Task =
  | {
      readonly kind: 'filtering';
      readonly variant: string;
      readonly cases: readonly string[];
      readonly competitors: readonly string[];
      readonly rounds: number;
      readonly requests: number;
    }
  | {
      readonly kind: 'comparison';
      readonly variant: string;
      readonly cases: readonly string[];
      readonly rounds: number;
      readonly requests: number;
      readonly builds: Builds;
      /** Which of the processes this is: each loads the builds in another order. */
      readonly run: number;
    }
  | {
      readonly kind: 'scenario';
      readonly name: string;
      readonly seed: number;
      readonly rounds: number;
      readonly competitors: readonly string[];
    };

/** File URLs of the builds that are compared: two of the old one, to see what chance alone does, and the new one. */
export interface Builds {
  readonly base: string;
  readonly twin: string;
  readonly head: string;
}

/** The result of a process, by the kind of its task. */
export interface Results {
  readonly filtering: FilteringResult;
  readonly comparison: FilteringResult;
  readonly scenario: Report;
}

export interface FilteringResult {
  readonly measurements: readonly Measurement[];
  readonly gaps: readonly Gap[];
}

/** Messages of a process to its parent. */
export type Message =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'answer'; readonly result: unknown }
  | { readonly kind: 'failure'; readonly text: string };
