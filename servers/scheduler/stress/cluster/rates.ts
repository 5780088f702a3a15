import { percentile } from './noise.js';

/** The results of calls over a period. */
export interface Rate {
  /** Calls a second. */
  readonly rate: number;
  readonly calls: number;
  /** Milliseconds of one call. */
  readonly p50: number;
  readonly p99: number;
  /** The errors of calls, and their number. */
  readonly problems: ReadonlyMap<string, number>;
}

/** Makes concurrent calls for some milliseconds; a call returns its error as a string, or nothing. */
export async function measureRate(
  lanes: number,
  milliseconds: number,
  call: (lane: number, at: number) => Promise<string>,
): Promise<Rate> {
  const times: number[] = [];
  const problems = new Map<string, number>();
  const started = performance.now();
  const run = async (lane: number): Promise<void> => {
    for (let at = 0; performance.now() - started < milliseconds; at += 1) {
      const sent = performance.now();
      const problem = await call(lane, at);
      if (problem === '') times.push(performance.now() - sent);
      else problems.set(problem, (problems.get(problem) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)));
  const rate = (times.length * 1_000) / (performance.now() - started);
  return { rate, calls: times.length, problems, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
