import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespacesMissing, proveLock, type LockCase } from '../stress/lock-stress.js';
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

describe.each([
  ['scheduler', 0],
  ['secrets', 1],
] as const)('the directory of the %s server', (name, at) => {
  async function wrongCases(apart: boolean): Promise<readonly LockCase[]> {
    const server = await servers.make[at]!(join(root, `${name}-${apart}`));
    const cases = await proveLock({ server, apart, stopped: 0 });
    expect(cases).toHaveLength(4);
    return cases.filter(({ isRight }) => !isRight);
  }

  it('is served by one process of two', async () => {
    expect(await wrongCases(false)).toEqual([]);
  });

  const skipped = missing === null ? '' : ` (skipped: ${missing})`;
  it.skipIf(missing !== null)(
    `is served by one of two with PID namespaces of their own${skipped}`,
    async () => {
      expect(await wrongCases(true)).toEqual([]);
    },
  );
});
