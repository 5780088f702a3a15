/** Kills a server while clients write roles: `npm run proof:crash -w servers/secrets -- --help` tells how. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildServer } from './build-server.js';
import { proveCrashes } from './crash-stress.js';
import { proveRotations } from './rotation-stress.js';
import { report, terminalProgress, wholeNumber } from './output.js';

const help = `Kills a server while clients write roles, and looks whether anything that was acknowledged is lost.

  --rotate      instead, while its keys are rotated and replaced
  --kills N     how often it is killed (100)
  --writers N   clients that write at the same time, from 1 to 500 (20)
  --json        the figures as JSON
  --help        this text

Ends with code 1 where something is lost, and then leaves the store as it is.
`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    writers: { type: 'string', default: '20' },
    rotate: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  process.stdout.write(help);
  process.exit();
}
const directory = mkdtempSync(join(tmpdir(), 'crash-stress-'));
const built = await buildServer();
const options = {
  main: built.main,
  directory,
  kills: wholeNumber('kills', values.kills, 1, 100_000),
  writers: wholeNumber('writers', values.writers, 1, 500),
  longestLife: 400,
  random: Math.random,
  progress: terminalProgress(process.stderr),
};
const findings = await (values.rotate ? proveRotations(options) : proveCrashes(options)).finally(() =>
  built.remove(),
);
process.exitCode = report(findings, values.json);
if (findings.mistakes.length > 0) process.stderr.write(`The store is in ${directory}\n`);
else rmSync(directory, { recursive: true });
