/** Compares the engine with the interpreter of the tests as often as one likes. See `--help`. */
import { parseArgs } from 'node:util';
import { compareResults } from './results-campaign.js';

const help = `Asks engine and plain interpreter the same random filters and rows, on every way there is.

usage: tsx test/fuzz/compare-results.ts [--runs N] [--seed S] [--most M]

  --runs N  how many filters (default 200000)
  --seed S  the seed of the first one (default: from the clock); filter k has the seed S + k
  --most M  after how many differences to stop (default 10)
  --help    print this text
`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    seed: { type: 'string' },
    max: { type: 'string' },
    help: { type: 'boolean' },
  },
});

function readCount(name: string, text: string | undefined, fallback: number): number {
  const count = text === undefined ? fallback : Number(text);
  if (!Number.isSafeInteger(count) || count < 0)
    throw new RangeError(`--${name} must be a whole number, got ${text ?? ''}`);
  return count;
}

if (values.help === true) {
  process.stdout.write(help);
} else {
  const runs = readCount('runs', values.runs, 200_000);
  const first = readCount('seed', values.seed, Date.now() % 2 ** 31);
  const max = readCount('most', values.max, 10);
  const started = performance.now();
  const { differences, reached } = compareResults(first, runs, max, (done) => {
    process.stderr.write(`\r${done} of ${runs}, seed ${first}`);
  });
  process.stderr.write('\n');
  for (const { seed, difference, rendered } of differences) {
    process.stdout.write(`seed ${seed}: ${difference}\n${rendered}\n\n`);
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const counts = Object.entries(reached).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(
    `${counts.join(', ')}; ${differences.length} differences in ${seconds} s from seed ${first}\n`,
  );
  process.exitCode = differences.length > 0 ? 1 : 0;
}
