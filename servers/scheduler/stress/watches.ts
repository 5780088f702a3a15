/**
 * Shows what clients that watch results cost: `npm run proof:watches -w servers/scheduler -- --count 10000 --filters 1000`.
 * Client and agent each need as many file descriptors: see `ulimit -n`. With `--json` the figures come as JSON. Ends
 * with code 1 where somebody is woken who is not concerned, or somebody who is concerned is not.
 */
import { parseArgs } from 'node:util';
import { printFigures, terminalProgress } from './output.js';
import { startAgentProcess } from './start-agent-process.js';
import { stressWatches } from './watches-stress.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    filters: { type: 'string', default: '1000' },
    writes: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
});
function countOf(name: 'count' | 'filters' | 'writes'): number {
  const count = Number(values[name]);
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`--${name} must be at least 1`);
  return count;
}

const { figures, mistakes } = await stressWatches({
  count: countOf('count'),
  filters: countOf('filters'),
  writes: countOf('writes'),
  start: startAgentProcess,
  progress: terminalProgress(process.stderr),
});
process.stdout.write(values.json ? `${JSON.stringify({ figures, mistakes })}\n` : printFigures(figures));
for (const mistake of mistakes) process.stderr.write(`Not so: ${mistake}\n`);
process.exitCode = mistakes.length === 0 ? 0 : 1;
