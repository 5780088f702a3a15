/**
 * Kills a server while clients write roles, and looks whether anything that it acknowledged is lost:
 * `npm run proof:crash -w servers/secrets -- --kills 100 --writers 20`. With `--json` the figures come as JSON. Ends
 * with code 1 where something is lost, and then leaves the directory as it is.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildServer } from './build-server.js';
import { proveCrashes } from './crash-stress.js';
import { report, terminalProgress, wholeNumber } from './output.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    writers: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
});
const directory = mkdtempSync(join(tmpdir(), 'crash-stress-'));
const built = await buildServer();
const findings = await proveCrashes({
  main: built.main,
  directory,
  kills: wholeNumber('kills', values.kills, 1, 100_000),
  writers: wholeNumber('writers', values.writers, 1, 500),
  longestLife: 400,
  random: Math.random,
  progress: terminalProgress(process.stderr),
}).finally(() => built.remove());
process.exitCode = report(findings, values.json);
if (findings.mistakes.length > 0) process.stderr.write(`The store is in ${directory}\n`);
else rmSync(directory, { recursive: true });
