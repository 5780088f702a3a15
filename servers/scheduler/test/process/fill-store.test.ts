import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultAgentConfig, type AgentConfig } from '../../src/agent/settings/agent-config.js';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import { openFilledStore } from '../../src/program/fill-store.js';
import { lmdbDriver } from '@tamis/scheduler-state/drivers/lmdb.js';
import { memoryDriver } from '@tamis/scheduler-state/drivers/memory.js';
import { readContents } from '../../../scheduler-state/test/support/storage-log.js';

describe.each([
  ['in memory', memoryDriver],
  ['of a data directory', lmdbDriver],
])('the store %s', (_where, driver) => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'fill-'));
    writeFileSync(join(dir, 'in'), '{"kind":"job","object":{"ID":"web","ModifyIndex":7}}\n');
    writeFileSync(join(dir, 'wrong'), '{"kind":"job","object":{"ID":"web"}}\n{"kind":"job"}\n');
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  const logs = createLogHub({ level: 'silent', write: () => undefined });
  const configOf = (file: string): AgentConfig => ({
    ...defaultAgentConfig,
    dataDir: driver.isPersistent ? join(dir, 'data') : null,
    storage: { driver, values: {} },
    fill: { kind: 'import', file: join(dir, file) },
  });

  it('has all of an import before there is an agent, which has nothing to fill in', async () => {
    const { fill, storage } = await openFilledStore(configOf('in'), logs);
    expect(fill).toEqual({ kind: 'nothing' });
    const { index, rows } = await readContents(storage);
    expect(index).toBe(7);
    expect(rows.map(({ table }) => table).sort()).toEqual([
      'job_summaries',
      'job_versions',
      'jobs',
      'marks',
      'namespaces',
    ]);
    await storage.close();
  });

  it('refuses a file with a mistake, and one that is not there', async () => {
    rmSync(join(dir, 'data'), { recursive: true, force: true });
    await expect(openFilledStore(configOf('wrong'), logs)).rejects.toThrow(/wrong:2: object/);
    await expect(openFilledStore(configOf('none'), logs)).rejects.toThrow(/There is no file .*none/);
  });
});
