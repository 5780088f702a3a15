/**
 * Shows what waiting clients cost: `npm run proof:waiters -w servers/scheduler -- --count 10000`. Client and agent each
 * need as many file descriptors: see `ulimit -n`. With `--json` the figures come as JSON. Ends with code 1 where an
 * answer is wrong.
 */
import { parseArgs } from 'node:util';
import { printFigures, terminalProgress } from './output.js';
import { startAgentProcess } from './start-agent-process.js';
import { stressWaiters } from './waiters-stress.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    jobs: { type: 'string', default: '10000' },
    json: { type: 'boolean', default: false },
  },
});
const count = Number(values.count);
const jobs = Number(values.jobs);
if (!Number.isSafeInteger(count) || count < 1) throw new RangeError('--count must be at least 1');
if (!Number.isSafeInteger(jobs) || jobs < 1) throw new RangeError('--jobs must be at least 1');

const { figures, mistakes } = await stressWaiters({
  count,
  jobs,
  start: startAgentProcess,
  progress: terminalProgress(process.stderr),
});
process.stdout.write(values.json ? `${JSON.stringify({ figures, mistakes })}\n` : printFigures(figures));
for (const mistake of mistakes) process.stderr.write(`Not so: ${mistake}\n`);
process.exitCode = mistakes.length === 0 ? 0 : 1;
