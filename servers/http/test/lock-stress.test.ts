import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespaces, namespacesMissing, proveLock } from '../stress/lock-stress.js';
import { buildLockedServers, type LockedServers } from '../stress/locked-servers.js';

let servers: LockedServers;
let root = '';
beforeAll(async () => {
  servers = await buildLockedServers();
  root = mkdtempSync(join(tmpdir(), 'lock-stress-'));
});
afterAll(() => {
  servers.remove();
  rmSync(root, { recursive: true });
});

const missing = namespacesMissing();

// Both servers lock with the same code. `npm run proof:lock` runs all cases for both.
describe.each([
  ['scheduler', 0, namespaces],
  ['secrets', 1, ['two of their own']],
] as const)('the directory of the %s server', (name, at, tried) => {
  for (const each of tried) {
    const skipped = each === 'one' ? null : missing;
    const reason = skipped === null ? '' : ` (skipped: ${skipped})`;
    it.skipIf(skipped !== null)(
      `is served by one process of two, PID namespaces: ${each}${reason}`,
      async () => {
        const server = await servers.make[at]!(join(root, `${name}-${each.replaceAll(' ', '-')}`));
        const cases = await proveLock({ server, namespaces: each, stopped: 0 });
        expect(cases.filter(({ isRight }) => !isRight)).toEqual([]);
        expect(cases).toHaveLength(4);
      },
    );
  }
});
