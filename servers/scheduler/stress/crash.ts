/** Kills an agent while clients write jobs: `npm run proof:crash -w servers/scheduler -- --help` tells how. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildAgent } from './build-agent.js';
import { stressCrashes } from './crash-stress.js';
import { startKillableAgent } from './killable-agent.js';
import { printFigures, terminalProgress } from './output.js';

const help = `Kills an agent while clients write jobs, and looks whether anything that was acknowledged is lost.

  --kills N     how often it is killed (100)
  --writers N   clients that write at the same time, from 1 to 90 (20)
  --json        the figures as JSON
  --help        this text

Ends with code 1 where something is lost, and then leaves the store as it is.
`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    writers: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  process.stdout.write(help);
  process.exit();
}
const kills = Number(values.kills);
const writers = Number(values.writers);
if (!Number.isSafeInteger(kills) || kills < 1) throw new RangeError('--kills must be at least 1');
// An agent takes a hundred connections from one address.
if (!(writers >= 1 && writers <= 90)) throw new RangeError('--writers must be from 1 to 90');

const dir = mkdtempSync(join(tmpdir(), 'crash-stress-'));
const built = await buildAgent();
const { figures, mistakes } = await stressCrashes({
  kills,
  writers,
  start: () => startKillableAgent(built.main, ['--data-dir', dir]),
  random: Math.random,
  progress: terminalProgress(process.stderr),
}).finally(() => built.remove());
process.stdout.write(values.json ? `${JSON.stringify({ figures, mistakes })}\n` : printFigures(figures));
for (const mistake of mistakes) process.stderr.write(`Not so: ${mistake}\n`);
if (mistakes.length > 0) process.stderr.write(`The store is in ${dir}\n`);
else rmSync(dir, { recursive: true });
process.exitCode = mistakes.length === 0 ? 0 : 1;
