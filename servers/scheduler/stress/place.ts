/**
 * Shows how fast jobs are placed: `npm run proof:place -w servers/scheduler`. With `--json` the figures come as JSON. Ends
 * with code 1 where a node has been promised twice, a count is wrong, or a worker has waited while there was work.
 */
import { parseArgs } from 'node:util';
import { printFigures, terminalProgress } from './output.js';
import { stressPlacement } from './place-stress.js';

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1000' },
    nodes: { type: 'string', default: '500' },
    workers: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
});
const [jobs, nodes, workers] = [values.jobs, values.nodes, values.workers].map(Number);
for (const count of [jobs, nodes, workers]) {
  if (!Number.isSafeInteger(count) || Number(count) < 1) throw new RangeError('Counts must be at least 1');
}

const { figures, mistakes } = await stressPlacement({
  ...{ jobs: jobs ?? 0, nodes: nodes ?? 0, workers: workers ?? 0 },
  failing: Math.ceil((nodes ?? 0) / 20),
  progress: terminalProgress(process.stderr),
});
process.stdout.write(values.json ? `${JSON.stringify({ figures, mistakes })}\n` : printFigures(figures));
for (const mistake of mistakes.slice(0, 20)) process.stderr.write(`Not so: ${mistake}\n`);
process.exitCode = mistakes.length === 0 ? 0 : 1;
