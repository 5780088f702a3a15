/**
 * Shows what event streams cost: `npm run proof:stream -w servers/scheduler -- --count 1000 --rate 500`. Client and agent each
 * need as many file descriptors: see `ulimit -n`. With `--json` the figures come as JSON. Ends with code 1 where a stream is
 * told of too little or too much.
 */
import { parseArgs } from 'node:util';
import { printFigures, terminalProgress } from './output.js';
import { startAgentProcess } from './start-agent-process.js';
import { stressStreams } from './streams-stress.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
});
const numbers = { count: Number(values.count), rate: Number(values.rate), seconds: Number(values.seconds) };
for (const [name, value] of Object.entries(numbers)) {
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`--${name} must be at least 1`);
}
if (numbers.count < 20) throw new RangeError('--count must be at least 20');

const { figures, mistakes } = await stressStreams({
  ...numbers,
  start: startAgentProcess,
  progress: terminalProgress(process.stderr),
});
process.stdout.write(values.json ? `${JSON.stringify({ figures, mistakes })}\n` : printFigures(figures));
for (const mistake of mistakes.slice(0, 20)) process.stderr.write(`Not so: ${mistake}\n`);
process.exitCode = mistakes.length === 0 ? 0 : 1;
