import { median, quantile } from '../harness/stats.js';

/** What one process measured of a case: the builds' ratios to the hand-written loop, round by round. */
export interface Sample {
  readonly base: readonly number[];
  /** The old build once more: what it differs from itself is chance. */
  readonly twin: readonly number[];
  readonly head: readonly number[];
}

export interface Verdict {
  /** How much slower the new build is: 0.1 for 10 %; negative where it is faster. */
  readonly change: number;
  /** The largest change that may be chance. */
  readonly band: number;
  /** `unclear`: so much noise that nothing can be said. */
  readonly outcome: 'slower' | 'faster' | 'same' | 'unclear';
}

/** Below this no change is reported: a process's memory lies differently in each run. */
const minBand = 0.03;

/** Beyond this a band hides everything worth knowing. */
const maxBand = 0.4;

/**
 * Compares a new build with an old one by what several processes measured.
 *
 * The change is the median over the processes. The noise band is the widest of: twice what the old build differs from
 * its twin in any process; the distance between the processes; four standard errors of the median within a process;
 * three percent.
 *
 * @throws RangeError without samples.
 */
export function judge(samples: readonly Sample[]): Verdict {
  const changes = samples.map(({ base, head }) => Math.log(median(quotients(head, base))));
  const accidents = samples.map(({ base, twin }) => Math.abs(Math.log(median(quotients(twin, base)))));
  const errors = samples.map(({ base, head }) => standardError(quotients(head, base)));
  const change = median(changes);
  const band = Math.max(
    minBand,
    2 * Math.max(...accidents),
    Math.max(...changes) - Math.min(...changes),
    4 * Math.max(...errors),
  );
  return { change: Math.expm1(change), band: Math.expm1(band), outcome: outcomeOf(change, band) };
}

function outcomeOf(change: number, band: number): Verdict['outcome'] {
  if (change > band) return 'slower';
  if (change < -band) return 'faster';
  return band > maxBand ? 'unclear' : 'same';
}

function quotients(dividends: readonly number[], divisors: readonly number[]): number[] {
  // The two were measured in the same rounds, so they are of one length.
  return dividends.map((dividend, round) => dividend / (divisors[round] ?? NaN));
}

/** Of the median of a sample, from the distance of its quartiles as if it were normally distributed. */
function standardError(values: readonly number[]): number {
  const deviation = (quantile(values, 0.75) - quantile(values, 0.25)) / 1.349 / median(values);
  return (1.2533 * deviation) / Math.sqrt(values.length);
}
