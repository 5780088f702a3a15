/**
 * Sends what holders of ordinary tokens can think of, and tells how long others wait, what is written and how much memory
 * it takes: `npm run proof:hostile -w servers/secrets -- --requests 10000 --connections 20`. With `--json` the figures come
 * as JSON. Ends with code 1 where somebody waits longer than `--longest-wait` milliseconds (50), or a request leaves
 * more than 4 kB of audit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildServer } from './build-server.js';
import { proveHostile } from './hostile-stress.js';
import { report, terminalProgress, wholeNumber } from './output.js';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '20' },
    'longest-wait': { type: 'string', default: '50' },
    json: { type: 'boolean', default: false },
  },
});
const directory = mkdtempSync(join(tmpdir(), 'hostile-stress-'));
const built = await buildServer();
try {
  const findings = await proveHostile({
    main: built.main,
    directory,
    requests: wholeNumber('requests', values.requests, 1, 1_000_000),
    connections: wholeNumber('connections', values.connections, 1, 500),
    longestWait: wholeNumber('longest-wait', values['longest-wait'], 1, 60_000),
    progress: terminalProgress(process.stderr),
  });
  process.exitCode = report(findings, values.json);
} finally {
  built.remove();
  rmSync(directory, { recursive: true });
}
