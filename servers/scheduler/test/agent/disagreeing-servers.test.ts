import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEtcd } from '@tamis/scheduler-state/drivers/open-etcd.js';
import { defaultAgentConfig, type AgentConfig } from '../../src/agent/settings/agent-config.js';
import { disagreement, type SharedSettings } from '@tamis/scheduler-state/cluster/shared-settings.js';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import { systemClock } from '@tamis/http';
import { createAgents, type Agents } from '../support/agents.js';
import { etcdMissing, startCluster, type Cluster } from '../../../scheduler-state/test/support/etcd-logs.js';
import { until } from '../../../scheduler-model/test/support/until.js';

const skipped = etcdMissing === undefined ? '' : ` (skipped: ${etcdMissing})`;
const acl = { ...defaultAgentConfig.acl, enabled: true };

describe('servers that would share a state', () => {
  const own: SharedSettings = { region: 'global', acl: false, mutualTls: false, format: 1 };
  const named = (settings?: SharedSettings) => ({
    ...{ name: 's1.global', address: '10.0.0.1:4647' },
    ...(settings === undefined ? {} : { settings }),
  });

  it.each<[setting: string, other: Partial<SharedSettings>, here: string, there: string]>([
    ['region', { region: 'west' }, '"global"', '"west"'],
    ['acl.enabled', { acl: true }, 'false', 'true'],
    ['mutual TLS between servers (tls.rpc with tls.ca_file)', { mutualTls: true }, 'false', 'true'],
    ['the form of the store', { format: 2 }, '1', '2'],
  ])('refuse where one has another %s, and say so', (setting, other, here, there) => {
    const found = disagreement(own, [named(own), named(), named({ ...own, ...other })]);
    expect(found?.message).toMatch(/^This server does not join: /);
    expect(found?.message).toContain(`${setting} is ${here} here and ${there} on s1.global (10.0.0.1:4647)`);
  });

  it('join if their settings agree, or if earlier versions do not report them', () => {
    expect(disagreement(own, [named(own), named()])).toBeNull();
  });
});

describe.skipIf(etcdMissing !== undefined)(`servers on one prefix of etcd${skipped}`, () => {
  let cluster: Cluster;
  let agents: Agents;
  beforeEach(async () => {
    cluster = await startCluster();
    agents = createAgents();
  });
  afterEach(async () => {
    await agents.close();
    await cluster.stop();
  });

  async function start(
    nodeName: string,
    config: Partial<AgentConfig>,
    fatal: (error: Error) => void = () => undefined,
  ): Promise<string> {
    const logs = createLogHub({ level: 'silent', write: () => undefined });
    const connection = { endpoints: cluster.urls };
    const etcd = await openEtcd({ connection, prefix: '/scheduler/global/', leaseTtl: 5 }, systemClock);
    const { origin } = await agents.server({ nodeName, ...config }, logs, { ...etcd, fatal });
    return origin;
  }

  const isLed = async (origin: string): Promise<boolean> =>
    (await fetch(`${origin}/v1/agent/health`)).status === 200;

  it('refuse to start where a setting differs that must agree, under the name of another one too', async () => {
    const origin = await start('s1', { acl });
    await until(() => isLed(origin));
    await expect(start('s2', {})).rejects.toThrow(
      /^This server does not join: acl\.enabled is false here and true on s1\.global \(127\.0\.0\.1:\d+\)/,
    );
    await expect(start('s1', {})).rejects.toThrow(/acl\.enabled is false here and true on s1\.global/);
    await expect(start('s3', { acl, region: 'west' })).rejects.toThrow(
      /region is "west" here and "global" on s1\.global/,
    );
    const joined = await start('s4', { acl });
    await until(() => isLed(joined));
  });

  it('shut down one by one if started at the same time, and serve nothing meanwhile', async () => {
    const refused: string[] = [];
    const startOne = (name: string, config: Partial<AgentConfig>): Promise<string> =>
      start(name, config, (error) => void refused.push(`${name}: ${error.message}`));
    const started = await Promise.allSettled([startOne('s1', { acl }), startOne('s2', {})]);
    const origins = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refusals = (): number => refused.length + 2 - origins.length;
    await until(() => refusals() === 1);
    const late = origins[refused[0]?.startsWith('s1') === true ? 0 : 1];
    if (refused.length === 1 && late !== undefined) {
      const status = await fetch(`${late}/v1/namespace`, { method: 'PUT', body: '{"Name":"x"}' }).then(
        (written) => written.status,
        () => 'it has left',
      );
      expect([403, 500, 'it has left']).toContain(status);
    }
  });
});
