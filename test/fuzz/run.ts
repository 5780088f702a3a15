/** Runs as many random trials as one likes. See `--help`. */
import { parseArgs } from 'node:util';
import { installDefaults } from '../../src/entries/node-defaults.js';
import { readSeeds, runCampaign } from './campaign.js';

installDefaults();

const help = `Feeds random filters and rows to the engine and reports what only a bug explains.

usage: tsx test/fuzz/run.ts [--runs N] [--seed S]

  --runs N  how many trials (default 100000)
  --seed S  the seed of the first one (default: from the clock); trial k has the seed S + k
  --help    print this text
`;

const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean' } },
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
  const runs = readCount('runs', values.runs, 100_000);
  const first = readCount('seed', values.seed, Date.now() % 2 ** 31);
  const started = performance.now();
  const { findings, reached } = runCampaign(readSeeds(), first, runs, (done) => {
    process.stderr.write(`\r${done} of ${runs}, seed ${first}`);
  });
  process.stderr.write('\n');
  for (const { seed, text, problem } of findings) {
    process.stdout.write(`seed ${seed}: ${JSON.stringify(text)}\n  ${problem}\n`);
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const counts = Object.entries(reached).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(
    `${counts.join(', ')}; ${findings.length} findings in ${seconds} s from seed ${first}\n`,
  );
  process.exitCode = findings.length > 0 ? 1 : 0;
}
