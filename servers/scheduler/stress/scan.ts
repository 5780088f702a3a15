/**
 * Shows what lists cost over many rows: `npm run proof:scan -w servers/scheduler -- --rows 1000000`. With `--json` the
 * figures come as JSON. Ends with code 1 where an answer is wrong.
 */
import { parseArgs } from 'node:util';
import { printFigures, terminalProgress } from './output.js';
import { stressScans } from './scan-stress.js';
import { startAgentProcess } from './start-agent-process.js';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, json: { type: 'boolean', default: false } },
});
const rows = Number(values.rows);
if (!Number.isSafeInteger(rows) || rows < 1_000) throw new RangeError('--rows must be at least 1000');

const { figures, mistakes } = await stressScans({
  sizes: [...new Set([Math.max(1_000, Math.round(rows / 10)), rows])],
  repeats: 20,
  scanners: 4,
  rounds: 10,
  loadTime: 3_000,
  start: (jobs) => startAgentProcess(jobs, 100),
  progress: terminalProgress(process.stderr),
});
process.stdout.write(values.json ? `${JSON.stringify({ figures, mistakes })}\n` : printFigures(figures));
for (const mistake of mistakes) process.stderr.write(`Not so: ${mistake}\n`);
process.exitCode = mistakes.length === 0 ? 0 : 1;
