/**
 * Logs in many times, and counts what the cloud is asked meanwhile:
 * `npm run proof:login -w servers/secrets -- --logins 5000 --connections 20 --strangers 200`. With `--json` the figures
 * come as JSON. Ends with code 1 where the cloud is asked more than it should be.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildServer } from './build-server.js';
import { proveLogins } from './login-stress.js';
import { report, terminalProgress, wholeNumber } from './output.js';

const { values } = parseArgs({
  options: {
    logins: { type: 'string', default: '5000' },
    connections: { type: 'string', default: '20' },
    strangers: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
  },
});
const directory = mkdtempSync(join(tmpdir(), 'login-stress-'));
const built = await buildServer();
try {
  const findings = await proveLogins({
    main: built.main,
    directory,
    logins: wholeNumber('logins', values.logins, 1, 1_000_000),
    connections: wholeNumber('connections', values.connections, 1, 500),
    strangers: wholeNumber('strangers', values.strangers, 1, 10_000),
    progress: terminalProgress(process.stderr),
  });
  process.exitCode = report(findings, values.json);
} finally {
  built.remove();
  rmSync(directory, { recursive: true });
}
