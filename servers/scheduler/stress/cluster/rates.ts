import { percentile } from './noise.js';

/** What came of calls that were made for a while. */
export interface Rate {
  /** Calls a second. */
  readonly rate: number;
  readonly calls: number;
  /** Milliseconds of one call. */
  readonly p50: number;
  readonly p99: number;
  /** What calls failed with, and how often. */
  readonly problems: ReadonlyMap<string, number>;
}

/** Makes calls for some milliseconds, so many at a time; a call tells in words what went wrong, or nothing. */
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
