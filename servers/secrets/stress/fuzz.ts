/**
 * Sends bodies, tokens and files of every kind to a server, and looks what it answers, asks and writes:
 * `npm run proof:fuzz -w servers/secrets -- --runs 2000 --seed 1`. With `--json` the figures come as JSON. Ends with
 * code 1 where an input is not refused as it should be, or a secret is found in a log.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildServer } from './build-server.js';
import { proveFuzz } from './fuzz-stress.js';
import { report, terminalProgress, wholeNumber } from './output.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    json: { type: 'boolean', default: false },
  },
});
const directory = mkdtempSync(join(tmpdir(), 'fuzz-stress-'));
const seed = wholeNumber('seed', values.seed, 0, 2 ** 31 - 1);
const built = await buildServer();
try {
  const findings = await proveFuzz({
    main: built.main,
    directory,
    runs: wholeNumber('runs', values.runs, 1, 1_000_000),
    seed,
    progress: terminalProgress(process.stderr),
  });
  process.exitCode = report(findings, values.json);
  if (findings.mistakes.length > 0) process.stderr.write(`Again with --seed ${seed}\n`);
} finally {
  built.remove();
  rmSync(directory, { recursive: true });
}
