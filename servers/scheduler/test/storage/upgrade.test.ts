import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import { openDataDirectory } from '@tamis/scheduler-state/drivers/data-directory.js';
import { createAgents } from '../support/agents.js';

/** Stores as earlier versions have left them: the version, a hyphen, the file of the store. Each holds the same. */
const fixtures = new URL('../fixtures/', import.meta.url);
const versions = readdirSync(fixtures).flatMap((name) => /^(.*)-state\.mdb\.gz$/.exec(name)?.[1] ?? []);

const dir = mkdtempSync(join(tmpdir(), 'upgrade-'));
const agents = createAgents();
afterEach(async () => {
  await agents.close();
  rmSync(dir, { recursive: true });
});

describe('the data directory of an earlier version', () => {
  it.each(versions)('%s: an agent starts on it, has all that is in it, and writes to it', async (version) => {
    const packed = readFileSync(new URL(`${version}-state.mdb.gz`, fixtures));
    writeFileSync(join(dir, 'state.mdb'), gunzipSync(packed), { mode: 0o600 });
    const { agent, origin } = await agents.server(
      { dataDir: dir, server: { ...defaultAgentConfig.server, pauseEvalBroker: true } },
      undefined,
      await openDataDirectory(dir),
    );
    const read = async (path: string): Promise<unknown> => (await fetch(`${origin}/v1/${path}`)).json();
    expect(agent.state.snapshot().index).toBeGreaterThanOrEqual(41);
    expect(await read('namespace/apps')).toMatchObject({
      Name: 'apps',
      Meta: { owner: 'ops' },
      ModifyIndex: 4,
    });
    const lists = ['jobs', 'allocations', 'evaluations', 'deployments'].map((list) =>
      read(`${list}?namespace=apps`),
    );
    expect(await Promise.all(lists)).toMatchObject([
      [{ ID: 'web' }],
      [{ ID: 'a1', JobID: 'web', NodeID: 'n1' }],
      [{ ID: 'e1', JobID: 'web', Priority: 50 }],
      [{ ID: 'd1', JobID: 'web' }],
    ]);
    expect(await read('nodes')).toMatchObject([{ ID: 'n1' }]);
    // Digits that a double does not hold.
    const job = await (await fetch(`${origin}/v1/job/web?namespace=apps`)).text();
    expect(job).toContain('"SubmitTime":1645230445788556001');
    expect(job).toContain('"Version":7');
    const written = await fetch(`${origin}/v1/namespace`, {
      method: 'PUT',
      body: JSON.stringify({ Name: 'new' }),
    });
    expect(written.status).toBe(200);
  });
});
