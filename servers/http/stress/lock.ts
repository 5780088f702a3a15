/** Two processes use one directory: `npm run proof:lock -w servers/http` reports which one serves. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { namespaces, namespacesMissing, proveLock, type LockCase } from './lock-stress.js';
import { buildLockedServers } from './locked-servers.js';

const help = `Starts two processes of each server on one directory, in one PID namespace and in two, and tells who serves
while both run, when the first is stopped, when it is killed, and when its lock was removed by hand.

  --stopped N   seconds that the first is stopped (30)
  --help        this text

Ends with code 1 where two serve, or none.
`;

const { values } = parseArgs({
  options: {
    stopped: { type: 'string', default: '30' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  process.stdout.write(help);
  process.exit();
}
const stopped = Number(values.stopped) * 1000;
if (!Number.isFinite(stopped) || stopped < 0) throw new RangeError('--stopped must be a number of seconds');

const missing = namespacesMissing();
if (missing !== null) process.stderr.write(`${missing}: only one namespace is looked at\n`);
const root = mkdtempSync(join(tmpdir(), 'lock-stress-'));
const servers = await buildLockedServers();
const cases: LockCase[] = [];
try {
  for (const [number, each] of namespaces.entries()) {
    if (missing !== null && each !== 'one') continue;
    for (const [at, make] of servers.make.entries()) {
      const server = await make(join(root, `${number}-${at}`));
      cases.push(...(await proveLock({ server, namespaces: each, stopped })));
    }
  }
} finally {
  servers.remove();
  rmSync(root, { recursive: true });
}
const rows = cases.map(({ server, namespaces: where, event, first, second, isRight }) => [
  ...[server, where, event, first, second],
  isRight ? 'yes' : 'NO',
]);
const table = [['server', 'PID namespaces', 'what happens', 'the first', 'the second', 'right'], ...rows];
for (const row of table) process.stdout.write(`| ${row.join(' | ')} |\n`);
process.exitCode = cases.every(({ isRight }) => isRight) ? 0 : 1;
