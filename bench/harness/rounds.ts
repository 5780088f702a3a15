import { createRandom, shuffled } from '../data/random.js';

/** Something that is timed against others: one call of `run` is a measurement. */
export interface Contender {
  readonly name: string;
  /** Does the work once and returns something to be checked; a promise is waited for. */
  readonly run: () => unknown;
  /** @throws Error, or rejects, if the result of `run` is wrong. Not timed. */
  readonly check: (result: unknown) => void | Promise<void>;
}

export interface RoundOptions {
  /** How many rounds there are. A contender that is slow takes part in some of them only. */
  readonly rounds: number;
  /** Shortest time to measure, in milliseconds: work that takes less is repeated until it lasts so long. */
  readonly minMs?: number;
  /** How long a contender runs before it is measured, in milliseconds; by default twenty times `leastMs`. */
  readonly warmUpMs?: number;
  /** The time that one contender may take in all rounds together, in milliseconds, while it has the rounds it needs least. */
  readonly budgetMs?: number;
  readonly seed?: number;
}

/** Milliseconds a run, by round; undefined in rounds that a contender sat out. */
export type Timings = ReadonlyMap<string, readonly (number | undefined)[]>;

/** No spread from less. */
const fewestRounds = 5;
/** For durations so long that the third digit does not matter. */
const fewestSlowRounds = 3;
/** Milliseconds from which on a run is slow. Its code has long been compiled when it ends. */
const slowMs = 100;

interface Entry {
  readonly contender: Contender;
  readonly repeats: number;
  /** It takes part in every stride-th round. */
  readonly stride: number;
  readonly timings: (number | undefined)[];
}

/**
 * Times contenders round by round in one process: in each round each runs once, in an order that changes, so that
 * whatever slows the machine down for a while slows all of them. The first contender takes part in every round, since
 * the others are compared with it. Every result is checked, those of the warm-up included.
 */
export async function runRounds(contenders: readonly Contender[], options: RoundOptions): Promise<Timings> {
  const { rounds, minMs = 1, warmUpMs = 20 * minMs, budgetMs = 400, seed = 1 } = options;
  const random = createRandom(seed);
  const entries: Entry[] = [];
  for (const [index, contender] of contenders.entries()) {
    const once = await warmUp(contender, warmUpMs);
    const repeats = Math.max(1, Math.ceil(minMs / once));
    const fewest = once < slowMs ? fewestRounds : fewestSlowRounds;
    const affordable = Math.max(fewest, Math.floor(budgetMs / (once * repeats)));
    const stride = index === 0 ? 1 : Math.max(1, Math.ceil(rounds / affordable));
    entries.push({ contender, repeats, stride, timings: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { contender, repeats, stride, timings } of shuffled(random, entries)) {
      timings[round] = round % stride === 0 ? await measure(contender, repeats) : undefined;
    }
  }
  return new Map(entries.map(({ contender, timings }) => [contender.name, timings]));
}

/** Runs until the code is compiled, and returns the duration of the fastest run. */
async function warmUp(contender: Contender, warmUpMs: number): Promise<number> {
  const start = performance.now();
  let fastest = Infinity;
  for (let runs = 0; runs < 3 || performance.now() - start < warmUpMs; runs += 1) {
    fastest = Math.min(fastest, await measure(contender, 1));
    if (fastest > slowMs) break;
  }
  return Math.max(fastest, 1e-4);
}

/** How often a measurement is tried when others take the processor away. */
const maxTries = 4;

/** The mean of `repeats` runs, in milliseconds: of the first try that was not interrupted, or of the one that was least. */
async function measure(contender: Contender, repeats: number): Promise<number> {
  let best = { elapsed: Infinity, lost: Infinity };
  for (let tries = 0; tries < maxTries; tries += 1) {
    const tried = await time(contender, repeats);
    if (tried.lost < best.lost) best = tried;
    if (best.lost < 0.05 + 0.05 * best.elapsed) break;
    // A long one has had its share of the machine: its interruptions are small in comparison, and a repetition costs much.
    if (best.elapsed > slowMs) break;
  }
  return best.elapsed / repeats;
}

/** Milliseconds that passed, and how many of them the process did not get to run in. */
async function time({ run, check }: Contender, repeats: number): Promise<{ elapsed: number; lost: number }> {
  // The young garbage of the contender before is not this one's to collect.
  globalThis.gc?.({ type: 'minor' });
  let result: unknown;
  const used = process.cpuUsage();
  const start = performance.now();
  for (let count = 0; count < repeats; count += 1) {
    result = run();
    if (result instanceof Promise) result = await result;
  }
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(used);
  await check(result);
  return { elapsed, lost: elapsed - (user + system) / 1000 };
}
