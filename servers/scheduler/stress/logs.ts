/** Shows what following logs costs: `npm run proof:logs -w servers/scheduler -- --help` tells how. */
import { parseArgs } from 'node:util';
import { buildAgent } from './build-agent.js';
import { startLogCluster } from './log-cluster.js';
import { logsBounds, stressLogs } from './logs-stress.js';
import { printFigures, terminalProgress } from './output.js';

const help = `Lets many follow one log, and then a few a log that is written faster than anybody reads: one as fast as it
can, one slowly and one not at all. A server, a client and the readers are a process each.

  --followers N   of one log (1000); as many file descriptors are needed: see ulimit -n
  --rate N        megabytes that a task writes in a second (100)
  --seconds N     for each of the two (10)
  --json          the figures as JSON
  --help          this text

Ends with code 1 where a line is missing, or beyond these bounds: 200 KiB of memory for a follower, 250 MiB of the
server and 350 MiB of the client under the flood, 250 ms for other requests (p99).
`;

const { values } = parseArgs({
  options: {
    followers: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  process.stdout.write(help);
  process.exit();
}
const numbers = {
  followers: Number(values.followers),
  rate: Number(values.rate),
  seconds: Number(values.seconds),
};
for (const [name, value] of Object.entries(numbers)) {
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`--${name} must be at least 1`);
}

const built = await buildAgent();
const { figures, mistakes } = await stressLogs({
  ...numbers,
  bounds: logsBounds,
  start: (maxFileStreams) => startLogCluster(built.main, maxFileStreams),
  progress: terminalProgress(process.stderr),
}).finally(() => built.remove());
process.stdout.write(values.json ? `${JSON.stringify({ figures, mistakes })}\n` : printFigures(figures));
for (const mistake of mistakes) process.stderr.write(`Not so: ${mistake}\n`);
process.exitCode = mistakes.length === 0 ? 0 : 1;
