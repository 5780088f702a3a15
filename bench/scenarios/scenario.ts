import type { Report } from '../harness/report.js';

/** What a scenario is given. */
export interface ScenarioContext {
  readonly rounds: number;
  /** The selected competitors. */
  readonly competitors: readonly string[];
  /** What names are drawn from. */
  readonly seed: number;
  readonly onProgress: (text: string) => void;
}

/** A benchmark in addition to the filters over rows. Like them it asserts its results. */
export interface Scenario {
  readonly name: string;
  /** In a few words, for `--help`. */
  readonly about: string;
  readonly run: (context: ScenarioContext) => Promise<Report>;
}
